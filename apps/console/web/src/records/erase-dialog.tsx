import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { settings } from '../base/api.ts'
import { textIn } from '../base/form-text.ts'
import { fieldErrors } from '../base/refusals.ts'
import { Facts } from '../shell/facts.tsx'
import { FormDialog } from '../shell/form-dialog.tsx'
import { erasedPlaces, keptKind, keptPlace, type Erasure } from './erasure-words.ts'
import type { PersonSubject } from './personal-data.ts'
import { RecordLink } from './record-link.tsx'
import { inDigits, t } from '../base/texts.ts'
import { Dialog } from '../shell/dialog.tsx'

interface EraseDialogProps {
  readonly subject: PersonSubject
  onClose(): void
  /** Is called once the person has read what was erased. */
  onErased(): void
}

/** Erases a person once their address or name is typed, and tells before and after what is erased and what is kept. */
export function EraseDialog({ subject, onClose, onErased }: EraseDialogProps) {
  const erase = useMutation({
    mutationFn: async (form: FormData) =>
      (await settings.privacy.erase({ body: { subject, confirm: textIn(form, 'confirm') } })).data,
  })
  const preview = useQuery({
    queryKey: ['erasure', subject.type, subject.id],
    queryFn: async () => (await settings.privacy.erase({ body: { subject, dryRun: true } })).data,
    enabled: erase.data === undefined,
    gcTime: 0,
    retry: false,
  })
  if (erase.data !== undefined) {
    const finish = () => {
      onClose()
      onErased()
    }
    return (
      <Dialog opened onClose={finish} title={t('Personal data erased')} centered>
        <Outcome
          erasure={erase.data}
          entries={t('Entries that were erased, or from which the name and addresses were taken:')}
        />
        <Group justify="flex-end" mt="md">
          <Button onClick={finish} data-autofocus>
            {t('Done')}
          </Button>
        </Group>
      </Dialog>
    )
  }
  const isWrong = fieldErrors(erase.error)['confirm'] !== undefined
  return (
    <FormDialog
      opened
      title={t('Erase personal data?')}
      submit={t('Erase')}
      isDestructive
      isBusy={erase.isPending}
      error={erase.error ?? preview.error}
      onSubmit={erase.mutate}
      onClose={onClose}
    >
      <Text size="sm">
        {t(
          'The data of this person is erased, and their full name, addresses and numbers in texts. Issued quotes, orders and invoices are kept. This cannot be undone.',
        )}
      </Text>
      {preview.data && (
        <Outcome erasure={preview.data} entries={t('An erasure takes the person out of these entries:')} />
      )}
      <TextInput
        name="confirm"
        label={t('Email address of the person')}
        description={t('Type it to confirm; the full name if there is no address')}
        error={isWrong && t('This is not the email address of this person, or the name of somebody without one.')}
        maxLength={320}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  )
}

interface OutcomeProps {
  readonly erasure: Erasure
  /** What the counted entries are. */
  readonly entries: string
}

function Outcome({ erasure: { erased, kept }, entries }: OutcomeProps) {
  const byReason = Map.groupBy(kept, ({ reason }) => reason)
  return (
    <Stack gap="sm">
      <Text size="sm">{entries}</Text>
      <Facts facts={erasedPlaces(erased).map(([place, number]) => [place, inDigits(number)])} />
      <Text size="sm">{kept.length === 0 ? t('Nothing was kept.') : t('Kept as it is:')}</Text>
      {[...byReason].map(([reason, places]) => (
        <div key={reason} role="group" aria-label={reason}>
          <Text size="sm">{reason}:</Text>
          <Group gap="xs">
            {places.map(({ type, id }) => (
              <KeptPlace key={`${type} ${id}`} type={type} id={id} />
            ))}
          </Group>
        </div>
      ))}
    </Stack>
  )
}

function KeptPlace({ type, id }: { readonly type: string; readonly id: string }) {
  const entityType = keptKind(type)
  return (
    <Text size="sm" component="span">
      {entityType === undefined ? keptPlace(type) : <RecordLink record={{ entityType, entityId: id }} />}
    </Text>
  )
}

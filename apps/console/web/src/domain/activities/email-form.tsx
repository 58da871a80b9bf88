import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useContext, useState, type FormEvent } from 'react'
import { crm } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { readFields } from '../../records/form-changes.ts'
import { collectionOf, type RecordPlace } from '../../records/record-place.ts'
import { Replying } from '../../records/replying.ts'
import { useChange } from '../../shell/changes.ts'
import { RefusalAlert } from '../../shell/states.tsx'
import { WithAttachments } from '../files/attachments-field.tsx'
import { t } from '../../base/texts.ts'

/** The person to whom emails about a record usually go: an address, or a contact that has one. */
export interface Addressee {
  readonly email?: string | null
  readonly contactId?: string | null
}

interface EmailFormProps {
  readonly record: RecordPlace
  readonly addressee: Addressee
  onSent?(): void
}

/** Writes an email about a record. It goes out from the workspace, and answers go to its author. */
export function EmailForm({ record, addressee, onSent }: EmailFormProps) {
  const [round, setRound] = useState(0)
  const usual = useAddress(addressee)
  const { answer } = useContext(Replying)
  const address = answer?.to ?? usual
  const [fileIds, setFileIds] = useState<readonly string[]>([])
  const send = useChange((form: FormData) => crm.activities.sendEmail({ body: readEmail(form, record, fileIds) }), {
    said: t('Email sent'),
    stale: [collectionOf(record.entityType)],
    onDone: () => {
      setRound(round + 1)
      setFileIds([])
      onSent?.()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!send.isPending) send.mutate(new FormData(event.currentTarget))
  }
  const errors = fieldErrors(send.error)
  const errorOf = (field: string) => Object.entries(errors).find(([path]) => path.split('.')[0] === field)?.[1]
  return (
    <form key={`${round} ${answer?.to} ${answer?.subject}`} onSubmit={submit} aria-label={t('New email')}>
      <Stack gap="xs">
        <TextInput
          key={address}
          name="to"
          label={t('To')}
          description={t('Separate addresses with commas')}
          defaultValue={address}
          autoComplete="off"
          required
          withAsterisk={false}
          error={errorOf('to')}
        />
        <TextInput name="cc" label={t('Cc')} autoComplete="off" error={errorOf('cc')} />
        <TextInput
          name="subject"
          label={t('Subject')}
          defaultValue={answer?.subject}
          data-begins={address === '' ? undefined : true}
          autoComplete="off"
          dir="auto"
          required
          withAsterisk={false}
          maxLength={200}
          error={errors['subject']}
        />
        <WithAttachments record={record} value={fileIds} error={errorOf('fileIds')} onChange={setFileIds}>
          <Textarea
            name="message"
            label={t('Message')}
            dir="auto"
            autosize
            minRows={4}
            maxRows={14}
            required
            withAsterisk={false}
            error={errors['message']}
          />
        </WithAttachments>
        {!isRefusedWith(send.error, 'VALIDATION_ERROR') && <RefusalAlert error={send.error} />}
        <Group>
          <Button type="submit" size="xs" loading={send.isPending}>
            {t('Send email')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function useAddress({ email, contactId }: Addressee): string {
  const { may } = useSession()
  const id = email ? undefined : (contactId ?? undefined)
  const { data } = useQuery({
    queryKey: ['contacts', 'one', id],
    queryFn: async ({ signal }) => (await crm.contacts.get({ params: { id: id ?? '' }, signal })).data,
    enabled: id !== undefined && may('VIEW_CONTACT'),
  })
  return email ?? data?.email ?? ''
}

function readEmail(form: FormData, record: RecordPlace, fileIds: readonly string[]) {
  const { to, cc, subject, message } = readFields(form, ['to', 'cc', 'subject', 'message'])
  return { to: addressesIn(to), cc: addressesIn(cc), subject, message, links: [record], fileIds: [...fileIds] }
}

function addressesIn(text: string): string[] {
  return text.split(/[,;\s]+/).filter((part) => part !== '')
}

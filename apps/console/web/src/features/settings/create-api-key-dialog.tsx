import { NativeSelect, TagsInput, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { NameField } from '../../records/name-field.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { heldIn, HoldingFields } from './limits-dialog.tsx'
import type { NewKey } from './new-key-dialog.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { expiryOf, lifetimes, readingScopes, scopeGroups } from './scope-words.ts'
import { serviceAccountsQuery } from './settings-queries.ts'
import { t } from './texts.ts'

interface CreateApiKeyDialogProps {
  onClose(): void
  onCreated(key: NewKey): void
}

/** Asks for the name, the owner, the rights, the places and the end of a new key. */
export function CreateApiKeyDialog({ onClose, onCreated }: CreateApiKeyDialogProps) {
  const { scopes, may } = useSession()
  const owners = useQuery({ ...serviceAccountsQuery, enabled: may('MANAGE_USERS') }).data ?? []
  const [addresses, setAddresses] = useState<readonly string[]>([])
  const groups = scopeGroups(scopes)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(readingScopes(groups)))
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: (form: FormData) =>
      settings.apiKeys.create({
        body: {
          name: textIn(form, 'name'),
          scopes: [...chosen],
          expiresAt: expiryOf(textIn(form, 'lifetime'), Date.now()),
          ownerId: textIn(form, 'ownerId') || undefined,
          allowedCidrs: [...addresses],
          ...heldIn(form),
        },
      }),
    onSuccess: ({ data }) => {
      onCreated(data)
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  const errors = fieldErrors(create.error)
  const addressError = Object.entries(errors).find(([field]) => field.split('.')[0] === 'allowedCidrs')?.[1]
  return (
    <FormDialog
      opened
      title={t('New API key')}
      submit={t('Create key')}
      size="lg"
      isBusy={create.isPending}
      isIncomplete={chosen.size === 0}
      error={create.error}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <NameField errors={errors} description={t('App name')} />
      {owners.length > 0 && (
        <NativeSelect
          name="ownerId"
          label={t('Owner')}
          description={t(
            'A key never has more rights than its owner. That of a service account goes on working when you leave.',
          )}
          error={errors['ownerId']}
          data={[{ value: '', label: t('Me') }, ...owners.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      <NativeSelect
        name="lifetime"
        label={t('Expires after')}
        defaultValue={lifetimes[1].value}
        data={[...lifetimes]}
        error={errors['expiresAt']}
      />
      <TagsInput
        label={t('Allowed addresses')}
        description={t('Single addresses or blocks such as 192.0.2.0/24. Empty: the key works from everywhere.')}
        value={[...addresses]}
        onChange={setAddresses}
        splitChars={[',', ';', ' ']}
        acceptValueOnBlur
        maxTags={50}
        error={addressError}
      />
      <HoldingFields held={{ writes: 'DIRECT', confirm: false }} />
      <ScopePicker groups={groups} chosen={chosen} onChange={setChosen} />
      {errors['scopes'] !== undefined && (
        <Text c="red" role="alert">
          {errors['scopes']}
        </Text>
      )}
    </FormDialog>
  )
}

import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import type { NewKey } from './new-key-dialog.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { expiryOf, lifetimes, readingScopes, scopeGroups } from './scope-words.ts'

interface CreateApiKeyDialogProps {
  onClose(): void
  onCreated(key: NewKey): void
}

/** Asks for the name, the rights and the end of a new key. */
export function CreateApiKeyDialog({ onClose, onCreated }: CreateApiKeyDialogProps) {
  const { scopes } = useSession()
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
        },
      }),
    onSuccess: ({ data }) => {
      onCreated(data)
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  const errors = fieldErrors(create.error)
  return (
    <FormDialog
      opened
      title="New API key"
      submit="Create key"
      size="lg"
      isBusy={create.isPending}
      isIncomplete={chosen.size === 0}
      error={create.error}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label="Name"
        description="Which program will use it"
        error={errors['name']}
        maxLength={100}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <NativeSelect
        name="lifetime"
        label="Expires after"
        defaultValue={lifetimes[1].value}
        data={[...lifetimes]}
        error={errors['expiresAt']}
      />
      <ScopePicker groups={groups} chosen={chosen} onChange={setChosen} />
      {errors['scopes'] !== undefined && (
        <Text c="red" role="alert">
          {errors['scopes']}
        </Text>
      )}
    </FormDialog>
  )
}

import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { RefusalAlert } from '../../shell/states.tsx'
import type { NewKey } from './new-key-dialog.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { expiryOf, lifetimes, readingScopes, scopeGroups } from './scope-words.ts'

interface CreateApiKeyDialogProps {
  readonly opened: boolean
  onClose(): void
  onCreated(key: NewKey): void
}

/** Asks for the name, the rights and the end of a new key. */
export function CreateApiKeyDialog({ opened, onClose, onCreated }: CreateApiKeyDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New API key" size="lg">
      <CreateApiKeyForm onClose={onClose} onCreated={onCreated} />
    </Modal>
  )
}

function CreateApiKeyForm({ onClose, onCreated }: Omit<CreateApiKeyDialogProps, 'opened'>) {
  const { scopes } = useSession()
  const groups = scopeGroups(scopes)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(readingScopes(groups)))
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState<string>(lifetimes[1].value)
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: () => settings.apiKeys.create({ body: { name, scopes: [...chosen], expiresAt: expiryOf(lifetime, Date.now()) } }),
    onSuccess: ({ data }) => {
      onCreated(data)
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  const errors = fieldErrors(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit} aria-label="New API key">
      <Stack>
        <TextInput label="Name" description="Which program will use it" value={name} onChange={(event) => setName(event.currentTarget.value)} error={errors['name']} maxLength={100} required withAsterisk={false} autoComplete="off" data-autofocus />
        <NativeSelect label="Expires after" value={lifetime} onChange={(event) => setLifetime(event.currentTarget.value)} data={[...lifetimes]} error={errors['expiresAt']} />
        <ScopePicker groups={groups} chosen={chosen} onChange={setChosen} />
        {!isRefusedWith(create.error, 'VALIDATION_ERROR') && <RefusalAlert error={create.error} />}
        {errors['scopes'] !== undefined && <Text c="red" role="alert">{errors['scopes']}</Text>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>Cancel</Button>
          <Button type="submit" loading={create.isPending} disabled={chosen.size === 0}>Create key</Button>
        </Group>
      </Stack>
    </form>
  )
}

import { Button, Checkbox, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settings } from '../api.ts'
import { fieldErrors, isRefusedWith } from '../refusals.ts'
import { useSession } from '../session.ts'
import { RefusalAlert } from '../shell/states.tsx'
import classes from './create-api-key-dialog.module.css'
import type { NewKey } from './new-key-dialog.tsx'
import { expiryOf, lifetimes, readingScopes, scopeGroups, type ScopeGroup } from './scope-words.ts'

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

interface ScopePickerProps {
  readonly groups: readonly ScopeGroup[]
  readonly chosen: ReadonlySet<string>
  onChange(chosen: ReadonlySet<string>): void
}

function ScopePicker({ groups, chosen, onChange }: ScopePickerProps) {
  const set = (names: readonly string[], isOn: boolean) => {
    const others = [...chosen].filter((name) => !names.includes(name))
    onChange(new Set(isOn ? [...others, ...names] : others))
  }
  const all = groups.flatMap(({ scopes }) => scopes.map(({ name }) => name))
  return (
    <fieldset className={classes.scopes}>
      <legend className={classes.legend}>Rights</legend>
      <div className={classes.presets}>
        <Button variant="default" size="xs" onClick={() => onChange(new Set(readingScopes(groups)))}>Only read</Button>
        <Button variant="default" size="xs" onClick={() => onChange(new Set(all))}>Everything</Button>
        <Button variant="default" size="xs" onClick={() => onChange(new Set())}>Nothing</Button>
        <Text size="sm" c="dimmed" aria-live="polite">{`${chosen.size} of ${all.length} chosen`}</Text>
      </div>
      <div className={classes.groups}>
        {groups.map(({ group, scopes }) => {
          const names = scopes.map(({ name }) => name)
          const on = names.filter((name) => chosen.has(name)).length
          return (
            <div key={group} role="group" aria-label={group} className={classes.group}>
              <Checkbox label={group} fw={560} size="xs" checked={on === names.length} indeterminate={on > 0 && on < names.length} onChange={(event) => set(names, event.currentTarget.checked)} />
              {scopes.map(({ name, description }) => (
                <Checkbox key={name} className={classes.scope} size="xs" label={description} title={name} checked={chosen.has(name)} onChange={(event) => set([name], event.currentTarget.checked)} />
              ))}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}

import { type AccessLevel, accessLevels, leveledActions } from '@crm/permissions'
import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { RecordTable } from '../../records/record-table.tsx'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import {
  accessOf,
  levelNames,
  reachableKinds,
  rulesFor,
  type AccessByKind,
  type ReachableKind,
} from './access-words.ts'
import classes from './role-dialog.module.css'
import { ScopePicker } from './scope-picker.tsx'
import { scopeGroups } from './scope-words.ts'
import type { Role } from './settings-queries.ts'

/** The starting point of a role: an existing one that is changed or copied, or nothing. */
export interface RoleDraft {
  /** The role to change; undefined for a new one. */
  readonly id?: string
  readonly name: string
  readonly description: string | null
  readonly permissions: readonly string[]
  readonly access: Role['access']
}

/** Asks for the rights of a role, and for their reach. */
export function RoleDialog({ draft, onClose }: { readonly draft: RoleDraft | null; onClose(): void }) {
  const { scopes } = useSession()
  const groups = scopeGroups(scopes)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(draft?.permissions))
  const [access, setAccess] = useState(() => accessOf(draft?.access ?? []))
  const kinds = reachableKinds(groups, chosen)
  const save = useChange(
    (form: FormData) => {
      const body = {
        name: textIn(form, 'name'),
        description: textIn(form, 'description'),
        permissions: [...chosen],
        access: rulesFor(kinds, access),
      }
      return draft?.id === undefined
        ? settings.roles.create({ body })
        : settings.roles.update({ params: { id: draft.id }, body })
    },
    { said: 'Saved', stale: ['roles', 'session'], onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  const nameError = isRefusedWith(save.error, 'NAME_TAKEN') ? 'Another role has this name' : errors['name']
  return (
    <FormDialog
      opened={draft !== null}
      title={draft?.id === undefined ? 'New role' : 'Edit the role'}
      submit="Save"
      size="xl"
      isBusy={save.isPending}
      error={nameError === undefined ? save.error : null}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label="Name"
        defaultValue={draft?.name}
        error={nameError}
        maxLength={100}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        name="description"
        label="Description"
        defaultValue={draft?.description ?? ''}
        error={errors['description']}
        maxLength={500}
        autoComplete="off"
      />
      <ScopePicker groups={groups} chosen={chosen} onChange={setChosen} />
      {kinds.length > 0 && <AccessTable kinds={kinds} access={access} onChange={setAccess} />}
    </FormDialog>
  )
}

const actionNames = { VIEW: 'See', UPDATE: 'Change', DELETE: 'Delete' } as const

interface AccessTableProps {
  readonly kinds: readonly ReachableKind[]
  readonly access: AccessByKind
  onChange(access: AccessByKind): void
}

function AccessTable({ kinds, access, onChange }: AccessTableProps) {
  const levels = accessLevels.map((level) => ({ value: level, label: levelNames[level] }))
  const levelOf = (value: string): AccessLevel => accessLevels.find((level) => level === value) ?? 'ALL'
  return (
    <div>
      <Text size="sm" fw={500} mb="xs">
        How far it reaches
      </Text>
      <div className={classes.access}>
        <RecordTable
          label="How far the rights reach"
          rows={kinds}
          columns={[
            { label: 'Records', cell: ({ label }) => label },
            ...leveledActions.map((action) => ({
              label: actionNames[action],
              cell: ({ entityType, label, actions }: ReachableKind) =>
                actions.includes(action) && (
                  <NativeSelect
                    size="xs"
                    aria-label={`${actionNames[action]}: ${label}`}
                    value={access[entityType]?.[action] ?? 'ALL'}
                    onChange={(event) =>
                      onChange({
                        ...access,
                        [entityType]: { ...access[entityType], [action]: levelOf(event.currentTarget.value) },
                      })
                    }
                    data={levels}
                  />
                ),
            })),
          ]}
        />
      </div>
    </div>
  )
}

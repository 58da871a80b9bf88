import { type AccessLevel, accessLevels } from '@crm/permissions'
import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import {
  accessOf,
  describeReach,
  levelNames,
  permissionRows,
  reachableKinds,
  rulesFor,
  type AccessByKind,
  type PermissionRow,
} from './access-words.ts'
import classes from './role-dialog.module.css'
import { ScopePicker } from './scope-picker.tsx'
import { scopeGroups } from './scope-words.ts'
import type { Role } from './settings-queries.ts'
import { t } from './texts.ts'

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
  const { rows, others } = permissionRows(groups)
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
    { said: t('Saved'), stale: ['roles', 'session'], onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  const nameError = isRefusedWith(save.error, 'NAME_TAKEN') ? t('Another role has this name') : errors['name']
  return (
    <FormDialog
      opened={draft !== null}
      title={draft?.id === undefined ? t('New role') : t('Edit the role')}
      submit={t('Save')}
      size="xl"
      isBusy={save.isPending}
      error={nameError === undefined ? save.error : null}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label={t('Name')}
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
        label={t('Description')}
        defaultValue={draft?.description ?? ''}
        error={errors['description']}
        maxLength={500}
        autoComplete="off"
      />
      <PermissionTable
        rows={rows}
        chosen={chosen}
        access={access}
        onChange={(nextChosen, nextAccess) => {
          setChosen(nextChosen)
          setAccess(nextAccess)
        }}
      />
      <ScopePicker groups={others} chosen={chosen} legend={t('Other permissions')} onChange={setChosen} />
    </FormDialog>
  )
}

const columns = {
  VIEW: t('See'),
  CREATE: t('Create', { context: 'a right' }),
  UPDATE: t('Edit'),
  DELETE: t('Delete'),
} as const
type Action = keyof typeof columns
const columnNames = Object.entries(columns) as [Action, string][]
const levels = accessLevels.map((level) => ({ value: level, label: levelNames[level] }))
const yesOrNo = [
  { value: 'NONE', label: t('No') },
  { value: 'ALL', label: t('Yes') },
]

interface PermissionTableProps {
  readonly rows: readonly PermissionRow[]
  readonly chosen: ReadonlySet<string>
  readonly access: AccessByKind
  onChange(chosen: ReadonlySet<string>, access: AccessByKind): void
}

/** The rights on records: one row for each kind, one column for each action. */
function PermissionTable({ rows, chosen, access, onChange }: PermissionTableProps) {
  const levelOf = (entityType: string, action: Action): AccessLevel => {
    if (!chosen.has(`${action}_${entityType}`)) return 'NONE'
    return action === 'CREATE' ? 'ALL' : (access[entityType]?.[action] ?? 'ALL')
  }
  const set = (entityType: string, action: Action, value: string) => {
    const level = accessLevels.find((one) => one === value) ?? 'NONE'
    const name = `${action}_${entityType}`
    const others = [...chosen].filter((one) => one !== name)
    const reach = action === 'CREATE' || level === 'NONE' ? {} : { [action]: level }
    onChange(new Set(level === 'NONE' ? others : [...others, name]), {
      ...access,
      [entityType]: { ...access[entityType], ...reach },
    })
  }
  return (
    <div>
      <Text size="sm" mb="xs" aria-live="polite">
        {describeReach(rows, chosen, access)}
      </Text>
      <div className={classes.access}>
        <table className={classes.table} aria-label={t('Permissions')}>
          <thead>
            <tr>
              <th scope="col">{t('Record type')}</th>
              {columnNames.map(([action, label]) => (
                <th key={action} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ entityType, label, givable }) => (
              <tr key={entityType}>
                <th scope="row">{label}</th>
                {columnNames.map(([action, column]) => (
                  <td key={action} data-label={column}>
                    {givable.includes(action) && (
                      <NativeSelect
                        size="xs"
                        aria-label={`${label}: ${column}`}
                        value={levelOf(entityType, action)}
                        onChange={(event) => set(entityType, action, event.currentTarget.value)}
                        data={action === 'CREATE' ? yesOrNo : levels}
                      />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { RoleDialog, type RoleDraft } from './role-dialog.tsx'
import { summarizeScopes } from './scope-words.ts'
import { rolesQuery, type Role } from './settings-queries.ts'

const emptyRole: RoleDraft = { name: '', description: null, permissions: [], access: [] }

/** What people may do, by role. */
export function RolesPage() {
  const { scopes } = useSession()
  const [draft, setDraft] = useState<RoleDraft | null>(null)
  const [removed, setRemoved] = useState<Role | null>(null)
  const { data, error, refetch } = useQuery(rolesQuery)
  return (
    <Page
      title="Roles"
      note="What people may do. Somebody with several roles may do what any of them gives."
      actions={<Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDraft(emptyRole)}>New role</Button>}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined ? <div className={tables.loading}><LoadingLines label="Loading the roles" /></div> : (
            <table className={tables.table} aria-label="Roles">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col" data-extra>Rights</th>
                  <th scope="col" data-extra>People</th>
                  <th scope="col"><span className={tables.spoken}>Actions</span></th>
                </tr>
              </thead>
              <tbody>
                {data.map((role) => (
                  <tr key={role.id}>
                    <td><div className={tables.title}>{role.name}</div><div className={tables.note}>{role.description}</div></td>
                    <td data-extra>{summarizeScopes(role.permissions, scopes.allScopes)}</td>
                    <td data-extra>{role.userCount.toLocaleString('en')}</td>
                    <td><RoleActions role={role} onEdit={setDraft} onRemove={setRemoved} /></td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Panel>
      )}
      <RoleDialog key={draft === null ? 'none' : (draft.id ?? draft.name)} draft={draft} onClose={() => setDraft(null)} />
      <RemoveDialog role={removed} onClose={() => setRemoved(null)} />
    </Page>
  )
}

function RoleActions({ role, onEdit, onRemove }: { readonly role: Role; onEdit(draft: RoleDraft): void; onRemove(role: Role): void }) {
  const { id: _id, ...copied } = role
  return (
    <div className={tables.actions}>
      {role.isSystem && <Pill>Built in</Pill>}
      <Button variant="default" size="xs" aria-label={`Copy ${role.name}`} onClick={() => onEdit({ ...copied, name: `${role.name} (copy)` })}>Copy</Button>
      {!role.isSystem && <Button variant="default" size="xs" aria-label={`Edit ${role.name}`} onClick={() => onEdit(role)}>Edit</Button>}
      {!role.isSystem && <Button variant="subtle" color="red" size="xs" aria-label={`Delete ${role.name}`} onClick={() => onRemove(role)}>Delete</Button>}
    </div>
  )
}

function RemoveDialog({ role, onClose }: { readonly role: Role | null; onClose(): void }) {
  const remove = useChange((id: string) => settings.roles.delete({ params: { id } }), { said: 'The role was deleted', stale: ['roles'], onDone: onClose })
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog opened={role !== null} onClose={close} title="Delete this role?" confirm="Delete" isDestructive isBusy={remove.isPending} error={remove.error} onConfirm={() => role !== null && remove.mutate(role.id)}>
      <b>{role?.name}</b> goes for good. While somebody has it, it stays.
    </ConfirmDialog>
  )
}

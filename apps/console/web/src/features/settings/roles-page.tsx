import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { viewAs } from '../../base/view-as.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { RoleDialog, type RoleDraft } from './role-dialog.tsx'
import { summarizeScopes } from './scope-words.ts'
import { rolesQuery, type Role } from './settings-queries.ts'
import { inDigits } from '../../base/texts.ts'
import { t } from './texts.ts'

const emptyRole: RoleDraft = { name: '', description: null, permissions: [], access: [] }

/** The rights of people, by role. */
export function RolesPage() {
  const { scopes } = useSession()
  const [draft, setDraft] = useState<RoleDraft | null>(null)
  const [removed, setRemoved] = useState<Role | null>(null)
  const roles = useQuery(rolesQuery)
  return (
    <Page
      title={t('Roles')}
      note={t('Roles decide what people can see and change. With several roles, the widest access counts.')}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDraft(emptyRole)}>
          {t('New role')}
        </Button>
      }
    >
      <TablePanel
        label={t('Roles')}
        reading={roles}
        empty={null}
        columns={[
          { label: t('Name'), cell: ({ name, description }) => <RowTitle note={description}>{name}</RowTitle> },
          {
            label: t('Rights'),
            isExtra: true,
            cell: ({ permissions }) => summarizeScopes(permissions, scopes.allScopes),
          },
          { label: t('People'), isExtra: true, cell: ({ userCount }) => inDigits(userCount) },
        ]}
        actions={(role) => <RoleActions role={role} onEdit={setDraft} onRemove={setRemoved} />}
      />
      <RoleDialog
        key={draft === null ? 'none' : (draft.id ?? draft.name)}
        draft={draft}
        onClose={() => setDraft(null)}
      />
      <RemoveDialog role={removed} onClose={() => setRemoved(null)} />
    </Page>
  )
}

function RoleActions({
  role,
  onEdit,
  onRemove,
}: {
  readonly role: Role
  onEdit(draft: RoleDraft): void
  onRemove(role: Role): void
}) {
  const { id: _id, ...copied } = role
  return (
    <>
      {role.isSystem && <Pill>{t('Built in')}</Pill>}
      <RowButton
        verb={t('View as this role')}
        name={role.name}
        onClick={() => viewAs({ id: role.id, name: role.name })}
      />
      <RowButton
        verb={t('Copy')}
        name={role.name}
        onClick={() => onEdit({ ...copied, name: t('{name} (copy)', { name: role.name }) })}
      />
      {!role.isSystem && <RowButton verb={t('Edit')} name={role.name} onClick={() => onEdit(role)} />}
      {!role.isSystem && <RowButton verb={t('Delete')} name={role.name} isDestructive onClick={() => onRemove(role)} />}
    </>
  )
}

function RemoveDialog({ role, onClose }: { readonly role: Role | null; onClose(): void }) {
  const remove = useChange((id: string) => settings.roles.delete({ params: { id } }), {
    said: t('Role deleted'),
    stale: ['roles'],
    onDone: onClose,
  })
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={role !== null}
      onClose={close}
      title={t('Delete this role?')}
      confirm={t('Delete')}
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => role !== null && remove.mutate(role.id)}
    >
      {t.rich('<b>{name}</b> is deleted for good. A role that somebody has cannot be deleted.', {
        name: role?.name ?? '',
        b: (text) => <b>{text}</b>,
      })}
    </ConfirmDialog>
  )
}

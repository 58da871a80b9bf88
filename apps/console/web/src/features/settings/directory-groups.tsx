import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { DepartmentChoice } from './department-choice.tsx'
import { RoleChoice, rolesIn } from './role-choice.tsx'
import { departmentsQuery, rolesQuery, type Department, type Role } from './settings-queries.ts'
import { inDigits } from '../../base/texts.ts'
import { t } from './texts.ts'

type DirectoryGroup = Awaited<ReturnType<typeof settings.scimGroups.list>>['items'][number]

const groupsQuery = (page: number) =>
  queryOptions({
    queryKey: ['directory-groups', page],
    queryFn: ({ signal }) => settings.scimGroups.list({ query: { page, pageSize: 50 }, signal }),
  })

/** The groups that directories have sent, and the rights of their members. */
export function DirectoryGroups() {
  const { may } = useSession()
  const [page, setPage] = useState(1)
  const [edited, setEdited] = useState<DirectoryGroup | null>(null)
  const groups = useQuery(groupsQuery(page))
  const roles = useQuery(rolesQuery).data
  const departments = useQuery({ ...departmentsQuery, enabled: may('VIEW_DEPARTMENT') }).data
  const nameIn = (list: readonly (Role | Department)[] | undefined, wanted: string | null) =>
    list?.find(({ id }) => id === wanted)?.name
  return (
    <>
      <TablePanel
        title={t('Groups')}
        note={t('The members of a group get its roles and its department.')}
        label={t('Groups')}
        reading={groups}
        page={page}
        onPage={setPage}
        empty={<EmptyState title={t('No groups')}>{t('The groups that a directory sends appear here.')}</EmptyState>}
        columns={[
          { label: t('Name'), cell: ({ displayName }) => <RowTitle>{displayName}</RowTitle> },
          { label: t('Members'), isNumber: true, cell: ({ memberCount }) => inDigits(memberCount) },
          {
            label: t('Roles'),
            cell: ({ roleIds }) =>
              roleIds
                .map((id) => nameIn(roles, id))
                .filter(Boolean)
                .join(', '),
          },
          {
            label: t('Department'),
            isExtra: true,
            cell: ({ departmentId }) => nameIn(departments, departmentId),
          },
        ]}
        actions={
          roles !== undefined &&
          ((group) => <RowButton verb={t('Edit')} name={group.displayName} onClick={() => setEdited(group)} />)
        }
      />
      {edited !== null && roles !== undefined && (
        <GroupDialog group={edited} roles={roles} departments={departments} onClose={() => setEdited(null)} />
      )}
    </>
  )
}

interface GroupDialogProps {
  readonly group: DirectoryGroup
  readonly roles: readonly Role[]
  /** The departments, if the person may see them. */
  readonly departments: readonly Department[] | undefined
  onClose(): void
}

function GroupDialog({ group, roles, departments, onClose }: GroupDialogProps) {
  const save = useChange(
    (form: FormData) =>
      settings.scimGroups.update({
        params: { id: group.id },
        body: {
          roleIds: rolesIn(form),
          ...(departments ? { departmentId: textIn(form, 'departmentId') || null } : {}),
        },
      }),
    { said: t('Saved'), stale: ['directory-groups', 'people', 'roles', 'session'], onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened
      title={t('Edit {displayName}', { displayName: group.displayName })}
      submit={t('Save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <RoleChoice roles={roles} held={group.roleIds} />
      {errors['roleIds'] !== undefined && (
        <Text c="red" size="sm" role="alert">
          {errors['roleIds']}
        </Text>
      )}
      {departments !== undefined && (
        <DepartmentChoice departments={departments} current={group.departmentId} error={errors['departmentId']} />
      )}
    </FormDialog>
  )
}

import { Alert, Button, Group } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { describeDay } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import { inList } from '../../base/texts.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { SearchField } from '../../records/search-field.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Avatar } from '../../shell/avatar.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { ServiceAccountDialog } from './service-account-dialog.tsx'
import { departmentsQuery, rolesQuery, signInRulesQuery, type Person } from './settings-queries.ts'
import { t } from './texts.ts'

const route = getRouteApi('/console/settings/people')

const peopleQuery = (page: number, search: string | undefined) =>
  queryOptions({
    queryKey: ['people', 'list', page, search],
    queryFn: ({ signal }) => settings.users.list({ query: { search, page, pageSize: 50 }, signal }),
    placeholderData: keepPreviousData,
  })

const tones = { ACTIVE: 'green', SUSPENDED: 'amber', TERMINATED: 'neutral' } as const
const stateNames = {
  ACTIVE: t('Active'),
  SUSPENDED: t('Suspended'),
  TERMINATED: t('Terminated'),
} as const

const withoutSightQuery = queryOptions({
  queryKey: ['people', 'without sight'],
  queryFn: async ({ signal }) => (await settings.users.withoutSight({ signal })).data,
})

/** Names the people whose role shows them nothing, which they cannot know by themselves. */
function WithoutSight() {
  const { data = [] } = useQuery(withoutSightQuery)
  if (data.length === 0) return null
  const names = inList(data.map(({ name }) => name))
  return (
    <Alert
      color="yellow"
      title={t('{count, plural, one {{names} sees no record of the team} other {{names} see no record of the team}}', {
        names,
        count: data.length,
      })}
      mb="md"
    >
      {t('Their role shows a department’s records only. Give them a department, or a role that shows everyone’s.')}
    </Alert>
  )
}

/** The people with an account in the workspace. */
export function PeoplePage() {
  const { page = 1, search } = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const people = useQuery(peopleQuery(page, search))
  const roles = useQuery({ ...rolesQuery, enabled: may('MANAGE_ROLES') })
  const roleNames = new Map(roles.data?.map(({ id, name }) => [id, name]))
  const departments = useQuery({ ...departmentsQuery, enabled: may('VIEW_DEPARTMENT') })
  const departmentNames = new Map(departments.data?.map(({ id, name }) => [id, name]))
  const mayTypePasswords =
    useQuery({ ...signInRulesQuery, enabled: may('MANAGE_WORKSPACE') }).data?.typedPasswords === true
  const [creating, setCreating] = useState<'invitation' | 'service' | null>(null)
  const [edited, setEdited] = useState<Person | 'new' | null>(null)
  return (
    <Page
      title={t('People')}
      note={people.data && t('{total, plural, one {# account} other {# accounts}}', { total: people.data.total })}
      actions={
        <Group gap="xs">
          <Button variant="default" onClick={() => setCreating('service')}>
            {t('New service account')}
          </Button>
          {mayTypePasswords && (
            <Button variant="default" onClick={() => setEdited('new')}>
              {t('New account')}
            </Button>
          )}
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating('invitation')}>
            {t('Invite people')}
          </Button>
        </Group>
      }
    >
      <WithoutSight />
      <InvitationsPanel />
      <SearchField
        label={t('Search people')}
        placeholder={t('Name or email')}
        value={search ?? ''}
        onSearch={(text) => void navigate({ search: text.trim() === '' ? {} : { search: text.trim() }, replace: true })}
      />
      <TablePanel
        label={t('People')}
        reading={people}
        page={page}
        onPage={(next) => void navigate({ search: { search, page: next } })}
        empty={<EmptyState title={t('Nothing found')} />}
        isDead={({ status }) => status === 'TERMINATED'}
        columns={[
          {
            label: t('Name'),
            cell: ({ id, name, email, kind }) => (
              <Group gap="xs" wrap="nowrap">
                <Avatar name={name} personId={id} isSquare={kind === 'SERVICE'} />
                <div>
                  <RowTitle note={kind === 'SERVICE' ? t('Service account') : email}>{name}</RowTitle>
                </div>
              </Group>
            ),
          },
          roles.data !== undefined && {
            label: t('Roles'),
            isExtra: true,
            cell: ({ roleIds }) =>
              roleIds
                .map((role) => roleNames.get(role))
                .filter(Boolean)
                .join(', '),
          },
          {
            label: t('Department'),
            isExtra: true,
            cell: ({ departmentId }) => departmentId !== null && departmentNames.get(departmentId),
          },
          { label: t('Joined'), isExtra: true, cell: ({ createdAt }) => describeDay(createdAt) },
          { label: t('Status'), cell: ({ status }) => <Pill tone={tones[status]}>{stateNames[status]}</Pill> },
        ]}
        actions={(person) => <RowButton verb={t('Edit')} name={person.name} onClick={() => setEdited(person)} />}
      />
      {creating === 'invitation' && <InviteDialog onClose={() => setCreating(null)} />}
      {creating === 'service' && <ServiceAccountDialog onClose={() => setCreating(null)} />}
      <PersonDialog
        mayTypePasswords={mayTypePasswords}
        key={edited === 'new' ? 'new' : edited?.id}
        person={edited}
        onClose={() => setEdited(null)}
      />
    </Page>
  )
}

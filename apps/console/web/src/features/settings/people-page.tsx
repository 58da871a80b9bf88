import { Button } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { describeDay } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { PersonDialog, type Person } from './person-dialog.tsx'
import { departmentsQuery, rolesQuery } from './settings-queries.ts'

const route = getRouteApi('/console/settings/people')

const peopleQuery = (page: number) => queryOptions({
  queryKey: ['people', 'list', page],
  queryFn: ({ signal }) => settings.users.list({ query: { page, pageSize: 50 }, signal }),
  placeholderData: keepPreviousData,
})

const tones = { ACTIVE: 'green', SUSPENDED: 'amber', TERMINATED: 'neutral' } as const
const stateNames = { ACTIVE: 'Active', SUSPENDED: 'Suspended', TERMINATED: 'Terminated' } as const

/** Who has an account in the workspace. */
export function PeoplePage() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const { data, error, refetch } = useQuery(peopleQuery(page))
  const roles = useQuery({ ...rolesQuery, enabled: may('MANAGE_ROLES') })
  const roleNames = new Map(roles.data?.map(({ id, name }) => [id, name]))
  const departments = useQuery({ ...departmentsQuery, enabled: may('VIEW_DEPARTMENT') })
  const departmentNames = new Map(departments.data?.map(({ id, name }) => [id, name]))
  const [edited, setEdited] = useState<Person | 'new' | null>(null)
  return (
    <Page
      title="People"
      note={data && `${data.total.toLocaleString('en')} accounts`}
      actions={<Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>New person</Button>}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined ? <div className={tables.loading}><LoadingLines label="Loading the people" /></div> : (
            <table className={tables.table} aria-label="People">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  {roles.data !== undefined && <th scope="col">Roles</th>}
                  <th scope="col" data-extra>Department</th>
                  <th scope="col" data-extra>Since</th>
                  <th scope="col">State</th>
                  <th scope="col"><span className={tables.spoken}>Actions</span></th>
                </tr>
              </thead>
              <tbody>
                {data.items.map((person) => (
                  <tr key={person.id} data-dead={person.status === 'TERMINATED'}>
                    <td><div className={tables.title}>{person.name}</div><div className={tables.note}>{person.email}</div></td>
                    {roles.data !== undefined && <td>{person.roleIds.map((role) => roleNames.get(role)).filter(Boolean).join(', ')}</td>}
                    <td data-extra>{person.departmentId !== null && departmentNames.get(person.departmentId)}</td>
                    <td data-extra>{describeDay(person.createdAt)}</td>
                    <td><Pill tone={tones[person.status]}>{stateNames[person.status]}</Pill></td>
                    <td><div className={tables.actions}><Button variant="default" size="xs" aria-label={`Edit ${person.name}`} onClick={() => setEdited(person)}>Edit</Button></div></td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Panel>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={(next) => void navigate({ search: { page: next } })} />}
      <PersonDialog key={edited === 'new' ? 'new' : edited?.id} person={edited} onClose={() => setEdited(null)} />
    </Page>
  )
}

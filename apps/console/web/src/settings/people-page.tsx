import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { settings } from '../api.ts'
import { describeDay } from '../moments.ts'
import { useSession } from '../session.ts'
import { Page, Panel } from '../shell/page.tsx'
import { Pager } from '../shell/pager.tsx'
import { Pill } from '../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import tables from '../shell/table.module.css'

const route = getRouteApi('/console/settings/people')

const peopleQuery = (page: number) => queryOptions({
  queryKey: ['people', 'list', page],
  queryFn: ({ signal }) => settings.users.list({ query: { page, pageSize: 50 }, signal }),
  placeholderData: keepPreviousData,
})

const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async ({ signal }) => (await settings.roles.list({ query: { pageSize: 100 }, signal })).items,
  staleTime: 300_000,
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
  return (
    <Page title="People" note={data && `${data.total.toLocaleString('en')} accounts`}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined ? <div className={tables.loading}><LoadingLines label="Loading the people" /></div> : (
            <table className={tables.table} aria-label="People">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  {roles.data !== undefined && <th scope="col">Roles</th>}
                  <th scope="col" data-extra>Since</th>
                  <th scope="col">State</th>
                </tr>
              </thead>
              <tbody>
                {data.items.map(({ id, name, email, roleIds, createdAt, status }) => (
                  <tr key={id}>
                    <td><div className={tables.title}>{name}</div><div className={tables.note}>{email}</div></td>
                    {roles.data !== undefined && <td>{roleIds.map((role) => roleNames.get(role)).filter(Boolean).join(', ')}</td>}
                    <td data-extra>{describeDay(createdAt)}</td>
                    <td><Pill tone={tones[status]}>{stateNames[status]}</Pill></td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Panel>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={(next) => void navigate({ search: { page: next } })} />}
    </Page>
  )
}

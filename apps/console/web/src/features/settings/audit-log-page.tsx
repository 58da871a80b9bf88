import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'

const route = getRouteApi('/console/settings/audit-log')

const auditLogQuery = (page: number) => queryOptions({
  queryKey: ['audit-log', page],
  queryFn: ({ signal }) => settings.auditLog.list({ query: { page, pageSize: 50 }, signal }),
  placeholderData: keepPreviousData,
})

/** Who did what to keys, roles, people and settings. */
export function AuditLogPage() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(auditLogQuery(page))
  return (
    <Page title="Audit log" note="Who did what to keys, roles, people and settings, newest first.">
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined && <div className={tables.loading}><LoadingLines label="Loading the audit log" /></div>}
          {data?.items.length === 0 && <EmptyState title="Nothing has happened yet" />}
          {data !== undefined && data.items.length > 0 && (
            <table className={tables.table} aria-label="Audit log">
              <thead>
                <tr><th scope="col">What</th><th scope="col">Who</th><th scope="col" data-extra>Action</th><th scope="col">When</th></tr>
              </thead>
              <tbody>
                {data.items.map(({ id, summary, actorName, action, at }) => (
                  <tr key={id}>
                    <td className={tables.title}>{summary}</td>
                    <td>{actorName}</td>
                    <td data-extra><code>{action}</code></td>
                    <td><time dateTime={at}>{describeInstant(at)}</time></td>
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

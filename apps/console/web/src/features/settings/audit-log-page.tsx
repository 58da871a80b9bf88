import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'

const route = getRouteApi('/console/settings/audit-log')

const auditLogQuery = (page: number) =>
  queryOptions({
    queryKey: ['audit-log', page],
    queryFn: ({ signal }) => settings.auditLog.list({ query: { page, pageSize: 50 }, signal }),
    placeholderData: keepPreviousData,
  })

/** The log of changes to keys, roles, people and settings, with their authors. */
export function AuditLogPage() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const log = useQuery(auditLogQuery(page))
  return (
    <Page title="Audit log" note="Changes to people, roles, keys and settings.">
      <TablePanel
        label="Audit log"
        reading={log}
        page={page}
        onPage={(next) => void navigate({ search: { page: next } })}
        empty={<EmptyState title="Nothing has happened yet" />}
        columns={[
          { label: 'What', cell: ({ summary }) => <RowTitle>{summary}</RowTitle> },
          { label: 'Who', cell: ({ actorName }) => actorName },
          { label: 'Action', isExtra: true, cell: ({ action }) => <code>{action}</code> },
          { label: 'When', cell: ({ at }) => <time dateTime={at}>{describeInstant(at)}</time> },
        ]}
      />
    </Page>
  )
}

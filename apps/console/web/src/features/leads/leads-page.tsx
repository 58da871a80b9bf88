import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../base/session.ts'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { LoadingRows } from '../../records/record-table.tsx'
import { wishOf } from '../../records/saved-filter-address.ts'
import { SavedFilters } from '../../records/saved-filters.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'
import { CreateLeadDialog } from './create-lead-dialog.tsx'
import { LeadFilters } from './lead-filters.tsx'
import { leadsQuery } from './lead-queries.ts'
import { changeSearch, isNarrowed, leadQueryOf, pageSizes, readLeadSearch, sortedBy, type LeadSearch } from './lead-search.ts'
import { LeadsTable } from './leads-table.tsx'
import { rememberPlace } from './list-place.ts'

const route = getRouteApi('/console/leads')

/** The list of leads; all that it is asked for stands in its address. */
export function LeadsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const searchBox = useRef<HTMLInputElement>(null)
  const query = leadQueryOf(search)
  useEffect(() => rememberPlace(search), [search])
  const { data, error, isPlaceholderData, refetch } = useQuery(leadsQuery(query))
  const go = (next: LeadSearch, { replace = false, resetScroll = false } = {}) => void navigate({ search: next, replace, resetScroll })
  useHotkeys([['/', () => searchBox.current?.focus()], ['n', () => may('CREATE_LEAD') && setCreating(true)]])

  return (
    <Page
      title="Leads"
      note={data === undefined ? ' ' : countInWords(data.total, isNarrowed(search))}
      actions={(
        <>
          <ExportButton entityType="LEAD" query={query} />
          {may('CREATE_LEAD') && <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)} aria-keyshortcuts="n">New lead</Button>}
        </>
      )}
    >
      <LeadFilters search={search} searchBox={searchBox} onChange={(change, replace) => go(changeSearch(search, change), { replace })}>
        <SavedFilters entityType="LEAD" search={search} wish={wishOf(query)} read={readLeadSearch} onGo={go} />
      </LeadFilters>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined && <LoadingRows rows={query.pageSize} label="Loading leads" />}
          {data?.items.length === 0 && <NoLeads search={search} onClear={() => go({})} onFirstPage={() => go(changeSearch(search, {}))} total={data.total} />}
          {data !== undefined && data.items.length > 0 && (
            <LeadsTable leads={data.items} isStale={isPlaceholderData} sortBy={query.sortBy} sortOrder={query.sortOrder} onSort={(field) => go(sortedBy(search, field))} />
          )}
        </Panel>
      )}
      {data !== undefined && data.total > 0 && (
        <Pager
          page={query.page}
          pageSize={query.pageSize}
          total={data.total}
          pageSizes={pageSizes}
          onPage={(page) => go(changeSearch(search, { page }), { resetScroll: true })}
          onPageSize={(pageSize) => go(changeSearch(search, { pageSize }))}
        />
      )}
      <CreateLeadDialog opened={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}

function countInWords(total: number, isNarrowed: boolean): string {
  const leads = `${total.toLocaleString('en')} ${total === 1 ? 'lead' : 'leads'}`
  return isNarrowed ? `${leads} found` : leads
}

interface NoLeadsProps {
  readonly search: LeadSearch
  readonly total: number
  onClear(): void
  onFirstPage(): void
}

function NoLeads({ search, total, onClear, onFirstPage }: NoLeadsProps) {
  if (total > 0) {
    return <EmptyState title="The list ends before this page" action={<Button variant="default" onClick={onFirstPage}>Go to the first page</Button>} />
  }
  if (isNarrowed(search)) {
    return (
      <EmptyState title="No lead matches" action={<Button variant="default" onClick={onClear}>Clear the filters</Button>}>
        Try fewer words or another filter.
      </EmptyState>
    )
  }
  return <EmptyState title="No leads yet">Leads from forms, imports, bookings and the API appear here, and those that you add.</EmptyState>
}

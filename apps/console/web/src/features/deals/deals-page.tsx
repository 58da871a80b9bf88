import { getRouteApi } from '@tanstack/react-router'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { WorkList } from '../../records/list/work-list.tsx'

const route = getRouteApi('/console/deals')

const words = {
  title: 'Deals',
  one: 'deal',
  many: 'deals',
  searched: 'Name',
  origin: 'Add your first deal or convert a lead.',
}

/** The deals as a board by stage, a table or a calendar. */
export function DealsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WorkList
      entityType="DEAL"
      words={words}
      address={search}
      actions={(query) => <ExportButton entityType="DEAL" query={query} />}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

import { getRouteApi } from '@tanstack/react-router'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { WorkList } from '../../records/list/work-list.tsx'

const route = getRouteApi('/console/companies')

const words = {
  title: 'Companies',
  one: 'company',
  many: 'companies',
  searched: 'Name, domain, email or phone',
  origin: 'Add your first company or import a list.',
}

/** The list of companies. */
export function CompaniesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WorkList
      entityType="COMPANY"
      words={words}
      address={search}
      actions={(query) => <ExportButton entityType="COMPANY" query={query} />}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

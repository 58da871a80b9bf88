import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { WorkList } from '../../records/list/work-list.tsx'
import { rememberPlace } from './list-place.ts'

const route = getRouteApi('/console/leads')

const words = {
  title: 'Leads',
  one: 'lead',
  many: 'leads',
  searched: 'Name, company, email or phone',
  origin: 'Add your first lead or import a list.',
}

/** The list of leads. */
export function LeadsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  useEffect(() => rememberPlace(search), [search])
  return (
    <WorkList
      entityType="LEAD"
      words={words}
      address={search}
      actions={(query) => <ExportButton entityType="LEAD" query={query} />}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

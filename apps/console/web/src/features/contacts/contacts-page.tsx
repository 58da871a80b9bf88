import { getRouteApi } from '@tanstack/react-router'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { WorkList } from '../../records/list/work-list.tsx'

const route = getRouteApi('/console/contacts')

const words = {
  title: 'Contacts',
  one: 'contact',
  many: 'contacts',
  searched: 'Name, email or phone',
  origin: 'Add your first contact or import a list.',
}

/** The list of contacts. */
export function ContactsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WorkList
      entityType="CONTACT"
      words={words}
      address={search}
      actions={(query) => <ExportButton entityType="CONTACT" query={query} />}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

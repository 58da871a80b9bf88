import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/contacts')

const words = {
  title: t('common.contacts'),
  kind: 'CONTACT',
  one: t('contacts.contact'),
  many: t('contacts.contacts'),
  searched: t('contacts.nameEmailOrPhone'),
  origin: t('contacts.addYourFirstContactOr'),
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
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

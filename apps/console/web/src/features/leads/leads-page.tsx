import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/leads')

const words = {
  title: t('common.leads'),
  kind: 'LEAD',
  one: t('leads.lead'),
  many: t('leads.leads'),
  searched: t('leads.nameCompanyEmailOrPhone'),
  origin: t('leads.addYourFirstLeadOr'),
}

/** The list of leads. */
export function LeadsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WorkList
      entityType="LEAD"
      words={words}
      address={search}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

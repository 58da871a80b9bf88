import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/deals')

const words = {
  title: t('common.deals'),
  kind: 'DEAL',
  one: t('deals.deal'),
  many: t('deals.deals'),
  searched: t('common.name'),
  origin: t('deals.addYourFirstDealOr'),
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
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/price-lists')

const words = {
  title: t('catalogue.priceLists'),
  kind: 'PRICE_LIST',
  one: t('catalogue.priceList'),
  many: t('catalogue.priceLists2'),
  searched: t('common.name'),
  origin: t('catalogue.withoutAnyListProductsCost'),
}

/** The list of price lists. */
export function PriceListsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WorkList
      entityType="PRICE_LIST"
      words={words}
      address={search}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

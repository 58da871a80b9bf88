import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/products')

const words = {
  title: t('common.products'),
  kind: 'PRODUCT',
  one: t('catalogue.product2'),
  many: t('catalogue.products'),
  searched: t('catalogue.nameSkuOrBarcode'),
  origin: t('catalogue.addYourFirstProductOr'),
}

/** The list of products. */
export function ProductsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WorkList
      entityType="PRODUCT"
      words={words}
      address={search}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

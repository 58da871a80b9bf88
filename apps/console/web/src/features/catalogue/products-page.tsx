import { getRouteApi } from '@tanstack/react-router'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { WorkList } from '../../records/list/work-list.tsx'

const route = getRouteApi('/console/products')

const words = {
  title: 'Products',
  one: 'product',
  many: 'products',
  searched: 'Name, SKU or barcode',
  origin: 'Add your first product or import a list.',
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
      actions={(query) => <ExportButton entityType="PRODUCT" query={query} />}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

import type { ProductRecord } from '@crm/contract'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { productAddress, productsQuery, useCatalogueLists } from '../../domain/catalogue/catalogue-queries.ts'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { choicesOf } from '../../records/choices.ts'
import { describeMoney } from '../../records/money.ts'
import { RecordList } from '../../records/record-list.tsx'
import classes from '../../records/record-table.module.css'
import type { Column } from '../../records/record-table.tsx'
import { Age } from '../../shell/age.tsx'
import { Nothing } from '../../shell/nothing.tsx'
import { productStatusNames, productTypeNames } from './product-words.ts'

const route = getRouteApi('/console/products')

const words = {
  title: 'Products',
  one: 'product',
  many: 'products',
  searched: 'Name, SKU or barcode',
  origin: 'Products come from the API, and those that you add.',
}

/** The list of products. */
export function ProductsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { categories } = useCatalogueLists()
  const list = useQuery(productsQuery(productAddress.queryOf(search)))
  const narrow = (categoryId: string) =>
    void navigate({ search: productAddress.change(search, { categoryId }), resetScroll: false })
  return (
    <RecordList
      words={words}
      address={productAddress}
      search={search}
      list={list}
      columns={columnsOf(new Map(categories.map(({ id, name }) => [id, name])))}
      filters={
        categories.length > 0 && (
          <NativeSelect
            aria-label="Category"
            value={search.categoryId ?? ''}
            onChange={(event) => narrow(event.currentTarget.value)}
            data={choicesOf(categories, search.categoryId, 'Any category')}
          />
        )
      }
      actions={<ExportButton entityType="PRODUCT" query={productAddress.queryOf(search)} />}
      creates="PRODUCT"
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

function columnsOf(
  categories: ReadonlyMap<string, string>,
): readonly Column<ProductRecord, 'createdAt' | 'name' | 'basePrice' | 'status'>[] {
  return [
    { label: 'Name', sort: 'name', cell: nameOf },
    {
      label: 'Base price',
      sort: 'basePrice',
      cell: ({ basePrice, currency }) => describeMoney(basePrice, currency) ?? <Nothing />,
    },
    { label: 'Type', isExtra: true, cell: ({ type }) => productTypeNames[type] },
    {
      label: 'Category',
      isExtra: true,
      cell: ({ categoryId }) => (categoryId && categories.get(categoryId)) ?? <Nothing />,
    },
    { label: 'Status', sort: 'status', isExtra: true, cell: ({ status }) => productStatusNames[status] },
    { label: 'Created', sort: 'createdAt', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
  ]
}

function nameOf({ id, name, sku }: ProductRecord) {
  return (
    <>
      <Link to="/products/$id" params={{ id }} className={classes.name}>
        {name}
      </Link>
      <div className={classes.subtitle}>{sku ?? ''}</div>
    </>
  )
}

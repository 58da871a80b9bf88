import type { PriceListRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { priceListAddress, priceListsQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { RecordList } from '../../records/record-list.tsx'
import classes from '../../records/record-table.module.css'
import type { Column } from '../../records/record-table.tsx'
import { Age } from '../../shell/age.tsx'

const route = getRouteApi('/console/price-lists')

const words = {
  title: 'Price lists',
  one: 'price list',
  many: 'price lists',
  searched: 'Name',
  origin: 'Without any list, products cost their base price.',
}

const columns: readonly Column<PriceListRecord, 'createdAt' | 'name' | 'priority'>[] = [
  { label: 'Name', sort: 'name', cell: nameOf },
  { label: 'Currency', cell: ({ currency }) => currency },
  { label: 'Priority', sort: 'priority', isExtra: true, cell: ({ priority }) => priority },
  {
    label: 'State',
    isExtra: true,
    cell: ({ isActive, isDefault }) => [isActive ? 'Active' : 'Off', ...(isDefault ? ['default'] : [])].join(', '),
  },
  { label: 'Created', sort: 'createdAt', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
]

/** The list of price lists. */
export function PriceListsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(priceListsQuery(priceListAddress.queryOf(search)))
  return (
    <RecordList
      words={words}
      address={priceListAddress}
      search={search}
      list={list}
      columns={columns}
      creates="PRICE_LIST"
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

function nameOf({ id, name, companyIds }: PriceListRecord) {
  return (
    <>
      <Link to="/price-lists/$id" params={{ id }} className={classes.name}>
        {name}
      </Link>
      <div className={classes.subtitle}>
        {companyIds.length === 0
          ? ''
          : companyIds.length === 1
            ? 'For one company'
            : `For ${companyIds.length} companies`}
      </div>
    </>
  )
}

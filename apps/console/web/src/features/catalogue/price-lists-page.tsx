import type { PriceListRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { priceListAddress, priceListsQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { RecordList } from '../../records/record-list.tsx'
import classes from '../../records/record-table.module.css'
import type { Column } from '../../records/record-table.tsx'
import { Age } from '../../shell/age.tsx'
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

const columns: readonly Column<PriceListRecord, 'createdAt' | 'name' | 'priority'>[] = [
  { label: t('common.name'), sort: 'name', cell: nameOf },
  { label: t('common.currency'), cell: ({ currency }) => currency },
  { label: t('catalogue.priority'), sort: 'priority', isExtra: true, cell: ({ priority }) => priority },
  {
    label: t('common.status'),
    isExtra: true,
    cell: ({ isActive, isDefault }) =>
      [isActive ? t('common.active') : t('common.off'), ...(isDefault ? ['default'] : [])].join(', '),
  },
  { label: t('common.created'), sort: 'createdAt', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
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
        {companyIds.length === 0 ? '' : t('catalogue.forOneCompany', { count: companyIds.length })}
      </div>
    </>
  )
}

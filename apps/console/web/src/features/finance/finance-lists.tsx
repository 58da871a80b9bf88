import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { describeDay } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import {
  documentAddresses,
  invoiceAddress,
  narrowings,
  orderAddress,
  overdue,
  quoteAddress,
} from '../../domain/finance/finance-address.ts'
import { StatusMark } from '../../domain/finance/finance-marks.tsx'
import { invoicesQuery, ordersQuery, quotesQuery } from '../../domain/finance/finance-queries.ts'
import {
  amountInWords,
  describeUntil,
  documentTitle,
  kindWords,
  statusWords,
  type FinanceKind,
  type FinanceRecord,
} from '../../domain/finance/finance-words.ts'
import { ChoiceFilter } from '../../records/choice-filter.tsx'
import { OwnerFilter } from '../../records/owner-filter.tsx'
import { RecordList } from '../../records/record-list.tsx'
import tables from '../../records/record-table.module.css'
import type { Column } from '../../records/record-table.tsx'
import { Age } from '../../shell/age.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Nothing } from '../../shell/nothing.tsx'
import classes from './finance.module.css'
import { named, t } from '../../base/texts.ts'

type Search = ReturnType<typeof quoteAddress.read>
type Sort = NonNullable<Search['sortBy']>

const quotesRoute = getRouteApi('/console/quotes')
const ordersRoute = getRouteApi('/console/orders')
const invoicesRoute = getRouteApi('/console/invoices')

/** The list of quotes. */
export function QuotesPage() {
  const search = quotesRoute.useSearch()
  const navigate = quotesRoute.useNavigate()
  const list = useQuery(quotesQuery(quoteAddress.queryOf(search)))
  return (
    <FinanceList
      kind="QUOTE"
      address={quoteAddress}
      search={search}
      list={list}
      untilOf={({ expiresAt }) => expiresAt}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

/** The list of orders. */
export function OrdersPage() {
  const search = ordersRoute.useSearch()
  const navigate = ordersRoute.useNavigate()
  const list = useQuery(ordersQuery(orderAddress.queryOf(search)))
  return (
    <FinanceList
      kind="ORDER"
      address={orderAddress}
      search={search}
      list={list}
      untilOf={({ dueDate }) => dueDate}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

/** The list of invoices. */
export function InvoicesPage() {
  const search = invoicesRoute.useSearch()
  const navigate = invoicesRoute.useNavigate()
  const list = useQuery(invoicesQuery(invoiceAddress.queryOf(search)))
  return (
    <FinanceList
      kind="INVOICE"
      address={invoiceAddress}
      search={search}
      list={list}
      untilOf={({ dueDate }) => dueDate}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

interface FinanceListProps<Row> {
  readonly kind: FinanceKind
  readonly address: typeof quoteAddress
  readonly search: Search
  readonly list: {
    readonly data: { readonly items: readonly Row[]; readonly total: number } | undefined
    readonly error: Error | null
    readonly isPlaceholderData: boolean
    refetch(): unknown
  }
  /** Returns the day or time by which to pay or to decide. */
  untilOf(row: Row): string | null
  onGo(search: Search, how: { readonly replace: boolean; readonly resetScroll: boolean }): void
}

function FinanceList<Row extends FinanceRecord>({ kind, address, search, list, untilOf, onGo }: FinanceListProps<Row>) {
  const { may, person } = useSession()
  const { one, many, title, origin } = kindWords[kind]
  const narrow = (change: Search) => onGo(address.change(search, change), { replace: false, resetScroll: false })
  return (
    <RecordList
      words={{ kind, title, one, many, searched: t('finance.numberCustomerOrNotes'), origin }}
      address={address}
      search={search}
      list={list}
      columns={columnsOf(kind, untilOf, person.workspace.timezone)}
      filters={
        <>
          <ChoiceFilter
            label={t('common.status')}
            value={search.status}
            onChange={(value) => narrow({ status: value })}
            choices={narrowings[kind].map((value) => ({
              value,
              label: value === overdue ? t('finance.overdue') : statusWords[value].name,
            }))}
          />
          <OwnerFilter ownerId={search.ownerId} onChange={(ownerId) => narrow({ ownerId })} />
        </>
      }
      actions={may(`CREATE_${kind}`) && <NewDocument kind={kind} one={one} />}
      onGo={onGo}
    />
  )
}

function NewDocument({ kind, one }: { readonly kind: FinanceKind; readonly one: string }) {
  return (
    <Button component={Link} to={documentAddresses[kind].begin} leftSection={<Icon name="plus" size={16} />}>
      {t('finance.newNoun', named(one))}
    </Button>
  )
}

function columnsOf<Row extends FinanceRecord>(
  kind: FinanceKind,
  untilOf: FinanceListProps<Row>['untilOf'],
  timeZone: string,
): readonly Column<Row, Sort>[] {
  return [
    { label: t('common.number'), sort: 'number', cell: (row) => <NumberCell kind={kind} row={row} /> },
    { label: t('finance.customer'), isExtra: true, cell: ({ partyName }) => partyName ?? <Nothing /> },
    { label: t('common.status'), sort: 'status', cell: (row) => <StatusMark record={row} /> },
    {
      label: t('common.total'),
      sort: 'total',
      cell: ({ total, currency }) => <span className={classes.figure}>{amountInWords(total, currency)}</span>,
    },
    {
      label: t('finance.issued'),
      sort: 'issueDate',
      isExtra: true,
      cell: ({ issueDate }) => (issueDate === null ? <Nothing /> : describeDay(issueDate, 'UTC')),
    },
    {
      label: kindWords[kind].until,
      isExtra: true,
      cell: (row) => describeUntil(untilOf(row), timeZone) ?? <Nothing />,
    },
    { label: t('common.created'), sort: 'createdAt', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
  ]
}

function NumberCell({ kind, row }: { readonly kind: FinanceKind; readonly row: FinanceRecord }) {
  return (
    <>
      <Link to={documentAddresses[kind].one} params={{ id: row.id }} className={tables.name}>
        {documentTitle(kind, row)}
      </Link>
      <div className={tables.subtitle}>{row.partyName ?? ''}</div>
    </>
  )
}

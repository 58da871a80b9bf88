import { getRouteApi } from '@tanstack/react-router'
import { documentAddresses } from '../../domain/finance/finance-address.ts'
import { kindWords, type FinanceKind } from '../../domain/finance/finance-words.ts'
import type { ListAddress } from '../../records/list/list-address.ts'
import { WorkList } from '../../records/list/work-list.tsx'
import { t } from '../../base/texts.ts'

const quotesRoute = getRouteApi('/console/quotes')
const ordersRoute = getRouteApi('/console/orders')
const invoicesRoute = getRouteApi('/console/invoices')

/** The list of quotes. */
export function QuotesPage() {
  const navigate = quotesRoute.useNavigate()
  return (
    <FinanceList
      kind="QUOTE"
      address={quotesRoute.useSearch()}
      onGo={(search, how) => void navigate({ search, ...how })}
    />
  )
}

/** The list of orders. */
export function OrdersPage() {
  const navigate = ordersRoute.useNavigate()
  return (
    <FinanceList
      kind="ORDER"
      address={ordersRoute.useSearch()}
      onGo={(search, how) => void navigate({ search, ...how })}
    />
  )
}

/** The list of invoices. */
export function InvoicesPage() {
  const navigate = invoicesRoute.useNavigate()
  return (
    <FinanceList
      kind="INVOICE"
      address={invoicesRoute.useSearch()}
      onGo={(search, how) => void navigate({ search, ...how })}
    />
  )
}

interface FinanceListProps {
  readonly kind: FinanceKind
  readonly address: ListAddress
  onGo(search: ListAddress, how: { readonly replace: boolean; readonly resetScroll: boolean }): void
}

function FinanceList({ kind, address, onGo }: FinanceListProps) {
  const { one, many, title, origin } = kindWords[kind]
  return (
    <WorkList
      entityType={kind}
      words={{ kind, title, one, many, searched: t('finance.numberCustomerOrNotes'), origin }}
      address={address}
      creating={{ to: documentAddresses[kind].begin }}
      onGo={onGo}
    />
  )
}

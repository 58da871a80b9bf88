import type { OrderRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import { orderQuery } from '../../domain/finance/finance-queries.ts'
import { documentTitle } from '../../domain/finance/finance-words.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { DocumentPage, DocumentView, type Verb } from './document-page.tsx'
import { useVerb } from './use-verb.ts'

const route = getRouteApi('/console/orders/$id')

/** An order: its lines, its progress, and the invoice that was made from it. */
export function OrderPage() {
  const { id } = route.useParams()
  const reading = useQuery(orderQuery(id))
  return (
    <DocumentPage kind="ORDER" reading={reading}>
      {(order) => <KnownOrder key={id} order={order} />}
    </DocumentPage>
  )
}

function KnownOrder({ order }: { readonly order: OrderRecord }) {
  const { id, status } = order
  const { may } = useSession()
  const navigate = useNavigate()
  const [isCancelling, setCancelling] = useState(false)
  const params = { id }
  const confirm = useVerb(() => crm.orders.confirm({ params }), { said: 'The order was confirmed' })
  const fulfil = useVerb(() => crm.orders.fulfil({ params }), { said: 'The order was fulfilled' })
  const cancel = useVerb(() => crm.orders.cancel({ params }), {
    said: 'The order was cancelled',
    onDone: () => setCancelling(false),
  })
  const invoice = useVerb(() => crm.orders.invoice({ params }), {
    onDone: ({ data }) => navigate({ to: '/invoices/$id', params: { id: data.invoiceId } }),
  })
  const mayUpdate = may('UPDATE_ORDER')
  const isConfirmed = status === 'CONFIRMED'
  const verbs: (Verb & { readonly isPossible: boolean })[] = [
    {
      label: 'Confirm',
      isNext: true,
      isPossible: status === 'DRAFT',
      isBusy: confirm.isPending,
      run: () => confirm.mutate(undefined),
    },
    {
      label: 'Fulfil',
      isNext: true,
      isPossible: isConfirmed,
      isBusy: fulfil.isPending,
      run: () => fulfil.mutate(undefined),
    },
    {
      label: 'Make an invoice',
      isNext: status === 'FULFILLED',
      isPossible: (isConfirmed || status === 'FULFILLED') && may('CREATE_INVOICE'),
      isBusy: invoice.isPending,
      run: () => invoice.mutate(undefined),
    },
    {
      label: 'Cancel the order',
      isDestructive: true,
      isPossible: status === 'DRAFT' || isConfirmed,
      run: () => setCancelling(true),
    },
  ]
  return (
    <>
      <DocumentView
        kind="ORDER"
        record={order}
        verbs={mayUpdate ? verbs.filter(({ isPossible }) => isPossible) : []}
        error={confirm.error ?? fulfil.error ?? invoice.error}
        facts={factsOf(order)}
      />
      <ConfirmDialog
        opened={isCancelling}
        title="Cancel this order?"
        confirm="Cancel the order"
        isDestructive
        isBusy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate(undefined)}
        onClose={() => setCancelling(false)}
      >
        {documentTitle('ORDER', order)} stays in the list as cancelled. It cannot be taken up again.
      </ConfirmDialog>
    </>
  )
}

function factsOf({ confirmedAt, fulfilledAt, cancelledAt, quoteId, invoiceId }: OrderRecord) {
  return [
    ...(confirmedAt === null ? [] : [['Confirmed', describeInstant(confirmedAt)] as const]),
    ...(fulfilledAt === null ? [] : [['Fulfilled', describeInstant(fulfilledAt)] as const]),
    ...(cancelledAt === null ? [] : [['Cancelled', describeInstant(cancelledAt)] as const]),
    ...(quoteId === null
      ? []
      : [
          [
            'Made from',
            <Link key="quote" to="/quotes/$id" params={{ id: quoteId }}>
              A quote
            </Link>,
          ] as const,
        ]),
    ...(invoiceId === null
      ? []
      : [
          [
            'Invoice',
            <Link key="invoice" to="/invoices/$id" params={{ id: invoiceId }}>
              The invoice
            </Link>,
          ] as const,
        ]),
  ]
}

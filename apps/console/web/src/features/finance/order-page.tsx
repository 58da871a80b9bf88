import type { OrderRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import { orderQuery } from '../../domain/finance/finance-queries.ts'
import { documentTitle } from '../../domain/finance/finance-words.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { DocumentPage, DocumentView, type Verb } from './document-page.tsx'
import { useVerb } from './use-verb.ts'
import { addressOf } from '../../records/record-place.ts'
import { t } from './texts.ts'

/** An order: its lines, its progress, and the invoice that was made from it. */
export function Page({ id }: { readonly id: string }) {
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
  const confirm = useVerb(() => crm.orders.confirm({ params }), { said: t('Order confirmed') })
  const fulfil = useVerb(() => crm.orders.fulfil({ params }), { said: t('Order fulfilled') })
  const cancel = useVerb(() => crm.orders.cancel({ params }), {
    said: t('Order cancelled'),
    onDone: () => setCancelling(false),
  })
  const invoice = useVerb(() => crm.orders.invoice({ params }), {
    onDone: ({ data }) => navigate(addressOf({ entityType: 'INVOICE', entityId: data.invoiceId })),
  })
  const mayUpdate = may('UPDATE_ORDER')
  const isConfirmed = status === 'CONFIRMED'
  const verbs: (Verb & { readonly isPossible: boolean })[] = [
    {
      label: t('Confirm'),
      isNext: true,
      isPossible: status === 'DRAFT',
      isBusy: confirm.isPending,
      run: () => confirm.mutate(undefined),
    },
    {
      label: t('Fulfill'),
      isNext: true,
      isPossible: isConfirmed,
      isBusy: fulfil.isPending,
      run: () => fulfil.mutate(undefined),
    },
    {
      label: t('Create invoice'),
      isNext: status === 'FULFILLED',
      isPossible: (isConfirmed || status === 'FULFILLED') && may('CREATE_INVOICE'),
      isBusy: invoice.isPending,
      run: () => invoice.mutate(undefined),
    },
    {
      label: t('Cancel order'),
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
        title={t('Cancel this order?')}
        confirm={t('Cancel order')}
        isDestructive
        isBusy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate(undefined)}
        onClose={() => setCancelling(false)}
      >
        {t('{value} stays in the list as cancelled. It cannot be reopened.', { value: documentTitle('ORDER', order) })}
      </ConfirmDialog>
    </>
  )
}

function factsOf({ confirmedAt, fulfilledAt, cancelledAt, quoteId, invoiceId }: OrderRecord) {
  return [
    ...(confirmedAt === null ? [] : [[t('Confirmed'), describeInstant(confirmedAt)] as const]),
    ...(fulfilledAt === null ? [] : [[t('Fulfilled'), describeInstant(fulfilledAt)] as const]),
    ...(cancelledAt === null ? [] : [[t('Cancelled'), describeInstant(cancelledAt)] as const]),
    ...(quoteId === null
      ? []
      : [
          [
            t('Created from'),
            <Link key="quote" {...addressOf({ entityType: 'QUOTE', entityId: quoteId })}>
              {t('A quote')}
            </Link>,
          ] as const,
        ]),
    ...(invoiceId === null
      ? []
      : [
          [
            t('Invoice'),
            <Link key="invoice" {...addressOf({ entityType: 'INVOICE', entityId: invoiceId })}>
              {t('The invoice')}
            </Link>,
          ] as const,
        ]),
  ]
}

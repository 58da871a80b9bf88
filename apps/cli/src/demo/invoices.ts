import { newId, type schema } from '@crm/db'
import type { History } from './history.ts'
import type { Origin } from './orders.ts'
import { between, later, soonest, type Place } from './place.ts'

type Invoice = typeof schema.invoices.$inferInsert & { readonly id: string; issueDate: string }
type Payment = typeof schema.payments.$inferInsert

/** The statuses of the demo's invoices, in turn; the oldest invoice is overdue. */
const statuses = ['ISSUED', 'PAID', 'PARTIALLY_PAID', 'PAID', 'DRAFT', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const

/** Makes invoices: drafts, open, overdue, partly and wholly paid ones, and some that need no payment. */
export function inventInvoices(place: Place, origins: readonly Origin[]): Invoice[] {
  return origins
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .map((origin, at) => inventInvoice(place, origin, statuses[at % statuses.length] ?? 'PAID'))
}

function inventInvoice(place: Place, { at: createdAt, ...origin }: Origin, status: (typeof statuses)[number]): Invoice {
  const now = place.now.toISOString()
  const issuedAt = between(place, createdAt, soonest(now, later(createdAt, 5)))
  const issued = status === 'DRAFT' ? null : issuedAt
  const settledAt = between(place, issuedAt, now)
  const amountPaid = status === 'PAID' ? origin.total : status === 'PARTIALLY_PAID' ? half(origin.total) : '0'
  return {
    ...origin,
    status,
    createdAt,
    updatedAt: status === 'ISSUED' ? issuedAt : ((issued && settledAt) ?? createdAt),
    issueDate: issuedAt.slice(0, 10),
    dueDate: later(issuedAt, 7).slice(0, 10),
    issuedAt: issued,
    sentAt: issued,
    amountPaid,
    paidAt: status === 'PAID' ? settledAt : null,
    voidedAt: status === 'VOID' ? settledAt : null,
  }
}

const half = (amount: string): string => (Math.floor(Number(amount) * 50) / 100).toFixed(2)

/** The payments that came in for an invoice. */
export function inventPayments(
  { random }: Place,
  { workspaceId, id: invoiceId, amountPaid = '0', currency, updatedAt, createdById }: Invoice,
): Payment[] {
  if (Number(amountPaid) === 0 || !updatedAt) return []
  return [
    {
      workspaceId,
      id: newId(),
      invoiceId,
      amount: amountPaid,
      currency,
      paidAt: updatedAt,
      method: random.pick(['BANK_TRANSFER', 'BANK_TRANSFER', 'CARD'] as const),
      createdAt: updatedAt,
      updatedAt,
      createdById,
    },
  ]
}

/** Adds the history of an invoice. */
export function tellInvoice(
  { members }: Place,
  history: History,
  invoice: Invoice,
  payments: readonly Payment[],
): void {
  const by = members.find(({ id }) => id === invoice.ownerId)
  if (!by) return
  const on = { entityType: 'INVOICE', entityId: invoice.id, by }
  history.add({ ...on, kind: 'CREATED', at: invoice.createdAt as string })
  if (invoice.issuedAt)
    history.add({ ...on, kind: 'INVOICE_ISSUED', at: invoice.issuedAt, data: { number: invoice.number } })
  for (const { amount, currency, paidAt } of payments.filter(({ invoiceId }) => invoiceId === invoice.id))
    history.add({ ...on, kind: 'PAYMENT_RECORDED', at: paidAt, data: { amount, currency } })
  if (invoice.status === 'VOID' || invoice.status === 'UNCOLLECTIBLE')
    history.add({
      ...on,
      kind: 'STATUS_CHANGED',
      at: invoice.updatedAt as string,
      changes: [{ field: 'status', from: 'ISSUED', to: invoice.status }],
    })
}

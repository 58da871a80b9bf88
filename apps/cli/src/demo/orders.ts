import { newId, type schema } from '@crm/db'
import type { History } from './history.ts'
import { between, later, soonest, type Place } from './place.ts'

type Order = typeof schema.orders.$inferInsert & { readonly id: string; issueDate: string }

/** The statuses of the demo's orders, in turn. */
const statuses = ['FULFILLED', 'CONFIRMED', 'FULFILLED', 'DRAFT', 'CONFIRMED', 'CANCELLED'] as const

/** The parties and lines that one document passes on to the next. */
export function headerOf(from: typeof schema.quotes.$inferInsert | typeof schema.orders.$inferInsert) {
  const {
    workspaceId,
    ownerId,
    departmentId,
    createdById,
    companyId,
    contactId,
    dealId,
    partyName,
    currency,
    items,
    discount,
    taxMode,
    subtotal,
    discountTotal,
    taxTotal,
    taxes,
    total,
    notes,
    terms,
  } = from
  return {
    workspaceId,
    ownerId,
    departmentId,
    createdById,
    companyId,
    contactId,
    dealId,
    partyName,
    currency,
    items,
    discount,
    taxMode,
    subtotal,
    discountTotal,
    taxTotal,
    taxes,
    total,
    notes,
    terms,
  }
}

/** The data that an order or an invoice is made of: its lines and parties, its id, and its source. */
export type Origin = ReturnType<typeof headerOf> & {
  readonly id: string
  readonly quoteId: string | null
  readonly orderId?: string
  readonly at: string
}

/** Makes orders in all states; the fulfilled orders get an invoice. */
export function inventOrders(place: Place, origins: readonly Origin[]): Order[] {
  return origins.map((origin, at) => inventOrder(place, origin, statuses[at % statuses.length] ?? 'CONFIRMED'))
}

function inventOrder(place: Place, { at: createdAt, ...origin }: Origin, status: (typeof statuses)[number]): Order {
  const now = place.now.toISOString()
  const confirmedAt = between(place, createdAt, soonest(now, later(createdAt, 3)))
  const endedAt = between(place, confirmedAt, soonest(now, later(confirmedAt, 14)))
  const isConfirmed = status !== 'DRAFT'
  const isEnded = status === 'FULFILLED' || status === 'CANCELLED'
  return {
    ...origin,
    status,
    createdAt,
    updatedAt: isEnded ? endedAt : isConfirmed ? confirmedAt : createdAt,
    issueDate: confirmedAt.slice(0, 10),
    dueDate: later(confirmedAt, 21).slice(0, 10),
    confirmedAt: isConfirmed ? confirmedAt : null,
    fulfilledAt: status === 'FULFILLED' ? endedAt : null,
    cancelledAt: status === 'CANCELLED' ? endedAt : null,
    invoiceId: status === 'FULFILLED' ? newId() : null,
  }
}

/** The data for the invoice of an order; empty when the order has none. */
export function invoiceOrigin(order: Order): Origin[] {
  const { id: orderId, invoiceId, quoteId = null, fulfilledAt } = order
  return invoiceId && fulfilledAt ? [{ ...headerOf(order), id: invoiceId, quoteId, orderId, at: fulfilledAt }] : []
}

/** Adds the history of an order. */
export function tellOrder({ members }: Place, history: History, order: Order): void {
  const by = members.find(({ id }) => id === order.ownerId)
  if (!by) return
  const on = { entityType: 'ORDER', entityId: order.id, by }
  const change = (from: string, to: string) => ({
    ...on,
    kind: 'STATUS_CHANGED',
    changes: [{ field: 'status', from, to }],
  })
  const { createdAt, confirmedAt, fulfilledAt, cancelledAt, invoiceId, quoteId } = order
  history.add({
    ...on,
    kind: 'CREATED',
    at: createdAt as string,
    ...(quoteId ? { relatedType: 'QUOTE', relatedId: quoteId } : {}),
  })
  if (confirmedAt) history.add({ ...change('DRAFT', 'CONFIRMED'), at: confirmedAt })
  if (cancelledAt) history.add({ ...change('CONFIRMED', 'CANCELLED'), at: cancelledAt })
  if (fulfilledAt) history.add({ ...change('CONFIRMED', 'FULFILLED'), at: fulfilledAt })
  if (fulfilledAt && invoiceId)
    history.add({ ...on, kind: 'CONVERTED', at: fulfilledAt, relatedType: 'INVOICE', relatedId: invoiceId })
}

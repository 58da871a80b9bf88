import { newId, schema, usualSequence } from '@crm/db'
import { documentTotals, type Discount } from '@crm/pricing'
import { and, eq } from 'drizzle-orm'
import type { Product } from './catalogue.ts'
import type { DemoDeal } from './sales.ts'
import { add, addRecords, between, dayOf, inTurn, later, soonest, type Story } from './story.ts'

type Quote = ReturnType<typeof inventQuote>
type Order = ReturnType<typeof inventOrder>
type Invoice = ReturnType<typeof inventInvoice>
type Header = ReturnType<typeof inventHeader>

/** A document with its date and, once it is issued, its number. */
interface Issuable {
  readonly issueDate: string
  readonly number: string | null
}

/** The parties and lines of a document, and what it was made of and when. */
interface Origin {
  readonly id: string
  readonly header: Header
  readonly quoteId: string | null
  readonly orderId?: string
  readonly at: string
}

interface TaxRate {
  readonly id: string
  readonly name: string
  readonly rate: string
}

/** The states of the demo's documents, in turn; the oldest invoice is overdue. */
const statesOfOrders = ['FULFILLED', 'CONFIRMED', 'FULFILLED', 'DRAFT', 'CONFIRMED', 'CANCELLED'] as const
const statesOfInvoices = ['ISSUED', 'PAID', 'PARTIALLY_PAID', 'PAID', 'DRAFT', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const

/** Adds quotes for deals, orders and invoices for the won deals, and payments. */
export async function addCommerce(
  story: Story,
  deals: readonly DemoDeal[],
  products: readonly Product[],
): Promise<void> {
  const taxRate = await findTaxRate(story)
  const headerOf = (deal: DemoDeal): Header => inventHeader(story, deal, products, taxRate)
  const asked = deals.filter(() => story.random.chance(0.7))
  const quotes = numbered(
    'QUOTE',
    asked.map((deal) => inventQuote(story, deal, headerOf(deal))),
  )
  const originsFrom = (type: 'ORDER' | 'INVOICE'): Origin[] =>
    quotes
      .filter(({ row }) => row.convertedType === type)
      .map(({ row, header }) => ({
        id: row.convertedId as string,
        header,
        quoteId: row.id,
        at: row.decidedAt as string,
      }))
      .toSorted(byTime)
  const unasked = deals
    .filter((deal) => deal.status === 'WON' && !asked.includes(deal))
    .map((deal) => ({ id: newId(), header: headerOf(deal), quoteId: null, at: deal.stageChangedAt }))
  const ordered = [...originsFrom('ORDER'), ...unasked]
  const orders = numbered(
    'ORDER',
    ordered.map((origin, at) => inventOrder(story, origin, inTurn(statesOfOrders, at))),
  )
  const billed = [...originsFrom('INVOICE'), ...orders.flatMap(invoiceOrigin)].toSorted(byTime)
  const invoices = numbered(
    'INVOICE',
    billed.map((origin, at) => inventInvoice(story, origin, inTurn(statesOfInvoices, at))),
  )
  await addDocuments(story, 'QUOTE', quotes)
  await addDocuments(story, 'ORDER', orders)
  await addDocuments(story, 'INVOICE', invoices)
  const payments = invoices.flatMap((invoice) => inventPayments(story, invoice))
  await add(story, schema.payments, payments)
  for (const quote of quotes) tellQuote(story, quote)
  for (const order of orders) tellOrder(story, order)
  for (const invoice of invoices) tellInvoice(story, invoice)
  for (const { invoiceId, paidAt: at, amount, currency } of payments) {
    const by = invoices.find(({ row }) => row.id === invoiceId)?.row.by
    const on = { entityType: 'INVOICE', entityId: invoiceId }
    if (by) story.history.add({ ...on, kind: 'PAYMENT_RECORDED', at, by, data: { amount, currency } })
  }
}

function byTime(a: { readonly at: string }, b: { readonly at: string }): number {
  return a.at.localeCompare(b.at)
}

type Numbered = 'QUOTE' | 'ORDER' | 'INVOICE'

/** Sorts documents by their dates, and gives those that are issued numbers without gaps in each year. */
function numbered<Row extends { readonly issueDate: string; readonly status: string }, Rest>(
  entityType: Numbered,
  documents: readonly (Rest & { readonly row: Row })[],
) {
  const prefix = usualSequence(entityType).pattern.slice(0, 4)
  const used = new Map<string, number>()
  return documents
    .toSorted(({ row: a }, { row: b }) => a.issueDate.localeCompare(b.issueDate))
    .map(({ row, ...rest }) => {
      const year = yearOf(row)
      if (row.status === 'DRAFT') return { ...rest, row: { ...row, number: null } }
      const place = (used.get(year) ?? 0) + 1
      used.set(year, place)
      return { ...rest, row: { ...row, number: `${prefix}${year}-${String(place).padStart(5, '0')}` } }
    })
}

function yearOf({ issueDate }: { readonly issueDate: string }): string {
  return issueDate.slice(0, 4)
}

async function findTaxRate({ tx, workspaceId }: Story): Promise<TaxRate> {
  const { taxRates } = schema
  const isUsual = and(eq(taxRates.workspaceId, workspaceId), eq(taxRates.name, 'Standard'))
  const [rate] = await tx.select().from(taxRates).where(isUsual)
  if (!rate) throw new Error('The workspace has no usual tax rate')
  return rate
}

/** The parties and lines of a document for a deal. */
function inventHeader({ random }: Story, deal: DemoDeal, products: readonly Product[], taxRate: TaxRate) {
  const taxRateId = taxRate.id
  const chosen = new Set(Array.from({ length: 1 + random.below(4) }, () => random.pick(products)))
  const lines = [...chosen].map(({ id: productId, name, unitId, basePrice: unitPrice }) => {
    const quantity = String(1 + random.below(12))
    return { productId, name, description: null, unitId, quantity, unitPrice, discount: null, taxRateId }
  })
  const discount: Discount | null = random.chance(0.25) ? { type: 'PERCENT', value: '5' } : null
  const conditions = { currency: 'EUR', taxMode: 'EXCLUSIVE' as const, discount }
  const taxRates = new Map([[taxRateId, taxRate]])
  const { lines: amounts, ...totals } = documentTotals({ ...conditions, lines, taxRates })
  return {
    by: deal.owner,
    companyId: deal.customer.id,
    contactId: deal.contactId,
    dealId: deal.id,
    partyName: deal.customer.company.name,
    ...conditions,
    ...totals,
    taxes: [...totals.taxes],
    items: lines.map((line, at) => ({ ...line, ...(amounts[at] as (typeof amounts)[number]) })),
    notes: random.chance(0.3) ? 'Prices hold for the first twelve months.' : null,
    terms: 'Payable within 7 days without deduction.',
  }
}

function inventQuote(story: Story, deal: DemoDeal, header: Header) {
  const { random, now } = story
  const at = between(story, deal.createdAt, deal.stageChangedAt)
  const sentAt = between(story, at, deal.stageChangedAt)
  const decidedAt = between(story, sentAt, deal.stageChangedAt)
  const status = { WON: 'CONVERTED', LOST: 'DECLINED', OPEN: random.pick(['DRAFT', 'SENT', 'SENT', 'ACCEPTED']) }[
    deal.status
  ] as 'CONVERTED' | 'DECLINED' | 'DRAFT' | 'SENT' | 'ACCEPTED'
  const isSent = status !== 'DRAFT'
  const isDecided = isSent && status !== 'SENT'
  const isConverted = status === 'CONVERTED'
  const row = {
    ...header,
    id: newId(),
    at,
    status,
    updatedAt: isDecided ? decidedAt : isSent ? sentAt : at,
    issueDate: dayOf(sentAt),
    expiresAt: later([sentAt, later(now, -20)].toSorted()[1] as string, 10 + random.below(30)),
    sentAt: isSent ? sentAt : null,
    decidedAt: isDecided ? decidedAt : null,
    convertedType: isConverted ? (random.chance(0.5) ? ('ORDER' as const) : ('INVOICE' as const)) : null,
    convertedId: isConverted ? newId() : null,
  }
  return { row, header }
}

function inventOrder(story: Story, { header, ...origin }: Origin, status: (typeof statesOfOrders)[number]) {
  const { at } = origin
  const confirmedAt = between(story, at, soonest(story.now, later(at, 3)))
  const endedAt = between(story, confirmedAt, soonest(story.now, later(confirmedAt, 14)))
  const isConfirmed = status !== 'DRAFT'
  const isEnded = status === 'FULFILLED' || status === 'CANCELLED'
  const row = {
    ...header,
    ...origin,
    status,
    updatedAt: isEnded ? endedAt : isConfirmed ? confirmedAt : at,
    issueDate: dayOf(confirmedAt),
    dueDate: dayOf(later(confirmedAt, 21)),
    confirmedAt: isConfirmed ? confirmedAt : null,
    fulfilledAt: status === 'FULFILLED' ? endedAt : null,
    cancelledAt: status === 'CANCELLED' ? endedAt : null,
    invoiceId: status === 'FULFILLED' ? newId() : null,
    madeOf: origin.quoteId === null ? null : { relatedType: 'QUOTE', relatedId: origin.quoteId },
  }
  return { row, header }
}

/** The data for the invoice of an order; empty when the order has none. */
function invoiceOrigin({ row: { id: orderId, invoiceId, quoteId, fulfilledAt }, header }: Order): Origin[] {
  return invoiceId && fulfilledAt ? [{ id: invoiceId, header, quoteId, orderId, at: fulfilledAt }] : []
}

function inventInvoice(story: Story, { header, ...origin }: Origin, status: (typeof statesOfInvoices)[number]) {
  const { at } = origin
  const issuedAt = between(story, at, soonest(story.now, later(at, 5)))
  const issued = status === 'DRAFT' ? null : issuedAt
  const settledAt = between(story, issuedAt, story.now)
  const row = {
    ...header,
    ...origin,
    status,
    updatedAt: status === 'ISSUED' ? issuedAt : issued ? settledAt : at,
    issueDate: dayOf(issuedAt),
    dueDate: dayOf(later(issuedAt, 7)),
    issuedAt: issued,
    sentAt: issued,
    amountPaid: status === 'PAID' ? header.total : status === 'PARTIALLY_PAID' ? half(header.total) : '0',
    paidAt: status === 'PAID' ? settledAt : null,
    voidedAt: status === 'VOID' ? settledAt : null,
  }
  return { row, header }
}

const half = (amount: string): string => (Math.floor(Number(amount) * 50) / 100).toFixed(2)

/** The payments that came in for an invoice. */
function inventPayments({ random }: Story, { row: { id: invoiceId, amountPaid, currency, updatedAt, by } }: Invoice) {
  if (Number(amountPaid) === 0) return []
  const method = random.pick(['BANK_TRANSFER', 'BANK_TRANSFER', 'CARD'] as const)
  const made = { createdAt: updatedAt, updatedAt, createdById: by.id }
  return [{ invoiceId, amount: amountPaid, currency, paidAt: updatedAt, method, ...made }]
}

/** Adds documents of one kind and leaves their sequence ready for the next number. */
async function addDocuments<Entity extends Numbered>(
  story: Story,
  entityType: Entity,
  documents: readonly { readonly row: Parameters<typeof addRecords<Entity>>[2][number] & Issuable }[],
): Promise<void> {
  const { tx, workspaceId } = story
  const rows = documents.map(({ row }) => row)
  await addRecords(story, entityType, rows)
  const issued = Map.groupBy(
    rows.filter(({ number }) => number !== null),
    yearOf,
  )
  const [period, latest] = [...issued].at(-1) ?? []
  if (period === undefined || latest === undefined) return
  const { numberPeriods, numberSequences: sequences } = schema
  const isDefault = and(eq(sequences.entityType, entityType), eq(sequences.isDefault, true))
  const [sequence] = await tx
    .update(sequences)
    .set({ period, nextValue: latest.length + 1 })
    .where(and(eq(sequences.workspaceId, workspaceId), isDefault))
    .returning({ id: sequences.id })
  if (!sequence) throw new Error(`The workspace has no sequence for ${entityType}`)
  await add(
    story,
    numberPeriods,
    [...issued].map(([year, ofYear]) => ({ sequenceId: sequence.id, period: year, lastUsed: ofYear.length })),
  )
}

function tellQuote({ history }: Story, { row: { id, by, status, sentAt, decidedAt } }: Quote): void {
  const on = { entityType: 'QUOTE', entityId: id, by }
  if (sentAt) history.add({ ...on, kind: 'QUOTE_SENT', at: sentAt, data: { to: [] } })
  if (decidedAt)
    history.add({ ...on, kind: status === 'DECLINED' ? 'QUOTE_DECLINED' : 'QUOTE_ACCEPTED', at: decidedAt })
}

function tellOrder({ history }: Story, { row }: Order): void {
  const { id, by, confirmedAt, fulfilledAt, cancelledAt, invoiceId } = row
  const on = { entityType: 'ORDER', entityId: id, by }
  const change = (from: string, to: string, at: string | null): void => {
    if (at) history.add({ ...on, kind: 'STATUS_CHANGED', at, changes: [{ field: 'status', from, to }] })
  }
  change('DRAFT', 'CONFIRMED', confirmedAt)
  change('CONFIRMED', 'CANCELLED', cancelledAt)
  change('CONFIRMED', 'FULFILLED', fulfilledAt)
  if (fulfilledAt && invoiceId)
    history.add({ ...on, kind: 'CONVERTED', at: fulfilledAt, relatedType: 'INVOICE', relatedId: invoiceId })
}

function tellInvoice({ history }: Story, { row }: Invoice & { readonly row: Issuable }): void {
  const on = { entityType: 'INVOICE', entityId: row.id, by: row.by }
  if (row.issuedAt) history.add({ ...on, kind: 'INVOICE_ISSUED', at: row.issuedAt, data: { number: row.number } })
  if (row.status !== 'VOID' && row.status !== 'UNCOLLECTIBLE') return
  const changes = [{ field: 'status', from: 'ISSUED', to: row.status }]
  history.add({ ...on, kind: 'STATUS_CHANGED', at: row.updatedAt, changes })
}

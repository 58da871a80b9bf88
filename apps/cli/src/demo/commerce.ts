import { newId, schema, usualSequence, type Executor } from '@crm/db'
import { documentTotals, type Discount, type PricedLine } from '@crm/pricing'
import { and, eq } from 'drizzle-orm'
import type { Product } from './catalogue.ts'
import type { DemoDeal } from './customers.ts'
import type { History } from './history.ts'
import { inventInvoices, inventPayments, tellInvoice } from './invoices.ts'
import { headerOf, inventOrders, invoiceOrigin, tellOrder, type Origin } from './orders.ts'
import { between, dayMs, type Place } from './place.ts'

type Quote = typeof schema.quotes.$inferInsert

interface TaxRate {
  readonly id: string
  readonly name: string
  readonly rate: string
}

/** Adds quotes for deals, orders and invoices for the won deals, and payments. */
export async function addCommerce(
  tx: Executor,
  place: Place,
  deals: readonly DemoDeal[],
  products: readonly Product[],
  history: History,
): Promise<void> {
  const taxRate = await findTaxRate(tx, place.workspaceId)
  const asked = deals.filter(() => place.random.chance(0.7))
  const quotes = asked.map((deal) => inventQuote(place, deal, products, taxRate)).toSorted(byIssueDate)
  const converted = quotes
    .filter(({ status }) => status === 'CONVERTED')
    .toSorted((a, b) => String(a.decidedAt).localeCompare(String(b.decidedAt)))
  const [ordered, billed] = [
    converted.filter(({ convertedType }) => convertedType === 'ORDER'),
    converted.filter(({ convertedType }) => convertedType === 'INVOICE'),
  ]
  const unasked = deals.filter((deal) => deal.status === 'WON' && !asked.includes(deal))
  const origins = [
    ...ordered.map(originOf),
    ...unasked.map((deal) => ({
      ...inventHeader(place, deal, products, taxRate),
      id: newId(),
      quoteId: null,
      at: deal.stageChangedAt,
    })),
  ]
  const orders = inventOrders(place, origins).toSorted(byIssueDate)
  const invoices = inventInvoices(place, [...billed.map(originOf), ...orders.flatMap(invoiceOrigin)]).toSorted(
    byIssueDate,
  )
  const payments = invoices.flatMap((invoice) => inventPayments(place, invoice))
  await drawNumbers(tx, place, 'QUOTE', quotes)
  await drawNumbers(tx, place, 'ORDER', orders)
  await drawNumbers(tx, place, 'INVOICE', invoices)
  await tx.insert(schema.quotes).values(quotes)
  await tx.insert(schema.orders).values(orders)
  await tx.insert(schema.invoices).values(invoices)
  await tx.insert(schema.payments).values(payments)
  for (const quote of quotes) tellQuote(place, history, quote)
  for (const order of orders) tellOrder(place, history, order)
  for (const invoice of invoices) tellInvoice(place, history, invoice, payments)
}

/** The lines and parties of a quote, for the document that it was converted to. */
function originOf(quote: Quote): Origin {
  return {
    ...headerOf(quote),
    id: quote.convertedId as string,
    quoteId: quote.id as string,
    at: quote.decidedAt as string,
  }
}

async function findTaxRate(tx: Executor, workspaceId: string): Promise<TaxRate> {
  const { taxRates } = schema
  const [rate] = await tx
    .select({ id: taxRates.id, name: taxRates.name, rate: taxRates.rate })
    .from(taxRates)
    .where(and(eq(taxRates.workspaceId, workspaceId), eq(taxRates.name, 'Standard')))
  if (!rate) throw new Error('The workspace has no usual tax rate')
  return rate
}

function inventQuote(
  place: Place,
  deal: DemoDeal,
  products: readonly Product[],
  taxRate: TaxRate,
): Quote & { issueDate: string } {
  const { random, now } = place
  const createdAt = between(place, deal.createdAt, deal.stageChangedAt)
  const sentAt = between(place, createdAt, deal.stageChangedAt)
  const status =
    deal.status === 'WON'
      ? 'CONVERTED'
      : deal.status === 'LOST'
        ? 'DECLINED'
        : random.pick(['DRAFT', 'SENT', 'SENT', 'ACCEPTED'] as const)
  const isSent = status !== 'DRAFT'
  const isDecided = isSent && status !== 'SENT'
  const decidedAt = between(place, sentAt, deal.stageChangedAt)
  const expiresAt = new Date(
    Math.max(Date.parse(sentAt), now.getTime() - 20 * dayMs) + (10 + random.below(30)) * dayMs,
  ).toISOString()
  return {
    ...inventHeader(place, deal, products, taxRate),
    id: newId(),
    status,
    createdAt,
    updatedAt: isDecided ? decidedAt : isSent ? sentAt : createdAt,
    issueDate: sentAt.slice(0, 10),
    expiresAt,
    sentAt: isSent ? sentAt : null,
    decidedAt: isDecided ? decidedAt : null,
    ...(status === 'CONVERTED'
      ? { convertedType: random.chance(0.35) ? ('ORDER' as const) : ('INVOICE' as const), convertedId: newId() }
      : {}),
  }
}

/** The parties and lines of a document for a deal. */
function inventHeader(place: Place, deal: DemoDeal, products: readonly Product[], taxRate: TaxRate) {
  const { id: ownerId, departmentId } = deal.owner
  return {
    workspaceId: place.workspaceId,
    ownerId,
    departmentId,
    createdById: ownerId,
    companyId: deal.customer.companyId,
    contactId: deal.contactId,
    dealId: deal.id,
    partyName: deal.customer.company.name,
    ...inventLines(place, products, taxRate),
    notes: place.random.chance(0.3) ? 'Prices hold for the first twelve months.' : null,
    terms: 'Payable within 7 days without deduction.',
  }
}

function inventLines({ random }: Place, products: readonly Product[], { id: taxRateId, name, rate }: TaxRate) {
  const chosen = new Set(Array.from({ length: 1 + random.below(4) }, () => random.pick(products)))
  const lines = [...chosen].map((product) => {
    const priced: PricedLine = {
      quantity: String(1 + random.below(12)),
      unitPrice: product.basePrice,
      discount: null,
      taxRateId,
    }
    return { productId: product.id, name: product.name, description: null, unitId: product.unitId, ...priced }
  })
  const discount: Discount | null = random.chance(0.25) ? { type: 'PERCENT', value: '5' } : null
  const terms = { currency: 'EUR', taxMode: 'EXCLUSIVE' as const, discount }
  const { lines: amounts, ...totals } = documentTotals({
    ...terms,
    lines,
    taxRates: new Map([[taxRateId, { name, rate }]]),
  })
  return {
    ...terms,
    ...totals,
    taxes: [...totals.taxes],
    items: lines.map((line, at) => ({ ...line, ...(amounts[at] as (typeof amounts)[number]) })),
  }
}

interface Issuable {
  status: string
  issueDate: string
  number?: string | null
}

function byIssueDate(a: Pick<Issuable, 'issueDate'>, b: Pick<Issuable, 'issueDate'>): number {
  return a.issueDate.localeCompare(b.issueDate)
}

/** Numbers the issued documents without gaps in each year, and leaves the sequence ready for the next number. */
async function drawNumbers(
  tx: Executor,
  { workspaceId }: Place,
  entityType: 'QUOTE' | 'ORDER' | 'INVOICE',
  documents: Issuable[],
): Promise<void> {
  const prefix = usualSequence(entityType).pattern.slice(0, 4)
  const issued = documents.filter(({ status }) => status !== 'DRAFT')
  const years = [...Map.groupBy(issued, ({ issueDate }) => issueDate.slice(0, 4))].toSorted(([a], [b]) =>
    a.localeCompare(b),
  )
  for (const [year, ofYear] of years)
    for (const [at, document] of ofYear.entries())
      document.number = `${prefix}${year}-${String(at + 1).padStart(5, '0')}`
  const { numberPeriods, numberSequences } = schema
  const [period, latest] = years.at(-1) ?? []
  if (!period || !latest) return
  const of = and(
    eq(numberSequences.workspaceId, workspaceId),
    eq(numberSequences.entityType, entityType),
    eq(numberSequences.isDefault, true),
  )
  const [sequence] = await tx
    .update(numberSequences)
    .set({ period, nextValue: latest.length + 1 })
    .where(of)
    .returning({ id: numberSequences.id })
  if (!sequence) throw new Error(`The workspace has no sequence for ${entityType}`)
  await tx
    .insert(numberPeriods)
    .values(
      years.map(([year, ofYear]) => ({ workspaceId, sequenceId: sequence.id, period: year, lastUsed: ofYear.length })),
    )
}

function tellQuote({ members }: Place, history: History, quote: Quote): void {
  const by = members.find(({ id }) => id === quote.ownerId)
  if (!by) return
  const on = { entityType: 'QUOTE', entityId: quote.id as string, by }
  history.add({ ...on, kind: 'CREATED', at: quote.createdAt as string })
  if (quote.sentAt) history.add({ ...on, kind: 'QUOTE_SENT', at: quote.sentAt, data: { to: [] } })
  if (quote.decidedAt)
    history.add({ ...on, kind: quote.status === 'DECLINED' ? 'QUOTE_DECLINED' : 'QUOTE_ACCEPTED', at: quote.decidedAt })
}

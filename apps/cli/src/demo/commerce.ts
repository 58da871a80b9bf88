import { newId, schema, usualSequences, type Executor } from '@crm/db'
import { documentTotals, type Discount, type PricedLine } from '@crm/pricing'
import { and, eq } from 'drizzle-orm'
import type { DemoDeal } from './customers.ts'
import type { History } from './history.ts'
import { between, dayMs, madeBy, type Place } from './place.ts'

type Quote = typeof schema.quotes.$inferInsert
type Invoice = typeof schema.invoices.$inferInsert
type Payment = typeof schema.payments.$inferInsert

interface Product {
  readonly id: string
  readonly name: string
  readonly basePrice: string
  readonly unitId: string | null
}

interface TaxRate {
  readonly id: string
  readonly name: string
  readonly rate: string
}

/** What is sold: name, SKU, type, unit, price, cost. */
const assortment = [
  ['Workspace licence, small', 'LIC-S', 'DIGITAL', 'Month', '49', '6'],
  ['Workspace licence, medium', 'LIC-M', 'DIGITAL', 'Month', '149', '14'],
  ['Workspace licence, large', 'LIC-L', 'DIGITAL', 'Month', '390', '31'],
  ['Additional storage, 100 GB', 'STO-100', 'DIGITAL', 'Month', '12.5', '3.1'],
  ['Consulting', 'SRV-CON', 'SERVICE', 'Hour', '120', '70'],
  ['Training on site', 'SRV-TRA', 'SERVICE', 'Day', '980', '520'],
  ['Bringing over data', 'SRV-MIG', 'SERVICE', 'Flat rate', '1450', '800'],
  ['Premium support', 'SRV-SUP', 'SERVICE', 'Month', '220', '90'],
  ['Barcode scanner', 'HW-SCAN', 'GOODS', 'Piece', '189.9', '121'],
  ['Label printer', 'HW-LABEL', 'GOODS', 'Piece', '349', '240'],
  ['Tablet with stand', 'HW-TAB', 'GOODS', 'Piece', '529', '410'],
  ['Labels, roll of 1,000', 'HW-ROLL', 'GOODS', 'Piece', '14.95', '6.2'],
] as const

/** How the invoices of the demo stand, in turn; the oldest is overdue. */
const invoiceStatuses = ['ISSUED', 'PAID', 'PARTIALLY_PAID', 'PAID', 'DRAFT', 'PAID'] as const

/** Adds what is sold, quotes for deals, and invoices for those that were won: drafts, open, overdue, partly and wholly paid. */
export async function addCommerce(tx: Executor, place: Place, deals: readonly DemoDeal[], history: History): Promise<void> {
  const products = await addProducts(tx, place, history)
  const taxRate = await findTaxRate(tx, place.workspaceId)
  const asked = deals.filter(() => place.random.chance(0.7))
  const quotes = asked.map((deal) => inventQuote(place, deal, products, taxRate)).toSorted(byIssueDate)
  const converted = quotes.filter(({ status }) => status === 'CONVERTED').toSorted((a, b) => String(a.decidedAt).localeCompare(String(b.decidedAt)))
  const invoices = converted.map((quote, at) => inventInvoice(place, quote, invoiceStatuses[at % invoiceStatuses.length] ?? 'PAID')).toSorted(byIssueDate)
  await drawNumbers(tx, place, 'QUOTE', quotes)
  await drawNumbers(tx, place, 'INVOICE', invoices)
  const payments = invoices.flatMap((invoice) => inventPayments(place, invoice))
  await tx.insert(schema.quotes).values(quotes)
  await tx.insert(schema.invoices).values(invoices)
  await tx.insert(schema.payments).values(payments)
  for (const quote of quotes) tellQuote(place, history, quote)
  for (const invoice of invoices) tellInvoice(place, history, invoice, payments)
}

async function addProducts(tx: Executor, { workspaceId, members, random, now }: Place, history: History): Promise<Product[]> {
  const units = await tx.select({ id: schema.units.id, name: schema.units.name }).from(schema.units).where(eq(schema.units.workspaceId, workspaceId))
  const by = random.pick(members.filter(({ writes }) => writes))
  const createdAt = new Date(now.getTime() - 200 * dayMs).toISOString()
  const products = assortment.map(([name, sku, type, unit, basePrice, cost]) => ({
    workspaceId, id: newId(), name, sku, type, status: 'ACTIVE' as const, unitId: units.find((one) => one.name === unit)?.id ?? null, basePrice, cost, currency: 'EUR', ...madeBy(by, createdAt),
  }))
  await tx.insert(schema.products).values(products)
  history.add(...products.map(({ id }) => ({ entityType: 'PRODUCT', entityId: id, kind: 'CREATED', at: createdAt, by })))
  return products
}

async function findTaxRate(tx: Executor, workspaceId: string): Promise<TaxRate> {
  const { taxRates } = schema
  const [rate] = await tx.select({ id: taxRates.id, name: taxRates.name, rate: taxRates.rate }).from(taxRates).where(and(eq(taxRates.workspaceId, workspaceId), eq(taxRates.name, 'Standard')))
  if (!rate) throw new Error('The workspace has no usual tax rate')
  return rate
}

function inventQuote(place: Place, deal: DemoDeal, products: readonly Product[], taxRate: TaxRate): Quote & { issueDate: string } {
  const { workspaceId, random, now } = place
  const createdAt = between(place, deal.createdAt, deal.stageChangedAt)
  const sentAt = between(place, createdAt, deal.stageChangedAt)
  const status = deal.status === 'WON' ? 'CONVERTED' : deal.status === 'LOST' ? 'DECLINED' : random.pick(['DRAFT', 'SENT', 'SENT', 'ACCEPTED'] as const)
  const isSent = status !== 'DRAFT'
  const isDecided = isSent && status !== 'SENT'
  const decidedAt = between(place, sentAt, deal.stageChangedAt)
  const expiresAt = new Date(Math.max(Date.parse(sentAt), now.getTime() - 20 * dayMs) + (10 + random.below(30)) * dayMs).toISOString()
  return {
    workspaceId, id: newId(), status, ...madeBy(deal.owner, createdAt), updatedAt: isDecided ? decidedAt : isSent ? sentAt : createdAt, version: 1,
    companyId: deal.customer.companyId, contactId: deal.contactId, dealId: deal.id, partyName: deal.customer.company.name, issueDate: sentAt.slice(0, 10),
    ...inventLines(place, products, taxRate), notes: random.chance(0.3) ? 'Prices hold for the first twelve months.' : null, terms: 'Payable within 7 days without deduction.',
    expiresAt, sentAt: isSent ? sentAt : null, decidedAt: isDecided ? decidedAt : null,
    ...(status === 'CONVERTED' ? { convertedType: 'INVOICE' as const, convertedId: newId() } : {}),
  }
}

function inventLines({ random }: Place, products: readonly Product[], { id: taxRateId, name, rate }: TaxRate) {
  const chosen = new Set(Array.from({ length: 1 + random.below(4) }, () => random.pick(products)))
  const lines = [...chosen].map((product) => {
    const priced: PricedLine = { quantity: String(1 + random.below(12)), unitPrice: product.basePrice, discount: null, taxRateId }
    return { productId: product.id, name: product.name, description: null, unitId: product.unitId, ...priced }
  })
  const discount: Discount | null = random.chance(0.25) ? { type: 'PERCENT', value: '5' } : null
  const terms = { currency: 'EUR', taxMode: 'EXCLUSIVE' as const, discount }
  const { lines: amounts, ...totals } = documentTotals({ ...terms, lines, taxRates: new Map([[taxRateId, { name, rate }]]) })
  return { ...terms, ...totals, taxes: [...totals.taxes], items: lines.map((line, at) => ({ ...line, ...(amounts[at] as (typeof amounts)[number]) })) }
}

function inventInvoice(place: Place, quote: Quote, status: NonNullable<Invoice['status']>): Invoice & { id: string; issueDate: string } {
  const { now } = place
  const { number: _number, expiresAt: _expires, sentAt: _sent, decidedAt, convertedType: _type, convertedId, ...taken } = quote
  const createdAt = decidedAt ?? now.toISOString()
  const issuedAt = between(place, createdAt, new Date(Math.min(Date.parse(createdAt) + 5 * dayMs, now.getTime())).toISOString())
  const isIssued = status !== 'DRAFT'
  const paidAt = between(place, issuedAt, now.toISOString())
  const amountPaid = status === 'PAID' ? quote.total : status === 'PARTIALLY_PAID' ? half(quote.total) : '0'
  return {
    ...taken, id: convertedId as string, quoteId: quote.id, status, createdAt, updatedAt: Number(amountPaid) > 0 ? paidAt : isIssued ? issuedAt : createdAt, issueDate: issuedAt.slice(0, 10),
    dueDate: new Date(Date.parse(issuedAt) + 7 * dayMs).toISOString().slice(0, 10), issuedAt: isIssued ? issuedAt : null, sentAt: isIssued ? issuedAt : null, amountPaid, paidAt: status === 'PAID' ? paidAt : null,
  }
}

const half = (amount: string): string => (Math.floor(Number(amount) * 50) / 100).toFixed(2)

function inventPayments({ random }: Place, { workspaceId, id: invoiceId, amountPaid = '0', currency, updatedAt, createdById }: ReturnType<typeof inventInvoice>): Payment[] {
  if (Number(amountPaid) === 0 || !updatedAt) return []
  return [{ workspaceId, id: newId(), invoiceId, amount: amountPaid, currency, paidAt: updatedAt, method: random.pick(['BANK_TRANSFER', 'BANK_TRANSFER', 'CARD'] as const), createdAt: updatedAt, updatedAt, createdById }]
}

interface Issuable {
  status: string
  issueDate: string
  number?: string | null
}

function byIssueDate(a: Pick<Issuable, 'issueDate'>, b: Pick<Issuable, 'issueDate'>): number {
  return a.issueDate.localeCompare(b.issueDate)
}

/** Numbers what is issued, without gaps in each year, and leaves the sequence where the next one goes on. */
async function drawNumbers(tx: Executor, { workspaceId }: Place, entityType: 'QUOTE' | 'INVOICE', documents: Issuable[]): Promise<void> {
  const prefix = usualSequences[entityType].pattern.slice(0, 4)
  const issued = documents.filter(({ status }) => status !== 'DRAFT')
  const years = [...Map.groupBy(issued, ({ issueDate }) => issueDate.slice(0, 4))].toSorted(([a], [b]) => a.localeCompare(b))
  for (const [year, ofYear] of years) for (const [at, document] of ofYear.entries()) document.number = `${prefix}${year}-${String(at + 1).padStart(5, '0')}`
  const { numberPeriods, numberSequences } = schema
  const [period, latest] = years.at(-1) ?? []
  if (!period || !latest) return
  const of = and(eq(numberSequences.workspaceId, workspaceId), eq(numberSequences.entityType, entityType), eq(numberSequences.isDefault, true))
  const [sequence] = await tx.update(numberSequences).set({ period, nextValue: latest.length + 1 }).where(of).returning({ id: numberSequences.id })
  if (!sequence) throw new Error(`The workspace has no sequence for ${entityType}`)
  await tx.insert(numberPeriods).values(years.map(([year, ofYear]) => ({ workspaceId, sequenceId: sequence.id, period: year, lastUsed: ofYear.length })))
}

function tellQuote({ members }: Place, history: History, quote: Quote): void {
  const by = members.find(({ id }) => id === quote.ownerId)
  if (!by) return
  const on = { entityType: 'QUOTE', entityId: quote.id as string, by }
  history.add({ ...on, kind: 'CREATED', at: quote.createdAt as string })
  if (quote.sentAt) history.add({ ...on, kind: 'QUOTE_SENT', at: quote.sentAt, data: { to: [] } })
  if (quote.decidedAt) history.add({ ...on, kind: quote.status === 'DECLINED' ? 'QUOTE_DECLINED' : 'QUOTE_ACCEPTED', at: quote.decidedAt })
}

function tellInvoice({ members }: Place, history: History, invoice: Invoice, payments: readonly Payment[]): void {
  const by = members.find(({ id }) => id === invoice.ownerId)
  if (!by) return
  const on = { entityType: 'INVOICE', entityId: invoice.id as string, by }
  history.add({ ...on, kind: 'CREATED', at: invoice.createdAt as string })
  if (invoice.issuedAt) history.add({ ...on, kind: 'INVOICE_ISSUED', at: invoice.issuedAt, data: { number: invoice.number } })
  for (const { amount, currency, paidAt } of payments.filter(({ invoiceId }) => invoiceId === invoice.id)) history.add({ ...on, kind: 'PAYMENT_RECORDED', at: paidAt, data: { amount, currency } })
}

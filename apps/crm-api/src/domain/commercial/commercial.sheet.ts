import { schema, type Executor } from '@crm/db'
import { postalLines } from '@crm/postal'
import { lineAmount, Money, toAmount, undiscounted, unitPriceDigits, type Discount } from '@crm/pricing'
import { storageKey } from '@crm/storage'
import { and, eq, isNull } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import type { CommercialSheet, LabelledValue, SheetLine, Sum } from '../../pdf/commercial-sheet.ts'
import { sheetWords, type SheetWords } from '../../pdf/sheet-words.ts'
import { amountDue } from './amount-due.ts'
import { payBy } from './payment-provider.ts'
import { recallMoneyFacts } from './commercial.facts.ts'
import type { CommercialRow, InvoiceRow, QuoteRow } from '../../kinds/commercial.ts'

const { files, organizations } = schema

export type Organization = typeof organizations.$inferSelect

/** The parts of a request or of background work that making sheets needs. */
export type SheetContext = Pick<CrmContext, 'workspace' | 'deps' | 'remembered'>

/** The quote or invoice from which a sheet is made. */
export type SheetSource =
  | { readonly entityType: 'INVOICE'; readonly row: InvoiceRow }
  | { readonly entityType: 'QUOTE'; readonly row: QuoteRow }

const usualColor = '#1f4e79'

/** Reads the company data of the workspace. */
export async function readOrganization(db: Executor, workspaceId: string): Promise<Organization | undefined> {
  const [row] = await db.select().from(organizations).where(eq(organizations.workspaceId, workspaceId))
  return row
}

/** Returns a function that formats amounts in the locale of the workspace. */
export function amountFormat({ locale }: CrmContext['workspace'], currency: string): (amount: string) => string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return (amount) => format.format(amount as `${number}`)
}

/** Returns a function that formats unit prices, which may have more digits than amounts of their currency. */
function unitPriceFormat({ locale }: CrmContext['workspace'], currency: string): (price: string) => string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: unitPriceDigits })
  return (price) => format.format(price as `${number}`)
}

function percentFormat({ locale }: CrmContext['workspace']): (percent: string) => string {
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 6 })
  return (percent) => format.format(`${percent}E-2` as `${number}`)
}

/** Returns the name of a tax with its rate, unless the name says the rate itself. */
function taxName({ name, rate }: { readonly name: string; readonly rate: string }, percent: (rate: string) => string) {
  const written = percent(rate)
  return name.includes(written.replace('%', '').trim()) ? name : `${name} ${written}`
}

function numberFormat(locale: string): (value: string) => string {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  return (value) => format.format(value as `${number}`)
}

/** Returns a function that formats dates in the locale of the workspace. */
export function dayFormat({ locale }: CrmContext['workspace']): (day: string) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return (day) => format.format(new Date(`${day}T00:00:00Z`))
}

/** Returns the title of a quote or invoice on paper. */
export function sheetTitle({ workspace }: Pick<SheetContext, 'workspace'>, { entityType, row }: SheetSource): string {
  const words = sheetWords(workspace.locale)
  return row.number ? `${words[entityType]} ${row.number}` : words[entityType]
}

/** Collects the whole content of the PDF of a quote or an invoice. */
export async function makeSheet(db: Executor, context: SheetContext, source: SheetSource): Promise<CommercialSheet> {
  const { workspace } = context
  const { row } = source
  const words = sheetWords(workspace.locale)
  const [organization, money, logo] = [
    await readOrganization(db, workspace.id),
    await recallMoneyFacts(db, context),
    await readLogo(db, context),
  ]
  const [amount, percent] = [amountFormat(workspace, row.currency), percentFormat(workspace)]
  const seller = organization?.legalName ?? workspace.brand.companyName ?? workspace.name
  return {
    kind: 'commercial',
    language: workspace.locale,
    title: sheetTitle(context, source),
    stamp: row.status === 'DRAFT' || row.status === 'VOID' ? words[row.status] : null,
    color: /^#[0-9a-f]{6}$/i.test(workspace.brand.primaryColor ?? '')
      ? (workspace.brand.primaryColor as string)
      : usualColor,
    logo,
    seller: {
      name: seller,
      lines: [
        seller,
        ...postalLines(organization?.address, workspace.locale),
        ...given(
          organization?.taxId && `${words.taxId}: ${organization.taxId}`,
          organization?.email,
          organization?.phone,
          organization?.website,
        ),
      ],
    },
    buyer: {
      label: words.billTo,
      lines: [...given(row.partyName), ...postalLines(row.billingAddress, workspace.locale)],
    },
    facts: factsOf(context, source),
    columns: {
      position: '#',
      name: words.item,
      quantity: words.quantity,
      unitPrice: words.unitPrice,
      tax: words.tax,
      total: words.amount,
    },
    lines: linesOf(context, row, new Map(money.units.map(({ id, symbol, name }) => [id, symbol ?? name]))),
    sums: sumsOf(context, source),
    taxTable:
      row.taxes.length === 0
        ? null
        : {
            columns: [words.tax, words.rate, words.base, words.amount],
            rows: row.taxes.map(({ name, rate, base, amount: tax }) => [
              name,
              percent(rate),
              amount(base),
              amount(tax),
            ]),
          },
    paragraphs: [
      ...(row.notes ? [{ heading: words.notes, text: row.notes }] : []),
      ...(row.terms ? [{ heading: words.terms, text: row.terms }] : []),
      ...(source.entityType === 'INVOICE' && row.status !== 'VOID'
        ? payBy('manual', { number: row.number, organization }).map((text) => ({ heading: words.payment, text }))
        : []),
    ],
    footer: given(seller, organization?.registrationNumber, organization?.taxId).join(' · '),
    pageLabel: words.page,
  }
}

function factsOf({ workspace }: SheetContext, source: SheetSource): LabelledValue[] {
  const words = sheetWords(workspace.locale)
  const day = dayFormat(workspace)
  const { row } = source
  const until =
    source.entityType === 'INVOICE'
      ? { label: words.dueDate, value: source.row.dueDate }
      : {
          label: words.expiresAt,
          value:
            source.row.expiresAt &&
            Temporal.Instant.from(source.row.expiresAt).toZonedDateTimeISO(workspace.timezone).toPlainDate().toString(),
        }
  return [
    ...(row.number ? [{ label: words.number, value: row.number }] : []),
    ...(row.issueDate ? [{ label: words.issueDate, value: day(row.issueDate) }] : []),
    ...(until.value ? [{ label: until.label, value: day(until.value) }] : []),
  ]
}

/**
 * Returns the lines of the table. The column of amounts adds up to the first of the sums: without tax, unless the prices
 * include the tax.
 */
function linesOf({ workspace }: SheetContext, row: CommercialRow, unitOf: ReadonlyMap<string, string>): SheetLine[] {
  const words = sheetWords(workspace.locale)
  const [amount, unitPrice, percent, number] = [
    amountFormat(workspace, row.currency),
    unitPriceFormat(workspace, row.currency),
    percentFormat(workspace),
    numberFormat(workspace.locale),
  ]
  const rateOf = new Map(row.taxes.map(({ taxRateId, rate }) => [taxRateId, percent(rate)]))
  return row.items.map((line) => ({
    name: line.name,
    remarks: given(line.description, discountText(line.discount, words, { amount, percent })),
    quantity: given(number(line.quantity), line.unitId && unitOf.get(line.unitId)).join(' '),
    unitPrice: unitPrice(line.unitPrice),
    tax: (line.taxRateId && rateOf.get(line.taxRateId)) || '–',
    total: amount(row.taxMode === 'INCLUSIVE' ? toAmount(lineAmount(line, row.currency), row.currency) : line.net),
  }))
}

function discountText(
  discount: string | Discount | null,
  words: SheetWords,
  { amount, percent }: { amount(value: string): string; percent(value: string): string },
): string | null {
  const { type, value } =
    typeof discount === 'string' ? { type: 'AMOUNT', value: discount } : (discount ?? { type: 'AMOUNT', value: '0' })
  if (new Money(value).isZero()) return null
  return `${words.discount}: ${type === 'PERCENT' ? percent(value) : amount(value)}`
}

function sumsOf({ workspace }: SheetContext, source: SheetSource): Sum[] {
  const words = sheetWords(workspace.locale)
  const { row } = source
  const amount = amountFormat(workspace, row.currency)
  const line = (label: string, value: string, weight?: Sum['weight']): Sum => ({
    label,
    value: amount(value),
    ...(weight ? { weight } : {}),
  })
  const isInclusive = row.taxMode === 'INCLUSIVE'
  const whole = undiscounted({ ...row, lines: row.items }, row)
  const percent = percentFormat(workspace)
  const reduction = isInclusive ? whole.minus(row.total) : new Money(row.discountTotal)
  const discount =
    row.discount?.type === 'PERCENT' ? `${words.discount} (${percent(row.discount.value)})` : words.discount
  const isPaidInPart = source.entityType === 'INVOICE' && new Money(source.row.amountPaid).gt(0)
  return [
    line(words.subtotal, toAmount(whole, row.currency)),
    ...(reduction.isZero() ? [] : [line(discount, toAmount(reduction.negated(), row.currency))]),
    ...(isInclusive ? [] : row.taxes.map((tax) => line(taxName(tax, percent), tax.amount))),
    line(words.total, row.total, 'STRONG'),
    ...(isInclusive
      ? row.taxes.map((tax) =>
          line(
            words.includes.replace('{tax}', () => taxName(tax, percent)),
            tax.amount,
            'LIGHT',
          ),
        )
      : []),
    ...(isPaidInPart
      ? [line(words.paid, source.row.amountPaid), line(words.due, amountDue(source.row), 'STRONG')]
      : []),
  ]
}

function given(...parts: readonly (string | null | undefined)[]): string[] {
  return parts.filter((part): part is string => typeof part === 'string' && part !== '')
}

const logoBytesMax = 2 * 1024 * 1024

/**
 * Returns the logo as a data URL, when it is one already or a picture among the files of the workspace; nothing is fetched
 * from elsewhere.
 */
export async function readLogo(
  db: Executor,
  { workspace, deps }: Pick<SheetContext, 'workspace' | 'deps'>,
): Promise<string | null> {
  const { logo } = workspace.brand
  if (!logo) return null
  if (/^data:image\/(png|jpeg);base64,[A-Za-z0-9+/=]+$/.test(logo)) return logo.length <= logoBytesMax ? logo : null
  const id = /\/api\/files\/([0-9a-f-]{36})\/content$/.exec(logo)?.[1]
  if (!id) return null
  const [file] = await db
    .select()
    .from(files)
    .where(and(eq(files.workspaceId, workspace.id), eq(files.id, id), isNull(files.deletedAt)))
  if (!file || !['image/png', 'image/jpeg'].includes(file.contentType) || file.size > logoBytesMax) return null
  const pieces = await Array.fromAsync(await deps.storage.read(storageKey({ workspaceId: workspace.id, id })))
  return `data:${file.contentType};base64,${Buffer.concat(pieces).toString('base64')}`
}

import { kindOf, type Field, type FieldType, type Target } from '@crm/model'
import type * as z from 'zod'
import type { ColumnFormat } from './columns.ts'
import { readDay, readInstant } from './dates.ts'
import { readEmail } from './emails.ts'
import { currencyOf, readNumber, type DecimalSign, type ReadNumber } from './numbers.ts'
import { phonesIn, readPhone } from './phones.ts'
import { cleaned, formedCharactersMax, isEmpty } from './reading.ts'
import { read, refuse, refuseText, type Reading, type Refused } from './refusals.ts'
import { noLetter, textOf, type Cell } from './table.ts'
import { valuesIn } from './several.ts'
import { readChoice, readFlag, type Choice } from './words.ts'

/** How the cells of a column become values. */
export interface Conversion {
  /** How the texts of the column are written. */
  readonly format: ColumnFormat
  /** The country of phone numbers without a country code. */
  readonly country?: string
  /** The zone of times that name none. */
  readonly zone: string
  readonly currencies: readonly string[]
  /** The words for the values of a choice; the values themselves are always understood. */
  readonly choices?: readonly Choice[]
  /** Returns the ids of what has a name, a number, an address or a key of another system. */
  readonly find?: (target: Target, text: string) => readonly string[]
}

/** What a cell gives a field: the value that is written, and what stands beside it. */
export interface CellValue {
  /** Null for an empty cell. */
  readonly value: unknown
  /** The currency that an amount names; a sign where several currencies share it. */
  readonly currency?: string
  /** The extension of a phone number. */
  readonly extension?: string
  /** The further phone numbers or addresses of the cell. */
  readonly further?: readonly string[]
}

type Converter = (text: string, conversion: Conversion, field: Field, cell: Cell) => Reading<CellValue>

/** Converts one cell to the value of a field, or tells what is wrong with it in words for people. */
export function valueOfCell(cell: Cell, field: Field, conversion: Conversion): Reading<CellValue> {
  if (typeof cell !== 'string' && cell.type === 'error') return refuseText('SPREADSHEET_ERROR', cell.text)
  const text = cleaned(textOf(cell))
  if (isEmpty(text)) return read({ value: null })
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) return refuse('CONTROL_CHARACTERS')
  if (!text.isWellFormed() || text.includes(noLetter)) return refuse('NOT_LETTERS')
  if (isTooLong(text) && formedParts(text, field.type).some(isTooLong))
    return refuseText('TOO_LONG', text, { max: String(formedCharactersMax) })
  const reading = converters[field.type](text, conversion, field, cell)
  return 'problem' in reading ? reading : fitting(reading, field, text)
}

const isTooLong = ({ length }: string): boolean => length > formedCharactersMax

const withoutForm: readonly FieldType[] = ['text', 'domain']
const withSeveral: readonly FieldType[] = ['email', 'phone', 'references', 'texts', 'tags']

/** Returns the parts of a text that are read by their form; a free text has none. */
function formedParts(text: string, type: FieldType): readonly string[] {
  if (withoutForm.includes(type)) return []
  return withSeveral.includes(type) ? valuesIn(text, true) : [text]
}

const asText: Converter = (text) => read({ value: text })

const asNumber = (text: string, { format, currencies }: Conversion, cell: Cell): Reading<ReadNumber> => {
  if (typeof cell !== 'string' && cell.type === 'number')
    return read({ number: cell.text, isPercent: false, ...(cell.currency ? { currency: cell.currency } : {}) })
  const decimal = format.decimal ?? onlySign(text, currencies)
  return decimal === undefined ? refuseText('TWO_NUMBERS', text) : readNumber(text, decimal, currencies)
}

/** Returns the decimal sign with which a number can be read; undefined where two signs give two numbers. */
function onlySign(text: string, currencies: readonly string[]): DecimalSign | undefined {
  const [point, comma] = [readNumber(text, '.', currencies), readNumber(text, ',', currencies)]
  if ('problem' in comma) return '.'
  return 'problem' in point ? ',' : point.value.number === comma.value.number ? '.' : undefined
}

const asWhole: Converter = (text, conversion, _field, cell) => {
  const reading = asNumber(text, conversion, cell)
  if ('problem' in reading) return reading
  return Number.isInteger(Number(reading.value.number))
    ? read({ value: Number(reading.value.number) })
    : refuseText('NOT_WHOLE', text)
}

const asMoney: Converter = (text, conversion, _field, cell) => {
  const reading = asNumber(text, conversion, cell)
  if ('problem' in reading) return reading
  const { number, currency = conversion.format.currency, isPercent } = reading.value
  if (isPercent) return refuseText('PERCENT_FOR_AMOUNT', text)
  const code = currency && (currencyOf(currency, conversion.currencies) ?? currency)
  return read({ value: number, ...(code ? { currency: code } : {}) })
}

const asPhone: Converter = (text, { format, country }) => {
  const readings = phonesIn(text).map((part) => readPhone(part, { country, form: format.phones ?? 'national' }))
  const wrong = readings.find((reading) => 'problem' in reading)
  if (wrong) return wrong
  const [first, ...further] = readings.flatMap((reading) => ('value' in reading ? reading.value : []))
  return first
    ? read({
        value: first.number,
        ...(first.extension ? { extension: first.extension } : {}),
        ...(further.length > 0 ? { further: further.map(({ number }) => number) } : {}),
      })
    : refuseText('NO_PHONE', text)
}

const asEmail: Converter = (text) => {
  const readings = valuesIn(text, true).map(readEmail)
  const wrong = readings.find((reading) => 'problem' in reading)
  if (wrong) return wrong
  const [value, ...further] = readings.flatMap((reading) => ('value' in reading ? reading.value : []))
  return read({ value, ...(further.length > 0 ? { further } : {}) })
}

const asDay: Converter = (text, { format }, _field, cell) => {
  const order = format.order ?? onlyOrder(text)
  if (order === undefined) return refuseText('TWO_DAYS', text)
  return wrapped(
    readDay(typeof cell === 'string' || cell.type === 'day' ? text : text.replace(/T00:00:00$/, ''), order),
  )
}

const asInstant: Converter = (text, { format, zone }) => {
  const order = format.order ?? onlyOrder(text)
  return order === undefined ? refuseText('TWO_DAYS', text) : wrapped(readInstant(text, order, zone))
}

/** Returns the order in which a date can be read; undefined where two orders give two days. */
function onlyOrder(text: string): 'day first' | 'month first' | undefined {
  const [dayFirst, monthFirst] = (['day first', 'month first'] as const).map((order) => readInstant(text, order, 'UTC'))
  if (!dayFirst || !monthFirst) return undefined
  if ('problem' in dayFirst) return 'month first'
  return 'problem' in monthFirst || monthFirst.value === dayFirst.value ? 'day first' : undefined
}

const asChoice: Converter = (text, { choices = [] }, { rules }) => {
  const labels = new Map(choices.map(({ value, labels }) => [value, labels]))
  return wrapped(
    readChoice(
      text,
      (rules.values ?? []).map((value) => ({ value, labels: labels.get(value) ?? [] })),
    ),
  )
}

/** What people call the things that cells name and that are no records. */
const nouns: Readonly<Partial<Record<Target, string>>> = {
  EMPLOYEE: 'person',
  DEPARTMENT: 'department',
  PIPELINE: 'pipeline',
  STAGE: 'stage',
  LEAD_SOURCE: 'source',
  INDUSTRY: 'industry',
  PRODUCT_CATEGORY: 'category',
  UNIT: 'unit',
  TAX_RATE: 'tax rate',
  CURRENCY: 'currency',
}

const nounOf = (to: Target): string => kindOf(to)?.noun ?? nouns[to] ?? ''

function idOf(text: string, { find }: Conversion, { rules: { to } }: Field): Reading<string> {
  if (to === undefined) return refuse('NO_SINGLE_CELL')
  const [id, ...others] = find?.(to, text) ?? []
  if (id === undefined) return refuseText('NOT_FOUND', text, { to, kind: nounOf(to) })
  return others.length > 0 ? refuseText('SEVERAL_FOUND', text, { to, kind: nounOf(to) }) : read(id)
}

const asReferences: Converter = (text, conversion, field) => {
  const readings = valuesIn(text, false).map((part) => idOf(part, conversion, field))
  const wrong = readings.find((reading) => 'problem' in reading)
  return (
    wrong ?? read({ value: [...new Set(readings.flatMap((reading) => ('value' in reading ? reading.value : [])))] })
  )
}

const asCurrency: Converter = (text, { currencies }) => {
  const code = currencyOf(text, currencies)
  return code && currencies.includes(code) ? read({ value: code }) : refuseText('NO_CURRENCY', text)
}

const inNoCell: Converter = () => refuse('NO_SINGLE_CELL')

const converters: Readonly<Record<FieldType, Converter>> = {
  text: asText,
  domain: asText,
  email: asEmail,
  phone: asPhone,
  money: asMoney,
  currency: asCurrency,
  percent: asWhole,
  integer: asWhole,
  flag: (text) => wrapped(readFlag(text)),
  day: asDay,
  instant: asInstant,
  choice: asChoice,
  reference: (text, conversion, field) => wrapped(idOf(text, conversion, field)),
  references: asReferences,
  texts: (text) => read({ value: valuesIn(text, true) }),
  tags: (text) => read({ value: [...new Set(valuesIn(text, true))] }),
  pointer: inNoCell,
  address: inNoCell,
  parts: inNoCell,
}

function wrapped(reading: Reading<unknown>): Reading<CellValue> {
  return 'problem' in reading ? reading : read({ value: reading.value })
}

/** Checks a value by the schema of its field, and says in words what does not fit. */
function fitting(
  { value: found }: { readonly value: CellValue },
  { type, written, rules }: Field,
  text: string,
): Reading<CellValue> {
  if (!written) return refuse('NOT_WRITABLE')
  const parsed = written.safeParse(found.value)
  if (parsed.success) return read({ ...found, value: parsed.data })
  return misfit(parsed.error, type, rules, text)
}

/** Returns why a value does not fit the schema of its field. */
function misfit(error: z.ZodError, type: FieldType, { min, max, unsigned }: Field['rules'], text: string): Refused {
  const [issue] = error.issues
  if (issue?.code === 'too_big' && issue.origin === 'string')
    return refuseText('TOO_LONG', text, { max: String(issue.maximum) })
  if (issue?.code === 'too_big' && issue.origin === 'array')
    return refuse('TOO_MANY_VALUES', { max: String(issue.maximum) })
  if (type === 'percent') return refuseText('NO_PERCENT', text)
  if (type === 'integer' && min !== undefined && max !== undefined)
    return refuseText('OUT_OF_RANGE', text, { min: String(min), max: String(max) })
  if (type === 'integer' && min !== undefined) return refuseText('BELOW_MIN', text, { min: String(min) })
  if (type === 'integer' && max !== undefined) return refuseText('ABOVE_MAX', text, { max: String(max) })
  if (type === 'money') return refuseText(unsigned && text.includes('-') ? 'BELOW_ZERO' : 'AMOUNT_TOO_LONG', text)
  return refuseText(type === 'domain' ? 'NO_WEBSITE' : 'DOES_NOT_FIT', text)
}

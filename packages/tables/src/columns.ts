import { isDate, isMoment, ordersOf, readDay, type DateOrder } from './dates.ts'
import { readEmail } from './emails.ts'
import { currencyOf, decimalSignsOf, readNumber, type DecimalSign } from './numbers.ts'
import { looksLikePhone, phoneFormOf, phonesIn, readPhone, type PhoneForm } from './phones.ts'
import { cleaned, formedCharactersMax, isEmpty, wordKey } from './reading.ts'
import { textOf, type Cell } from './table.ts'
import { meaningsIn, type Meaning } from './titles.ts'
import { valuesIn } from './several.ts'
import { readFlag } from './words.ts'

/** What is known of the workspace that a table comes into. */
export interface Surroundings {
  /** The country of phone numbers without a country code, such as `DE`. */
  readonly country?: string
  /** The codes of the currencies that amounts may be in. */
  readonly currencies: readonly string[]
}

/** How the texts of a column are written; what is undefined is undecided, or plays no part. */
export interface ColumnFormat {
  readonly order?: DateOrder
  readonly decimal?: DecimalSign
  readonly phones?: PhoneForm
  /** The share of the digits without a plus that is a number with one, from 0 to 1: the reason for `phones`. */
  readonly validWithPlus?: number
  /** The one currency of all amounts. */
  readonly currency?: string
}

/** A value that does not fit what its column holds. */
export interface Misfit {
  readonly line: number
  readonly text: string
}

/** What a column holds, as far as its title and its values show. */
export interface ColumnGuess {
  readonly title: string
  readonly meaning: Meaning | 'empty'
  /** From 0 to 1. */
  readonly confidence: number
  readonly format: ColumnFormat
  /** What a person has to choose from, where the values allow both. */
  readonly orders: readonly DateOrder[]
  readonly decimals: readonly DecimalSign[]
  /** Those that do not fit, the first hundred. */
  readonly misfits: readonly Misfit[]
  /** The first different values. */
  readonly samples: readonly string[]
  /** The different values of a column of choices. */
  readonly choices: readonly string[]
}

/** A cell of a column, with the line of its row. */
export interface ColumnCell {
  readonly line: number
  readonly cell: Cell
}

const misfitsShown = 100
const samplesShown = 3
const choicesMax = 50
/** The share of the values that a meaning must fit: files that people bring have faults. */
const shareNeeded = 0.8
/** What a title that says the same is worth; most columns whose values have a form do not need it. */
const titleWorth = 0.15

type Fits = (text: string, cell: Cell) => boolean

/** Guesses what a column holds. */
export function guessColumn(title: string, cells: readonly ColumnCell[], surroundings: Surroundings): ColumnGuess {
  const filled = cells
    .map(({ line, cell }) => ({ line, cell, text: cleaned(textOf(cell)) }))
    .filter(({ text }) => !isEmpty(text))
  const texts = filled.map(({ text }) => text)
  const written = filled.filter(({ cell }) => typeof cell === 'string').map(({ text }) => text)
  const different = [...new Set(texts)]
  const base = { title, samples: different.slice(0, samplesShown), orders: [], decimals: [], choices: [], misfits: [] }
  if (filled.length === 0) return { ...base, meaning: 'empty', confidence: 1, format: {} }
  const said = meaningsIn(title)
  const fits = testsOf(surroundings, said)
  const passes = (test: Fits, text: string, cell: Cell): boolean =>
    text.length <= formedCharactersMax && test(text, cell)
  const judged = Object.entries(fits).map(([meaning, test]) => {
    const share = filled.filter(({ text, cell }) => passes(test, text, cell)).length / filled.length
    return { meaning: meaning as Meaning, share, worth: share + (said.has(meaning as Meaning) ? titleWorth : 0) }
  })
  const [best] = judged.filter(({ share }) => share >= shareNeeded).toSorted((a, b) => b.worth - a.worth)
  const meaning = best?.meaning ?? (isChoice(texts, different) ? 'choice' : 'text')
  const test = fits[meaning]
  return {
    ...base,
    meaning,
    confidence: confidenceOf(meaning, best?.share ?? 1, said),
    ...formatOf(
      meaning,
      written,
      filled.flatMap(({ cell }) => currencyIn(cell) ?? []),
      surroundings,
    ),
    choices: meaning === 'choice' ? different : [],
    misfits: filled
      .filter(({ text, cell }) => test && !passes(test, text, cell))
      .slice(0, misfitsShown)
      .map(({ line, text }) => ({ line, text })),
  }
}

/** Returns the test of each meaning that has a form, the most special first: of two that fit alike, the first counts. */
function testsOf({ country, currencies }: Surroundings, said: ReadonlySet<Meaning>): Partial<Record<Meaning, Fits>> {
  const isNumber = (text: string): boolean =>
    (['.', ','] as const).some((sign) => !('problem' in readNumber(text, sign, currencies)))
  const numberWith = (text: string, wanted: 'currency' | 'isPercent'): boolean =>
    (['.', ','] as const).some((sign) => {
      const reading = readNumber(text, sign, currencies)
      return 'value' in reading && Boolean(reading.value[wanted])
    })
  const isPlainNumber: Fits = (text, cell) => typeOf(cell) === 'number' || (typeOf(cell) === 'text' && isNumber(text))
  const isPhone: Fits = (text) => phonesIn(text).every((part) => isPhoneIn(part, country, said.has('phone')))
  return {
    email: (text) => valuesIn(text, true).every((part) => !('problem' in readEmail(part))),
    instant: (text, cell) => typeOf(cell) === 'moment' || (typeOf(cell) === 'text' && isMoment(text)),
    day: (text, cell) => typeOf(cell) === 'day' || (typeOf(cell) === 'text' && isDate(text)),
    flag: (text, cell) =>
      typeOf(cell) === 'flag' || (!/^[01]$/.test(text) || said.has('flag') ? isFlagWord(text) : false),
    percent: (text) => numberWith(text, 'isPercent') || (said.has('percent') && isNumber(text)),
    money: (text, cell) =>
      currencyIn(cell) !== undefined ||
      numberWith(text, 'currency') ||
      (said.has('money') && isPlainNumber(text, cell)),
    id: (text) => isKey(text) || (said.has('id') && /^\S+$/.test(text)),
    phone: isPhone,
    number: isPlainNumber,
  }
}

function isFlagWord(text: string): boolean {
  return !('problem' in readFlag(text))
}

function typeOf(cell: Cell): 'text' | 'number' | 'day' | 'moment' | 'flag' | 'error' {
  return typeof cell === 'string' ? 'text' : cell.type
}

function currencyIn(cell: Cell): string | undefined {
  return typeof cell === 'string' ? undefined : cell.currency
}

/** Whether a text is a number of a person; digits without any other sign are one only where the title says so. */
function isPhoneIn(text: string, country: string | undefined, isSaid: boolean): boolean {
  if (!isSaid && !/^\+|^00\d|[\s()/-]/.test(text)) return false
  const { length } = text.replaceAll(/\D/g, '')
  return (
    looksLikePhone(text) &&
    (isSaid || !('problem' in readPhone(text, { country: country ?? 'US', form: 'national' }))) &&
    length > 0
  )
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const salesforceId = /^(?=.*\d)[a-z\d]{3}[a-z\d]{12}(?:[A-Z\d]{3})?$/i
const prefixedId = /^[a-z]{2,6}_\d{6,}$/i

/** Whether a text is a key that another system made. */
function isKey(text: string): boolean {
  return uuid.test(text) || prefixedId.test(text) || (salesforceId.test(text) && /[a-z]/i.test(text))
}

function isChoice(texts: readonly string[], different: readonly string[]): boolean {
  const words = new Set(different.map(wordKey))
  return words.size <= choicesMax && texts.length >= words.size * 3 && different.every((text) => text.length <= 60)
}

function confidenceOf(meaning: Meaning, share: number, said: ReadonlySet<Meaning>): number {
  const usual = meaning === 'text' || meaning === 'choice' ? 0.5 : 0.85
  const told = said.has(meaning) ? titleWorth : said.size > 0 && meaning !== 'text' ? -titleWorth : 0
  return Math.round(Math.max(0, Math.min(1, (usual + told) * share)) * 100) / 100
}

function formatOf(
  meaning: Meaning,
  texts: readonly string[],
  marks: readonly string[],
  { currencies }: Surroundings,
): Pick<ColumnGuess, 'format' | 'orders' | 'decimals'> {
  if (meaning === 'day' || meaning === 'instant') {
    const orders = ordersOf(texts)
    const isOne = orders.length === 1 || texts.every((text) => readsAlike(text))
    return { format: isOne && orders[0] ? { order: orders[0] } : {}, orders, decimals: [] }
  }
  if (meaning === 'phone') {
    const { form, validWithPlus } = phoneFormOf(texts)
    return { format: { phones: form, validWithPlus }, orders: [], decimals: [] }
  }
  if (meaning !== 'money' && meaning !== 'percent' && meaning !== 'number')
    return { format: {}, orders: [], decimals: [] }
  const decimals = decimalSignsOf(texts, currencies)
  const isOne = decimals.length === 1 || texts.every((text) => /^\D*\d+\D*$/.test(text))
  const currency = meaning === 'money' ? onlyCurrency(texts, marks, currencies) : undefined
  return {
    format: { ...(isOne && decimals[0] ? { decimal: decimals[0] } : {}), ...(currency ? { currency } : {}) },
    orders: [],
    decimals,
  }
}

/** Whether a date is the same day in both orders. */
function readsAlike(text: string): boolean {
  const [first, second] = (['day first', 'month first'] as const).map((order) => readDay(text, order))
  return JSON.stringify(first) === JSON.stringify(second)
}

/** Returns the currency of all amounts, by what their texts say and what the cells of a sheet show beside them. */
function onlyCurrency(
  texts: readonly string[],
  marks: readonly string[],
  currencies: readonly string[],
): string | undefined {
  const found = new Set([
    ...marks.map((mark) => currencyOf(mark, currencies) ?? mark),
    ...texts.flatMap((text) => {
      const reading = (['.', ','] as const)
        .map((sign) => readNumber(text, sign, currencies))
        .find((one) => 'value' in one)
      return reading && 'value' in reading ? (reading.value.currency ?? []) : []
    }),
  ])
  const [currency] = found
  return found.size === 1 && currency !== undefined && currencies.includes(currency) ? currency : undefined
}

/** Gives the columns of a file one order of dates, and one decimal sign, where one of them shows it. */
export function settleFormats(columns: readonly ColumnGuess[]): ColumnGuess[] {
  const orders = new Set(columns.flatMap(({ orders }) => (orders.length === 1 ? orders : [])))
  const decimals = new Set(columns.flatMap(({ decimals }) => (decimals.length === 1 ? decimals : [])))
  const [order] = orders
  const [decimal] = decimals
  return columns.map((column) => ({
    ...column,
    format: {
      ...(orders.size === 1 && order && column.orders.length > 1 ? { order } : {}),
      ...(decimals.size === 1 && decimal && column.decimals.length > 1 ? { decimal } : {}),
      ...column.format,
    },
  }))
}

import type { CellProblemCode } from '@crm/errors'
import { inPlainSigns } from '@crm/model'
import { read, refuseText, type Reading } from './refusals.ts'

/** The sign before the decimals of a number. */
export const decimalSigns = ['.', ','] as const
export type DecimalSign = (typeof decimalSigns)[number]

/** More digits than these are no quantity: they are a number of a card, an account or an order. */
const digitsMax = 15

const currencySigns: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  '₹': 'INR',
  '₩': 'KRW',
  '₪': 'ILS',
  '₫': 'VND',
  '₱': 'PHP',
  '₦': 'NGN',
  '₸': 'KZT',
  '₾': 'GEL',
  zł: 'PLN',
  Kč: 'CZK',
  Ft: 'HUF',
  US$: 'USD',
  C$: 'CAD',
  CA$: 'CAD',
  A$: 'AUD',
  AU$: 'AUD',
  NZ$: 'NZD',
  HK$: 'HKD',
  S$: 'SGD',
  R$: 'BRL',
  MX$: 'MXN',
  NT$: 'TWD',
  'CN¥': 'CNY',
  'JP¥': 'JPY',
  руб: 'RUB',
  'руб.': 'RUB',
  Fr: 'CHF',
  'Fr.': 'CHF',
  SFr: 'CHF',
  'SFr.': 'CHF',
  Euro: 'EUR',
  euros: 'EUR',
}

/** Signs that several currencies share. */
const sharedSigns = new Set(['$', '¥', '￥', 'kr', 'kr.', 'Rs', 'Rs.', 'лв', 'лв.', 'lei'])

interface WrittenNumber {
  /** The number without its marks, with digits and separators. */
  readonly digits: string
  readonly isNegative: boolean
  /** A code, or a sign that several currencies share. */
  readonly currency?: string
  readonly isPercent: boolean
}

const parts =
  /^(?<open>\()?(?<sign>[+\-−])?\s*(?:(?<before>[\p{L}\p{Sc}][\p{L}\p{Sc}.]{0,4})\s*)?(?:(?<sign2>[+\-−])\s*)?(?<digits>\d[\d.,'’\s]*|[.,]\d+\s*)(?<percent>%)?(?<after>[\p{L}\p{Sc}][\p{L}\p{Sc}.]{0,4})?(?<sign3>[-−])?(?<close>\))?$/u

/** A mark of a currency beside brackets, as accounts write what is below zero: “$(12.00)”, “(12,00) €”. */
const besideBrackets = /^(?<before>[^\s\d()]{1,5})?\s*\((?<within>[^()]+)\)\s*(?<after>[^\s\d()]{1,5})?$/u
/** A line in the place of decimals that are none: “12,-”. */
const noDecimals = /(?<=\d)[.,][-–—](?=$|\s|[\p{L}\p{Sc}])/u

/** Returns a number as it is written most often; the Arabic decimal sign is one beside either of the others. */
function asUsual(text: string, decimal: DecimalSign): string {
  const plain = inPlainSigns(text).replaceAll('٫', decimal)
  const { before = '', within, after = '' } = besideBrackets.exec(plain)?.groups ?? {}
  const usual = within === undefined ? plain : `(${before} ${within.trim()} ${after})`
  return usual.replace('( ', '(').replace(' )', ')').replace(noDecimals, '')
}

/** Returns the parts of a text that is written as a number; undefined for any other text. */
function partsOf(text: string, decimal: DecimalSign, currencies: readonly string[]): WrittenNumber | undefined {
  const groups = parts.exec(asUsual(text, decimal))?.groups
  if (!groups) return undefined
  const { open, close, sign, sign2, sign3, before, after, percent, digits = '' } = groups
  const marks = [before, after].filter((mark) => mark !== undefined)
  const currency = marks.map((mark) => currencyOf(mark, currencies))
  const hasOneSign = [open, sign, sign2, sign3].filter((found) => found !== undefined).length <= 1
  if ((open === undefined) !== (close === undefined) || !hasOneSign || marks.length > 1 || currency.includes(undefined))
    return undefined
  return {
    digits: digits.trim(),
    isNegative: open !== undefined || [sign, sign2, sign3].some((found) => found === '-' || found === '−'),
    isPercent: percent !== undefined,
    ...(currency[0] ? { currency: currency[0] } : {}),
  }
}

/** Returns the code of a currency that a sign or a code names, or the sign itself where several currencies share it. */
export function currencyOf(mark: string, currencies: readonly string[]): string | undefined {
  const code = mark.toUpperCase()
  if (currencies.includes(code)) return code
  return currencySigns[mark] ?? (sharedSigns.has(mark) ? mark : undefined)
}

/** Returns a number with a point and without groups; undefined where the separators do not stand as the decimal sign demands. */
function plainDigits(digits: string, decimal: DecimalSign): string | undefined {
  const [whole = '', fraction, ...more] = digits.split(decimal)
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined
  const grouped = /^(?:\d{1,3}(?:(?<sign>[.,'’\s])\d{3}(?:\k<sign>\d{3})*)|\d{1,2}(?:,\d{2})*,\d{3})$/u
  if (whole !== '' && !/^\d+$/.test(whole) && !grouped.test(whole)) return undefined
  const kept = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '') || '0'
  return fraction === undefined ? kept : `${kept}.${fraction}`
}

/** Returns the decimal signs with which all of some numbers can be read; texts that are no number with either are left out. */
export function decimalSignsOf(texts: readonly string[], currencies: readonly string[]): DecimalSign[] {
  const readable = texts
    .map((text) => decimalSigns.filter((sign) => !('problem' in readNumber(text, sign, currencies))))
    .filter((signs) => signs.length > 0)
  return decimalSigns.filter((sign) => readable.length > 0 && readable.every((signs) => signs.includes(sign)))
}

/** A number as a decimal string, with the currency or the per cent sign beside it. */
export interface ReadNumber {
  readonly number: string
  readonly currency?: string
  readonly isPercent: boolean
}

/** Reads a text as a number; no digit is lost. */
export function readNumber(text: string, decimal: DecimalSign, currencies: readonly string[]): Reading<ReadNumber> {
  const written = partsOf(text, decimal, currencies)
  const digits = written && plainDigits(written.digits, decimal)
  if (!written || digits === undefined) return refuseText(noNumber(text, decimal, currencies), text)
  if (digits.replace('.', '').length > digitsMax) return refuseText('TOO_MANY_DIGITS', text, { max: String(digitsMax) })
  const isZero = /^[0.]+$/.test(digits)
  return read({
    number: written.isNegative && !isZero ? `-${digits}` : digits,
    isPercent: written.isPercent,
    ...(written.currency ? { currency: written.currency } : {}),
  })
}

/** Returns the problem of a text that is no number, with a hint where it is one with the other sign. */
function noNumber(text: string, decimal: DecimalSign, currencies: readonly string[]): CellProblemCode {
  const other = decimal === '.' ? ',' : '.'
  const written = partsOf(text, other, currencies)
  const isOther = written && plainDigits(written.digits, other) !== undefined
  if (!isOther) return 'NO_NUMBER'
  return decimal === '.' ? 'NO_NUMBER_WITH_POINT' : 'NO_NUMBER_WITH_COMMA'
}

import { inPlainSigns } from '@crm/model'
import { language } from './texts.ts'

const signs = ['.', ','] as const
type DecimalSign = (typeof signs)[number]

/** The sign before the decimals of a number in a language. */
export function decimalSignOf(locale: string): DecimalSign {
  const { value } = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal') ?? {}
  return value === ',' ? ',' : '.'
}

const decimalSign = decimalSignOf(language)

/**
 * Converts a typed number to the API's notation: `1.234,50 €` becomes `1234.50` for a reader of German.
 *
 * What can only be meant in the other notation is understood as well. A text that is no number stays as it is, so that
 * the API says what is wrong with it.
 */
export function decimalTyped(text: string, own: DecimalSign = decimalSign): string {
  const trimmed = inPlainSigns(text).trim()
  const close = trimmed.replaceAll(/[\s'’%]|\p{Sc}/gu, '').replace('−', '-')
  const other = own === '.' ? ',' : '.'
  return plainNumber(close, own, other) ?? plainNumber(close, other, own) ?? trimmed
}

function plainNumber(text: string, decimal: DecimalSign, group: DecimalSign): string | undefined {
  const [sign = '', digits = ''] = text.startsWith('-') ? ['-', text.slice(1)] : ['', text]
  const [whole = '', fraction = '', ...more] = digits.split(decimal)
  const grouped = new RegExp(String.raw`^[1-9]\d{0,2}([${group}]\d{3})+$`)
  if (more.length > 0 || !/^\d*$/.test(fraction) || (whole === '' && fraction === '')) return undefined
  if (!/^\d*$/.test(whole) && !grouped.test(whole)) return undefined
  return `${sign}${whole.replaceAll(group, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`
}

/** Returns a number of the API as it is typed: `1234.50` begins as `1234,50` for a reader of German. Other texts stay as they are. */
export function decimalShown(number: string, own: DecimalSign = decimalSign): string {
  return /^-?\d+\.\d+$/.test(number) ? number.replace('.', own) : number
}

/** Returns the number that a text in the API's notation means; a text that is none stays as it is. */
export function numberOr(text: string): number | string {
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}

/** Whether something was typed that is no number. */
export function isNoNumber(text: string): boolean {
  return text.trim() !== '' && typeof numberOr(decimalTyped(text)) === 'string'
}

/** A number as the reader of a language writes it, to show the form. */
export const sampleNumber = new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(1234.5)

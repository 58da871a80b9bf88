import type { Cell } from './table.ts'

/** A value as the reader of workbooks gives it; a date is an instant whose UTC clock shows what the sheet shows. */
export type SheetValue = string | number | boolean | Date | null

/** How a workbook counts days: from 1900, or from 1904 as old programs of Apple did. */
export type DateSystem = '1900' | '1904'

/** Returns a cell as its format shows it: a number that looks like a code keeps its zeros, a per cent is what people read. */
export function typedCell(value: SheetValue, format = 'General', dateSystem: DateSystem = '1900'): Cell {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return { type: 'flag', text: String(value) }
  return value instanceof Date ? dateCell(value, format, dateSystem) : numberCell(value, format)
}

function numberCell(value: number, format: string): Cell {
  const shown = shownPart(format)
  const [positive = ''] = shown.split(';')
  if (/^0{2,}$/.test(positive) && Number.isInteger(value) && value >= 0)
    return String(value).padStart(positive.length, '0')
  if (positive.includes('%')) return { type: 'number', text: exactText(value * 100) }
  const currency = currencyOf(format)
  return { type: 'number', text: exactText(value), ...(currency ? { currency } : {}) }
}

/** The digits that spreadsheets keep of a number; what stands behind them is an error of binary numbers. */
const digitsKept = 15

/** Returns a number with all its digits and without an exponent. */
function exactText(value: number): string {
  return value.toLocaleString('en', { useGrouping: false, maximumSignificantDigits: digitsKept })
}

/** Returns a format without what it only writes: texts in quotation marks, single letters behind a backslash, colours and conditions. */
function shownPart(format: string): string {
  return format.replaceAll(/"[^"]*"?|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]?/gi, '')
}

/** Returns the sign or the code of the currency that a format shows. */
function currencyOf(format: string): string | undefined {
  const [, inBrackets, quoted, bare] =
    /\[\$([^\-[\]]+)(?:-[^\]]*)?\]|"\s*(\p{Sc}|[A-Z]{3})\s*"|(\p{Sc})/u.exec(format) ?? []
  return (inBrackets ?? quoted ?? bare)?.trim() || undefined
}

const millisecondsOfDay = 86_400_000
/** The first day of a sheet that counts from 1900; before it stand times of a day without a date. */
const firstDay = Date.UTC(1900, 0, 1)

function dateCell(value: Date, format: string, dateSystem: DateSystem): Cell {
  const shown = shownPart(format)
  if (/\[h+\]|\[m+\]|\[s+\]/i.test(shown)) return lengthOfTime(value.getTime() - startOf(value, dateSystem))
  const iso = value.toISOString()
  if (value.getTime() < firstDay || !/[yd]/i.test(shown)) return iso.slice(11, 19)
  const hasTime = value.getTime() % millisecondsOfDay !== 0
  return hasTime ? { type: 'moment', text: iso.slice(0, 19) } : { type: 'day', text: iso.slice(0, 10) }
}

/** Spreadsheets that count from 1900 have a 29 February in that year, so later days are counted from a day earlier. */
function startOf(value: Date, dateSystem: DateSystem): number {
  if (dateSystem === '1904') return Date.UTC(1904, 0, 1)
  return value.getTime() < Date.UTC(1900, 2, 1) ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30)
}

function lengthOfTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

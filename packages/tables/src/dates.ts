import { inPlainSigns } from '@crm/model'
import { Temporal } from 'temporal-polyfill'
import { languages, wordKey } from './reading.ts'
import { read, refuseText, type Reading, type Refused } from './refusals.ts'

/** In which order a date has day and month. */
export const dateOrders = ['day first', 'month first'] as const
export type DateOrder = (typeof dateOrders)[number]

/** Returns the month of a name in one of the languages, long or short, by `wordKey`. */
const monthNames: ReadonlyMap<string, number> = new Map(
  // Austria has a January of its own.
  [...languages, 'de-AT'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) =>
      // Some languages decline the name of a month beside a day.
      [{ month }, { month, day: 'numeric' as const }].flatMap((parts) =>
        Array.from({ length: 12 }, (_, at): readonly [string, number] => {
          const shown = new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC' }).formatToParts(
            Date.UTC(2024, at, 1),
          )
          return [wordKey(shown.find(({ type }) => type === 'month')?.value ?? ''), at + 1]
        }),
      ),
    ),
  ),
)

interface Clock {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
  /** Such as `+02:00`; undefined where the text names no zone. */
  readonly offset?: string
}

interface WrittenDate {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly clock?: Clock
}

const timePart = String.raw`(?:[T\s,]+(?:(?:at|um|à|a las|в)\s+)?(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,](?<fraction>\d+))?)?\s*(?<half>[ap]\.?\s?m\.?)?\s*(?:Uhr|h)?\s*(?<offset>Z|UTC|GMT|(?:UTC|GMT)?[+-]\d{2}:?\d{2})?)?`
const weekday = String.raw`(?:\p{L}{2,12}\.?,?\s+)?`
const yearFirst = new RegExp(
  String.raw`^(?<year>\d{4})(?<sign>[-/.])\s?(?<month>\d{1,2})\k<sign>\s?(?<day>\d{1,2})\.?${timePart}$`,
  'iu',
)
/** As Chinese, Japanese and Korean write a day, with its weekday in brackets or without. */
const eastern = new RegExp(
  String.raw`^(?<year>\d{4})\s?[年년]\s?(?<month>\d{1,2})\s?[月월]\s?(?<day>\d{1,2})\s?[日일](?:\s?\(\p{L}+\))?${timePart}$`,
  'iu',
)
const compact = /^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})$/
const numbersOnly = new RegExp(
  String.raw`^${weekday}(?<first>\d{1,2})(?<sign>[-/.])\s?(?<second2>\d{1,2})\k<sign>\s?(?<year>\d{4}|\d{2})${timePart}$`,
  'iu',
)
const dayAndName = new RegExp(
  String.raw`^${weekday}(?<day>\d{1,2})(?:st|nd|rd|th|er|\.)?(?:\s+|-)(?:(?:de|of)\s+)?(?<name>\p{L}+)\.?,?(?:\s+|-)(?:(?:de|del)\s+)?(?<year>\d{4}|\d{2})(?:\s?г\.?)?${timePart}$`,
  'iu',
)
const nameAndDay = new RegExp(
  String.raw`^${weekday}(?<name>\p{L}+)\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})${timePart}$`,
  'iu',
)

/** Years of two digits are those from 1950 to 2049, as spreadsheets read them. */
function fullYear(year: string): number {
  const number = Number(year)
  return year.length > 2 ? number : number < 50 ? 2_000 + number : 1_900 + number
}

/** The first whole year of the calendar that the dates of files follow; an earlier one is of another calendar, such as the Persian. */
const firstYear = 1583

type Groups = Readonly<Record<string, string | undefined>>

/** Returns the dates that a text may be; two where the order of day and month decides. */
function datesIn(written: string): Partial<Record<DateOrder, WrittenDate>> {
  const text = inPlainSigns(written)
  const fixed = (yearFirst.exec(text) ?? eastern.exec(text) ?? compact.exec(text))?.groups
  if (fixed) return inAnyOrder(dateFrom(fixed, Number(fixed['month']), Number(fixed['day'])))
  const numbers = numbersOnly.exec(text)?.groups
  if (numbers) {
    const [first, second] = [Number(numbers['first']), Number(numbers['second2'])]
    const dayFirst = dateFrom(numbers, second, first)
    // Nobody writes the month first before a dot.
    if (dayFirst && numbers['sign'] === '.') return inAnyOrder(dayFirst)
    const monthFirst = dateFrom(numbers, first, second)
    return { ...(dayFirst && { 'day first': dayFirst }), ...(monthFirst && { 'month first': monthFirst }) }
  }
  const named = (dayAndName.exec(text) ?? nameAndDay.exec(text))?.groups
  const month = monthNames.get(wordKey(named?.['name'] ?? ''))
  return named && month !== undefined ? inAnyOrder(dateFrom(named, month, Number(named['day']))) : {}
}

function inAnyOrder(date: WrittenDate | undefined): Partial<Record<DateOrder, WrittenDate>> {
  return date ? { 'day first': date, 'month first': date } : {}
}

function dateFrom(groups: Groups, month: number, day: number): WrittenDate | undefined {
  const year = fullYear(groups['year'] ?? '')
  const clock = groups['hour'] === undefined ? undefined : clockFrom(groups)
  const isDay =
    year >= firstYear && month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  return isDay && clock !== null ? { year, month, day, ...(clock && { clock }) } : undefined
}

/** Returns a time of day; null for one that no clock shows. */
function clockFrom({ hour = '', minute = '', second = '0', fraction = '', half, offset }: Groups): Clock | null {
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0)
  const isTime =
    hours < 24 && Number(minute) < 60 && Number(second) < 60 && (half === undefined || isHalf(Number(hour)))
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return isTime
    ? { hour: hours, minute: Number(minute), second: Number(second), millisecond, ...(offset && { offset }) }
    : null
}

function isHalf(hour: number): boolean {
  return hour >= 1 && hour <= 12
}

/** Returns the orders in which all of some dates can be read; texts that are no date in either are left out. */
export function ordersOf(texts: readonly string[]): DateOrder[] {
  const readable = texts.map(datesIn).filter((dates) => Object.keys(dates).length > 0)
  return dateOrders.filter((order) => readable.length > 0 && readable.every((dates) => dates[order] !== undefined))
}

/** Whether a text is a date in some order. */
export function isDate(text: string): boolean {
  return Object.keys(datesIn(text)).length > 0
}

/** Whether a text is a date with a time of day. */
export function isMoment(text: string): boolean {
  return Object.values(datesIn(text)).some(({ clock }) => clock !== undefined)
}

/** Reads a text as a day, `YYYY-MM-DD`; a time at midnight goes, as programs add it to days. */
export function readDay(text: string, order: DateOrder): Reading<string> {
  const date = datesIn(text)[order]
  if (!date) return noDate(text, order)
  const { clock } = date
  if (clock && (clock.hour > 0 || clock.minute > 0 || clock.second > 0)) return refuseText('TIME_FOR_DAY', text)
  return read(dayText(date))
}

/** Reads a text as an instant in UTC; a clock of no zone is one of `zone`, and a day begins there at midnight. */
export function readInstant(text: string, order: DateOrder, zone: string): Reading<string> {
  const date = datesIn(text)[order]
  if (!date) return noDate(text, order)
  const { year, month, day, clock: { offset, ...clock } = { offset: undefined } } = date
  const local = Temporal.PlainDateTime.from({ year, month, day, ...clock })
  const instant = local.toZonedDateTime(offset ? zoneOf(offset) : zone).toInstant()
  return read(new Date(instant.epochMilliseconds).toISOString())
}

function zoneOf(offset: string): string {
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? []
  return sign ? `${sign}${hours}:${minutes}` : 'UTC'
}

function dayText({ year, month, day }: WrittenDate): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function noDate(text: string, order: DateOrder): Refused {
  if (!isDate(text)) return refuseText('NO_DATE', text)
  return refuseText(order === 'day first' ? 'NO_DATE_DAY_FIRST' : 'NO_DATE_MONTH_FIRST', text)
}

import { inPlainSigns } from '@crm/model'
import { dayAfter } from './moments.ts'

/** The words for days in one language, and the order in which its dates are written. */
export interface DayWords {
  readonly today: string
  readonly tomorrow: string
  readonly yesterday: string
  /** The days of the week, Sunday first. */
  readonly weekdays: readonly string[]
  /** The months, each by all of its names. */
  readonly months: readonly (readonly string[])[]
  /** Whether the month comes before the day. */
  readonly isMonthFirst: boolean
  /** The letters of a day and a week, as in `+3d` and `2w`. */
  readonly day: string
  readonly week: string
}

/** Returns the words of a language. */
export function wordsOf(locale: string, letters: Pick<DayWords, 'day' | 'week'>): DayWords {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const [yesterday = '', today = '', tomorrow = ''] = [-1, 0, 1].map((days) => plain(relative.format(days, 'day')))
  const named = (options: Intl.DateTimeFormatOptions, at: number) =>
    plain(new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(at)).replaceAll('.', '')
  // The first day of 2023 was a Sunday.
  const weekdays = Array.from({ length: 7 }, (_, at) => named({ weekday: 'long' }, Date.UTC(2023, 0, 1 + at)))
  const months = Array.from({ length: 12 }, (_, at) => [
    ...new Set([
      named({ month: 'long' }, Date.UTC(2023, at, 1)),
      named({ month: 'short' }, Date.UTC(2023, at, 1)),
      // Beside a day, some languages bend the name of the month.
      ...(['long', 'short'] as const).map((month) => nameBesideDay(locale, month, Date.UTC(2023, at, 1))),
    ]),
  ])
  const order = new Intl.DateTimeFormat(locale).formatToParts().map(({ type }) => type)
  const isMonthFirst = order.indexOf('month') < order.indexOf('day')
  return { today, tomorrow, yesterday, weekdays, months, isMonthFirst, ...letters }
}

function nameBesideDay(locale: string, month: 'long' | 'short', at: number): string {
  const parts = new Intl.DateTimeFormat(locale, { day: 'numeric', month, timeZone: 'UTC' }).formatToParts(at)
  return plain(parts.find(({ type }) => type === 'month')?.value ?? '').replaceAll('.', '')
}

/**
 * Returns the day, `YYYY-MM-DD`, that a text means: `tomorrow`, `friday`, `+3d`, `31.12.2026`, `31 Dec`, `2026-12-31`, `2026/12/31`. A day without a year
 * is the next one. Undefined for a text that means none, and for years that nobody means.
 */
export function readDay(text: string, now: string, known: readonly DayWords[]): string | undefined {
  const word = plain(text).trim()
  if (word === '') return undefined
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(word) ?? []
  if (isoYear !== undefined) return dayFrom(Number(isoYear), Number(isoMonth), Number(isoDay))
  const [, count, letter] = /^\+?(\d{1,3})(\p{L})$/u.exec(word) ?? []
  for (const words of known) {
    if (letter === words.day) return dayAfter(now, Number(count))
    if (letter === words.week) return dayAfter(now, Number(count) * 7)
    if (word === words.today) return now
    if (word === words.tomorrow) return dayAfter(now, 1)
    if (word === words.yesterday) return dayAfter(now, -1)
    const weekday = word.length < 2 ? -1 : words.weekdays.findIndex((name) => name.startsWith(word))
    // The next such weekday is meant: "Friday" on a Friday is the one in a week.
    if (weekday >= 0) return dayAfter(now, (weekday - new Date(now).getUTCDay() + 7) % 7 || 7)
    const named = namedDay(word, now, words)
    if (named !== undefined) return named
  }
  return numberedDay(word, now, known[0]?.isMonthFirst ?? false)
}

/** Reads `31.12.2026`, `31/12/26` and `31.12.`, in the order of a language. */
function numberedDay(word: string, now: string, isMonthFirst: boolean): string | undefined {
  const [, first = '', second = '', year] = /^(\d{1,2})[./-](\d{1,2})[./-]?(\d{2}|\d{4})?$/.exec(word) ?? []
  if (first === '') return undefined
  const [day, month] = isMonthFirst ? [second, first] : [first, second]
  return inYear(now, year, Number(month), Number(day))
}

/** Reads `31 Dec 2026` and `December 31, 2026`. */
function namedDay(word: string, now: string, { months }: DayWords): string | undefined {
  const parts = word.split(/[\s.,]+/).filter((part) => part !== '' && part !== 'de' && part !== 'г')
  const month = months.findIndex((names) => parts.some((part) => names.includes(part)))
  const numbers = parts.filter((part) => /^\d+$/.test(part))
  const [day = '', year] = numbers
  if (month < 0 || numbers.length + 1 !== parts.length || day.length > 2 || numbers.length > 2) return undefined
  return inYear(now, year, month + 1, Number(day))
}

function inYear(now: string, year: string | undefined, month: number, day: number): string | undefined {
  const thisYear = Number(now.slice(0, 4))
  if (year !== undefined) return dayFrom(year.length === 2 ? 2000 + Number(year) : Number(year), month, day)
  const next = dayFrom(thisYear, month, day)
  return next !== undefined && next < now ? dayFrom(thisYear + 1, month, day) : next
}

const years = { min: 1900, max: 2199 } as const

function dayFrom(year: number, month: number, day: number): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, day))
  const isDay = at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isDay && year >= years.min && year <= years.max ? at.toISOString().slice(0, 10) : undefined
}

/** Returns the time, `HH:mm`, that a text means: `9`, `9:30`, `14h`, `2 pm`. */
export function readTime(text: string): string | undefined {
  const [, hour, minute = '00', half] =
    /^(\d{1,2})(?:[:.h](\d{2})?)?\s*([ap])?\.?(?:m\.?)?$/.exec(plain(text).trim()) ?? []
  if (hour === undefined || Number(minute) > 59 || Number(hour) > (half === undefined ? 23 : 12)) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0)
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/** What people say between a day and its time. */
const joining = /(?<!\s)\s+(?:at|um|a las|a|à|в)$/i

/** Returns the date and time, `YYYY-MM-DDTHH:mm`, that a text means; a day alone has the usual time. */
export function readMoment(
  text: string,
  usualTime: string,
  now: string,
  known: readonly DayWords[],
): string | undefined {
  const trimmed = text.trim()
  const exact = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(trimmed)
  if (exact) return trimmed.slice(0, 16)
  const alone = readDay(trimmed, now, known)
  if (alone !== undefined) return `${alone}T${usualTime}`
  // The time is what comes last: one word, or two as in `2 pm`.
  const words = trimmed.split(/[\s,]+/)
  for (const count of [1, 2]) {
    const day = readDay(words.slice(0, -count).join(' ').replace(joining, ''), now, known)
    const time = words.length > count ? readTime(words.slice(-count).join(' ')) : undefined
    if (day !== undefined && time !== undefined) return `${day}T${time}`
  }
  return undefined
}

/** Returns a text in small letters without accents, as people type it in a hurry. */
function plain(text: string): string {
  return inPlainSigns(text).toLowerCase().replaceAll('’', "'").normalize('NFD').replaceAll(/\p{M}/gu, '')
}

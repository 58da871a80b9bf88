import { dayAfter, instantOf, today } from '../../base/moments.ts'
import { language, t } from '../../base/texts.ts'
import { dateTyped } from '../../base/typed-dates.ts'

/** The hour for a due date that names only a day. */
const usualTime = '17:00'

/** The words for days in one language. */
export interface DueWords {
  readonly today: string
  readonly tomorrow: string
  /** The days of the week, Sunday first. */
  readonly weekdays: readonly string[]
  /** The letters of a day and a week, as in `+3d` and `2w`. */
  readonly day: string
  readonly week: string
}

const english = wordsOf('en', { day: 'd', week: 'w' })
const own =
  language === 'en' ? [] : [wordsOf(language, { day: t('tasks.letterOfDays'), week: t('tasks.letterOfWeeks') })]

/** Returns the words of a language. */
export function wordsOf(locale: string, letters: Pick<DueWords, 'day' | 'week'>): DueWords {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  // The first day of 2023 was a Sunday.
  const weekdays = Array.from({ length: 7 }, (_, at) => plain(weekday.format(Date.UTC(2023, 0, 1 + at))))
  return { today: plain(relative.format(0, 'day')), tomorrow: plain(relative.format(1, 'day')), weekdays, ...letters }
}

/**
 * Reads a due date from words of the page's language or English ones: `today`, `tomorrow 9`, `friday 14:30`, `+3d`, `2w`,
 * `2031-05-01`, `31.12.`, `31/12/2031`, each with a time such as `9`, `14:30` or `2pm`. Returns undefined for a text without a time.
 */
export function readDue(text: string, now: number, known: readonly DueWords[] = [...own, english]): string | undefined {
  const [first = '', second, ...rest] = plain(text)
    .trim()
    // “2 pm” is one time, and what stands between a day and its time says nothing.
    .replace(/(\d)\s+([ap])\.?m\.?$/, '$1$2m')
    .split(/\s+(?:(?:at|um|a las|a|à|в)\s+)?/)
  const day = first === '' || rest.length > 0 ? undefined : dayIn(first, today(now), known)
  const time = second === undefined ? usualTime : timeIn(second)
  return day === undefined || time === undefined ? undefined : instantOf(`${day}T${time}`)
}

function dayIn(word: string, now: string, known: readonly DueWords[]): string | undefined {
  const dated = dateTyped(word, now)
  if (dated !== undefined) return dated
  const [, count, letter] = /^\+?(\d{1,3})(\p{L})$/u.exec(word) ?? []
  for (const words of known) {
    if (letter === words.day) return dayAfter(now, Number(count))
    if (letter === words.week) return dayAfter(now, Number(count) * 7)
    if (word === words.today) return now
    if (word === words.tomorrow) return dayAfter(now, 1)
    const weekday = word.length < 2 ? -1 : words.weekdays.findIndex((name) => name.startsWith(word))
    // The next such weekday is meant: "Friday" on a Friday is the one in a week.
    if (weekday >= 0) return dayAfter(now, (weekday - new Date(now).getUTCDay() + 7) % 7 || 7)
  }
  return undefined
}

function timeIn(word: string): string | undefined {
  const [, hours, minute = '00', half] = /^(\d{1,2})(?:[:.h](\d{2})?)?([ap]m)?$/.exec(word) ?? []
  if (hours === undefined || Number(minute) > 59) return undefined
  const isOfHalf = Number(hours) >= 1 && Number(hours) <= 12
  const hour = half === undefined ? Number(hours) : isOfHalf ? (Number(hours) % 12) + (half === 'pm' ? 12 : 0) : 24
  return hour < 24 ? `${String(hour).padStart(2, '0')}:${minute}` : undefined
}

/** Returns a text in small letters without accents, as people type it in a hurry. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll('’', "'").normalize('NFD').replaceAll(/\p{M}/gu, '')
}

import { readDay, readMoment, wordsOf } from './day-words.ts'
import { describeDay, today } from './moments.ts'
import { dateLocale, language, t } from './texts.ts'

const english = wordsOf('en-GB', { day: 'd', week: 'w' })

/** The words for days that a reader of this page may type: those of its language, and English ones. */
export const knownDayWords =
  language === 'en' ? [english] : [wordsOf(dateLocale, { day: t('d'), week: t('w') }), english]

/** Returns a typed day as the API writes it; a text that is none stays as it is, so that it is refused in words. */
export function dayTyped(text: string): string {
  return readDay(text, today(), knownDayWords) ?? text.trim()
}

/** Returns a typed date and time as controls hold it, `YYYY-MM-DDTHH:mm`; a text that is none stays as it is. */
export function momentTyped(text: string, usualTime: string): string {
  return readMoment(text, usualTime, today(), knownDayWords) ?? text.trim()
}

/** Whether a text is a day as the API writes it. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

/** Returns a day as people read and type it; other texts stay as they are. */
export function dayShown(day: string): string {
  return isDay(day) ? describeDay(day, 'UTC') : day
}

/** Returns a date and time as people read and type it; other texts stay as they are. */
export function momentShown(moment: string): string {
  const [day = '', time = ''] = moment.split('T')
  return /^\d{2}:\d{2}/.test(time) ? `${dayShown(day)} ${time.slice(0, 5)}` : moment
}

import { dateLocale, language, t } from './texts.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

/** Returns the age of an instant in words; after more than a week, its date. */
export function describeAge(instant: string, now: number): string {
  const ageMs = now - Date.parse(instant)
  if (ageMs < 45_000) return ageMs < -minuteMs ? describeDay(instant) : t('base.justNow')
  if (ageMs < hourMs) return relative.format(-Math.round(ageMs / minuteMs), 'minute')
  if (ageMs < dayMs) return relative.format(-Math.round(ageMs / hourMs), 'hour')
  return ageMs < 7 * dayMs ? relative.format(-Math.round(ageMs / dayMs), 'day') : describeDay(instant)
}

/** Formats an instant as a date, in a time zone or that of the device. */
export function describeDay(instant: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(
    new Date(instant),
  )
}

/** Formats an instant as date and time, in a time zone or that of the device. */
export function describeInstant(instant: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(instant),
  )
}

/** Returns the day of an instant as a heading: today, yesterday, a weekday of the last week, or a date; in a time zone or that of the device. */
export function describeDayHeading(instant: string, now: number, timeZone?: string): string {
  const dayOf = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(at))
  const at = Date.parse(instant)
  const days = Math.round((Date.parse(dayOf(now)) - Date.parse(dayOf(at))) / dayMs)
  if (days === 0) return t('common.today')
  if (days === 1) return t('base.yesterday')
  const isNear = days > 1 && days < 7
  return new Intl.DateTimeFormat(
    dateLocale,
    isNear ? { weekday: 'long', timeZone } : { day: 'numeric', month: 'long', year: 'numeric', timeZone },
  ).format(new Date(at))
}

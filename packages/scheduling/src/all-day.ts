import type { BusyTime } from './free-slots.ts'
import { DAY_MS, formatInstant } from './instant.ts'
import { parseDate } from './local-date.ts'
import { offsetsBetween, startOfDay } from './zone.ts'

/**
 * Turns an all-day event into busy time: from local midnight of `startDate` to local midnight after `endDate`.
 * Both dates are `YYYY-MM-DD` and **inclusive** (an event of one day has them equal); iCalendar's DTEND is exclusive, so subtract a day
 * first.
 */
export function allDayBusy(timezone: string, startDate: string, endDate: string): BusyTime {
  const first = parseDate(startDate)
  const last = parseDate(endDate)
  if (last < first) throw new RangeError(`an all-day event ends before it starts: ${startDate} to ${endDate}`)
  const offsets = offsetsBetween(timezone, (first - 2) * DAY_MS, (last + 3) * DAY_MS)
  return { start: formatInstant(startOfDay(first, offsets)), end: formatInstant(startOfDay(last + 1, offsets)) }
}

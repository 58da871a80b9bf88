import { ICalCalendar, ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'

/** One event of a calendar that other programs read. */
export interface CalendarEntry {
  readonly uid: string
  readonly sequence: number
  readonly title: string
  /** ISO 8601 UTC. */
  readonly startAt: string
  readonly endAt: string
  /** The dates of an event of whole days, the last one included. */
  readonly days?: { readonly first: string; readonly last: string }
  readonly isBusy: boolean
  readonly url?: string
  /** ISO 8601 UTC. */
  readonly changedAt: string
}

const refreshEveryS = 15 * 60
const dayMs = 86_400_000

/** Writes a calendar for programs that read it again and again (METHOD:PUBLISH). */
export function writeCalendar(name: string, entries: readonly CalendarEntry[]): string {
  const calendar = new ICalCalendar({ name, prodId: { company: 'workspace-crm', product: 'booking' }, method: ICalCalendarMethod.PUBLISH, ttl: refreshEveryS })
  for (const { uid, sequence, title, startAt, endAt, days, isBusy, url, changedAt } of entries) {
    calendar.createEvent({
      id: uid,
      sequence,
      stamp: new Date(changedAt),
      // A date without a time is written in UTC; the end of whole days is the day after.
      timezone: days ? 'UTC' : null,
      allDay: days !== undefined,
      start: new Date(days ? `${days.first}T00:00:00Z` : startAt),
      end: days ? new Date(Date.parse(`${days.last}T00:00:00Z`) + dayMs) : new Date(endAt),
      summary: title,
      status: ICalEventStatus.CONFIRMED,
      transparency: isBusy ? ICalEventTransparency.OPAQUE : ICalEventTransparency.TRANSPARENT,
      location: url ?? null,
      url: url ?? null,
    })
  }
  return `${calendar.toString()}\r\n`
}

import { dateValue, placeLines, productLine, textValue, utcTime, writeLines } from './ical-lines.ts'

/** An event of a calendar that other programs read. */
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

const dayMs = 86_400_000

/** Writes a calendar for programs that read it regularly (METHOD:PUBLISH). */
export function writeCalendar(name: string, entries: readonly CalendarEntry[]): string {
  return writeLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    productLine,
    'METHOD:PUBLISH',
    `NAME:${textValue(name)}`,
    `X-WR-CALNAME:${textValue(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...entries.flatMap(entryLines),
    'END:VCALENDAR',
  ])
}

function entryLines({ uid, sequence, title, startAt, endAt, days, isBusy, url, changedAt }: CalendarEntry): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${utcTime(changedAt)}`,
    // The end date of whole days is exclusive.
    days ? `DTSTART;VALUE=DATE:${dateValue(days.first)}` : `DTSTART:${utcTime(startAt)}`,
    days ? `DTEND;VALUE=DATE:${dateValue(dayAfter(days.last))}` : `DTEND:${utcTime(endAt)}`,
    `SUMMARY:${textValue(title)}`,
    `TRANSP:${isBusy ? 'OPAQUE' : 'TRANSPARENT'}`,
    ...placeLines(url),
    'STATUS:CONFIRMED',
    'END:VEVENT',
  ]
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
}

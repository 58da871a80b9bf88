import ICAL from 'ical.js'

/** One event of a calendar of elsewhere, as it is stored; a recurring one is as many as it has occurrences. */
export interface ExternalEvent {
  readonly title: string
  /** ISO 8601 UTC; of whole days their midnights in UTC. */
  readonly startAt: string
  readonly endAt: string
  readonly allDay: boolean
  /** The dates of whole days, the last one included. */
  readonly startDate: string | null
  readonly endDate: string | null
  readonly busy: boolean
}

export interface ExpandOptions {
  /** Zone of times that name none. */
  readonly timezone: string
  /** ISO 8601 UTC; what touches [from, to) is written out. */
  readonly from: string
  readonly to: string
  /** Host of our own invitations: they come back in the calendars of those who got them, and count as bookings already. */
  readonly ownHost: string
}

/** Events that one calendar may take, the earliest first. */
export const eventsMax = 5_000

/** Occurrences looked at before a recurrence is given up; daily for a hundred years. */
const occurrencesMax = 36_525
const dayMs = 86_400_000
const titleCharactersMax = 200

/** Writes out the events of an iCalendar text between two times. Throws when it is no calendar. */
export function expandCalendar(text: string, options: ExpandOptions): ExternalEvent[] {
  const parsed = ICAL.parse(text) as unknown[]
  const roots = (typeof parsed[0] === 'string' ? [parsed] : parsed).map((root) => new ICAL.Component(root as never))
  const calendars = roots.filter(({ name }) => name === 'vcalendar')
  if (calendars.length === 0) throw new Error('There is no calendar in it')
  const events = calendars.flatMap((calendar) => expandOne(calendar, options))
  return events.toSorted((a, b) => (a.startAt < b.startAt ? -1 : 1)).slice(0, eventsMax)
}

function expandOne(calendar: ICAL.Component, options: ExpandOptions): ExternalEvent[] {
  const toMs = timeReader(calendar, options.timezone)
  const own = new RegExp(`^[0-9a-f-]{36}@${RegExp.escape(options.ownHost)}$`, 'i')
  const byUid = Map.groupBy(calendar.getAllSubcomponents('vevent'), (event) => String(event.getFirstPropertyValue('uid') ?? ''))
  return [...byUid].filter(([uid]) => !own.test(uid)).flatMap(([, events]) => expandSeries(events, toMs, options))
}

/** The events of one UID: those that recur or stand alone, and those that take the place of one occurrence. */
function expandSeries(events: readonly ICAL.Component[], toMs: TimeReader, options: ExpandOptions): ExternalEvent[] {
  const [exceptions, masters] = [events.filter(isException), events.filter((event) => !isException(event))]
  const replaced = new Set(exceptions.map((event) => toMs(event.getFirstProperty('recurrence-id') as ICAL.Property)))
  const [fromMs, untilMs] = [Date.parse(options.from), Date.parse(options.to)]
  const found: ExternalEvent[] = []
  for (const master of masters) {
    for (const occurrence of occurrencesOf(master, toMs)) {
      if (occurrence.startMs >= untilMs || found.length >= eventsMax) break
      if (occurrence.endMs > fromMs && !replaced.has(occurrence.startMs)) add(found, master, occurrence)
    }
  }
  for (const exception of exceptions) {
    const [only] = occurrencesOf(exception, toMs)
    if (only && only.startMs < untilMs && only.endMs > fromMs) add(found, exception, only)
  }
  return found
}

function isException(event: ICAL.Component): boolean {
  return event.hasProperty('recurrence-id')
}

interface Occurrence {
  readonly startMs: number
  readonly endMs: number
  readonly allDay: boolean
}

/** When an event takes place, earliest first. */
function* occurrencesOf(event: ICAL.Component, toMs: TimeReader): Generator<Occurrence> {
  const startProperty = event.getFirstProperty('dtstart')
  const start = startProperty?.getFirstValue()
  if (!startProperty || !(start instanceof ICAL.Time)) return
  const allDay = start.isDate
  const lengthMs = lengthOf(event, toMs(startProperty), allDay, toMs)
  if (lengthMs <= 0) return
  const at = (startMs: number): Occurrence => ({ startMs, endMs: startMs + lengthMs, allDay })
  if (isException(event) || (!event.hasProperty('rrule') && !event.hasProperty('rdate'))) {
    yield at(toMs(startProperty))
    return
  }
  const expansion = new ICAL.RecurExpansion({ component: event, dtstart: start })
  for (let seen = 0; seen < occurrencesMax; seen += 1) {
    const next = expansion.next() as ICAL.Time | null
    if (!next) return
    yield at(toMs(startProperty, next))
  }
}

function lengthOf(event: ICAL.Component, startMs: number, allDay: boolean, toMs: TimeReader): number {
  const end = event.getFirstProperty('dtend')
  if (end) return toMs(end) - startMs
  const duration = event.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration) return duration.toSeconds() * 1_000
  return allDay ? dayMs : 0
}

function add(found: ExternalEvent[], event: ICAL.Component, { startMs, endMs, allDay }: Occurrence): void {
  const word = (name: string) => String(event.getFirstPropertyValue(name) ?? '').toUpperCase()
  if (word('status') === 'CANCELLED') return
  const [startAt, endAt] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
  found.push({
    title: titleOf(event),
    startAt,
    endAt,
    allDay,
    startDate: allDay ? startAt.slice(0, 10) : null,
    endDate: allDay ? new Date(endMs - dayMs).toISOString().slice(0, 10) : null,
    busy: word('transp') !== 'TRANSPARENT' && word('x-microsoft-cdo-busystatus') !== 'FREE',
  })
}

function titleOf(event: ICAL.Component): string {
  const summary = String(event.getFirstPropertyValue('summary') ?? '').toWellFormed().replaceAll('\0', '').trim()
  return Array.from(summary).slice(0, titleCharactersMax).join('') || '–'
}

/** Gives the moment of a property's time, or of another time that is told in its zone; dates are midnights in UTC. */
type TimeReader = (property: ICAL.Property, time?: ICAL.Time) => number

function timeReader(calendar: ICAL.Component, floating: string): TimeReader {
  const described = new Map(calendar.getAllSubcomponents('vtimezone').map((zone) => [String(zone.getFirstPropertyValue('tzid')), new ICAL.Timezone(zone)]))
  return (property, time = property.getFirstValue() as unknown as ICAL.Time) => {
    const { year, month, day, hour, minute, second } = time
    if (time.isDate) return Date.UTC(year, month - 1, day)
    const name = property.getFirstParameter('tzid')
    if (!name && isUtc(property)) return Date.UTC(year, month - 1, day, hour, minute, second)
    const known = name ? ianaName(name) : floating
    const zone = known ? undefined : described.get(name)
    if (zone) {
      const offsetS = zone.utcOffset(time)
      return Date.UTC(year, month - 1, day, hour, minute, second) - offsetS * 1_000
    }
    return Temporal.PlainDateTime.from({ year, month, day, hour, minute, second }).toZonedDateTime(known ?? floating).epochMilliseconds
  }
}

function isUtc(property: ICAL.Property): boolean {
  const value = property.getFirstValue() as unknown as ICAL.Time
  return value.zone?.tzid === 'UTC'
}

/** The IANA name in a TZID, which some programs lead with a path of their own; undefined when there is none. */
function ianaName(tzid: string): string | undefined {
  const words = tzid.split('/')
  const candidates = [tzid, words.slice(-2).join('/'), words.slice(-3).join('/')]
  return candidates.find((name) => /^[A-Za-z]/.test(name) && isZone(name))
}

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

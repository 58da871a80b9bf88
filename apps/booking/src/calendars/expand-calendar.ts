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

/** Occurrences looked at before a recurrence is given up; hourly for thirty years. */
const occurrencesMax = 262_980
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
  const replaced = exceptions.flatMap((event) => event.getAllProperties('recurrence-id'))
  const [fromMs, untilMs] = [Date.parse(options.from), Date.parse(options.to)]
  const found: ExternalEvent[] = []
  const addWithin = (event: ICAL.Component, occurrence: Occurrence) => {
    if (occurrence.startMs < untilMs && occurrence.endMs > fromMs && found.length < eventsMax) add(found, event, occurrence)
  }
  const changeAt = lastingChanges(exceptions, toMs)
  for (const master of masters) {
    for (const occurrence of occurrencesOf(master, replaced, toMs, { fromMs, untilMs })) {
      const change = changeAt(occurrence.startMs)
      if (!change) addWithin(master, occurrence)
      else addWithin(change.event, { startMs: occurrence.startMs + change.byMs, endMs: occurrence.startMs + change.byMs + change.lengthMs, allDay: change.allDay })
    }
  }
  for (const exception of exceptions) {
    const only = firstOccurrence(exception, toMs)
    if (only) addWithin(exception, only)
  }
  return found
}

/** A change of one occurrence that goes for all later ones, too. */
interface LastingChange {
  readonly event: ICAL.Component
  readonly sinceMs: number
  readonly byMs: number
  readonly lengthMs: number
  readonly allDay: boolean
}

/** Gives the change that goes for an occurrence, when there is one: the latest before it. */
function lastingChanges(exceptions: readonly ICAL.Component[], toMs: TimeReader): (startMs: number) => LastingChange | undefined {
  const changes = exceptions.flatMap((event): LastingChange[] => {
    const [of, first] = [event.getFirstProperty('recurrence-id'), firstOccurrence(event, toMs)]
    if (!of || !first || of.getFirstParameter('range')?.toUpperCase() !== 'THISANDFUTURE') return []
    const sinceMs = toMs(of)
    return [{ event, sinceMs, byMs: first.startMs - sinceMs, lengthMs: first.endMs - first.startMs, allDay: first.allDay }]
  })
  const inOrder = changes.toSorted((a, b) => a.sinceMs - b.sinceMs)
  return (startMs) => inOrder.findLast(({ sinceMs }) => sinceMs <= startMs)
}

function isException(event: ICAL.Component): boolean {
  return event.hasProperty('recurrence-id')
}

interface Occurrence {
  readonly startMs: number
  readonly endMs: number
  readonly allDay: boolean
}

/** Where an event begins, as it is told. */
interface Start {
  readonly property: ICAL.Property
  readonly time: ICAL.Time
}

function startOf(event: ICAL.Component): Start | undefined {
  const property = event.getFirstProperty('dtstart')
  const time = property?.getFirstValue()
  return property && time instanceof ICAL.Time ? { property, time } : undefined
}

/** When an event takes place as it stands; undefined when it takes no time. */
function firstOccurrence(event: ICAL.Component, toMs: TimeReader): Occurrence | undefined {
  const start = startOf(event)
  if (!start) return undefined
  const startMs = toMs(start.property)
  const lengthMs = lengthOf(event, startMs, start.time.isDate, toMs)
  return lengthMs > 0 ? { startMs, endMs: startMs + lengthMs, allDay: start.time.isDate } : undefined
}

interface Window {
  readonly fromMs: number
  readonly untilMs: number
}

/** When an event takes place again and again: where it begins, by its rules, and on single days more; without what it leaves out. */
function occurrencesOf(event: ICAL.Component, replaced: readonly ICAL.Property[], toMs: TimeReader, window: Window): Occurrence[] {
  const [start, first] = [startOf(event), firstOccurrence(event, toMs)]
  if (!start || !first) return []
  const { allDay } = first
  const lengthMs = first.endMs - first.startMs
  const isLeftOut = leavesOut([...event.getAllProperties('exdate'), ...replaced], allDay, toMs)
  const found = new Map<number, Occurrence>()
  const put = (startMs: number, date: string, endMs = startMs + lengthMs) => {
    if (!isLeftOut(startMs, date)) found.set(startMs, { startMs, endMs, allDay })
  }
  put(first.startMs, dateOf(start.time))
  for (const rule of event.getAllProperties('rrule')) {
    for (const { startMs, date } of recur(start, rule.getFirstValue() as unknown as ICAL.Recur, toMs)) {
      if (startMs >= window.untilMs || found.size >= eventsMax) break
      if (startMs + lengthMs > window.fromMs) put(startMs, date)
    }
  }
  for (const property of event.getAllProperties('rdate')) {
    for (const value of property.getValues() as unknown[]) {
      if (value instanceof ICAL.Time) put(allDay ? dateMs(value) : toMs(property, value), dateOf(value))
      if (value instanceof ICAL.Period) put(toMs(property, value.start), dateOf(value.start), toMs(property, value.getEnd()))
    }
  }
  return [...found.values()]
}

/** What a rule gives, earliest first. Its end is told in UTC while the rule counts by the clock of the event, so it is looked at here. */
function* recur({ property, time }: Start, rule: ICAL.Recur, toMs: TimeReader): Generator<{ readonly startMs: number; readonly date: string }> {
  const { until } = rule
  const endless = rule.clone()
  // The declaration does not know that a rule may have no end.
  endless.until = null as unknown as ICAL.Time
  const isOver = (startMs: number, date: string) => until && (until.isDate || time.isDate ? date > dateOf(until) : startMs > toMs(property, until))
  const iterator = endless.iterator(time)
  for (let seen = 0; seen < occurrencesMax; seen += 1) {
    const next = iterator.next() as ICAL.Time | null
    if (!next) return
    const [startMs, date] = [toMs(property, next), dateOf(next)]
    if (isOver(startMs, date)) return
    yield { startMs, date }
  }
}

/** Whether an occurrence is named among those that do not take place: by its moment, or by its day where only that is told. */
function leavesOut(named: readonly ICAL.Property[], byDay: boolean, toMs: TimeReader): (startMs: number, date: string) => boolean {
  const [moments, days] = [new Set<number>(), new Set<string>()]
  for (const property of named) {
    for (const value of property.getValues() as unknown[]) {
      if (!(value instanceof ICAL.Time)) continue
      if (byDay || value.isDate) days.add(dateOf(value))
      else moments.add(toMs(property, value))
    }
  }
  return (startMs, date) => moments.has(startMs) || days.has(date)
}

function dateOf({ year, month, day }: ICAL.Time): string {
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

function dateMs({ year, month, day }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day)
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
    if (time.isDate) return dateMs(time)
    const name = property.getFirstParameter('tzid')
    if (isUtc(time) || (!name && isUtc(property.getFirstValue()))) return Date.UTC(year, month - 1, day, hour, minute, second)
    const known = name ? ianaName(name) : floating
    const zone = known ? undefined : described.get(name)
    if (zone) {
      const offsetS = zone.utcOffset(time)
      return Date.UTC(year, month - 1, day, hour, minute, second) - offsetS * 1_000
    }
    return Temporal.PlainDateTime.from({ year, month, day, hour, minute, second }).toZonedDateTime(known ?? floating).epochMilliseconds
  }
}

function isUtc(value: unknown): boolean {
  return value instanceof ICAL.Time && value.zone?.tzid === 'UTC'
}

/** The IANA name in a TZID, which some programs lead with a path of their own; undefined when there is none. */
function ianaName(tzid: string): string | undefined {
  const words = tzid.split('/')
  const candidates = [tzid, words.slice(-2).join('/'), words.slice(-3).join('/')]
  return candidates.find((name) => /^[A-Za-z]/.test(name) && isZone(name))
}

/** Names that were asked about; a calendar has few, and each of its occurrences asks. */
const askedZones = new Map<string, boolean>()

function isZone(name: string): boolean {
  const known = askedZones.get(name) ?? hasClock(name)
  askedZones.set(name, known)
  return known
}

function hasClock(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

import ICAL from 'ical.js'

/** The readable parts of one VCALENDAR, with the unreadable properties of each event. */
export interface ReadCalendar {
  readonly zones: ICAL.Component[]
  readonly events: ReadEvent[]
}

export interface ReadEvent {
  readonly component: ICAL.Component
  /** Names of properties, in small letters, that are present and cannot be read, in whole or in part. */
  readonly unread: ReadonlySet<string>
}

export interface ReadText {
  readonly calendars: readonly ReadCalendar[]
  /** Whether the text ends before its calendar does. */
  readonly endsEarly: boolean
}

/** The properties that are read, by component; all others may be broken. */
const propertiesOf: Readonly<Record<string, ReadonlySet<string>>> = {
  vevent: new Set([
    'uid',
    'dtstart',
    'dtend',
    'duration',
    'rrule',
    'rdate',
    'exdate',
    'recurrence-id',
    'status',
    'transp',
    'x-microsoft-cdo-busystatus',
    'summary',
  ]),
  vtimezone: new Set(['tzid']),
  standard: new Set(['dtstart', 'tzoffsetfrom', 'tzoffsetto', 'rrule', 'rdate']),
  daylight: new Set(['dtstart', 'tzoffsetfrom', 'tzoffsetto', 'rrule', 'rdate']),
}

type JcalProperty = readonly [name: string, parameters: object, type: string, ...values: unknown[]]
type JcalComponent = [name: string, properties: JcalProperty[], components: JcalComponent[]]

/** A component that began and has not ended. */
interface Open {
  readonly name: string
  readonly jcal: JcalComponent
  readonly unread: Set<string>
}

/**
 * Reads an iCalendar text line by line, so that a broken line spoils no other one. A text without a calendar gives no
 * calendars.
 */
export function readText(text: string): ReadText {
  const calendars: ReadCalendar[] = []
  const open: Open[] = []
  const endFrom = (at: number) => {
    for (const ended of open.splice(at)) keep(ended, calendars.at(-1))
  }
  for (const line of unfold(text)) {
    const [, word = '', name = ''] = /^(BEGIN|END):\s*([\w-]+)/i.exec(line) ?? []
    if (/^begin$/i.test(word)) begin(name.toLowerCase(), open, calendars, endFrom)
    else if (/^end$/i.test(word)) endFrom(positionOf(name.toLowerCase(), open))
    else readLine(line, open.at(-1))
  }
  return { calendars, endsEarly: open.length > 0 }
}

function begin(name: string, open: Open[], calendars: ReadCalendar[], endFrom: (at: number) => void): void {
  // These components are never nested: where one begins, the ones before it have ended, even without an END line.
  if (name === 'vcalendar') endFrom(0)
  if (name === 'vevent' || name === 'vtimezone') endFrom(open[0]?.name === 'vcalendar' ? 1 : 0)
  if (name === 'vcalendar') calendars.push({ zones: [], events: [] })
  const started: Open = { name, jcal: [name, [], []], unread: new Set() }
  open.at(-1)?.jcal[2].push(started.jcal)
  open.push(started)
}

/** Returns the position at which the ending component began; the end of the list when none did. */
function positionOf(name: string, open: readonly Open[]): number {
  const at = open.findLastIndex((one) => one.name === name)
  return at === -1 ? open.length : at
}

function keep({ name, jcal, unread }: Open, calendar: ReadCalendar | undefined): void {
  if (name === 'vevent') calendar?.events.push({ component: toComponent(jcal), unread })
  if (name === 'vtimezone') calendar?.zones.push(toComponent(jcal))
}

function toComponent(jcal: JcalComponent): ICAL.Component {
  return new ICAL.Component(jcal as never)
}

/** Yields the lines of a text with any line ending, each joined with its continuation lines; empty lines are skipped. */
function* unfold(text: string): Generator<string> {
  let whole = ''
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (/^[ \t]/.test(line)) whole += line.slice(1)
    else {
      if (whole) yield whole.trim()
      whole = line.replace(/^\uFEFF/, '')
    }
  }
  if (whole) yield whole.trim()
}

/** Stores a property that is of interest, or notes that it could not be read. */
function readLine(line: string, within: Open | undefined): void {
  const name = /^[\w-]+/.exec(line)?.[0].toLowerCase() ?? ''
  if (!within || !propertiesOf[within.name]?.has(name) || line.endsWith(':')) return
  try {
    const properties = name === 'rrule' ? [readRule(line, within)] : linesByType(withQuotes(line)).map(readProperty)
    within.jcal[1].push(...properties)
  } catch {
    within.unread.add(name)
  }
}

/** Throws when the property cannot be read. */
function readProperty(line: string): JcalProperty {
  const property = ICAL.parse.property(line) as JcalProperty
  const [, , type, ...values] = property
  if (/^(date|date-time|period)$/.test(type)) values.flat().forEach(checkTime)
  new ICAL.Property(property as never).getValues()
  return property
}

/** Puts zone names such as "(UTC+01:00) Amsterdam" into quotation marks, which some programs leave out. */
function withQuotes(line: string): string {
  return line.replace(/^([\w-]+);TZID=([^";]*:[^";]*):(?=[\dTZ,]+$)/i, '$1;TZID="$2":')
}

/**
 * Some programs write dates for announced times, or times for announced dates; both can be read once a line of each
 * kind declares its type.
 */
function linesByType(line: string): readonly string[] {
  const [, name, parameters = '', values = ''] =
    /^(DTSTART|DTEND|RECURRENCE-ID|RDATE|EXDATE)((?:;[\w-]+=(?:"[^"]*"|[^";:]*))*):([^:]*)$/i.exec(line) ?? []
  if (name === undefined) return [line]
  const others = parameters.replace(/;VALUE=[\w-]*/i, '')
  const byType = Map.groupBy(
    values.split(',').map((value) => value.trim()),
    (value) => (value.includes('/') ? 'PERIOD' : value.length === 8 ? 'DATE' : 'DATE-TIME'),
  )
  return [...byType].map(([type, ofType]) => `${name}${others};VALUE=${type}:${ofType.join(',')}`)
}

/** Throws for a day or hour that does not exist; lengths, which may be the end of a period, are not checked. */
function checkTime(value: unknown): void {
  const told = String(value)
  if (told.startsWith('P')) return
  const [, day, hour = '00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d):[0-5]\d:(?:[0-5]\d|60)Z?)?$/.exec(told) ?? []
  if (!day || Number(hour) > 24) throw new RangeError('There is no such time')
  Temporal.PlainDate.from(day)
}

const ruleParts = new Set([
  'freq',
  'interval',
  'count',
  'until',
  'wkst',
  'bysecond',
  'byminute',
  'byhour',
  'byday',
  'bymonthday',
  'byyearday',
  'byweekno',
  'bymonth',
  'bysetpos',
])

/** The days from one time to the next, roughly, for a rule without an interval. */
const ruleDays: Readonly<Record<string, number>> = {
  SECONDLY: 1 / 86_400,
  MINUTELY: 1 / 1_440,
  HOURLY: 1 / 24,
  DAILY: 1,
  WEEKLY: 7,
  MONTHLY: 30,
  YEARLY: 365,
}
const intervalDaysMax = 36_525

/** Reads a rule without its unknown parts, which are noted. Throws when it cannot be read, or is absurd. */
function readRule(line: string, { name, unread }: Open): JcalProperty {
  const property = ICAL.parse.property(line.toUpperCase().replaceAll(/\s/g, '')) as JcalProperty
  const rule = property[3] as Record<string, unknown>
  const { freq, count, until, interval } = rule
  const days = ruleDays[String(freq)]
  if (!days || days * Number(interval ?? 1) > intervalDaysMax)
    throw new RangeError('The rule has no interval that can be counted')
  if (count !== undefined && Number(count) < 1) throw new RangeError('The rule says never')
  if (until !== undefined) checkTime(until)
  if ((rule['rscale'] ?? 'GREGORIAN') !== 'GREGORIAN') throw new RangeError('The rule counts in another calendar')
  // A clock changes once or twice a year; a rule that changes it more often would be computed for centuries.
  if (name !== 'vevent' && freq !== 'YEARLY') throw new RangeError('The rule is none for changes of a clock')
  for (const part of Object.keys(rule).filter((known) => !ruleParts.has(known))) {
    delete rule[part]
    if (part && !/^(rscale|skip|x-.*)$/.test(part)) unread.add('rrule')
  }
  return property
}

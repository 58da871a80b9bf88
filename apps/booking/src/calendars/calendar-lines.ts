import ICAL from 'ical.js'
import { readClockTime, readRule } from './recurrence-rule.ts'

/** The readable parts of one VCALENDAR. */
export interface ReadCalendar {
  readonly zones: ReadComponent[]
  readonly events: ReadComponent[]
  readonly freeBusy: ReadComponent[]
  /** The names of other parts that may say something about busy times. */
  readonly others: Set<string>
}

/** A part of a calendar; its rules are texts that `readRule` takes. */
export interface ReadComponent {
  readonly component: ICAL.Component
  /** Names of properties, in small letters, that are present and cannot be read, in whole or in part. */
  readonly unread: ReadonlySet<string>
}

export interface ReadText {
  readonly calendars: readonly ReadCalendar[]
  /** Whether lines of events stand where no event is, or a part ends that never began. */
  readonly isMixedUp: boolean
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
    'exrule',
    'sequence',
    'attendee',
  ]),
  vfreebusy: new Set(['uid', 'freebusy', 'summary']),
  vtimezone: new Set(['tzid']),
  standard: new Set(['dtstart', 'tzoffsetfrom', 'tzoffsetto', 'rrule', 'rdate']),
  daylight: new Set(['dtstart', 'tzoffsetfrom', 'tzoffsetto', 'rrule', 'rdate']),
}

/** The parts of a calendar that take no time of anybody. */
const timeless = /^(vtodo|vjournal|valarm|x-.*)$/

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
  let isMixedUp = false
  const endFrom = (at: number) => {
    for (const ended of open.splice(at)) keep(ended, calendars.at(-1))
  }
  for (const line of unfold(text)) {
    const [, word = '', name = ''] = /^(BEGIN|END):\s*([\w-]+)/i.exec(line) ?? []
    if (/^begin$/i.test(word)) begin(name.toLowerCase(), open, calendars, endFrom)
    else if (/^end$/i.test(word)) {
      const at = positionOf(name.toLowerCase(), open)
      isMixedUp ||= at === open.length && open.length > 0 && !timeless.test(name.toLowerCase())
      endFrom(at)
    } else {
      isMixedUp ||= open.length === 1 && /^(?:DTSTART|FREEBUSY)[;:]/i.test(line)
      readLine(line, open.at(-1))
    }
  }
  return { calendars, isMixedUp, endsEarly: open.length > 0 }
}

function begin(name: string, open: Open[], calendars: ReadCalendar[], endFrom: (at: number) => void): void {
  // These components are never nested: where one begins, the ones before it have ended, even without an END line.
  if (name === 'vcalendar') endFrom(0)
  if (name in keptIn) endFrom(open[0]?.name === 'vcalendar' ? 1 : 0)
  if (name === 'vcalendar') calendars.push({ zones: [], events: [], freeBusy: [], others: new Set() })
  else if (open.length === 1 && !(name in keptIn) && !timeless.test(name)) calendars.at(-1)?.others.add(name)
  const parent = open.at(-1)
  // A zone cannot be read where one of its clocks cannot.
  const started: Open = {
    name,
    jcal: [name, [], []],
    unread: parent?.name === 'vtimezone' ? parent.unread : new Set(),
  }
  parent?.jcal[2].push(started.jcal)
  open.push(started)
}

/** Returns the position at which the ending component began; the end of the list when none did. */
function positionOf(name: string, open: readonly Open[]): number {
  const at = open.findLastIndex((one) => one.name === name)
  return at === -1 ? open.length : at
}

const keptIn = { vevent: 'events', vtimezone: 'zones', vfreebusy: 'freeBusy' } as const

function keep({ name, jcal, unread }: Open, calendar: ReadCalendar | undefined): void {
  if (name in keptIn) calendar?.[keptIn[name as keyof typeof keptIn]].push({ component: toComponent(jcal), unread })
}

function toComponent(jcal: JcalComponent): ICAL.Component {
  return new ICAL.Component(jcal as never)
}

/** Yields the lines of a text with any line ending, each joined with its continuation lines; empty lines are skipped. */
function* unfold(text: string): Generator<string> {
  let whole = ''
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    // No name of a part contains a colon, so what goes on like this was indented by accident.
    const isPart = /^[ \t]+(?:BEGIN|END):/i.test(line) && /^(?:BEGIN|END):/i.test(whole)
    if (/^[ \t]/.test(line) && !isPart) whole += line.slice(1)
    else {
      if (whole) yield whole.trim()
      whole = line.replace(/^\uFEFF/, '').trimStart()
    }
  }
  if (whole) yield whole.trim()
}

/** Stores a property that is of interest, or notes that it could not be read. */
function readLine(line: string, within: Open | undefined): void {
  const name = /^[\w-]+/.exec(line)?.[0].toLowerCase() ?? ''
  if (!within || !propertiesOf[within.name]?.has(name) || line.endsWith(':')) return
  const isRule = name === 'rrule' || name === 'exrule'
  for (const one of isRule ? [line] : linesByValue(withQuotes(line))) {
    try {
      within.jcal[1].push(isRule ? ruleProperty(name, one, within) : readProperty(one))
    } catch {
      within.unread.add(name)
    }
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

/** Returns a rule as a text that can be read again. Throws when it cannot be read, or is absurd. */
function ruleProperty(name: string, line: string, { name: component, unread }: Open): JcalProperty {
  const text = /^[\w-]+(?:;[^:]*)?:(.*)$/s.exec(line)?.[1] ?? ''
  const { rule, isWhole } = readRule(text)
  // A clock changes once or twice a year; a rule that changes it more often would be computed for centuries.
  if ((component === 'standard' || component === 'daylight') && rule.freq !== 'YEARLY')
    throw new RangeError('The rule is none for changes of a clock')
  if (!isWhole) unread.add(name)
  return [name, {}, 'text', text]
}

/** Puts zone names such as "(UTC+01:00) Amsterdam" into quotation marks, which some programs leave out. */
function withQuotes(line: string): string {
  return line.replace(/^([\w-]+);TZID=([^";]+):([\dTZ,]+)$/i, (whole, name: string, zone: string, values: string) =>
    zone.includes(':') ? `${name};TZID="${zone}":${values}` : whole,
  )
}

/**
 * Returns a line for each value, so that a broken one spoils no other. Some programs write dates for announced times, or
 * times for announced dates; both can be read once each line declares its type.
 */
function linesByValue(line: string): readonly string[] {
  const [, name, parameters = '', values = ''] =
    /^(DTSTART|DTEND|RECURRENCE-ID|RDATE|EXDATE|FREEBUSY)((?:;[\w-]+=(?:"[^"]*"|[^";:]*))*):([^:]*)$/i.exec(line) ?? []
  if (name === undefined) return [line]
  const others = parameters.replace(/;VALUE=[\w-]*/i, '')
  return values
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
    .map((value) => `${name}${others};VALUE=${typeOf(value)}:${value}`)
}

function typeOf(value: string): string {
  if (value.includes('/')) return 'PERIOD'
  return value.length === 8 ? 'DATE' : 'DATE-TIME'
}

/** Throws for a day or hour that does not exist; lengths, which may be the end of a period, are not checked. */
function checkTime(value: unknown): void {
  const told = String(value)
  if (!told.startsWith('P')) readClockTime(told.replaceAll(/[-:]/g, ''))
}

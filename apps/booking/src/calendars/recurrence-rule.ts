/** How often a rule counts (RFC 5545, 3.3.10). */
type Frequency = 'SECONDLY' | 'MINUTELY' | 'HOURLY' | 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/** A date or a time as a calendar writes it; `clockMs` are its digits as if they were in UTC. */
export interface ClockTime {
  readonly clockMs: number
  readonly isDate: boolean
  readonly isUtc: boolean
}

/** A rule of RFC 5545 and RFC 7529 whose parts fit each other. */
export interface RecurrenceRule {
  readonly freq: Frequency
  readonly interval: number
  readonly count?: number
  readonly until?: ClockTime
  readonly wkst?: string
  readonly bySecond?: number[]
  readonly byMinute?: number[]
  readonly byHour?: number[]
  readonly byDay?: string[]
  readonly byMonthDay?: number[]
  readonly byYearDay?: number[]
  readonly byWeekNo?: number[]
  readonly byMonth?: number[]
  readonly bySetPos?: number[]
  readonly skip: 'OMIT' | 'BACKWARD' | 'FORWARD'
}

export interface ReadRule {
  readonly rule: RecurrenceRule
  /** Whether every part of the rule is followed. */
  readonly isWhole: boolean
}

/** The days from one time to the next, roughly, for a rule without an interval. */
const daysOf: Readonly<Record<Frequency, number>> = {
  SECONDLY: 1 / 86_400,
  MINUTELY: 1 / 1_440,
  HOURLY: 1 / 24,
  DAILY: 1,
  WEEKLY: 7,
  MONTHLY: 30,
  YEARLY: 365,
}
const intervalDaysMax = 36_525

const lists = {
  BYSECOND: { name: 'bySecond', from: 0, to: 60 },
  BYMINUTE: { name: 'byMinute', from: 0, to: 59 },
  BYHOUR: { name: 'byHour', from: 0, to: 23 },
  BYMONTHDAY: { name: 'byMonthDay', from: 1, to: 31, isSigned: true },
  BYYEARDAY: { name: 'byYearDay', from: 1, to: 366, isSigned: true },
  BYWEEKNO: { name: 'byWeekNo', from: 1, to: 53, isSigned: true },
  BYMONTH: { name: 'byMonth', from: 1, to: 12 },
  BYSETPOS: { name: 'bySetPos', from: 1, to: 366, isSigned: true },
} as const

const otherParts = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYDAY', 'RSCALE', 'SKIP'])

/** Reads the value of an RRULE or EXRULE. Throws a RangeError when it makes no sense, is absurd, or counts in another calendar. */
export function readRule(text: string): ReadRule {
  const parts = new Map(
    text
      .toUpperCase()
      .replaceAll(/\s/g, '')
      .split(';')
      .filter((part) => part !== '')
      .map((part): [string, string] => {
        const [name = '', value = ''] = part.split(/=(.*)/s)
        return [name, value]
      }),
  )
  const freq = parts.get('FREQ') as Frequency
  demand(freq in daysOf)
  // Some programs write 0 for every one.
  const interval = numberIn(parts.get('INTERVAL') ?? '1', 0, Number.MAX_SAFE_INTEGER) || 1
  demand(daysOf[freq] * interval <= intervalDaysMax)
  demand((parts.get('RSCALE') ?? 'GREGORIAN') === 'GREGORIAN')
  const [count, until, wkst, byDay] = ['COUNT', 'UNTIL', 'WKST', 'BYDAY'].map((name) => parts.get(name))
  const rule: RecurrenceRule = {
    freq,
    interval,
    skip: choice(parts.get('SKIP') ?? 'OMIT', ['OMIT', 'BACKWARD', 'FORWARD'] as const),
    ...(count === undefined ? {} : { count: numberIn(count, 1, Number.MAX_SAFE_INTEGER) }),
    ...(until === undefined ? {} : { until: readClockTime(until) }),
    ...(wkst === undefined ? {} : { wkst: choice(wkst, ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']) }),
    ...(byDay === undefined ? {} : { byDay: byDay.split(',').map(weekday) }),
    ...listsOf(parts),
  }
  requireSense(rule)
  const isKnown = (name: string) => otherParts.has(name) || name in lists || name.startsWith('X-')
  return { rule, isWhole: [...parts.keys()].every(isKnown) && isFollowed(rule) }
}

function listsOf(parts: ReadonlyMap<string, string>): Pick<RecurrenceRule, (typeof lists)[keyof typeof lists]['name']> {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([part, { name, from, to, ...more }]) => {
      const isSigned = 'isSigned' in more
      const value = parts.get(part)
      return value === undefined ? [] : [[name, value.split(',').map((one) => numberIn(one, from, to, isSigned))]]
    }),
  )
}

/** What RFC 5545 says that a rule must not combine, because it has no meaning. */
function requireSense(rule: RecurrenceRule): void {
  const { freq, byDay, byMonthDay, byYearDay, byWeekNo, bySetPos } = rule
  const hasOrdinals = byDay?.some((day) => day.length > 2) ?? false
  demand(!byWeekNo || freq === 'YEARLY')
  demand(!byYearDay || !['DAILY', 'WEEKLY', 'MONTHLY'].includes(freq))
  demand(!byMonthDay || freq !== 'WEEKLY')
  demand(!hasOrdinals || ((freq === 'MONTHLY' || freq === 'YEARLY') && !byWeekNo))
  demand(!bySetPos || Object.keys(rule).some((name) => name.startsWith('by') && name !== 'bySetPos'))
}

/**
 * Whether the library follows a rule: by months it leaves out days that do not exist, whatever SKIP says (findings/rrule-temporal-omits-skipped-days.sh),
 * and by years it joins days that limit each other (findings/rrule-temporal-joins-what-limits.sh).
 */
function isFollowed({ skip, freq, byDay, byMonthDay, byYearDay }: RecurrenceRule): boolean {
  if (freq !== 'YEARLY') return skip === 'OMIT' || !byMonthDay
  const hasOrdinals = byDay?.some((day) => day.length > 2) ?? false
  return byYearDay ? !byDay && !byMonthDay : !(byMonthDay && hasOrdinals)
}

/** Reads a date or a time in the basic form. Throws a RangeError for a day or an hour that does not exist. */
export function readClockTime(text: string): ClockTime {
  const [, year, month, day, hour, minute = '0', second = '0', utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)([0-5]\d)([0-5]\d|60)(Z)?)?$/.exec(text) ?? []
  const { year: y, month: m, day: d } = Temporal.PlainDate.from(`${year}-${month}-${day}`)
  demand(Number(hour ?? 0) <= 24)
  const clockMs = Date.UTC(y, m - 1, d, Number(hour ?? 0), Number(minute), Number(second))
  return { clockMs, isDate: hour === undefined, isUtc: utc !== undefined }
}

function numberIn(text: string, from: number, to: number, isSigned = false): number {
  demand(/^[+-]?\d+$/.test(text))
  const value = Number(text)
  const size = isSigned ? Math.abs(value) : value
  demand(size >= from && size <= to)
  return value
}

function weekday(text: string): string {
  const [, number, day] = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/.exec(text) ?? []
  demand(day !== undefined && (number === undefined || numberIn(number, 1, 53, true) !== 0))
  return number === undefined ? day : `${Number(number)}${day}`
}

function choice<T extends string>(text: string, among: readonly T[]): T {
  demand((among as readonly string[]).includes(text))
  return text as T
}

function demand(holds: boolean): asserts holds {
  if (!holds) throw new RangeError('The rule makes no sense')
}

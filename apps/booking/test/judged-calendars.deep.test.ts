import { seed, stepsOf } from '@crm/testkit'
import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { convertIcsCalendar, extendByRecurrenceRule, type IcsDateObject, type IcsDuration } from 'ts-ics'
import { expect, it } from 'vitest'
import { expandCalendar } from '../src/calendars/expand-calendar.ts'
import { chanceOf, type Chance } from './random-feeds.ts'

// Whole calendars, judged by the expansion of ical.js with the zones that the calendar describes. The product takes lines and values apart with it, and has
// recurrence, zones, exceptions and changes from elsewhere.

const [from, to] = ['2026-03-01T00:00:00.000Z', '2027-04-05T00:00:00.000Z']
const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]

interface Clock {
  readonly tzid: string
  readonly lines: readonly string[]
}

const part = (kind: string, start: string, before: string, after: string, rule: string) => [
  `BEGIN:${kind}`,
  `DTSTART:${start}`,
  `TZOFFSETFROM:${before}`,
  `TZOFFSETTO:${after}`,
  `RRULE:FREQ=YEARLY;${rule}`,
  `END:${kind}`,
]
const zone = (tzid: string, ...parts: readonly string[]): Clock => ({
  tzid,
  lines: ['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...parts, 'END:VTIMEZONE'],
})
/** Zones by their names, and one that no other reader knows. */
const zones = [
  zone(
    'Europe/Berlin',
    ...part('STANDARD', '19961027T030000', '+0200', '+0100', 'BYMONTH=10;BYDAY=-1SU'),
    ...part('DAYLIGHT', '19810329T020000', '+0100', '+0200', 'BYMONTH=3;BYDAY=-1SU'),
  ),
  zone(
    'America/New_York',
    ...part('STANDARD', '20071104T020000', '-0400', '-0500', 'BYMONTH=11;BYDAY=1SU'),
    ...part('DAYLIGHT', '20070311T020000', '-0500', '-0400', 'BYMONTH=3;BYDAY=2SU'),
  ),
  zone(
    'Island of our own',
    ...part('STANDARD', '20000402T030000', '+1130', '+1030', 'BYMONTH=4;BYDAY=1SU'),
    ...part('DAYLIGHT', '20001001T020000', '+1030', '+1130', 'BYMONTH=10;BYDAY=1SU'),
  ),
] as const

const digits = (clockMs: number, isDay: boolean) => {
  const text = new Date(clockMs).toISOString().replaceAll(/[-:]|\.\d{3}Z/g, '')
  return isDay ? text.slice(0, 8) : text
}
const dayMs = 86_400_000

/** An event with a rule that both readers follow, and with days left out, added and moved. */
function randomSeries(chance: Chance, uid: number): readonly string[] {
  const { below, of, some } = chance
  const isDay = below(4) === 0
  const { tzid } = of(zones)
  // Far from the hours that clocks skip or show twice. There the judge takes the offset after the gap, and adds hours by the clock; the standard takes the offset
  // before it (3.3.5), and counts hours as they pass (3.3.6).
  const startMs = Date.UTC(2026, below(12), 1 + below(28), isDay ? 0 : 4 + below(16), isDay ? 0 : below(2) * 30)
  const named = (name: string, clockMs: number) =>
    isDay ? `${name};VALUE=DATE:${digits(clockMs, true)}` : `${name};TZID=${tzid}:${digits(clockMs, false)}`
  const [freq, days] = of([
    ['DAILY', 1],
    ['WEEKLY', 7],
  ] as const)
  const interval = 1 + below(3)
  const nth = (number: number) => startMs + number * interval * days * dayMs
  const counted = 8 + below(30)
  const end = of([`COUNT=${counted}`, `UNTIL=${digits(nth(counted), isDay)}${isDay ? '' : 'Z'}`])
  const [left, changed] = [some([1, 2, 3, 4], 2), below(2) === 0 ? [below(2) === 0 ? 0 : 5] : []]
  const length = isDay ? `P${1 + below(2)}D` : `PT${30 * (1 + below(4))}M`
  const added = nth(2) + 3 * dayMs + (isDay ? 0 : 90 * 60_000)
  const event = (...lines: readonly string[]) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    ...lines,
    `DURATION:${length}`,
    'END:VEVENT',
  ]
  return [
    ...event(
      named('DTSTART', startMs),
      `RRULE:FREQ=${freq};INTERVAL=${interval};${end}`,
      ...left.map((number) => named('EXDATE', nth(number))),
      // A day that is both added and left out is left out (3.8.5.1); the judge adds it.
      ...(below(3) === 0 && !left.some((number) => nth(number) === added) ? [named('RDATE', added)] : []),
    ),
    ...changed.flatMap((number) =>
      event(
        named('RECURRENCE-ID', nth(number)),
        named('DTSTART', nth(number) + (isDay ? dayMs : 75 * 60_000)),
        'SEQUENCE:1',
      ),
    ),
  ]
}

function randomCalendar(number: number): string {
  const chance = chanceOf(number)
  const series = Array.from({ length: 1 + chance.below(3) }, (_, uid) => randomSeries(chance, uid))
  return ['BEGIN:VCALENDAR', ...zones.flatMap(({ lines }) => lines), ...series.flat(), 'END:VCALENDAR'].join('\r\n')
}

const told = (startMs: number, endMs: number) => `${new Date(startMs).toISOString()} ${new Date(endMs).toISOString()}`
const isSeen = (startMs: number, endMs: number) => startMs < toMs && endMs > fromMs

function ours(text: string): readonly string[] {
  const { events, problem } = expandCalendar(text, {
    timezone: 'UTC',
    from,
    to,
    owner: { addresses: [], bookings: [] },
  })
  expect(problem, text).toBeNull()
  return events.map(({ startAt, endAt }) => told(Date.parse(startAt), Date.parse(endAt))).toSorted()
}

function theirs(text: string): readonly string[] {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const known = new Map(
    calendar.getAllSubcomponents('vtimezone').map((component) => {
      const made = new ICAL.Timezone(component)
      return [made.tzid, made] as const
    }),
  )
  const events = calendar
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component, { strictExceptions: true, exceptions: [] }))
  const msOf = (time: ICAL.Time) =>
    time.isDate ? Date.UTC(time.year, time.month - 1, time.day) : time.toJSDate().getTime()
  for (const { component } of events)
    for (const property of component.getAllProperties())
      for (const value of property.getValues() as unknown[]) {
        const own = known.get(property.getFirstParameter('tzid'))
        if (value instanceof ICAL.Time && own) value.zone = own
      }
  const found: string[] = []
  for (const event of events.filter((one) => !one.isRecurrenceException())) {
    for (const change of events)
      if (change.isRecurrenceException() && change.uid === event.uid) event.relateException(change)
    const iterator = event.iterator()
    for (let next = iterator.next(); next; next = iterator.next()) {
      const { startDate, endDate } = event.getOccurrenceDetails(next)
      const [startMs, endMs] = [msOf(startDate), msOf(endDate)]
      if (startMs >= toMs + 30 * dayMs) break
      if (isSeen(startMs, endMs)) found.push(told(startMs, endMs))
    }
  }
  return [...new Set(found)].toSorted()
}

/** What the second judge reads: it knows no added days, and zones by their names only. */
const isReadBySecond = (text: string) => !text.includes('\r\nRDATE') && !text.includes(`DTSTART;TZID=${zones[2].tzid}`)

/** The times by a library with a parser and rules of its own; it counts on the clock of the zone. */
function theirsToo(text: string): readonly string[] {
  const { events = [] } = convertIcsCalendar(undefined, text)
  const clockOf = ({ date, local }: IcsDateObject) => (local?.date ?? date).getTime()
  const found = events.flatMap((event) => {
    const { start, recurrenceId, recurrenceRule: rule } = event
    const zone = start.local?.timezone ?? 'UTC'
    const lengthMs = lengthOf(event.duration ?? {})
    const timesAt = (clockMs: number) => {
      const startMs = momentOf(clockMs, zone)
      const endMs = start.type === 'DATE' ? momentOf(clockMs + lengthMs, zone) : startMs + lengthMs
      return isSeen(startMs, endMs) ? [told(startMs, endMs)] : []
    }
    if (recurrenceId !== undefined || rule === undefined) return timesAt(clockOf(start))
    const moved = events.flatMap((other) =>
      other.uid === event.uid && other.recurrenceId ? [clockOf(other.recurrenceId.value)] : [],
    )
    const left = new Set([...(event.exceptionDates ?? []).map(clockOf), ...moved])
    const until = rule.until && {
      until: { ...rule.until, date: new Date(clockIn(rule.until.date, start.type === 'DATE' ? 'UTC' : zone)) },
    }
    return extendByRecurrenceRule(
      { ...rule, ...until },
      { start: new Date(clockOf(start)), end: new Date(toMs + 30 * dayMs) },
    )
      .map((date) => date.getTime())
      .filter((clockMs) => !left.has(clockMs))
      .flatMap(timesAt)
  })
  return [...new Set(found)].toSorted()
}

const lengthOf = ({ days = 0, hours = 0, minutes = 0 }: IcsDuration) =>
  days * dayMs + hours * 3_600_000 + minutes * 60_000

/** The moment at which a clock shows what a UTC clock shows at `clockMs`. */
const momentOf = (clockMs: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(clockMs).toZonedDateTimeISO('UTC').toPlainDateTime().toZonedDateTime(zone)
    .epochMilliseconds

/** What a clock shows at a moment, as the moment at which a UTC clock shows it. */
const clockIn = (moment: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toZonedDateTime('UTC').epochMilliseconds

it.each([
  ['another library', theirs, () => true, 1_000],
  ['a second one, as far as it reads them', theirsToo, isReadBySecond, 3_500],
] as const)(
  '1,000 random calendars have the times that %s gives them',
  { timeout: 600_000 },
  (_, judge, isRead, count) => {
    const differences: string[] = []
    let judged = 0
    let times = 0
    for (let number = 0; number < stepsOf(count); number += 1) {
      const text = randomCalendar(number)
      if (!isRead(text)) continue
      judged += 1
      const [mine, others] = [[...new Set(ours(text))], judge(text)]
      times += mine.length
      if (mine.join() === others.join()) continue
      const alone = (some: readonly string[], rest: readonly string[]) =>
        some.filter((one) => !rest.includes(one)).slice(0, 3)
      differences.push(`${number}: ours ${alone(mine, others).join()} theirs ${alone(others, mine).join()}\n${text}`)
    }
    expect([judged, times].every((some) => some > 0)).toBe(true)
    expect(differences.slice(0, 3), `seed ${seed}, ${differences.length} of ${judged} differ`).toEqual([])
  },
)

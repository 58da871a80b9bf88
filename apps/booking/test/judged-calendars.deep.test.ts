import { seed, stepsOf } from '@crm/testkit'
import ICAL from 'ical.js'
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

it('1,000 random calendars have the times that another library gives them', { timeout: 600_000 }, () => {
  const differences: string[] = []
  let times = 0
  for (let number = 0; number < stepsOf(1_000); number += 1) {
    const text = randomCalendar(number)
    const [mine, others] = [[...new Set(ours(text))], theirs(text)]
    times += mine.length
    if (mine.join() === others.join()) continue
    const alone = (some: readonly string[], rest: readonly string[]) =>
      some.filter((one) => !rest.includes(one)).slice(0, 3)
    differences.push(`${number}: ours ${alone(mine, others).join()} theirs ${alone(others, mine).join()}\n${text}`)
  }
  expect(times).toBeGreaterThan(0)
  expect(differences.slice(0, 3), `seed ${seed}, ${differences.length} differ`).toEqual([])
})

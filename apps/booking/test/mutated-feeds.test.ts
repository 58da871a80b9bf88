import { seed, stepsOf } from '@crm/testkit'
import { expect, it } from 'vitest'
import { expandCalendar, type ExpandedCalendar } from '../src/calendars/expand-calendar.ts'
import { chanceOf, type Chance } from './random-feeds.ts'

const options = {
  timezone: 'Europe/Berlin',
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-07-01T00:00:00.000Z',
  owner: { addresses: ['ada@acme.test'], bookings: [] },
  recurWithinMs: 2_000,
}

const zone = [
  'BEGIN:VTIMEZONE',
  'TZID:Office',
  'BEGIN:STANDARD',
  'DTSTART:20001029T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:20000326T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]
/** Each event has lines of many kinds, and a title of its own by which it is found again. */
const parts = [
  [
    'VEVENT',
    'UID:aaaaaaaa',
    'SUMMARY:Alpha',
    'DTSTART;TZID=Office:20260330T090000',
    'DTEND;TZID=Office:20260330T100000',
    'RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260601T000000Z',
    'EXDATE;TZID=Office:20260401T090000',
  ],
  [
    'VEVENT',
    'UID:bbbbbbbb',
    'SUMMARY:Bravo',
    'DTSTART:20260410T090000Z',
    'DURATION:P1DT2H',
    'ATTENDEE;CN="Bob, B":mailto:bob@acme.test',
    'SEQUENCE:2',
  ],
  [
    'VEVENT',
    'UID:cccccccc',
    'SUMMARY:Charlie',
    'DTSTART;VALUE=DATE:20260420',
    'DTEND;VALUE=DATE:20260422',
    'RDATE;VALUE=DATE:20260502,20260509',
  ],
  [
    'VEVENT',
    'UID:dddddddd',
    'SUMMARY:Delta',
    'DTSTART;TZID=America/New_York:20260505T100000',
    'DURATION:PT30M',
    'RRULE:FREQ=MONTHLY;BYDAY=1TU;COUNT=3',
  ],
  [
    'VFREEBUSY',
    'UID:eeeeeeee',
    'SUMMARY:Echo',
    'FREEBUSY;FBTYPE=BUSY:20260511T090000Z/PT1H,20260512T090000Z/20260512T100000Z',
  ],
].map(([kind = '', ...lines]) => [`BEGIN:${kind}`, ...lines, `END:${kind}`])

const textOf = (all: readonly (readonly string[])[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...all.flat(), 'END:VCALENDAR', ''].join('\r\n')
const titleOf = (part: readonly string[] | undefined) =>
  part?.find((line) => line.startsWith('SUMMARY:'))?.slice(8) ?? ''
const timesOf = ({ events }: ExpandedCalendar, title: string) =>
  events.filter((event) => event.title === title).map(({ startAt, endAt }) => `${startAt}/${endAt}`)
const whole = expandCalendar(textOf([zone, ...parts]), options)

/** Lines without which, or with another value, an event may rightly take another time or none at all. */
const meaningful = /^(BEGIN|END|DTSTART|DTEND|DURATION|EXDATE|SUMMARY|FREEBUSY)/

const characters = Array.from('\0\t "\',-./0159:;=AEPTZaz\\\u00a0\u2028äß😀')

function mutate(line: string, { below, of }: Chance): string {
  const at = below(line.length + 1)
  const long = of(characters).repeat(1 + below(200))
  return of([
    line.slice(0, at) + line.slice(at + 1),
    line.slice(0, at) + of(characters) + line.slice(at),
    line.slice(0, at) + of(characters) + line.slice(at + 1),
    line.slice(0, at),
    line.slice(at),
    `${line}\r\n${line}`,
    `${line.slice(0, at)}\r\n ${line.slice(at)}`,
    `${line.slice(0, at)}\r\n${line.slice(at)}`,
    line.slice(0, at) + long + line.slice(at),
    line.toLowerCase(),
    line.replaceAll(/\d/g, () => String(below(10))),
    line.replace(/\d+/, () => '9'.repeat(1 + below(18))),
    line.replace(/=[^;:]*/, '='),
    '',
  ])
}

it('a broken line costs no other event, and none of its own in silence', { timeout: 600_000 }, () => {
  for (let number = 0; number < stepsOf(5_000); number += 1) {
    const chance = chanceOf(number)
    const which = chance.below(parts.length)
    const at = chance.below(parts[which]?.length ?? 0)
    const line = parts[which]?.[at] ?? ''
    const broken = mutate(line, chance)
    const said = `seed ${seed}, number ${number}: ${JSON.stringify(line)} became ${JSON.stringify(broken)}`
    const read = expandCalendar(
      textOf([zone, ...parts.map((part, n) => (n === which ? part.with(at, broken) : part))]),
      options,
    )
    // Where two events became one, it says so.
    if (/^(BEGIN|END)/.test(line) && read.problem !== null) continue
    for (const other of parts.filter((_part, n) => n !== which))
      expect(timesOf(read, titleOf(other)), said).toEqual(timesOf(whole, titleOf(other)))
    const [first] = timesOf(whole, titleOf(parts[which]))
    if (!meaningful.test(line) && read.problem === null)
      expect(timesOf(read, titleOf(parts[which])), said).toContain(first)
  }
})

it('a broken file is read or refused, in time', { timeout: 600_000 }, () => {
  const text = textOf([zone, ...parts])
  for (let number = 0; number < stepsOf(5_000); number += 1) {
    const chance = chanceOf(1_000_000 + number)
    const lines = text.split('\r\n')
    for (let times = 1 + chance.below(4); times > 0; times -= 1) {
      const [from, to] = [chance.below(lines.length), chance.below(lines.length)]
      const moved = lines.splice(from, chance.below(3))
      if (chance.below(2) === 0) lines.splice(to, 0, ...moved)
      else lines[to] = mutate(lines[to] ?? '', chance)
    }
    let read: ExpandedCalendar | undefined
    try {
      read = expandCalendar(lines.join('\r\n').slice(0, text.length * 2), options)
    } catch (error) {
      expect((error as Error).message, `seed ${seed}, number ${number}`).toMatch(/no calendar|None of the events/)
    }
    for (const { startAt, endAt } of read?.events ?? []) expect(startAt < endAt).toBe(true)
  }
})

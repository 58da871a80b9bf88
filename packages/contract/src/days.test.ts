import { describe, expect, it } from 'vitest'
import { boundOfDay, dayOf, isRelativeDate, plainCalendar, type Calendar } from './days.ts'
import { rangeParam } from './lists.ts'

const berlin: Calendar = { timezone: 'Europe/Berlin', weekStart: 'MONDAY' }

describe('a day', () => {
  it.each([
    ['2026-06-01', 'from', 'UTC', '2026-06-01T00:00:00.000Z'],
    ['2026-06-01', 'to', 'UTC', '2026-06-01T23:59:59.999Z'],
    ['2026-06-01', 'from', 'Europe/Berlin', '2026-05-31T22:00:00.000Z'],
    ['2026-06-01', 'to', 'Europe/Berlin', '2026-06-01T21:59:59.999Z'],
    ['2026-06-01', 'from', 'America/New_York', '2026-06-01T04:00:00.000Z'],
    // 23 and 25 hours.
    ['2026-03-29', 'to', 'Europe/Berlin', '2026-03-29T21:59:59.999Z'],
    ['2026-10-25', 'to', 'Europe/Berlin', '2026-10-25T22:59:59.999Z'],
    ['2026-06-01T10:00:00Z', 'from', 'Europe/Berlin', '2026-06-01T10:00:00Z'],
    ['2026-02-31', 'from', 'Europe/Berlin', '2026-02-31'],
    ['tomorrow', 'from', 'Europe/Berlin', 'tomorrow'],
  ] as const)('%s as %s in %s', (value, bound, timezone, expected) => {
    expect(boundOfDay(value, bound, { timezone, weekStart: 'MONDAY' })).toBe(expected)
  })
})

describe('a relative date', () => {
  // A Tuesday; in Berlin it is the first of April already.
  const now = new Date('2026-03-31T22:30:00.000Z')

  it.each([
    ['today', '2026-04-01'],
    ['-30d', '2026-03-02'],
    ['2w', '2026-04-15'],
    ['+1q', '2026-07-01'],
    [' 1q', '2026-07-01'],
    ['-1y', '2025-04-01'],
    ['today-1d', '2026-03-31'],
    ['startOfWeek', '2026-03-30'],
    ['endOfWeek', '2026-04-05'],
    ['startOfMonth-1m', '2026-03-01'],
    ['endOfMonth-1m', '2026-03-31'],
    ['endOfMonth-2m', '2026-02-28'],
    ['startOfMonth+5d', '2026-04-06'],
    ['startOfQuarter', '2026-04-01'],
    ['endOfQuarter-1q', '2026-03-31'],
    ['endOfYear', '2026-12-31'],
  ])('%s means %s', (value, expected) => {
    expect(dayOf(value, berlin, now)).toBe(expected)
  })

  it('gives the last day of a month that is too short', () => {
    expect(dayOf('-1m', plainCalendar, now)).toBe('2026-02-28')
    expect(dayOf('-1y', plainCalendar, new Date('2028-02-29T12:00:00Z'))).toBe('2027-02-28')
  })

  it('is the first or the last moment of that day in the zone', () => {
    expect(boundOfDay('today', 'from', berlin, now)).toBe('2026-03-31T22:00:00.000Z')
    expect(boundOfDay('today', 'to', berlin, now)).toBe('2026-04-01T21:59:59.999Z')
    expect(boundOfDay('today', 'from', plainCalendar, now)).toBe('2026-03-31T00:00:00.000Z')
  })

  it('counts hours from now', () => {
    expect(boundOfDay('-36h', 'from', berlin, now)).toBe('2026-03-30T10:30:00.000Z')
    expect(boundOfDay('2h', 'to', berlin, now)).toBe('2026-04-01T00:30:00.000Z')
  })

  it.each([
    'now',
    'yesterday',
    '-1x',
    'startOfDecade',
    'startOfMonth1m',
    'startOfMonth-1h',
    'today5d',
    'd',
    '-',
    '',
    '--1d',
    '-12345d',
    'Today',
    '1.5d',
    '-1d ',
    'startOf',
  ])('is not %j', (value) => {
    expect(isRelativeDate(value)).toBe(false)
    expect(rangeParam('from').safeParse(value).success).toBe(false)
  })

  it('is refused where the calendar of the database ends', () => {
    expect(rangeParam('to').safeParse('9999y').success).toBe(false)
    expect(rangeParam('from').safeParse('-9999y').success).toBe(false)
  })
})

it('begins weeks where the calendar does', () => {
  // A Wednesday.
  const now = new Date('2026-04-01T12:00:00.000Z')
  const weekFrom = (weekStart: Calendar['weekStart']) =>
    ['startOfWeek', 'endOfWeek'].map((word) => dayOf(word, { timezone: 'UTC', weekStart }, now))
  expect(weekFrom('MONDAY')).toEqual(['2026-03-30', '2026-04-05'])
  expect(weekFrom('SUNDAY')).toEqual(['2026-03-29', '2026-04-04'])
  expect(weekFrom('SATURDAY')).toEqual(['2026-03-28', '2026-04-03'])
  expect(dayOf('startOfWeek', { timezone: 'UTC', weekStart: 'SUNDAY' }, new Date('2026-03-29T12:00:00.000Z'))).toBe(
    '2026-03-29',
  )
})

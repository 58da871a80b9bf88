import { describe, expect, it } from 'vitest'
import { boundOfDay, dayOf, isRelativeDate } from './days.ts'
import { rangeParam } from './lists.ts'

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
    expect(boundOfDay(value, bound, timezone)).toBe(expected)
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
    expect(dayOf(value, 'Europe/Berlin', now)).toBe(expected)
  })

  it('gives the last day of a month that is too short', () => {
    expect(dayOf('-1m', 'UTC', now)).toBe('2026-02-28')
    expect(dayOf('-1y', 'UTC', new Date('2028-02-29T12:00:00Z'))).toBe('2027-02-28')
  })

  it('is the first or the last moment of that day in the zone', () => {
    expect(boundOfDay('today', 'from', 'Europe/Berlin', now)).toBe('2026-03-31T22:00:00.000Z')
    expect(boundOfDay('today', 'to', 'Europe/Berlin', now)).toBe('2026-04-01T21:59:59.999Z')
    expect(boundOfDay('today', 'from', 'UTC', now)).toBe('2026-03-31T00:00:00.000Z')
  })

  it('counts hours from now', () => {
    expect(boundOfDay('-36h', 'from', 'Europe/Berlin', now)).toBe('2026-03-30T10:30:00.000Z')
    expect(boundOfDay('2h', 'to', 'Europe/Berlin', now)).toBe('2026-04-01T00:30:00.000Z')
  })

  it.each(['now', 'yesterday', '-1x', 'startOfDecade', 'startOfMonth1m', 'startOfMonth-1h', 'today5d', 'd', '-', '', '--1d', '-12345d', 'Today', '1.5d', '-1d ', 'startOf'])('is not %j', (value) => {
    expect(isRelativeDate(value)).toBe(false)
    expect(rangeParam('from').safeParse(value).success).toBe(false)
  })

  it('is refused where the calendar of the database ends', () => {
    expect(rangeParam('to').safeParse('9999y').success).toBe(false)
    expect(rangeParam('from').safeParse('-9999y').success).toBe(false)
  })
})

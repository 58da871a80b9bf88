import { describe, expect, it } from 'vitest'
import type { SlotQuery } from './index.ts'
import { freeSlots, isFree } from './index.ts'

const MONDAY = '2026-06-01'
const everyDay = (start: string, end: string) => [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start, end }))

function ask(query: Partial<SlotQuery>): string[] {
  return freeSlots({
    timezone: 'UTC',
    weeklyHours: everyDay('09:00', '12:00'),
    durationMin: 60,
    bufferMin: 0,
    minNoticeMin: 0,
    now: '2000-01-01T00:00:00.000Z',
    from: `${MONDAY}T00:00:00.000Z`,
    to: '2026-06-02T00:00:00.000Z',
    busy: [],
    ...query,
  })
}

const clock = (slots: string[]) => slots.map((slot) => slot.slice(5, 16).replace('-', '/').replace('T', ' '))
const times = (slots: string[]) => slots.map((slot) => slot.slice(11, 16))

describe('working hours', () => {
  it('lists the starts of whole meetings, in UTC with milliseconds', () => {
    expect(ask({})).toEqual([`${MONDAY}T09:00:00.000Z`, `${MONDAY}T10:00:00.000Z`, `${MONDAY}T11:00:00.000Z`])
  })
  it('offers no meeting that would end after the hours do', () => {
    expect(times(ask({ durationMin: 50 }))).toEqual(['09:00', '09:50', '10:40'])
  })
  it('reads the hours in the zone of the organizer', () => {
    expect(times(ask({ timezone: 'Asia/Kolkata' }))).toEqual(['03:30', '04:30', '05:30'])
  })
  it('counts day 0 as Sunday', () => {
    expect(ask({ weeklyHours: [{ day: 0, start: '09:00', end: '10:00' }] })).toEqual([])
    expect(ask({ weeklyHours: [{ day: 1, start: '09:00', end: '10:00' }] })).toHaveLength(1)
  })
  it('is closed when the end equals the start, or when no hours are given', () => {
    expect(ask({ weeklyHours: everyDay('09:00', '09:00') })).toEqual([])
    expect(ask({ weeklyHours: [] })).toEqual([])
  })
  it('merges rules of one date that touch or overlap, so one grid runs through them', () => {
    const weeklyHours = [
      { day: 1, start: '10:30', end: '12:00' },
      { day: 1, start: '09:00', end: '10:30' },
    ]
    expect(times(ask({ weeklyHours, durationMin: 40 }))).toEqual(['09:00', '09:40', '10:20', '11:00'])
  })
  it('starts a new grid after a pause', () => {
    const weeklyHours = [
      { day: 1, start: '09:00', end: '10:00' },
      { day: 1, start: '10:10', end: '11:00' },
    ]
    expect(times(ask({ weeklyHours, durationMin: 50 }))).toEqual(['09:00', '10:10'])
  })
  it('accepts 24:00 as the end of the day', () => {
    expect(times(ask({ weeklyHours: everyDay('22:00', '24:00') }))).toEqual(['22:00', '23:00'])
  })
  it('runs an end before the start into the next day', () => {
    const weeklyHours = [{ day: 1, start: '23:00', end: '01:00' }]
    expect(clock(ask({ weeklyHours, to: '2026-06-03T00:00:00.000Z' }))).toEqual(['06/01 23:00', '06/02 00:00'])
    expect(clock(ask({ weeklyHours: [{ day: 0, start: '23:00', end: '01:00' }] }))).toEqual(['06/01 00:00'])
  })
  it('lets a meeting cross midnight when the next day opens at once, and keeps each day its own grid', () => {
    const weeklyHours = everyDay('00:00', '24:00')
    expect(times(ask({ weeklyHours, durationMin: 540 }))).toEqual(['00:00', '09:00', '18:00'])
    expect(times(ask({ weeklyHours: [{ day: 1, start: '00:00', end: '24:00' }], durationMin: 540 }))).toEqual([
      '00:00',
      '09:00',
    ])
  })
  it('offers both grids where an overnight window meets the next morning', () => {
    const weeklyHours = [
      { day: 0, start: '20:00', end: '03:00' },
      { day: 1, start: '01:20', end: '04:00' },
    ]
    expect(times(ask({ weeklyHours }))).toEqual(['00:00', '01:00', '01:20', '02:00', '02:20'])
  })
})

describe('date overrides', () => {
  it('take the place of the weekday, and none means closed', () => {
    expect(times(ask({ dateOverrides: [{ date: MONDAY, hours: [{ start: '15:00', end: '16:00' }] }] }))).toEqual([
      '15:00',
    ])
    expect(ask({ dateOverrides: [{ date: MONDAY, hours: [] }] })).toEqual([])
  })
  it('add up when one date has several', () => {
    const dateOverrides = [
      { date: MONDAY, hours: [{ start: '15:00', end: '16:00' }] },
      { date: MONDAY, hours: [{ start: '08:00', end: '09:00' }] },
    ]
    expect(times(ask({ dateOverrides }))).toEqual(['08:00', '15:00'])
  })
  it('belong to the local date, not the UTC date', () => {
    const tokyo = {
      timezone: 'Asia/Tokyo',
      weeklyHours: [],
      dateOverrides: [{ date: '2026-06-02', hours: [{ start: '06:00', end: '07:00' }] }],
    }
    expect(clock(ask(tokyo))).toEqual(['06/01 21:00'])
  })
})

describe('busy times', () => {
  const busy = [{ start: `${MONDAY}T10:00:00.000Z`, end: `${MONDAY}T10:30:00.000Z` }]

  it('remove every meeting they touch and leave the grid where it is', () => {
    expect(times(ask({ busy, durationMin: 20 }))).toEqual([
      '09:00',
      '09:20',
      '09:40',
      '10:40',
      '11:00',
      '11:20',
      '11:40',
    ])
  })
  it('are half-open: a meeting may end or start exactly there', () => {
    expect(times(ask({ busy: [{ start: `${MONDAY}T10:00:00Z`, end: `${MONDAY}T11:00:00Z` }] }))).toEqual([
      '09:00',
      '11:00',
    ])
  })
  it('keep the buffer on both sides, and a gap equal to it is enough', () => {
    expect(times(ask({ busy, durationMin: 15, bufferMin: 15 }))).toEqual([
      '09:00',
      '09:15',
      '09:30',
      '10:45',
      '11:00',
      '11:15',
      '11:30',
      '11:45',
    ])
    expect(times(ask({ busy, durationMin: 15, bufferMin: 16 }))).toEqual([
      '09:00',
      '09:15',
      '11:00',
      '11:15',
      '11:30',
      '11:45',
    ])
  })
  it('need no buffer at the edge of the working hours', () => {
    expect(times(ask({ bufferMin: 30 }))).toEqual(['09:00', '10:00', '11:00'])
  })
  it('of no length block only through the buffer', () => {
    const moment = [{ start: `${MONDAY}T10:00:00Z`, end: `${MONDAY}T10:00:00Z` }]
    expect(times(ask({ busy: moment }))).toEqual(['09:00', '10:00', '11:00'])
    expect(times(ask({ busy: moment, bufferMin: 1 }))).toEqual(['11:00'])
  })
})

describe('notice and window', () => {
  it('offers a start exactly at the notice and none before', () => {
    expect(times(ask({ now: `${MONDAY}T09:00:00.000Z`, minNoticeMin: 60 }))).toEqual(['10:00', '11:00'])
    expect(times(ask({ now: `${MONDAY}T09:00:00.001Z`, minNoticeMin: 60 }))).toEqual(['11:00'])
  })
  it('has from inside and to outside', () => {
    expect(times(ask({ from: `${MONDAY}T09:00:00Z`, to: `${MONDAY}T11:00:00Z` }))).toEqual(['09:00', '10:00'])
  })
  it('offers a meeting that starts in the window and ends after it', () => {
    expect(times(ask({ to: `${MONDAY}T11:00:00.001Z` }))).toEqual(['09:00', '10:00', '11:00'])
  })
  it('is empty when from is not before to, or all of it is past', () => {
    expect(ask({ to: `${MONDAY}T00:00:00.000Z` })).toEqual([])
    expect(ask({ now: '2026-07-01T00:00:00.000Z' })).toEqual([])
  })
})

describe('days on which the clock changes', () => {
  const berlin = { timezone: 'Europe/Berlin' }
  const spring = { from: '2026-03-28T23:00:00Z', to: '2026-03-29T22:00:00Z' }
  const autumn = { from: '2026-10-24T22:00:00Z', to: '2026-10-25T23:00:00Z' }

  it('has 23 or 25 hours', () => {
    expect(ask({ ...berlin, ...spring, weeklyHours: everyDay('00:00', '24:00') })).toHaveLength(23)
    expect(ask({ ...berlin, ...autumn, weeklyHours: everyDay('00:00', '24:00') })).toHaveLength(25)
  })
  it('counts the grid in elapsed time across a gap', () => {
    expect(times(ask({ ...berlin, ...spring, weeklyHours: everyDay('01:00', '05:00') }))).toEqual([
      '00:00',
      '01:00',
      '02:00',
    ])
  })
  it('moves a start inside the gap forward by the gap', () => {
    expect(times(ask({ ...berlin, ...spring, weeklyHours: everyDay('02:30', '05:00'), durationMin: 30 }))).toEqual([
      '01:30',
      '02:00',
      '02:30',
    ])
  })
  it('drops a window that the gap turns empty', () => {
    expect(ask({ ...berlin, ...spring, weeklyHours: everyDay('02:30', '03:15'), durationMin: 15 })).toEqual([])
  })
  it('keeps a window wholly inside the gap, an hour later', () => {
    expect(times(ask({ ...berlin, ...spring, weeklyHours: everyDay('02:00', '02:30'), durationMin: 15 }))).toEqual([
      '01:00',
      '01:15',
    ])
  })
  it('takes the first of a time that comes twice', () => {
    expect(times(ask({ ...berlin, ...autumn, weeklyHours: everyDay('02:30', '03:30'), durationMin: 30 }))).toEqual([
      '00:30',
      '01:00',
      '01:30',
      '02:00',
    ])
    expect(times(ask({ ...berlin, ...autumn, weeklyHours: everyDay('01:30', '02:30'), durationMin: 30 }))).toEqual([
      '23:30',
      '00:00',
    ])
  })
  it('knows changes of half an hour', () => {
    const lordHowe = { timezone: 'Australia/Lord_Howe', weeklyHours: everyDay('00:00', '24:00'), durationMin: 30 }
    expect(ask({ ...lordHowe, from: '2026-04-04T13:00:00Z', to: '2026-04-05T13:30:00Z' })).toHaveLength(49)
  })
  it('opens at the first moment of a day whose midnight is skipped', () => {
    const cairo = {
      timezone: 'Africa/Cairo',
      weeklyHours: everyDay('00:00', '02:00'),
      from: '2026-04-23T12:00:00Z',
      to: '2026-04-24T12:00:00Z',
    }
    expect(clock(ask(cairo))).toEqual(['04/23 22:00'])
  })
  it('leaves out a date that the zone never had', () => {
    const apia = {
      timezone: 'Pacific/Apia',
      weeklyHours: everyDay('09:00', '10:00'),
      from: '2011-12-29T00:00:00Z',
      to: '2012-01-01T12:00:00Z',
    }
    expect(clock(ask(apia))).toEqual(['12/29 19:00', '12/30 19:00', '12/31 19:00'])
    const override = { dateOverrides: [{ date: '2011-12-30', hours: [{ start: '15:00', end: '16:00' }] }] }
    expect(ask({ ...apia, weeklyHours: [], ...override })).toEqual([])
  })
  it('runs a night before a skipped date into the date after it', () => {
    const apia = {
      timezone: 'Pacific/Apia',
      dateOverrides: [{ date: '2011-12-29', hours: [{ start: '23:00', end: '24:00' }] }],
    }
    expect(clock(ask({ ...apia, weeklyHours: [], from: '2011-12-29T00:00:00Z', to: '2012-01-01T00:00:00Z' }))).toEqual([
      '12/30 09:00',
    ])
  })
})

describe('isFree', () => {
  const rules = {
    timezone: 'UTC',
    weeklyHours: everyDay('09:00', '12:00'),
    durationMin: 60,
    bufferMin: 0,
    minNoticeMin: 60,
    now: `${MONDAY}T07:30:00.000Z`,
    busy: [{ start: `${MONDAY}T10:15:00Z`, end: `${MONDAY}T10:30:00Z` }],
  }
  it('accepts a start of the grid, with or without milliseconds', () => {
    expect(isFree(rules, `${MONDAY}T09:00:00.000Z`)).toBe(true)
    expect(isFree(rules, `${MONDAY}T11:00:00Z`)).toBe(true)
  })
  it('refuses a start off the grid, taken, too soon or outside the hours', () => {
    for (const time of ['09:00:00.001', '09:30:00.000', '10:00:00.000', '12:00:00.000'])
      expect(isFree(rules, `${MONDAY}T${time}Z`)).toBe(false)
    expect(isFree({ ...rules, now: `${MONDAY}T08:00:01.000Z` }, `${MONDAY}T09:00:00.000Z`)).toBe(false)
  })
})

describe('rules that have no meaning', () => {
  it.each<[string, Partial<SlotQuery>]>([
    ['an unknown zone', { timezone: 'Mars/Olympus' }],
    ['an offset for a zone', { timezone: '+02:00' }],
    ['a time without Z', { from: `${MONDAY}T00:00:00` }],
    ['a time with an offset', { to: '2026-06-02T00:00:00+02:00' }],
    ['a date for a time', { now: MONDAY }],
    ['a clock time past 24:00', { weeklyHours: everyDay('09:00', '24:01') }],
    ['a date that does not exist', { dateOverrides: [{ date: '2026-02-30', hours: [] }] }],
    ['no duration', { durationMin: 0 }],
    ['a negative buffer', { bufferMin: -1 }],
    [
      'a busy time on a date that no year has',
      { busy: [{ start: '2026-13-01T10:00:00.000Z', end: '2026-13-01T11:00:00.000Z' }] },
    ],
    ['a busy time without Z', { busy: [{ start: `${MONDAY}T10:00:00.000`, end: `${MONDAY}T11:00:00.000` }] }],
    [
      'a busy time that ends before it starts',
      { busy: [{ start: `${MONDAY}T10:00:00Z`, end: `${MONDAY}T09:00:00Z` }] },
    ],
  ])('throws on %s', (_, query) => {
    expect(() => ask(query)).toThrow(RangeError)
  })
})

it.each([
  ['10:00:00Z', '11:00:00Z'],
  ['10:00:00.000Z', '10:59:59.999Z'],
  ['10:00:00.000Z', '10:00:01Z'],
  ['10:00:00.5Z', '11:00:00.000Z'],
])('takes what is busy from %s to %s', (start, end) => {
  expect(times(ask({ busy: [{ start: `${MONDAY}T${start}`, end: `${MONDAY}T${end}` }] }))).toEqual(['09:00', '11:00'])
})

it('reads each busy time once, however many slots there are', () => {
  const startMs = Date.parse('2026-03-01T00:00:00Z')
  const at = (minute: number) => new Date(startMs + minute * 60_000).toISOString()
  let reads = 0
  const busy = Array.from({ length: 500 }, (_, n) => ({
    get start() {
      reads++
      return at(n * 170)
    },
    get end() {
      reads++
      return at(n * 170 + 40)
    },
  }))
  const weeklyHours = everyDay('08:00', '18:00')
  const query = {
    timezone: 'America/New_York',
    weeklyHours,
    durationMin: 30,
    bufferMin: 10,
    minNoticeMin: 60,
    now: at(0),
    busy,
    from: at(0),
    to: at(60 * 1_440),
  }
  expect(freeSlots(query).length).toBeGreaterThan(300)
  expect(reads).toBe(2 * busy.length)
})

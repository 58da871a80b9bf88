import { afterEach, describe, expect, it } from 'vitest'
import {
  dayAfter,
  dayOf,
  describeAge,
  describeDay,
  describeDayHeading,
  describeInstant,
  describeMoment,
  describeTime,
  foreignZone,
  instantOf,
  localTimeOf,
  setClock,
} from './moments.ts'

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const now = Date.parse('2026-05-20T12:00:00.000Z')
afterEach(() => setClock({ zone: browserZone }))

it.each([
  ['2026-05-20T11:59:50.000Z', 'just now'],
  ['2026-05-20T12:00:20.000Z', 'just now'],
  ['2026-05-20T11:55:00.000Z', '5 minutes ago'],
  ['2026-05-20T15:00:00.000Z', 'in 3 hours'],
  ['2026-05-20T09:00:00.000Z', '3 hours ago'],
  ['2026-05-19T11:00:00.000Z', 'yesterday'],
  ['2026-05-26T12:00:00.000Z', 'in 6 days'],
  ['2026-04-01T12:00:00.000Z', '1 Apr 2026'],
])('tells the age of %s', (instant, age) => {
  expect(describeAge(instant, now)).toBe(age)
})

it.each([
  ['2026-05-20T11:59:50.000Z', '20 May, 11:59'],
  ['2026-11-05T09:30:00.000Z', '5 Nov, 09:30'],
  ['2026-12-05T09:30:00.000Z', '5 Dec 2026'],
  ['2025-05-20T09:30:00.000Z', '20 May 2025'],
])('tells the moment %s in a narrow place', (instant, moment) => {
  setClock({ zone: 'UTC', timeFormat: '24h' })
  expect(describeMoment(instant, now).replace(/ GMT.*/, '')).toBe(moment)
})

it('tells days and times in the zone of the account, and names it where the browser has another one', () => {
  setClock({ zone: 'UTC', timeFormat: '24h' })
  expect(describeDay('2026-05-20T23:30:00.000Z', 'Europe/Berlin')).toBe('21 May 2026')
  expect(describeInstant('2026-05-20T23:30:00.000Z')).toMatch(/^20 May 2026, 23:30/)
  setClock({ zone: 'Asia/Kathmandu', timeFormat: '24h' })
  expect(describeDay('2026-05-20T23:30:00.000Z')).toBe('21 May 2026')
  expect(describeInstant('2026-05-20T23:30:00.000Z')).toBe('21 May 2026, 05:15 GMT+5:45')
  expect(foreignZone(now)).toBe('GMT+5:45')
  setClock({ zone: browserZone, timeFormat: '24h' })
  expect(describeTime(new Date(2026, 4, 20, 14).toISOString())).toBe('14:00')
  expect(foreignZone(now)).toBeUndefined()
  setClock({ zone: browserZone, timeFormat: '12h' })
  expect(describeTime(new Date(2026, 4, 20, 14).toISOString())).toBe('2:00 pm')
})

it.each([
  ['2026-05-20T00:30:00.000Z', 'Today'],
  ['2026-05-19T23:30:00.000Z', 'Yesterday'],
  ['2026-05-15T23:30:00.000Z', 'Friday'],
  ['2026-05-13T23:30:00.000Z', '13 May 2026'],
  ['2026-05-21T01:00:00.000Z', '21 May 2026'],
])('heads the day of %s with %s', (instant, heading) => {
  setClock({ zone: 'UTC' })
  expect(describeDayHeading(instant, now)).toBe(heading)
})

describe('a date and time of a control', () => {
  it.each([
    ['Europe/Berlin', '2026-07-01T09:30', '2026-07-01T07:30:00.000Z'],
    ['America/New_York', '2026-12-31T20:00', '2027-01-01T01:00:00.000Z'],
    // The clocks go forward at 02:00 and skip an hour.
    ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    // They go back at 03:00: the time before is summer time, the one after is not.
    ['Europe/Berlin', '2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
    // Half an hour, the other half of the year.
    ['Australia/Lord_Howe', '2026-04-05T12:00', '2026-04-05T01:30:00.000Z'],
    ['Pacific/Apia', '2026-01-01T00:00', '2025-12-31T11:00:00.000Z'],
  ])('is meant in %s: %s', (zone, local, instant) => {
    setClock({ zone })
    expect(instantOf(local)).toBe(instant)
    expect(localTimeOf(instant)).toBe(local)
  })

  it('that the clocks skip is an hour later', () => {
    setClock({ zone: 'Europe/Berlin' })
    expect(localTimeOf(instantOf('2026-03-29T02:30'))).toBe('2026-03-29T03:30')
  })
})

it('has days that are as long as they are', () => {
  setClock({ zone: 'Europe/Berlin' })
  expect(instantOf('2026-03-29')).toBe('2026-03-28T23:00:00.000Z')
  expect(instantOf(dayAfter('2026-03-29', 1))).toBe('2026-03-29T22:00:00.000Z')
  expect(dayAfter('2026-02-28', 1)).toBe('2026-03-01')
  // Midnight does not exist on this day in Beirut.
  setClock({ zone: 'Asia/Beirut' })
  expect(dayOf(instantOf('2026-03-29'))).toBe('2026-03-29')
})

import { expect, it } from 'vitest'
import { describeAge, describeDay, describeDayHeading, describeInstant } from './moments.ts'

const now = Date.parse('2026-05-20T12:00:00.000Z')

it.each([
  ['2026-05-20T11:59:50.000Z', 'just now'],
  ['2026-05-20T12:00:20.000Z', 'just now'],
  ['2026-05-20T11:55:00.000Z', '5 minutes ago'],
  ['2026-05-20T09:00:00.000Z', '3 hours ago'],
  ['2026-05-19T11:00:00.000Z', 'yesterday'],
  ['2026-04-01T12:00:00.000Z', '1 Apr 2026'],
])('tells the age of %s', (instant, age) => {
  expect(describeAge(instant, now)).toBe(age)
})

it('tells days and times in a zone', () => {
  expect(describeDay('2026-05-20T23:30:00.000Z', 'Europe/Berlin')).toBe('21 May 2026')
  expect(describeInstant('2026-05-20T23:30:00.000Z', 'UTC')).toBe('20 May 2026, 23:30')
})

it.each([
  ['2026-05-20T00:30:00.000Z', 'Today'],
  ['2026-05-19T23:30:00.000Z', 'Yesterday'],
  ['2026-05-15T23:30:00.000Z', 'Friday'],
  ['2026-05-13T23:30:00.000Z', '13 May 2026'],
  ['2026-05-21T01:00:00.000Z', '21 May 2026'],
])('heads the day of %s with %s', (instant, heading) => {
  expect(describeDayHeading(instant, now, 'UTC')).toBe(heading)
})

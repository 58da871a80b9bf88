import { expect, it } from 'vitest'
import { describeWeek, hoursOf, isOvernight, onAllWorkdays, problemOf, withHours, type WeeklyHours } from './hours.ts'

const week: WeeklyHours[] = [
  { day: 1, start: '13:00', end: '17:00' },
  { day: 1, start: '09:00', end: '12:00' },
  { day: 6, start: '22:00', end: '02:00' },
]

it('reads and changes the hours of a day', () => {
  expect(hoursOf(week, 1)).toEqual([
    { start: '09:00', end: '12:00' },
    { start: '13:00', end: '17:00' },
  ])
  expect(hoursOf(withHours(week, 1, [{ start: '10:00', end: '11:00' }]), 1)).toEqual([{ start: '10:00', end: '11:00' }])
  expect(hoursOf(withHours(week, 6, []), 6)).toEqual([])
})

it('describes a week', () => {
  expect(describeWeek([])).toBe('Closed')
  expect(describeWeek(onAllWorkdays(week, 1))).toBe('Mon–Fri 09:00–12:00, 13:00–17:00; Sat 22:00–02:00')
})

it.each([
  ['9:00', '17:00', 'Write the time as 09:00'],
  ['24:00', '17:00', 'Write the time as 09:00'],
  ['09:00', '25:00', 'Write the time as 17:00, at most 24:00'],
  ['09:00', '09:00', 'Start and end are the same'],
  ['00:00', '24:00', null],
  ['22:00', '02:00', null],
])('says what is wrong with %s to %s', (start, end, problem) => {
  expect(problemOf({ start, end })).toBe(problem)
})

it('knows hours that run into the next day', () => {
  expect([isOvernight({ start: '22:00', end: '02:00' }), isOvernight({ start: '00:00', end: '24:00' })]).toEqual([
    true,
    false,
  ])
})

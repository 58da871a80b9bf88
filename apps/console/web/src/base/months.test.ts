import { expect, it } from 'vitest'
import { daysOfMonth, daysOfWeek, monthAfter, weekdayNames } from './months.ts'

it.each([
  ['MONDAY', '2026-10-26', '2026-12-06', 'Mon'],
  ['SUNDAY', '2026-11-01', '2026-12-05', 'Sun'],
  ['SATURDAY', '2026-10-31', '2026-12-04', 'Sat'],
] as const)('shows whole weeks from %s', (start, first, last, name) => {
  const days = daysOfMonth('2026-11', start)
  expect([days[0], days.at(-1), days.length % 7, weekdayNames(start)[0]]).toEqual([first, last, 0, name])
  expect(daysOfWeek('2026-11-24', start)).toContain('2026-11-24')
  expect(daysOfWeek('2026-11-24', start)).toHaveLength(7)
})

it('knows the months around one', () => {
  expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1), monthAfter('2026-11', 14)]).toEqual([
    '2027-01',
    '2025-12',
    '2028-01',
  ])
})

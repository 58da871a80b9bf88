import { expect, it } from 'vitest'
import { dateTyped, orderOfDates } from './typed-dates.ts'

const today = '2026-11-28'

it.each([
  ['de', '31.12.2026', '2026-12-31'],
  ['de', '31.12.26', '2026-12-31'],
  ['de', '31.12.', '2026-12-31'],
  ['de', '1.3.', '2027-03-01'],
  ['en-GB', '03/04/2027', '2027-04-03'],
  ['en-US', '03/04/2027', '2027-03-04'],
  // Only one order is a date.
  ['en-GB', '12/31/2026', '2026-12-31'],
  ['fr', '2026-2-1', '2026-02-01'],
  ['ru', '28.11', '2026-11-28'],
])('in %s, %s is %s', (locale, text, day) => {
  expect(dateTyped(text, today, orderOfDates(locale))).toBe(day)
})

it.each(['', 'soon', '31.13.2026', '30.2.2027', '32.1.', '2026-02-30', '1.2/2027'])('%j is no date', (text) => {
  expect(dateTyped(text, today, orderOfDates('de'))).toBeUndefined()
})

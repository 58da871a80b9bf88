import { expect, it } from 'vitest'
import { readDue } from './due-words.ts'

/** A Wednesday. */
const now = new Date(2026, 10, 25, 12, 30)

it.each([
  ['today', [2026, 10, 25, 17, 0]],
  ['Tomorrow 9', [2026, 10, 26, 9, 0]],
  ['tomorrow 9:30', [2026, 10, 26, 9, 30]],
  ['fri', [2026, 10, 27, 17, 0]],
  ['wednesday', [2026, 11, 2, 17, 0]],
  ['+3d', [2026, 10, 28, 17, 0]],
  ['2w', [2026, 11, 9, 17, 0]],
  ['2031-05-01 8.15', [2031, 4, 1, 8, 15]],
] as const)('%s is a moment', (text, [year, month, day, hour, minute]) => {
  expect(readDue(text, now)).toEqual(new Date(year, month, day, hour, minute))
})

it.each(['', 'soon', 'tomorrow 25', 'today at 9', 't', '+3'])('%j is none', (text) => {
  expect(readDue(text, now)).toBeUndefined()
})

import { expect, it } from 'vitest'
import { shareOfGoal } from './goals.ts'

it.each([
  ['all in one currency', '5000', '20000', 0.25],
  ['by currency, without rates', { EUR: '10000', USD: '90000' }, '20000', 0.5],
  ['nothing in the currency of the goal', { USD: '90000' }, '20000', 0],
  ['nothing won yet', null, '20000', 0],
  ['more than the goal', '30000', '20000', 1.5],
  ['a goal of nothing', '0', '0', 1],
])('tells the part of a goal that is reached: %s', (_case, sum, goal, share) => {
  expect(shareOfGoal(sum, goal, 'EUR')).toBe(share)
})

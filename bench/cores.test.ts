import { expect, it } from 'vitest'
import { shareCores } from './cores.ts'

it.each([
  ['0-5', 6, { ours: [0, 1], others: [2, 3, 4, 5] }],
  ['2,4-7,16', 64, { ours: [2, 4], others: [5, 6, 7, 16] }],
  ['0-4', 64, null],
  ['0-63', 5, null],
  ['0', 1, null],
  [undefined, 64, null],
])('of the processors %s, with the time of %d, the shares are %j', (list, usable, shares) =>
  expect(shareCores(list, usable)).toEqual(shares),
)

import { expect, it } from 'vitest'
import { Returns } from './returns.ts'

it('lets those of one line come back one after another, and none of them at once', () => {
  const returns = new Returns({ afterMs: 1_000, apartMs: 40 })
  expect([returns.nextMs('a', 0), returns.nextMs('a', 0), returns.nextMs('a', 10)]).toEqual([1_000, 1_040, 1_080])
  expect(returns.nextMs('b', 10)).toBe(1_010)
  // Long after the last return the line begins anew.
  expect(returns.nextMs('a', 5_000)).toBe(6_000)
})

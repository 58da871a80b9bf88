import { expect, it } from 'vitest'
import { fixedClock } from './clock.ts'

it('stands still until it is moved', () => {
  const clock = fixedClock(new Date('2026-03-01T09:00:00Z'))
  expect(clock.now()).toEqual(new Date('2026-03-01T09:00:00Z'))
  clock.advance(90_000)
  expect(clock.now()).toEqual(new Date('2026-03-01T09:01:30Z'))
})

import { expect, it } from 'vitest'
import { Circuits } from './circuits.ts'

const make = () => new Circuits({ timeoutsMax: 3, pauseMs: 30_000, pauseMsMax: 100_000 })

/** Reports timeouts; each request is sent after the last one has ended. */
function timeOut(circuits: Circuits, times: number, nowMs = 0): (number | null)[] {
  return Array.from({ length: times }, () => circuits.timedOut('x', { sentAtMs: nowMs, nowMs }))
}

it('pauses after too many timeouts in a row, and no other receiver', () => {
  const circuits = make()
  expect(timeOut(circuits, 3)).toEqual([null, null, 30_000])
  expect([circuits.waitMs('x', 10_000), circuits.waitMs('y', 10_000)]).toEqual([20_000, 0])
})

it('counts in a row only', () => {
  const circuits = make()
  timeOut(circuits, 2)
  circuits.answered('x')
  expect(timeOut(circuits, 2)).toEqual([null, null])
  expect(circuits.waitMs('x', 0)).toBe(0)
})

it('sends one request after a pause, while the others wait for it', () => {
  const circuits = make()
  timeOut(circuits, 3)
  expect(circuits.waitMs('x', 30_000)).toBe(0)
  expect(circuits.waitMs('x', 30_001)).toBeGreaterThan(0)
  circuits.answered('x')
  expect(circuits.waitMs('x', 30_002)).toBe(0)
})

it('tries again when nobody hears what came of that request', () => {
  const circuits = make()
  timeOut(circuits, 3)
  circuits.waitMs('x', 30_000)
  expect(circuits.waitMs('x', 60_000)).toBe(0)
})

it('pauses longer each time, up to its bound', () => {
  const circuits = make()
  timeOut(circuits, 3)
  expect([1, 2, 3].map((at) => timeOut(circuits, 1, at * 200_000)[0])).toEqual([60_000, 100_000, 100_000])
})

it('learns nothing from what was under way when the pause began', () => {
  const circuits = make()
  for (const expected of [null, null, 30_000, null])
    expect(circuits.timedOut('x', { sentAtMs: 0, nowMs: 10_000 })).toBe(expected)
  expect(circuits.waitMs('x', 10_000)).toBe(30_000)
})

import { expect, it } from 'vitest'
import { createMemoryWindow } from './memory-window.ts'

it('begins a new window when the one of the first request has ended', () => {
  let nowMs = 1_000
  const window = createMemoryWindow(60_000, () => nowMs)
  expect(window.count('key')).toEqual([1, 60_000])
  nowMs += 59_999
  expect(window.count('key')).toEqual([2, 1])
  nowMs += 1
  expect(window.count('key')).toEqual([1, 60_000])
})

it('forgets the key that was counted longest ago when there are too many', () => {
  const window = createMemoryWindow(60_000, () => 0)
  window.count('first')
  window.count('second')
  for (let at = 0; at < 9_999; at++) window.count(`other ${at}`)
  expect(window.count('second')).toEqual([2, 60_000])
  expect(window.count('first')).toEqual([1, 60_000])
})

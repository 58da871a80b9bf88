import { expect, it } from 'vitest'
import { SharedPlaces } from './shared-places.ts'

it('gives an owner no more than its share, however many places are free', () => {
  const places = new SharedPlaces(4)
  const first = places.take('many', 50)
  expect([first, places.take('many', 50), places.take('many', 50)]).toEqual([
    expect.any(Function),
    expect.any(Function),
    undefined,
  ])
  expect(places.take('few', 50)).toBeTypeOf('function')
  first?.()
  expect(places.take('many', 50)).toBeTypeOf('function')
})

it('gives no more places than there are, and takes each back once', () => {
  const places = new SharedPlaces(2)
  const leave = places.take('a', 100)
  expect(places.take('b', 100)).toBeTypeOf('function')
  expect(places.take('c', 100)).toBe(undefined)
  leave?.()
  leave?.()
  expect(places.take('c', 100)).toBeTypeOf('function')
  expect(places.take('c', 100)).toBe(undefined)
})

it('gives at least one place, however small the share', () => {
  expect(new SharedPlaces(10).take('a', 1)).toBeTypeOf('function')
})

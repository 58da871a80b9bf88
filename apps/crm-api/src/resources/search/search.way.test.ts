import { describe, expect, it } from 'vitest'
import { decideWay } from './search.way.ts'

const million = 1_000_000

describe('the way to what matches a text', () => {
  it.each([
    ['a rare text', { sampledHits: 0, present: million, seen: million }, 'INDEX'],
    ['a text of few records, however frequent in them', { sampledHits: 500, present: 500, seen: 500 }, 'INDEX'],
    ['a frequent text', { sampledHits: 5, present: million, seen: million }, 'NEWEST'],
    ['a frequent text among rows that nobody counts', { sampledHits: 5, present: Infinity, seen: Infinity }, 'NEWEST'],
    ['a rare text for who sees few records', { sampledHits: 0, present: million, seen: 40 }, 'SEEN'],
    ['a rare text for who sees some records', { sampledHits: 0, present: million, seen: 10_000 }, 'INDEX'],
    ['a frequent text for who sees some records', { sampledHits: 250, present: million, seen: 10_000 }, 'SEEN'],
    ['a frequent text for who sees many records', { sampledHits: 250, present: million, seen: 500_000 }, 'NEWEST'],
  ] as const)('to %s', (_what, facts, way) => {
    expect(decideWay(facts)).toBe(way)
  })
})

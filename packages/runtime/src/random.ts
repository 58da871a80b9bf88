/** A small reproducible generator (mulberry32), so that the same records are generated every time. */
export interface Random {
  /** Returns a number from 0 up to, not including, 1. */
  next(): number
  /** Returns a whole number from 0 up to, not including, `limit`. */
  below(limit: number): number
  pick<T>(values: readonly T[]): T
  /** Returns true with the given probability, from 0 to 1. */
  chance(probability: number): boolean
}

/** Makes a generator from a seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    chance: (probability) => next() < probability,
  }
}

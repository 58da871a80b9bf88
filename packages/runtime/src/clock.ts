/** The source of the current time, passed to all code that depends on time. */
export interface Clock {
  now(): Date
}

/** The system clock. */
export const systemClock: Clock = { now: () => new Date() }

/** A clock that moves only on command. */
export interface FixedClock extends Clock {
  advance(byMs: number): void
}

/** Makes a clock for tests that starts at `start` and moves only by `advance`. */
export function fixedClock(start: Date): FixedClock {
  let currentMs = start.getTime()
  return {
    now: () => new Date(currentMs),
    advance: (byMs) => {
      currentMs += byMs
    },
  }
}

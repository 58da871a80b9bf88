/** The source of the current time, passed in wherever time decides something. */
export interface Clock {
  now(): Date
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => new Date() }

/** A clock that stands still until it is moved. */
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

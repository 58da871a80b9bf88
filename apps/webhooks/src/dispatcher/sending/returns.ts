import { LRUCache } from 'lru-cache'

/** The return times for work that found no place. */
export interface ReturnBounds {
  /** The earliest return. */
  readonly afterMs: number
  /** The distance between two returns of the same line. */
  readonly apartMs: number
}

/** The number of remembered lines; the one that was joined longest ago is forgotten first. */
const linesMax = 10_000

/**
 * Sets the time at which work without a place tries again: one after another, so that many cost no more than a few.
 * Times are milliseconds of one clock.
 */
export class Returns {
  readonly #bounds: ReturnBounds
  /** The time of the last return of each line. */
  readonly #last = new LRUCache<string, number>({ max: linesMax })

  constructor(bounds: ReturnBounds) {
    this.#bounds = bounds
  }

  /** Returns the time at which the next member of a line comes back. */
  nextMs(line: string, nowMs: number): number {
    const { afterMs, apartMs } = this.#bounds
    const next = Math.max(nowMs + afterMs, (this.#last.get(line) ?? 0) + apartMs)
    this.#last.set(line, next)
    return next
  }
}

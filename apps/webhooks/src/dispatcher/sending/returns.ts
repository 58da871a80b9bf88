/** How those come back that found no place. */
export interface ReturnBounds {
  /** Nobody comes back sooner. */
  readonly afterMs: number
  /** Two that wait for the same come back so far apart. */
  readonly apartMs: number
}

/** How many lines are remembered; the one that somebody joined longest ago is forgotten first. */
const linesMax = 10_000

/** Tells those that found no place when to try again: one after another, so that many cost no more than a few. Times are milliseconds of one clock. */
export class Returns {
  readonly #bounds: ReturnBounds
  /** When the last one of each line comes back. */
  readonly #last = new Map<string, number>()

  constructor(bounds: ReturnBounds) {
    this.#bounds = bounds
  }

  /** When the next one of a line comes back. */
  nextMs(line: string, nowMs: number): number {
    const { afterMs, apartMs } = this.#bounds
    const next = Math.max(nowMs + afterMs, (this.#last.get(line) ?? 0) + apartMs)
    this.#last.delete(line)
    this.#last.set(line, next)
    if (this.#last.size > linesMax) this.#last.delete(this.#last.keys().next().value as string)
    return next
  }
}

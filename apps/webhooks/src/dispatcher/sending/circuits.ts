import { LRUCache } from 'lru-cache'

/** The bounds for trying a receiver that does not answer. */
export interface CircuitBounds {
  /** The number of requests in a row without an answer in time before a pause begins. */
  readonly timeoutsMax: number
  /** The first pause; each further one is twice as long, up to `pauseMsMax`. */
  readonly pauseMs: number
  readonly pauseMsMax: number
}

interface Circuit {
  readonly timeouts: number
  /** The pause after too many timeouts. */
  readonly pause: { readonly fromMs: number; readonly untilMs: number } | null
}

/** Within this time a request that tries a silent receiver has ended, so another one may try. */
const trialMs = 15_000
/** The number of remembered silent receivers; the one that was tried longest ago is forgotten first. */
const circuitsMax = 10_000

/** Remembers whether each receiver answers. The caller names the receivers; times are milliseconds of one clock. */
export class Circuits {
  readonly #bounds: CircuitBounds
  readonly #silent = new LRUCache<string, Circuit>({ max: circuitsMax })

  constructor(bounds: CircuitBounds) {
    this.#bounds = bounds
  }

  /** Returns how long a request has to wait; 0 sends it now. After a pause, one request goes out and the others wait for it. */
  waitMs(receiver: string, nowMs: number): number {
    const { timeouts = 0, pause = null } = this.#silent.get(receiver) ?? {}
    if (pause === null) return 0
    if (pause.untilMs > nowMs) return pause.untilMs - nowMs
    this.#silent.set(receiver, { timeouts, pause: { ...pause, untilMs: nowMs + trialMs } })
    return 0
  }

  /** Notes that a receiver answered, with any status. */
  answered(receiver: string): void {
    this.#silent.delete(receiver)
  }

  /** Notes a request without an answer in time; returns the pause that follows in milliseconds, null when there is none. */
  timedOut(
    receiver: string,
    { sentAtMs, nowMs }: { readonly sentAtMs: number; readonly nowMs: number },
  ): number | null {
    const { timeoutsMax, pauseMs, pauseMsMax } = this.#bounds
    const before = this.#silent.get(receiver)
    // Requests that were under way when the pause began say nothing new.
    if (before?.pause && before.pause.fromMs > sentAtMs) return null
    const timeouts = (before?.timeouts ?? 0) + 1
    const lengthMs = timeouts < timeoutsMax ? null : Math.min(pauseMs * 2 ** (timeouts - timeoutsMax), pauseMsMax)
    this.#silent.set(receiver, {
      timeouts,
      pause: lengthMs === null ? null : { fromMs: nowMs, untilMs: nowMs + lengthMs },
    })
    return lengthMs
  }
}

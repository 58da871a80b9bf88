import { FairLine } from './fair-line.ts'

/** The most concurrent work, and the most work that may wait. */
export interface FairTurnsBounds {
  readonly atOnce: number
  /** The most waiting work of one owner. */
  readonly waitingMax: number
  readonly waitMsMax: number
}

/** Ends a turn; one call is enough. */
export type EndTurn = () => void

/** Limits concurrent work and gives owners turns: an owner waits only for its own work, however much another one has. */
export class FairTurns {
  readonly #bounds: FairTurnsBounds
  readonly #waiting = new FairLine<() => void>()
  #running = 0
  #isClosed = false

  constructor(bounds: FairTurnsBounds) {
    this.#bounds = bounds
  }

  /** Waits for a turn and returns the function that ends it; undefined when too much is waiting, or the wait is too long. */
  enter(owner: string): Promise<EndTurn | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    if (this.#running < this.#bounds.atOnce) return Promise.resolve(this.#begin())
    if (this.#waiting.sizeOf(owner) >= this.#bounds.waitingMax) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const start = (): void => resolve(this.#isClosed ? undefined : this.#begin())
      this.#waiting.add(owner, start, { waitMs: this.#bounds.waitMsMax, late: () => resolve(undefined) })
    })
  }

  /** Rejects all waiting work; no further work begins. */
  close(): void {
    this.#isClosed = true
    for (let next = this.#waiting.take(); next; next = this.#waiting.take()) next()
  }

  #begin(): EndTurn {
    this.#running++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#running--
      this.#waiting.take()?.()
    }
  }
}

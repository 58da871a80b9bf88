import { FairLine } from './fair-line.ts'

/** How much is done at once, and how much may wait for it. */
export interface FairTurnsBounds {
  readonly atOnce: number
  /** How much of one owner may wait. */
  readonly waitingMax: number
  readonly waitMsMax: number
}

/** Ends a turn; once is enough. */
export type EndTurn = () => void

/** Lets so much be done at once, owners in turn: however much of one owner waits, another one waits for its own alone. */
export class FairTurns {
  readonly #bounds: FairTurnsBounds
  readonly #waiting = new FairLine<() => void>()
  #running = 0
  #isClosed = false

  constructor(bounds: FairTurnsBounds) {
    this.#bounds = bounds
  }

  /** Waits for a turn and gives the function that ends it; undefined when too much waits, or for too long. */
  enter(owner: string): Promise<EndTurn | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    if (this.#running < this.#bounds.atOnce) return Promise.resolve(this.#begin())
    if (this.#waiting.sizeOf(owner) >= this.#bounds.waitingMax) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const start = (): void => resolve(this.#isClosed ? undefined : this.#begin())
      this.#waiting.add(owner, start, { waitMs: this.#bounds.waitMsMax, late: () => resolve(undefined) })
    })
  }

  /** Sends away all that waits; nothing more begins. */
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

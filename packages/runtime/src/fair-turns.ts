import { FairLine } from './fair-line.ts'

/** The most concurrent work, and the most work that may wait. */
export interface FairTurnsBounds {
  readonly atOnce: number
  /** The most concurrent work of one owner; no bound of its own by default. */
  readonly atOnceOfOwner?: number
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
  /** Bounded: owners whose work runs now. */
  readonly #runningOf = new Map<string, number>()
  #running = 0
  #isClosed = false

  constructor(bounds: FairTurnsBounds) {
    this.#bounds = bounds
  }

  /** Waits for a turn and returns the function that ends it; undefined when too much is waiting, or the wait is too long. */
  enter(owner: string): Promise<EndTurn | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    if (this.#running < this.#bounds.atOnce && this.#mayBegin(owner)) return Promise.resolve(this.#begin(owner))
    if (this.#waiting.sizeOf(owner) >= this.#bounds.waitingMax) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const start = (): void => resolve(this.#isClosed ? undefined : this.#begin(owner))
      this.#waiting.add(owner, start, { waitMs: this.#bounds.waitMsMax, late: () => resolve(undefined) })
    })
  }

  /** Rejects all waiting work; no further work begins. */
  close(): void {
    this.#isClosed = true
    for (let next = this.#waiting.take(); next; next = this.#waiting.take()) next()
  }

  #mayBegin(owner: string): boolean {
    const { atOnceOfOwner = Infinity } = this.#bounds
    return (this.#runningOf.get(owner) ?? 0) < atOnceOfOwner
  }

  #begin(owner: string): EndTurn {
    this.#count(owner, 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#count(owner, -1)
      this.#waiting.take((next) => this.#mayBegin(next))?.()
    }
  }

  #count(owner: string, change: number): void {
    this.#running += change
    const own = (this.#runningOf.get(owner) ?? 0) + change
    if (own > 0) this.#runningOf.set(owner, own)
    else this.#runningOf.delete(owner)
  }
}

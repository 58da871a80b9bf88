import { placesOf } from './workspace-limits.ts'

/** Gives a place back; a second call has no effect. */
export type LeavePlace = () => void

/** Places that many owners share: none of them has more than its share, and nobody waits for one. */
export class SharedPlaces {
  readonly #places: number
  /** Bounded: owners that have a place now. */
  readonly #takenBy = new Map<string, number>()
  #taken = 0

  constructor(places: number) {
    this.#places = places
  }

  /** Takes a place for an owner, which may have this percentage of all places; undefined when none is free. */
  take(owner: string, percentage: number): LeavePlace | undefined {
    const own = this.#takenBy.get(owner) ?? 0
    if (this.#taken >= this.#places || own >= placesOf(this.#places, percentage)) return undefined
    this.#taken++
    this.#takenBy.set(owner, own + 1)
    let isTaken = true
    return () => {
      if (isTaken) this.#giveBack(owner)
      isTaken = false
    }
  }

  #giveBack(owner: string): void {
    this.#taken--
    const left = (this.#takenBy.get(owner) ?? 0) - 1
    if (left > 0) this.#takenBy.set(owner, left)
    else this.#takenBy.delete(owner)
  }
}

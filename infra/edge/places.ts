/** Counts the current places of each owner. */
export class Places {
  readonly #max: number
  /** Bounded: owners that have a place now. */
  readonly #taken = new Map<string, number>()

  /** @param max the most places of one owner; 0 sets no limit */
  constructor(max: number) {
    this.#max = max
  }

  /** Takes a place for an owner; returns the function that releases it, or undefined when the owner has none left. */
  take(owner: string): (() => void) | undefined {
    const taken = this.#taken.get(owner) ?? 0
    if (this.#max > 0 && taken >= this.#max) return undefined
    this.#taken.set(owner, taken + 1)
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      const left = (this.#taken.get(owner) ?? 1) - 1
      if (left > 0) this.#taken.set(owner, left)
      else this.#taken.delete(owner)
    }
  }
}

/** Counts what each owner has at once. */
export class Places {
  readonly #max: number
  readonly #taken = new Map<string, number>()

  /** @param max how much one owner may have; 0 sets no bound */
  constructor(max: number) {
    this.#max = max
  }

  /** Takes a place for an owner; gives the function that gives it back, or undefined when the owner has no more. */
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

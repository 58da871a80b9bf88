/** What waits, by whom it belongs to; whoever had a turn goes behind all others. */
export class FairLine<Item> {
  /** The first owner is next. */
  readonly #waiting = new Map<string, Item[]>()

  /** How much of one owner waits. */
  sizeOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0
  }

  add(owner: string, item: Item): void {
    this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), item])
  }

  /** Takes the oldest item of the next owner who may have a turn; undefined when nothing waits that may. */
  take(mayHaveTurn: (owner: string) => boolean = () => true): Item | undefined {
    for (const [owner, [item, ...rest]] of this.#waiting) {
      if (!mayHaveTurn(owner)) continue
      this.#waiting.delete(owner)
      if (rest.length > 0) this.#waiting.set(owner, rest)
      return item
    }
    return undefined
  }

  /** Takes an item out of turn; nothing happens when it does not wait any more. */
  remove(owner: string, item: Item): void {
    const rest = (this.#waiting.get(owner) ?? []).filter((each) => each !== item)
    if (rest.length > 0) this.#waiting.set(owner, rest)
    else this.#waiting.delete(owner)
  }
}

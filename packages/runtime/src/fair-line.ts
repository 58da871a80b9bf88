/** The longest wait of an item for its turn. */
export interface Patience {
  readonly waitMs: number
  /** Called when the item has left the queue because its turn did not come in time. */
  late(): void
}

interface Place<Item> {
  readonly item: Item
  readonly timer: NodeJS.Timeout | undefined
}

/** A queue of items by owner; an owner that had a turn goes behind all others. */
export class FairLine<Item> {
  /** The first owner is next. Bounded: owners of which something waits now. */
  readonly #waiting = new Map<string, Place<Item>[]>()

  /** Returns the number of an owner's waiting items. */
  sizeOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0
  }

  /** Adds an item to the queue; without `patience` it waits for ever. */
  add(owner: string, item: Item, patience?: Patience): void {
    const timer =
      patience &&
      setTimeout(() => {
        this.remove(owner, item)
        patience.late()
      }, patience.waitMs)
    const places = this.#waiting.get(owner)
    if (places) places.push({ item, timer })
    else this.#waiting.set(owner, [{ item, timer }])
  }

  /** Takes the oldest item of the next owner that may have a turn; undefined when no such item waits. */
  take(mayHaveTurn: (owner: string) => boolean = () => true): Item | undefined {
    for (const [owner, places] of this.#waiting) {
      if (!mayHaveTurn(owner)) continue
      const place = places.shift()
      clearTimeout(place?.timer)
      this.#waiting.delete(owner)
      if (places.length > 0) this.#waiting.set(owner, places)
      return place?.item
    }
    return undefined
  }

  /** Removes an item out of turn; has no effect when the item is not waiting. */
  remove(owner: string, item: Item): void {
    const places = this.#waiting.get(owner) ?? []
    const at = places.findIndex((place) => place.item === item)
    if (at === -1) return
    clearTimeout(places[at]?.timer)
    places.splice(at, 1)
    if (places.length === 0) this.#waiting.delete(owner)
  }
}

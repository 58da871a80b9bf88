/** How long an item waits for its turn. */
export interface Patience {
  readonly waitMs: number
  /** Called when the item has left the line, because its turn did not come in time. */
  late(): void
}

interface Place<Item> {
  readonly item: Item
  readonly timer: NodeJS.Timeout | undefined
}

/** What waits, by whom it belongs to; whoever had a turn goes behind all others. */
export class FairLine<Item> {
  /** The first owner is next. */
  readonly #waiting = new Map<string, Place<Item>[]>()

  /** How much of one owner waits. */
  sizeOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0
  }

  /** Lets an item wait, for ever unless told. */
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

  /** Takes the oldest item of the next owner who may have a turn; undefined when nothing waits that may. */
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

  /** Takes an item out of turn; nothing happens when it does not wait any more. */
  remove(owner: string, item: Item): void {
    const places = this.#waiting.get(owner) ?? []
    const at = places.findIndex((place) => place.item === item)
    if (at === -1) return
    clearTimeout(places[at]?.timer)
    places.splice(at, 1)
    if (places.length === 0) this.#waiting.delete(owner)
  }
}

import { useState } from 'react'
import { forgetsWithPerson } from '../base/forget.ts'
import type { AnyRecord } from './record-calls.ts'

/** The chosen records of a list, across its pages. */
export interface Selection {
  /** The individually chosen records, by id. */
  readonly rows: ReadonlyMap<string, AnyRecord>
  /** Whether everything that the list finds is chosen, on all pages. */
  readonly isEverything: boolean
  has(id: string): boolean
  /** Chooses a row, or drops it; with a range, all rows between it and the last one. */
  toggle(row: AnyRecord, page: readonly AnyRecord[], isRange: boolean): void
  /** Chooses a page, or drops it when all of it is chosen. */
  togglePage(page: readonly AnyRecord[]): void
  chooseEverything(): void
  clear(): void
}

interface Chosen {
  readonly of: string
  readonly rows: ReadonlyMap<string, AnyRecord>
  readonly isEverything: boolean
  readonly last: string | null
}

const nothing = { rows: new Map<string, AnyRecord>(), isEverything: false, last: null }

/** The choice of the list that was shown last, for whoever comes back to it from a record. */
let left: Chosen | undefined
forgetsWithPerson(() => (left = undefined))

/**
 * Returns the chosen records of a list; other parameters of the list end the choice, another page does not. `asked` names the list with
 * its parameters.
 */
export function useSelection(asked: string): Selection {
  const [kept, setKept] = useState<Chosen>(left?.of === asked ? left : { of: asked, ...nothing })
  const { rows, isEverything, last } = kept.of === asked ? kept : nothing
  const set = (next: Partial<Chosen>) => {
    left = { of: asked, rows, isEverything: false, last, ...next }
    setKept(left)
  }
  return {
    rows,
    isEverything,
    has: (id) => isEverything || rows.has(id),
    toggle: (row, page, isRange) => {
      const from = isRange ? page.findIndex(({ id }) => id === last) : -1
      const to = page.indexOf(row)
      const range = from < 0 ? [row] : page.slice(Math.min(from, to), Math.max(from, to) + 1)
      set({ rows: changed(rows, range, !rows.has(row.id)), last: row.id })
    },
    togglePage: (page) => set({ rows: changed(rows, page, !page.every(({ id }) => rows.has(id))), last: null }),
    chooseEverything: () => set({ isEverything: true }),
    clear: () => set(nothing),
  }
}

function changed(rows: ReadonlyMap<string, AnyRecord>, some: readonly AnyRecord[], isChosen: boolean) {
  const next = new Map(rows)
  for (const row of some) {
    if (isChosen) next.set(row.id, row)
    else next.delete(row.id)
  }
  return next
}

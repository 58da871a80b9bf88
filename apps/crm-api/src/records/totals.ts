import { LRUCache } from 'lru-cache'

interface KnownTotal {
  readonly fingerprint: string
  readonly total: number
}

/** Totals of filtered lists, each valid as long as the ledger's fingerprint stands (docs/decisions/totals.md). */
export interface Totals {
  get(key: string, fingerprint: string): number | undefined
  /** Returns the last known total, even if it is outdated; only for the choice of a plan. */
  guess(key: string): number | undefined
  keep(key: string, fingerprint: string, total: number): void
}

/** Makes an in-process store of totals. */
export function createTotals(): Totals {
  const known = new LRUCache<string, KnownTotal>({ max: 2_000 })
  return {
    get: (key, fingerprint) => {
      const entry = known.get(key)
      return entry?.fingerprint === fingerprint ? entry.total : undefined
    },
    guess: (key) => known.get(key)?.total,
    keep: (key, fingerprint, total) => void known.set(key, { fingerprint, total }),
  }
}

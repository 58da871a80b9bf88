import { compactCounts, type Database } from '@crm/db'
import type { Logger } from '@crm/runtime'
import { LRUCache } from 'lru-cache'

/** Folds the ledgers of counts to which this process adds rows. */
export interface Compaction {
  /** Notes a write of one kind of record. At intervals the ledger is folded, outside the requests. */
  noteWrite(workspaceId: string, entityType: string): void
}

/** A ledger of this many rows is still summed in well under a millisecond. */
const foldedEvery = 500

/** Makes a compaction that counts writes in this process. */
export function createCompaction(db: Database, logger: Logger): Compaction {
  const writes = new LRUCache<string, number>({ max: 5_000 })
  return {
    noteWrite: (workspaceId, entityType) => {
      const ledger = `${workspaceId}:${entityType}`
      // The count begins at a random value: processes that end before they fold would otherwise leave the ledger to grow.
      const noted = (writes.get(ledger) ?? Math.floor(Math.random() * foldedEvery)) + 1
      writes.set(ledger, noted % foldedEvery)
      if (noted < foldedEvery) return
      compactCounts(db, workspaceId, entityType).catch((error: unknown) =>
        logger.warn({ err: error }, 'a ledger of counts was not folded'),
      )
    },
  }
}

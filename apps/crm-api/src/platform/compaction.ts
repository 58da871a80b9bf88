import { compactCounts, type Database } from '@crm/db'
import type { Logger } from '@crm/runtime'

/** Folds the ledgers of counts that this process makes grow. */
export interface Compaction {
  /** Notes a write of one kind of record; every so often the ledger is folded beside the requests. */
  noteWrite(workspaceId: string, entityType: string): void
}

/** A ledger of this many rows still adds up in well under a millisecond. */
const foldedEvery = 500

/** Makes a compaction that counts writes in this process. */
export function createCompaction(db: Database, logger: Logger): Compaction {
  const writes = new Map<string, number>()
  return {
    noteWrite: (workspaceId, entityType) => {
      const ledger = `${workspaceId}:${entityType}`
      // Processes that end before they fold would leave a ledger to grow, if all of them began to count at nothing.
      const noted = (writes.get(ledger) ?? Math.floor(Math.random() * foldedEvery)) + 1
      writes.set(ledger, noted % foldedEvery)
      if (noted < foldedEvery) return
      compactCounts(db, workspaceId, entityType).catch((error: unknown) =>
        logger.warn({ err: error }, 'a ledger of counts was not folded'),
      )
    },
  }
}

import { deleteInTurn, dueSeconds, inTransaction } from '@crm/db'
import { exportKey } from '@crm/storage'
import { deleteOldExports, findDueExports } from '../across/transfers/exports.repository.ts'
import { deleteDeadUploads } from '../across/transfers/imports.repository.ts'
import { leaveContents } from '../domain/files/leaving-contents.repository.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

const hourMs = 60 * 60 * 1000

type SweepDeps = Pick<CrmApiDeps, 'db' | 'clock'> & {
  readonly exportsKeptDays: number
  /** Counts deleted exports. */
  readonly countExports: (rows: number) => void
}

/** Deletes uploads that never ended and exports that were kept for their days, whose files follow later; 0 keeps exports for ever. */
export async function sweepTransfers({ db, clock, exportsKeptDays, countExports }: SweepDeps): Promise<void> {
  const now = clock.now()
  const at = now.toISOString()
  await deleteDeadUploads(db, new Date(now.getTime() - hourMs).toISOString())
  await deleteInTurn(
    await findDueExports(db, exportsKeptDays, at),
    (workspaceIds, days, share) =>
      inTransaction(db, undefined, async (tx) => {
        const gone = await deleteOldExports(tx, { workspaceIds, days, share, at })
        await leaveContents(
          tx,
          gone.map((key) => ({ workspaceId: key.workspaceId, key: exportKey(key) })),
          at,
        )
        return gone
      }),
    countExports,
  )
}

/** Returns for how long the oldest export has been expired, in seconds. */
export async function readExportsBehind({
  db,
  clock,
  exportsKeptDays,
}: Omit<SweepDeps, 'countExports'>): Promise<number> {
  return dueSeconds(await findDueExports(db, exportsKeptDays, clock.now().toISOString()))
}

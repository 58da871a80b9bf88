import { deleteInTurn, dueSeconds, everyWorkspace, inTransaction, type Part } from '@crm/db'
import { doSharedWork, type RoundDeps } from '@crm/jobs'
import { exportKey } from '@crm/storage'
import { deleteOldExports, findDueExports } from '../across/transfers/exports.repository.ts'
import { deleteDeadUploads } from '../across/transfers/imports.repository.ts'
import { leaveContents } from '../domain/files/leaving-contents.repository.ts'

const hourMs = 60 * 60 * 1000

type SweepDeps = RoundDeps & {
  readonly exportsKeptDays: number
  /** Counts deleted exports. */
  readonly countExports: (rows: number) => void
}

/** Deletes uploads that never ended and exports that were kept for their days, whose files follow later; 0 keeps exports for ever. */
export async function sweepTransfers(deps: SweepDeps): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const before = new Date(now.getTime() - hourMs).toISOString()
  await doSharedWork(deps, { name: 'delete-dead-uploads', perform: (part) => deleteDeadUploads(db, before, part) })
  await doSharedWork(deps, { name: 'delete-exports', perform: (part) => sweepExports(deps, now.toISOString(), part) })
}

async function sweepExports({ db, exportsKeptDays, countExports }: SweepDeps, at: string, part: Part): Promise<void> {
  await deleteInTurn(
    await findDueExports(db, exportsKeptDays, at, part),
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
}: Pick<SweepDeps, 'db' | 'clock' | 'exportsKeptDays'>): Promise<number> {
  return dueSeconds(await findDueExports(db, exportsKeptDays, clock.now().toISOString(), everyWorkspace))
}

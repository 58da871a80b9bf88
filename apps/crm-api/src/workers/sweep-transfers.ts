import { inTransaction } from '@crm/db'
import { exportKey } from '@crm/storage'
import { deleteOldExports } from '../across/transfers/exports.repository.ts'
import { deleteDeadUploads } from '../across/transfers/imports.repository.ts'
import { leaveContents } from '../domain/files/leaving-contents.repository.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** Deletes uploads that never ended and exports that were kept for their days, whose files follow later; 0 keeps exports for ever. */
export async function sweepTransfers({
  db,
  clock,
  exportsKeptDays,
}: Pick<CrmApiDeps, 'db' | 'clock'> & { readonly exportsKeptDays: number }): Promise<void> {
  const before = (ms: number): string => new Date(clock.now().getTime() - ms).toISOString()
  await deleteDeadUploads(db, before(hourMs))
  if (exportsKeptDays === 0) return
  await inTransaction(db, undefined, async (tx) => {
    const gone = await deleteOldExports(tx, before(exportsKeptDays * dayMs))
    const contents = gone.map((key) => ({ workspaceId: key.workspaceId, key: exportKey(key) }))
    await leaveContents(tx, contents, clock.now().toISOString())
  })
}

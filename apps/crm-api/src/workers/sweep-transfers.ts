import { exportKey } from '@crm/storage'
import { deleteOldExports } from '../across/transfers/exports.repository.ts'
import { deleteDeadUploads } from '../across/transfers/imports.repository.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** Deletes uploads that never ended and exports that were kept for their days, with their files; 0 keeps exports for ever. */
export async function sweepTransfers({
  db,
  storage,
  clock,
  logger,
  exportsKeptDays,
}: Pick<CrmApiDeps, 'db' | 'storage' | 'clock' | 'logger'> & { readonly exportsKeptDays: number }): Promise<void> {
  const before = (ms: number): string => new Date(clock.now().getTime() - ms).toISOString()
  await deleteDeadUploads(db, before(hourMs))
  if (exportsKeptDays === 0) return
  for (const key of await deleteOldExports(db, before(exportsKeptDays * dayMs))) {
    await storage
      .remove(exportKey(key))
      .catch((error: unknown) => logger.warn({ err: error, exportId: key.id }, 'an export could not be swept'))
  }
}

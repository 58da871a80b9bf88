import { exportKey } from '@crm/storage'
import { deleteOldExports } from '../across/transfers/exports.repository.ts'
import { deleteDeadUploads } from '../across/transfers/imports.repository.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

const hourMs = 60 * 60 * 1000
const exportsKeptMs = 24 * hourMs

/** Deletes uploads that never ended and exports that are a day old, with their files. */
export async function sweepTransfers({
  db,
  storage,
  clock,
  logger,
}: Pick<CrmApiDeps, 'db' | 'storage' | 'clock' | 'logger'>): Promise<void> {
  const before = (ms: number): string => new Date(clock.now().getTime() - ms).toISOString()
  await deleteDeadUploads(db, before(hourMs))
  for (const key of await deleteOldExports(db, before(exportsKeptMs))) {
    await storage
      .remove(exportKey(key))
      .catch((error: unknown) => logger.warn({ err: error, exportId: key.id }, 'an export could not be swept'))
  }
}

import { inTransaction, sqlState } from '@crm/db'
import { storageKey } from '@crm/storage'
import { keepFile, purgeFile, selectLeaving, selectOldUploads, type FileKey } from '../domain/files/files.repository.ts'
import { discardUpload } from '../domain/files/files.storing.ts'
import { leaveContents } from '../domain/files/leaving-contents.repository.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

/** The number of files that one query claims. */
const batch = 100

/** The age after which an upload counts as dead. */
const uploadMsMax = 60 * 60 * 1000

const foreignKeyBroken = '23503'

type SweepDeps = Pick<CrmApiDeps, 'db' | 'storage' | 'clock' | 'logger'>

/**
 * Deletes the rows of files whose time is over, whose bytes follow later, and the remains of unfinished uploads.
 * Several processes may sweep at once: each claims files that no other process holds.
 */
export async function sweepFiles(deps: SweepDeps): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  await forEach(deps, await selectOldUploads(db, new Date(now.getTime() - uploadMsMax).toISOString(), batch), (key) =>
    discardUpload(deps, key),
  )
  await forEach(deps, await selectLeaving(db, now.toISOString(), batch), (key) => purge(deps, key, now.toISOString()))
}

/** Deletes the row of a file, and lets its bytes leave; when something still refers to it, both stay. */
async function purge({ db }: SweepDeps, key: FileKey, at: string): Promise<void> {
  try {
    await inTransaction(db, undefined, async (tx) => {
      if (!(await purgeFile(tx, key, at))) return
      await leaveContents(tx, [{ workspaceId: key.workspaceId, key: storageKey(key) }], at)
    })
  } catch (error) {
    if (sqlState(error) !== foreignKeyBroken) throw error
    await keepFile(db, key)
  }
}

/** Runs work for each key. A failure does not stop the others; it is tried again with the next sweep. */
async function forEach(
  { logger }: SweepDeps,
  keys: readonly FileKey[],
  work: (key: FileKey) => Promise<void>,
): Promise<void> {
  for (const key of keys) {
    await work(key).catch((error: unknown) => logger.warn({ err: error, fileId: key.id }, 'a file could not be swept'))
  }
}

import { inTransaction, sqlState } from '@crm/db'
import { doDueWork, type RoundDeps, type WorkKey } from '@crm/jobs'
import { storageKey } from '@crm/storage'
import { keepFile, purgeFile, selectLeaving, selectOldUploads, type FileKey } from '../domain/files/files.repository.ts'
import { discardUpload } from '../domain/files/files.storing.ts'
import { leaveContents } from '../domain/files/leaving-contents.repository.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

/** How often files are looked for whose time is over. */
export const filesRoundMs = 10 * 60_000
const uploads = 'discard-uploads'
const leaving = 'remove-files'
const foundAtOnce = 100

/** The age after which an upload counts as dead. */
const uploadMsMax = 60 * 60 * 1000

const foreignKeyBroken = '23503'

type SweepDeps = RoundDeps & Pick<CrmApiDeps, 'storage'>

/**
 * Deletes the rows of files whose time is over, whose bytes follow later, and the remains of unfinished uploads.
 * Several processes may sweep at once: each claims files that no other process holds.
 */
export async function sweepFiles(deps: SweepDeps): Promise<void> {
  const { db, clock } = deps
  const shared = { everyMs: filesRoundMs, batch: foundAtOnce, keyOf }
  await doDueWork(deps, {
    ...shared,
    name: uploads,
    find: (at, limit) =>
      selectOldUploads(db, uploads, { at, before: new Date(Date.parse(at) - uploadMsMax).toISOString() }, limit),
    perform: async (keys) => {
      for (const key of keys) await discardUpload(deps, key)
    },
  })
  await doDueWork(deps, {
    ...shared,
    name: leaving,
    find: (at, limit) => selectLeaving(db, leaving, at, limit),
    perform: async (keys) => {
      for (const key of keys) await purge(deps, key, clock.now().toISOString())
    },
  })
}

const keyOf = ({ workspaceId, id }: FileKey): WorkKey => ({ workspaceId, row: id })

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

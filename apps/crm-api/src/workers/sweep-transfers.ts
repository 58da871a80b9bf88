import { deleteInTurn, dueSeconds, everyWorkspace, inTransaction, type Part } from '@crm/db'
import { doSharedWork, type RoundDeps } from '@crm/jobs'
import { exportKey } from '@crm/storage'
import { deleteOldExports, findDueExports } from '../across/transfers/exports.repository.ts'
import { deleteDeadUploads } from '../across/transfers/imports.repository.ts'
import {
  deleteMigration,
  findDeadMigrations,
  findOutdatedFiles,
  forgetFiles,
} from '../across/transfers/moving.repository.ts'
import { leaveFiles } from '../across/transfers/moving.handlers.ts'
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
  await doSharedWork(deps, {
    name: 'delete-dead-migrations',
    perform: (part) => sweepDeadMigrations(deps, before, now.toISOString(), part),
  })
  await doSharedWork(deps, {
    name: 'forget-migration-files',
    perform: (part) => sweepMigrationFiles(deps, now.toISOString(), part),
  })
  await doSharedWork(deps, { name: 'delete-exports', perform: (part) => sweepExports(deps, now.toISOString(), part) })
}

const migrationsAtOnce = 20

/** Deletes migrations whose files never arrived, and what of them did. */
async function sweepDeadMigrations({ db }: SweepDeps, before: string, at: string, part: Part): Promise<void> {
  for (const key of await findDeadMigrations(db, before, part, migrationsAtOnce))
    await inTransaction(db, undefined, async (tx) => {
      await leaveFiles(tx, key.workspaceId, await forgetFiles(tx, key), at)
      await deleteMigration(tx, key)
    })
}

/** Forgets files and rows of migrations that nobody worked with for their time; what they made stays. */
async function sweepMigrationFiles({ db }: SweepDeps, at: string, part: Part): Promise<void> {
  for (const key of await findOutdatedFiles(db, at, part, migrationsAtOnce))
    await inTransaction(db, undefined, async (tx) => {
      await leaveFiles(tx, key.workspaceId, await forgetFiles(tx, key), at)
    })
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

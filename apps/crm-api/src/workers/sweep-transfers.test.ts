import { newId, schema } from '@crm/db'
import { exportKey, migrationFileKey } from '@crm/storage'
import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { ownApi } from '../../test/harness.ts'
import { beginFile, beginMigration, keepRows, updateMigration } from '../across/transfers/moving.repository.ts'
import { readExportsBehind, sweepTransfers } from './sweep-transfers.ts'

const { db, clock, logger, newWorkspace } = await ownApi()
const { exports, importRows, imports, leavingContents, migrations, workspaces } = schema

type Workspace = Awaited<ReturnType<typeof newWorkspace>>

/** Plants an export that was asked for some days ago. */
async function plant(workspace: Workspace, days: number, state: 'RUNNING' | 'DONE' | 'FAILED'): Promise<string> {
  const id = newId()
  const createdAt = new Date(clock.now().getTime() - days * 86_400_000).toISOString()
  const { workspaceId, adminUserId: employeeId } = workspace
  await db.insert(exports).values({ workspaceId, id, employeeId, entityType: 'LEAD', state, createdAt })
  return id
}

const leftOf = async ({ workspaceId }: Workspace): Promise<readonly string[]> => {
  const rows = await db.select({ id: exports.id }).from(exports).where(eq(exports.workspaceId, workspaceId))
  return rows.map(({ id }) => id).toSorted()
}

it('deletes exports that were kept for their days, counts them, and lets their files leave', async () => {
  const [usual, hasty] = [await newWorkspace(), await newWorkspace()]
  await db
    .update(workspaces)
    .set({ retention: { exports: 2 } })
    .where(eq(workspaces.id, hasty.workspaceId))
  const done = await plant(usual, 8, 'DONE')
  await plant(usual, 8, 'FAILED')
  // One that waits for its turn, however long, and one that is young.
  const kept = [await plant(usual, 30, 'RUNNING'), await plant(usual, 6, 'DONE')]
  await plant(hasty, 3, 'DONE')
  const keptToo = await plant(hasty, 1, 'DONE')

  const deps = { db, clock, logger, exportsKeptDays: 7 }
  expect(Math.round((await readExportsBehind(deps)) / 86_400)).toBe(1)
  const counted: number[] = []
  await sweepTransfers({ ...deps, countExports: (rows) => counted.push(rows) })
  expect(counted.reduce((sum, rows) => sum + rows, 0)).toBe(3)
  expect([await leftOf(usual), await leftOf(hasty)]).toEqual([kept.toSorted(), [keptToo]])
  expect(await readExportsBehind(deps)).toBe(0)
  const leaving = await db
    .select({
      hours: sql<number>`extract(epoch FROM ${leavingContents.leavesAt} - ${clock.now().toISOString()}::timestamptz)::int / 3600`,
    })
    .from(leavingContents)
    .where(eq(leavingContents.key, exportKey({ workspaceId: usual.workspaceId, id: done })))
  expect(leaving).toEqual([{ hours: 48 }])

  // Kept for ever by the installation, and still for two days by the workspace.
  await plant(hasty, 3, 'DONE')
  await sweepTransfers({ db, clock, logger, exportsKeptDays: 0, countExports: (rows) => counted.push(rows) })
  expect([await leftOf(usual), await leftOf(hasty)]).toEqual([kept.toSorted(), [keptToo]])
})

it('forgets the files of migrations that nobody worked with, and migrations whose files never arrived', async () => {
  const workspace = await newWorkspace()
  const { workspaceId, adminUserId: employeeId } = workspace
  const begin = async (set: Partial<typeof migrations.$inferInsert>): Promise<string> => {
    const key = await beginMigration(db, { workspaceId, employeeId, createdAt: clock.now().toISOString() })
    const file = { employeeId, fileName: 'a.csv', position: 0, createdAt: clock.now().toISOString() }
    const id = await beginFile(db, key, file)
    await keepRows(db, { workspaceId, id }, [{ line: 2, cells: ['Ada'] }])
    await updateMigration(db, key, set)
    return id
  }
  const ago = (days: number): string => new Date(clock.now().getTime() - days * 86_400_000).toISOString()
  const outdated = await begin({ state: 'DONE', filesUntil: ago(1) })
  const recent = await begin({ state: 'DONE', filesUntil: ago(-1) })
  const dead = await begin({ createdAt: ago(1) })
  await sweepTransfers({ db, clock, logger, exportsKeptDays: 7, countExports: () => undefined })
  const rows = await db
    .select({ id: importRows.importId })
    .from(importRows)
    .where(eq(importRows.workspaceId, workspaceId))
  expect(rows).toEqual([{ id: recent }])
  const files = await db.select({ id: imports.id }).from(imports).where(eq(imports.workspaceId, workspaceId))
  expect(files.map(({ id }) => id).toSorted()).toEqual([outdated, recent].toSorted())
  const left = await db
    .select({ key: leavingContents.key })
    .from(leavingContents)
    .where(eq(leavingContents.workspaceId, workspaceId))
  const keys = [outdated, dead].map((id) => migrationFileKey({ workspaceId, id }))
  expect(left.map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
})

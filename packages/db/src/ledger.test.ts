import { createRandom } from '@crm/runtime'
import { createTestWorkspace, testDatabase } from '@crm/testkit'
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { createDatabase, createPool, type Database } from './client.ts'
import { counted } from './counted.ts'
import { newId } from './new-id.ts'
import { compactCounts, ledgerFingerprint, ledgerTotal } from './listing.ts'
import { leads, recordCounts, stages } from './schema/crm.ts'
import { systemScope } from './scope.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 12, applicationName: 'test' })
afterAll(() => pool.end())
const db = createDatabase(pool)

type Tx = Parameters<Parameters<Database['transaction']>[0]>[0]

interface Fixture {
  readonly workspaceId: string
  readonly pipelineId: string
  readonly stageIds: readonly string[]
  readonly ownerIds: readonly (string | null)[]
}

async function newFixture(): Promise<Fixture> {
  const { workspaceId, leadPipelineId: pipelineId, adminUserId, employee } = await createTestWorkspace(db)
  const { id } = await employee()
  const rows = await db
    .select({ id: stages.id })
    .from(stages)
    .where(eq(stages.pipelineId, pipelineId))
    .orderBy(stages.position)
  return { workspaceId, pipelineId, stageIds: rows.map((row) => row.id), ownerIds: [adminUserId, id, null] }
}

const statuses = ['NEW', 'IN_PROGRESS', 'QUALIFIED'] as const

/** Performs a random one of all writes of leads. */
function randomWrite(
  { workspaceId, pipelineId, stageIds, ownerIds }: Fixture,
  random: () => number,
): (tx: Tx | Database) => Promise<unknown> {
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const values = () => ({
    pipelineId,
    stageId: any(stageIds),
    ownerId: any(ownerIds),
    status: any(statuses),
    departmentId: random() < 0.3 ? workspaceId : null,
  })
  const row = () => ({ workspaceId, id: newId(), createdById: any(ownerIds), lastName: 'X', ...values() })
  const some = (n: number) => sql`${leads.workspaceId} = ${workspaceId} AND ${leads.id} IN (
    SELECT id FROM leads WHERE workspace_id = ${workspaceId} ORDER BY md5(id::text || ${String(random())}) LIMIT ${n} FOR UPDATE SKIP LOCKED)`
  const at = new Date().toISOString()
  const kind = random()
  // Two versions write side by side: the newer one counts itself, and the triggers count for the older one.
  const isOlder = random() < 0.5
  const perform = (tx: Tx | Database, write: { getSQL(): SQL }) =>
    tx.execute(isOlder ? write.getSQL() : counted(leads, write.getSQL()))
  if (kind < 0.4)
    return (tx) => perform(tx, tx.insert(leads).values(Array.from({ length: 1 + Math.floor(random() * 3) }, row)))
  if (kind < 0.6) return (tx) => perform(tx, tx.update(leads).set(values()).where(some(2)))
  if (kind < 0.7) return (tx) => perform(tx, tx.update(leads).set({ jobTitle: 'Changed' }).where(some(3)))
  if (kind < 0.8)
    return (tx) => perform(tx, tx.update(leads).set({ deletedAt: at, mergedIntoId: newId() }).where(some(2)))
  if (kind < 0.85) return (tx) => perform(tx, tx.update(leads).set({ deletedAt: null }).where(some(1)))
  if (kind < 0.9) return (tx) => perform(tx, tx.delete(leads).where(some(1)))
  return (tx) => compactCounts(tx, workspaceId, 'LEAD')
}

/** Reads both sides of the equation and the fingerprint from one snapshot. */
async function readState({
  workspaceId,
}: Fixture): Promise<{ ledger: number; counted: number; fingerprint: string; state: string }> {
  const existing = sql`workspace_id = ${workspaceId} AND deleted_at IS NULL`
  const { rows } = await db.execute<{ ledger: number; counted: number; fingerprint: string; state: string }>(sql`
    SELECT ${ledgerTotal({ scope: systemScope(workspaceId), entityType: 'LEAD', where: undefined })} AS ledger,
      (SELECT count(*)::int FROM leads WHERE ${existing}) AS counted, ${ledgerFingerprint(workspaceId, 'LEAD')} AS fingerprint,
      (SELECT md5(coalesce(string_agg(id::text || xmin::text, ',' ORDER BY id), '')) FROM leads WHERE workspace_id = ${workspaceId}) AS state`)
  return rows[0] as { ledger: number; counted: number; fingerprint: string; state: string }
}

async function readGroups({ workspaceId }: Fixture) {
  const holder = sql<string | null>`coalesce(${leads.ownerId}, ${leads.createdById})`
  const counted = await db
    .select({
      holder,
      department: leads.departmentId,
      stage: leads.stageId,
      status: sql<string | null>`${leads.status}`,
      n: sql<number>`count(*)::int`,
    })
    .from(leads)
    .where(and(eq(leads.workspaceId, workspaceId), isNull(leads.deletedAt)))
    .groupBy(holder, leads.departmentId, leads.stageId, leads.status)
  const { holderId, departmentId, stageId, status } = recordCounts
  const ledger = await db
    .select({ holder: holderId, department: departmentId, stage: stageId, status, n: sql<number>`sum(n)::int` })
    .from(recordCounts)
    .where(eq(recordCounts.workspaceId, workspaceId))
    .groupBy(holderId, departmentId, stageId, status)
    .having(sql`sum(n) <> 0`)
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  return { counted: sorted(counted), ledger: sorted(ledger) }
}

describe('the ledger of counts', () => {
  it.each([1, 2, 3])(
    'adds up to the records in every snapshot while six connections write and fold (seed %i)',
    async (seed) => {
      const fixture = await newFixture()
      const { next: random } = createRandom(seed)
      const writer = async () => {
        for (let n = 0; n < 40; n += 1) {
          const writes = Array.from({ length: 1 + Math.floor(random() * 2) }, () => randomWrite(fixture, random))
          await db
            .transaction(async (tx) => {
              for (const write of writes) await write(tx)
              if (random() < 0.1) tx.rollback()
            })
            .catch(ignoreRollback)
        }
      }
      const writers = { areBusy: true }
      const stateOf = new Map<string, string>()
      const reader = async () => {
        while (writers.areBusy) {
          const { ledger, counted, fingerprint, state } = await readState(fixture)
          expect(ledger).toBe(counted)
          expect(stateOf.get(fingerprint) ?? state).toBe(state)
          stateOf.set(fingerprint, state)
        }
      }
      const readers = [reader(), reader()]
      await Promise.all(Array.from({ length: 6 }, writer)).finally(() => (writers.areBusy = false))
      await Promise.all(readers)
      expect(stateOf.size).toBeGreaterThan(10)
      const before = await readGroups(fixture)
      expect(before.ledger).toEqual(before.counted)
      await compactCounts(db, fixture.workspaceId, 'LEAD')
      expect(await readGroups(fixture)).toEqual(before)
    },
  )

  it('is never alike for two states when a fold and slow writers overtake each other', async () => {
    const fixture = await newFixture()
    const [stageId = ''] = fixture.stageIds
    const add = (tx: Tx | Database) =>
      tx.insert(leads).values({
        workspaceId: fixture.workspaceId,
        id: newId(),
        lastName: 'X',
        status: 'NEW',
        pipelineId: fixture.pipelineId,
        stageId,
      })
    for (let n = 0; n < 3; n += 1) await add(db)
    const slow = await begin(add)
    const fold = await begin((tx) => compactCounts(tx, fixture.workspaceId, 'LEAD'))
    await add(db)
    const first = await readState(fixture)
    await fold.commit()
    await slow.commit()
    const second = await readState(fixture)
    expect([first.counted, second.counted]).toEqual([4, 5])
    expect(second.fingerprint).not.toBe(first.fingerprint)
  })
})

/** Works in a transaction that stays open until the test commits it. */
async function begin(work: (tx: Tx) => Promise<unknown>): Promise<{ commit(): Promise<void> }> {
  const done = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const running = db.transaction(async (tx) => {
    await work(tx)
    done.resolve()
    await end.promise
  })
  await Promise.race([done.promise, running])
  return { commit: async () => (end.resolve(), running) }
}

function ignoreRollback(error: unknown): void {
  if (!(error instanceof Error && error.message === 'Rollback')) throw error
}

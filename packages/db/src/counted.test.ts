import { createRandom } from '@crm/runtime'
import { createTestWorkspace, miscounted, seed, stepsOf, testDatabase, timeoutOf } from '@crm/testkit'
import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, createPool } from './client.ts'
import { counted, returned } from './counted.ts'
import { compactCounts } from './listing.ts'
import { newId } from './new-id.ts'
import { insertRow, rowReader, rowsOf, updateRow } from './rows.ts'
import { customRecords, leads, stages, units } from './schema/index.ts'
import { clientOf, inTransaction, type Transaction } from './transaction.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 3, applicationName: 'test' })
afterAll(() => pool.end())
const db = createDatabase(pool)
const { workspaceId, leadPipelineId: pipelineId, adminUserId, employee } = await createTestWorkspace(db)
const ownerIds = [adminUserId, (await employee()).id, null]
const stageIds = (await db.select({ id: stages.id }).from(stages).where(eq(stages.pipelineId, pipelineId))).map(
  ({ id }) => id,
)
const { searchText: _, ...columns } = getTableColumns(leads)
const rows = rowReader(columns)

const lead = (values: object) =>
  ({
    workspaceId,
    id: newId(),
    lastName: 'X',
    status: 'NEW' as const,
    pipelineId,
    stageId: stageIds[0] ?? '',
    ...values,
  }) as const

const ledgerRows = async (): Promise<number> =>
  (await pool.query('SELECT FROM record_counts WHERE workspace_id = $1', [workspaceId])).rowCount ?? 0

describe('a statement that counts what it writes', () => {
  beforeAll(async () => {
    // Nothing else counts here.
    for (const table of ['leads', 'custom_records']) await pool.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  })

  it(
    'keeps the totals exact through random writes, folds and connections that end in the middle',
    async () => {
      const { next: random } = createRandom(seed)
      const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
      const ids: string[] = []
      const values = () => ({
        stageId: any(stageIds),
        ownerId: any(ownerIds),
        createdById: any(ownerIds),
        status: any(['NEW', 'IN_PROGRESS', 'QUALIFIED'] as const),
        departmentId: random() < 0.3 ? workspaceId : null,
      })
      const some = (): SQL =>
        and(
          eq(leads.workspaceId, workspaceId),
          sql`${leads.id} = ANY (${sql.param([any(ids), any(ids), newId()])}::uuid[])`,
        ) as SQL
      const deletedAt = () => (random() < 0.6 ? '2026-01-01T00:00:00Z' : null)
      const writes: readonly ((tx: Transaction) => Promise<unknown>)[] = [
        async (tx) => ids.push((await insertRow(tx, leads, lead(values()), rows)).id),
        (tx) => updateRow(tx, leads, { workspaceId, id: any(ids) }, values(), rows),
        (tx) => updateRow(tx, leads, { workspaceId, id: any(ids) }, { jobTitle: 'Changed' }, rows),
        (tx) => tx.execute(counted(leads, tx.update(leads).set({ deletedAt: deletedAt() }).where(some()).getSQL())),
        (tx) =>
          tx.execute(counted(leads, tx.update(leads).set(values()).where(some()).getSQL(), rowsOf(rows, workspaceId))),
        (tx) => tx.execute(counted(leads, tx.delete(leads).where(some()).getSQL())),
        (tx) => {
          const more = Array.from({ length: 2 }, () => lead({ ...values(), deletedAt: deletedAt() }))
          ids.push(...more.map(({ id }) => id))
          return tx.execute(counted(leads, tx.insert(leads).values(more).getSQL()))
        },
      ]
      await inTransaction(db, undefined, (tx) => writes[0]!(tx))
      for (let n = 0; n < stepsOf(10_000); n += 1) {
        const ends = random() < 0.02
        const work = inTransaction(db, undefined, async (tx) => {
          await any(writes)(tx)
          if (random() < 0.3) await any(writes)(tx)
          if (ends) await clientOf(tx).query('SELECT pg_terminate_backend(pg_backend_pid())')
        })
        if (ends) await expect(work).rejects.toThrow(/rollback|terminat/i)
        else await work
        if (random() < 0.02) await compactCounts(db, workspaceId, 'LEAD')
      }
      expect(await miscounted(pool)).toEqual([])
      const { rows: found } = await pool.query('SELECT count(*)::int AS n FROM leads WHERE deleted_at IS NULL')
      expect(found[0]).not.toEqual({ n: 0 })
    },
    timeoutOf(stepsOf(10_000), 100),
  )

  it('adds a row for a change that moves no count, so that remembered totals end', async () => {
    const { id } = await insertRow(db, leads, lead({}), rows)
    const before = await ledgerRows()
    await updateRow(db, leads, { workspaceId, id }, { jobTitle: 'Changed' }, rows)
    expect(await ledgerRows()).toBe(before + 1)
  })

  it('returns what the write returns, and leaves a table alone that is not counted', async () => {
    const { id } = await insertRow(db, leads, lead({}), rows)
    const change = sql`UPDATE leads SET job_title = 'Changed' WHERE workspace_id = ${workspaceId} AND id = ${id}`
    const answer = returned({ id: leads.id, before: sql`old.job_title`, after: sql`new.job_title` })
    expect((await db.execute(counted(leads, change, answer))).rows).toEqual([{ id, before: null, after: 'Changed' }])
    const other = sql`UPDATE units SET name = name || '.' WHERE workspace_id = ${workspaceId}`
    expect(counted(units, other)).toBe(other)
    const { rows: changed } = await db.execute(counted(units, other, returned({ id: units.id })))
    expect(changed.length).toBeGreaterThan(0)
  })

  it('counts records of a type of its own under the name of the type', async () => {
    const { rows: types } = await pool.query<{ id: string; key: string }>(
      `INSERT INTO custom_entities (workspace_id, id, key, labels) VALUES ($1, $2, 'car', '{}') RETURNING id, key`,
      [workspaceId, newId()],
    )
    const car = { workspaceId, id: newId(), entityKey: types[0]?.key ?? '', title: 'One', ownerId: adminUserId }
    await db.execute(counted(customRecords, db.insert(customRecords).values(car).getSQL()))
    expect(await miscounted(pool)).toEqual([])
    await db.execute(counted('custom_records', sql`DELETE FROM custom_records WHERE workspace_id = ${workspaceId}`))
    expect(await miscounted(pool)).toEqual([])
  })
})

describe('the triggers of the ledger', () => {
  beforeAll(() => pool.query('ALTER TABLE leads ENABLE TRIGGER USER'))

  it('count the statements of the version before, and leave those alone that count themselves', async () => {
    const before = await ledgerRows()
    await db.insert(leads).values(lead({}))
    await insertRow(db, leads, lead({}), rows)
    expect(await ledgerRows()).toBe(before + 2)
    expect(await miscounted(pool)).toEqual([])
  })

  it('refuse in tests what a deployable forgets to count', async () => {
    const deployable = createPool({ databaseUrl: database.urlFor('crm_api'), max: 1, applicationName: 'test' })
    try {
      await expect(
        deployable.query("UPDATE leads SET job_title = 'Forgotten' WHERE workspace_id = $1", [workspaceId]),
      ).rejects.toThrow('forgets the ledger')
    } finally {
      await deployable.end()
    }
  })
})

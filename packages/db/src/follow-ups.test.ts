import { createRandom } from '@crm/runtime'
import { createTestWorkspace, lockWaiters, miscounted, seed, stepsOf, testDatabase, timeoutOf } from '@crm/testkit'
import { eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, describe, expect, it } from 'vitest'
import { createDatabase, createPool, type Database } from './client.ts'
import { counted, writeRows } from './counted.ts'
import { compactCounts } from './listing.ts'
import { migrateTo } from './migrate.ts'
import { readMigrations } from './migrations.ts'
import { newId } from './new-id.ts'
import { rowReader, updateRow } from './rows.ts'
import { activities, companies, contacts, deals, leads, recordLinks, stages, tasks } from './schema/index.ts'
import { clientOf, inTransaction, type Transaction } from './transaction.ts'
import { isContention } from './unavailable.ts'
import { withClient } from './with-client.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 8, applicationName: 'test' })
afterAll(() => pool.end())
const db = createDatabase(pool)

const kinds = { LEAD: leads, CONTACT: contacts, COMPANY: companies, DEAL: deals } as const
type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]
const readers = { tasks: rowReader(getTableColumns(tasks)), contacts: rowReader(getTableColumns(contacts)) }

/** A workspace with some records of each kind, and all writes of it that lead to follow-ups. */
async function newWorld(on: Database, nextRandom: () => number) {
  const { workspaceId, adminUserId, leadPipelineId } = await createTestWorkspace(on)
  const any = <T>(list: readonly T[]): T => list[Math.floor(nextRandom() * list.length)] as T
  const records: Record<Kind, string[]> = { LEAD: [], CONTACT: [], COMPANY: [], DEAL: [] }
  const origins: Record<'TASK' | 'ACTIVITY', string[]> = { TASK: [], ACTIVITY: [] }
  const stageOf = async (pipelineId: string) =>
    (await on.select({ id: stages.id }).from(stages).where(eq(stages.pipelineId, pipelineId)))[0]?.id ?? ''
  const { rows: pipelines } = await on.execute<{ id: string }>(
    sql`SELECT id FROM pipelines WHERE workspace_id = ${workspaceId} AND entity_type = 'DEAL' LIMIT 1`,
  )
  const dealPipelineId = pipelines[0]?.id ?? ''
  const ofLeads = { pipelineId: leadPipelineId, stageId: await stageOf(leadPipelineId) }
  const ofDeals = { pipelineId: dealPipelineId, stageId: await stageOf(dealPipelineId) }
  const own = () => ({ workspaceId, id: newId(), ownerId: adminUserId })
  const keep = <T extends { readonly id: string }>(list: string[], row: T): T => (list.push(row.id), row)
  const insert = (tx: Database | Transaction, table: PgTable, row: object) =>
    writeRows(
      tx,
      table,
      tx
        .insert(table)
        .values(row as never)
        .getSQL(),
    )
  for (let n = 0; n < 4; n += 1) {
    await insert(on, companies, keep(records.COMPANY, { ...own(), name: 'X' }))
    await insert(on, contacts, { ...keep(records.CONTACT, own()), lastName: 'X', companyId: any(records.COMPANY) })
    await insert(on, deals, {
      ...keep(records.DEAL, own()),
      ...ofDeals,
      name: 'X',
      currency: 'EUR',
      status: 'OPEN',
      companyId: any(records.COMPANY),
    })
    await insert(on, leads, { ...keep(records.LEAD, own()), ...ofLeads, lastName: 'X', status: 'NEW' })
  }

  const moment = () =>
    nextRandom() < 0.2 ? null : new Date(Date.UTC(2026, 0, 1, Math.floor(nextRandom() * 500))).toISOString()
  const gone = () => (nextRandom() < 0.3 ? moment() : null)
  const status = () => any(['TODO', 'IN_PROGRESS', 'DONE', 'CANCELLED'] as const)
  const origin = () => {
    const fromType = any(['TASK', 'ACTIVITY'] as const)
    return { fromType, fromId: any(origins[fromType]) }
  }
  const target = () => {
    const entityType = any(kindNames)
    return { entityType, entityId: any(records[entityType]) }
  }
  const isTarget = ({ entityType, entityId }: ReturnType<typeof target>): SQL =>
    sql`workspace_id = ${workspaceId} AND entity_type = ${entityType} AND entity_id = ${entityId}`
  const change = (table: typeof tasks | typeof activities | typeof contacts | typeof deals, id: string, set: SQL) =>
    [table, sql`UPDATE ${table} SET ${set} WHERE workspace_id = ${workspaceId} AND id = ${id}`] as const
  const part = () =>
    any([
      [contacts, 'CONTACT'],
      [deals, 'DEAL'],
    ] as const)

  const addOrigin = {
    TASK: (tx: Transaction) =>
      insert(tx, tasks, {
        ...keep(origins.TASK, own()),
        title: 'X',
        number: origins.TASK.length,
        status: status(),
        dueAt: moment(),
      }),
    ACTIVITY: (tx: Transaction) =>
      insert(tx, activities, {
        ...keep(origins.ACTIVITY, own()),
        type: 'CALL',
        status: 'DONE',
        happenedAt: moment(),
      }),
  }
  await inTransaction(on, undefined, async (tx) => {
    for (let n = 0; n < 6; n += 1) for (const add of Object.values(addOrigin)) await add(tx)
  })

  /** Each a statement of one table. */
  const writes: readonly (() => readonly [PgTable, SQL])[] = [
    () => {
      const links = Array.from({ length: 3 }, () => ({ workspaceId, ...origin(), ...target() }))
      return [recordLinks, db.insert(recordLinks).values(links).onConflictDoNothing().getSQL()] as const
    },
    () => {
      const { fromType, fromId } = origin()
      const where = sql`workspace_id = ${workspaceId} AND from_type = ${fromType} AND from_id = ${fromId}`
      return [recordLinks, sql`DELETE FROM record_links WHERE ${where}`] as const
    },
    () => [recordLinks, sql`DELETE FROM record_links WHERE ${isTarget(target())}`] as const,
    () => change(tasks, any(origins.TASK), sql`status = ${status()}, due_at = ${moment()}`),
    () => change(tasks, any(origins.TASK), sql`deleted_at = ${gone()}`),
    () => change(tasks, any(origins.TASK), sql`title = title || '.'`),
    () => change(activities, any(origins.ACTIVITY), sql`happened_at = ${moment()}`),
    () => change(activities, any(origins.ACTIVITY), sql`deleted_at = ${gone()}`),
    () => {
      const [table, kind] = part()
      return change(table, any(records[kind]), sql`company_id = ${any([null, ...records.COMPANY])}`)
    },
    () => {
      const [table, kind] = part()
      return change(table, any(records[kind]), sql`deleted_at = ${gone()}`)
    },
  ]
  /** Those of rows, and those of several statements. */
  const others: readonly ((tx: Transaction) => Promise<unknown>)[] = [
    (tx) => updateRow(tx, tasks, { workspaceId, id: any(origins.TASK) }, { status: status() }, readers.tasks),
    (tx) => updateRow(tx, tasks, { workspaceId, id: any(origins.TASK) }, { title: 'Y' }, readers.tasks),
    (tx) =>
      updateRow(
        tx,
        contacts,
        { workspaceId, id: any(records.CONTACT) },
        { companyId: any(records.COMPANY), deletedAt: gone() },
        readers.contacts,
      ),
    (tx) => addOrigin[any(['TASK', 'ACTIVITY'] as const)](tx),
  ]
  return {
    workspaceId,
    /** Performs a random write as this version does. */
    write: (tx: Transaction) => (nextRandom() < 0.7 ? writeRows(tx, ...any(writes)()) : any(others)(tx)),
    /** Performs one as the version before did: only triggers count. */
    writeAsBefore: (tx: Transaction) => tx.execute(any(writes)()[1]),
    /** Returns the records whose facts are not what a count of all tasks and activities gives. */
    wrong: async () => {
      const inIt = sql`workspace_id = ${workspaceId}`
      const rows = async <Row>(table: string, columns: string) =>
        (await on.execute(sql`SELECT ${sql.raw(columns)} FROM ${sql.identifier(table)} WHERE ${inIt}`)).rows as Row[]
      const links = await rows<{ from: string; to: string }>(
        'record_links',
        `from_id AS "from", entity_type || entity_id AS "to"`,
      )
      const due = new Map(
        (
          await rows<{ id: string; due: string | null }>(
            'tasks',
            `CASE WHEN deleted_at IS NULL AND status NOT IN ('DONE', 'CANCELLED') THEN id END AS id, due_at::text AS due`,
          )
        ).map(({ id, due: at }) => [id, at]),
      )
      const happened = new Map(
        (
          await rows<{ id: string; at: string | null }>(
            'activities',
            `id, CASE WHEN deleted_at IS NULL THEN happened_at::text END AS at`,
          )
        ).map(({ id, at }) => [id, at]),
      )
      const facts = async (kind: Kind, table: string, company: string) =>
        (
          await rows<{ id: string; company: string | null; stored: unknown }>(
            table,
            `id, ${company} AS company, jsonb_build_array(open_task_count, next_task_at::text, last_activity_at::text) AS stored`,
          )
        ).map((row) => ({ ...row, kind }))
      const all = [
        ...(await facts('LEAD', 'leads', 'NULL')),
        ...(await facts('CONTACT', 'contacts', 'CASE WHEN deleted_at IS NULL THEN company_id END')),
        ...(await facts('DEAL', 'deals', 'CASE WHEN deleted_at IS NULL THEN company_id END')),
        ...(await facts('COMPANY', 'companies', 'NULL')),
      ]
      const from = (kind: Kind, id: string) => links.filter(({ to }) => to === kind + id).map((link) => link.from)
      const lastOf = (kind: Kind, id: string) => from(kind, id).flatMap((one) => happened.get(one) ?? [])
      const wrong = all.filter(({ kind, id, stored }) => {
        const open = from(kind, id).filter((one) => due.has(one))
        const parts = kind === 'COMPANY' ? all.filter(({ company }) => company === id) : []
        const last = [...lastOf(kind, id), ...parts.flatMap((each) => lastOf(each.kind, each.id))].toSorted().at(-1)
        const next = open.flatMap((one) => due.get(one) ?? []).toSorted()[0]
        return JSON.stringify(stored) !== JSON.stringify([open.length, next ?? null, last ?? null])
      })
      const isTold = all.some(({ stored }) => (stored as unknown[])[0] !== 0)
      return { wrong, isTold }
    },
  }
}

const right = { wrong: [], isTold: true }

describe('writes that lead to follow-ups', () => {
  it(
    'leave every record as a count of all gives it, and the ledger, through folds and connections that end in the middle',
    async () => {
      const { next: random } = createRandom(seed)
      const world = await newWorld(db, random)
      // Nothing else counts here.
      const tables = ['record_links', 'tasks', 'activities', 'leads', 'contacts', 'companies', 'deals']
      const triggers = (what: string) =>
        Promise.all(tables.map((table) => pool.query(`ALTER TABLE ${table} ${what} TRIGGER USER`)))
      await triggers('DISABLE')
      for (let n = 0; n < stepsOf(10_000); n += 1) {
        const ends = random() < 0.02
        const work = inTransaction(db, undefined, async (tx) => {
          await world.write(tx)
          if (random() < 0.3) await world.write(tx)
          if (ends) await clientOf(tx).query('SELECT pg_terminate_backend(pg_backend_pid())')
        })
        if (ends) await expect(work).rejects.toThrow(/rollback|terminat/i)
        else await work
        if (random() < 0.01) await compactCounts(db, world.workspaceId, 'COMPANY')
      }
      await triggers('ENABLE')
      expect(await world.wrong()).toEqual(right)
      expect(await miscounted(pool)).toEqual([])
    },
    timeoutOf(stepsOf(10_000), 100),
  )

  it('of six connections at once leave every record right', { timeout: 60_000 }, async () => {
    const { next: random } = createRandom(seed)
    const world = await newWorld(db, random)
    const writer = async () => {
      for (let n = 0; n < 60; n += 1) await untilDone(() => inTransaction(db, undefined, world.write))
    }
    await Promise.all(Array.from({ length: 6 }, writer))
    expect(await world.wrong()).toEqual(right)
    expect(await miscounted(pool)).toEqual([])
  })

  it('see what others committed while they waited for the record', async () => {
    const world = await newWorld(db, createRandom(seed).next)
    const { workspaceId } = world
    const [company] = await db.select().from(companies).where(eq(companies.workspaceId, workspaceId)).limit(1)
    const own = { workspaceId, ownerId: company?.ownerId ?? null }
    const link = (tx: Transaction, fromId: string) =>
      writeRows(
        tx,
        recordLinks,
        tx
          .insert(recordLinks)
          .values({ workspaceId, fromType: 'TASK', fromId, entityType: 'COMPANY', entityId: company?.id ?? '' })
          .getSQL(),
      )
    const ids = [newId(), newId()] as const
    for (const [at, id] of ids.entries())
      await db.execute(
        counted(
          tasks,
          db
            .insert(tasks)
            .values({ ...own, id, title: 'X', number: 1_000 + at, status: 'TODO' })
            .getSQL(),
        ),
      )
    const linked = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const first = inTransaction(db, undefined, async (tx) => {
      await link(tx, ids[0])
      linked.resolve()
      await end.promise
    })
    await linked.promise
    const second = inTransaction(db, undefined, (tx) => link(tx, ids[1]))
    await expect.poll(() => lockWaiters(db), { timeout: 30_000 }).toHaveLength(1)
    end.resolve()
    await Promise.all([first, second])
    const [after] = await db
      .select()
      .from(companies)
      .where(eq(companies.id, company?.id ?? ''))
    expect(after?.openTaskCount).toBe(2)
  })

  it('refuse to be the whole transaction, in which a crash would come between', async () => {
    const world = await newWorld(db, createRandom(seed).next)
    const [contact] = await db.select().from(contacts).where(eq(contacts.workspaceId, world.workspaceId)).limit(1)
    const [task] = await db.select().from(tasks).where(eq(tasks.workspaceId, world.workspaceId)).limit(1)
    const link = {
      workspaceId: world.workspaceId,
      fromType: 'TASK',
      fromId: task?.id ?? '',
      entityType: 'CONTACT',
      entityId: contact?.id ?? '',
    } as const
    await expect(writeRows(db, recordLinks, db.insert(recordLinks).values(link).getSQL())).rejects.toThrow(
      'transaction of the write',
    )
  })

  it.each([
    ['links', 'DELETE FROM record_links WHERE workspace_id = $1'],
    ['tasks', `UPDATE tasks SET due_at = '2026-01-01T00:00:00Z' WHERE workspace_id = $1 /* record_counts */`],
    [
      'activities',
      `UPDATE activities SET happened_at = '2025-01-01T00:00:00Z' WHERE workspace_id = $1 /* record_counts */`,
    ],
  ])('are found by tests when a deployable forgets what %s lead to', async (_, text) => {
    const world = await newWorld(db, createRandom(seed).next)
    await pool.query(
      `INSERT INTO record_links SELECT t.workspace_id, 'TASK', t.id, 'LEAD', l.id FROM tasks t JOIN leads l USING (workspace_id)
       WHERE workspace_id = $1`,
      [world.workspaceId],
    )
    const deployable = createPool({ databaseUrl: database.urlFor('crm_api'), max: 1, applicationName: 'test' })
    try {
      await expect(deployable.query(text, [world.workspaceId])).rejects.toThrow('forgets to count follow-ups')
    } finally {
      await deployable.end()
    }
  })
})

describe('the triggers of the version before', () => {
  it('count its statements beside those of this version, which they leave alone', { timeout: 60_000 }, async () => {
    const name = `before_${newId().slice(-12)}`
    await pool.query(`CREATE DATABASE ${name}`)
    const url = new URL(database.ownerUrl)
    url.pathname = `/${name}`
    const added = (await readMigrations()).find(({ tag }) => tag.endsWith('count-follow-ups'))
    await withClient(url.href, 'test', (client) => migrateTo(client, added?.when ?? 0))
    const before = createPool({ databaseUrl: url.href, max: 8, applicationName: 'test' })
    try {
      const { next: random } = createRandom(seed)
      const world = await newWorld(createDatabase(before), random)
      const writer = async () => {
        for (let n = 0; n < 60; n += 1)
          await untilDone(() =>
            inTransaction(createDatabase(before), undefined, random() < 0.5 ? world.write : world.writeAsBefore),
          )
      }
      await Promise.all(Array.from({ length: 4 }, writer))
      expect(await world.wrong()).toEqual(right)
      expect(await miscounted(before)).toEqual([])
    } finally {
      await before.end()
      await pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
    }
  })
})

/** Links that come while a transaction waits can let two wait in a circle, of which PostgreSQL ends one. */
async function untilDone(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (!isContention(error)) throw error
    return untilDone(work)
  }
}

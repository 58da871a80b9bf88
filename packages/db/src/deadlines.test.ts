import { freezableDatabase } from '@crm/testkit'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createDatabase, createPool, usualDeadlines, type Deadlines, type Pool } from './client.ts'
import { inTransaction } from './transaction.ts'
import { DatabaseUnavailable, isUnavailable, sqlState } from './unavailable.ts'

const database = await freezableDatabase()
const short: Deadlines = { connectionMs: 1_000, statementMs: 800, lockMs: 300 }
const pool = createPool({
  databaseUrl: database.urlFor('crm_api'),
  max: 2,
  applicationName: 'test-short',
  deadlines: short,
})
const db = createDatabase(pool)
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
await owner.query(
  "CREATE TABLE notes (id int PRIMARY KEY, text text NOT NULL); INSERT INTO notes VALUES (1, ''); GRANT ALL ON notes TO crm_api",
)
afterEach(() => database.thaw())
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()])
})

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  )

describe('the server', () => {
  it('knows the usual deadlines of a deployable by its role, so that nothing has to be sent with a connection', async () => {
    const usual = createPool({
      databaseUrl: database.urlFor('crm_api'),
      max: 1,
      applicationName: 'test-usual',
      deadlines: usualDeadlines,
    })
    const told = async (name: string): Promise<unknown> =>
      (await usual.query(`SELECT setting::int AS ms FROM pg_settings WHERE name = '${name}'`)).rows
    expect(await told('statement_timeout')).toEqual([{ ms: usualDeadlines.statementMs }])
    expect(await told('lock_timeout')).toEqual([{ ms: usualDeadlines.lockMs }])
    await usual.end()
  })

  it('is told of other deadlines by each transaction, and by each statement that stands alone', async () => {
    const told = "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock"
    const expected = [{ statement: '800ms', lock: '300ms' }]
    expect((await pool.query(told)).rows).toEqual(expected)
    expect((await inTransaction(db, undefined, (tx) => tx.execute(sql.raw(told)))).rows).toEqual(expected)
  })

  it('ends a statement that takes too long, and the pool goes on', async () => {
    const late = await failureOf(pool.query('SELECT pg_sleep(5)'))
    expect([sqlState(late), isUnavailable(late)]).toEqual(['57014', true])
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('ends the wait for a lock', async () => {
    const holder = await owner.connect()
    await holder.query('begin')
    await holder.query('SELECT FROM notes FOR UPDATE')
    const late = await failureOf(inTransaction(db, undefined, (tx) => tx.execute(sql`UPDATE notes SET text = 'late'`)))
    expect([sqlState(late), isUnavailable(late)]).toEqual(['55P03', true])
    await holder.query('rollback')
    holder.release()
  })
})

it('the wait for a connection ends when others hold all of them', async () => {
  const held = await Promise.all([pool.connect(), pool.connect()])
  expect(await failureOf(pool.query('SELECT 1'))).toBeInstanceOf(DatabaseUnavailable)
  for (const client of held) client.release()
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

describe('a server that is frozen', () => {
  it('is given up, alone, within a transaction and at its end, and its connections are not used again', async () => {
    const pids = async () =>
      (
        await owner.query<{ pid: number }>(
          "SELECT pid FROM pg_stat_activity WHERE application_name = 'test-short' ORDER BY pid",
        )
      ).rows.map(({ pid }) => pid)
    const warm = await Promise.all([pool.connect(), pool.connect()])
    for (const client of warm) client.release()
    const before = await pids()
    expect(before).toHaveLength(2)
    database.freeze()
    const alone = failureOf(pool.query('SELECT 1'))
    const within = failureOf(inTransaction(db, undefined, (tx) => tx.execute(sql`SELECT 1`)))
    const waiting = failureOf(pool.query('SELECT 1'))
    for (const error of await Promise.all([alone, within, waiting]))
      expect([isUnavailable(error), error]).toEqual([true, expect.any(Error)])
    expect(pool.totalCount).toBe(0)
    database.thaw()
    await expect.poll(() => failureOf(pool.query('SELECT 1'))).toBe('no failure')
    expect((await pids()).filter((pid) => before.includes(pid))).toEqual([])
  })

  it('keeps nothing of a transaction that it froze in', async () => {
    const frozen = inTransaction(db, undefined, async (tx) => {
      await tx.execute(sql`UPDATE notes SET text = 'half'`)
      database.freeze()
      await tx.execute(sql`SELECT 1`)
    })
    expect(isUnavailable(await failureOf(frozen))).toBe(true)
    database.thaw()
    expect((await owner.query('SELECT text FROM notes')).rows).toEqual([{ text: '' }])
  })
})

it('a connection that the server cuts says so by a code of PostgreSQL, or that it is lost', async () => {
  const cut = failureOf(
    inTransaction(db, undefined, async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
      await owner.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
      await tx.execute(sql`SELECT 1`)
    }),
  )
  expect(isUnavailable(await cut)).toBe(true)
})

it('nothing answers at an address that is no database', async () => {
  const nowhere = createPool({
    databaseUrl: 'postgres://nobody@127.0.0.1:9/none',
    applicationName: 'test-nowhere',
    deadlines: short,
  })
  expect(await failureOf(nowhere.query('SELECT 1'))).toBeInstanceOf(DatabaseUnavailable)
  await nowhere.end()
})

it.each([new Error('no'), 'a text', Object.assign(new Error('taken'), { code: '23505' })])(
  '%s is no sign that the database is not available',
  (error) => {
    expect(isUnavailable(error)).toBe(false)
  },
)

const prepared = 'SELECT count(*)::int AS n FROM pg_prepared_statements WHERE name <> $1'

it('plans each statement anew where a pooler carries no names', async () => {
  for (const [prepares, n] of [
    [true, 1],
    [false, 0],
  ] as const) {
    const one = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test-names', prepares })
    // A name is given to what is sent once more.
    expect((await one.query(prepared, ['none'])).rows).toEqual([{ n: 0 }])
    expect((await one.query(prepared, ['none'])).rows).toEqual([{ n }])
    await one.end()
  }
})

it('keeps the plans of no more than 1,000 statements on a connection, whatever another pool sends', async () => {
  const options = { databaseUrl: database.ownerUrl, max: 1, applicationName: 'test-names' }
  const [many, other] = [createPool(options), createPool(options)]
  const plans = async (pool: Pool) => (await pool.query(prepared, ['none'])).rows
  const send = async (texts: number, times: number) => {
    for (let n = 0; n < texts; n += 1)
      for (let time = 0; time < times; time += 1) await many.query(`SELECT $1::int + ${n} + 0 * ${times}`, [n])
  }
  await send(1_001, 1)
  expect(await plans(many)).toEqual([{ n: 0 }])
  await send(1_001, 2)
  expect(await plans(many)).toEqual([{ n: 1_000 }])
  for (const n of [0, 1]) expect(await plans(other)).toEqual([{ n }])
  await Promise.all([many.end(), other.end()])
})

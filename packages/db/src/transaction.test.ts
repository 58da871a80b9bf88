import { testDatabase } from '@crm/testkit'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, createPool } from './client.ts'
import { given, run, statement } from './statement.ts'
import { afterCommit, alongside, inTransaction, sqlState } from './transaction.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test' })
const db = createDatabase(pool)

beforeAll(async () => {
  await pool.query('CREATE TABLE notes (id int PRIMARY KEY, text text, at timestamptz)')
})
afterAll(() => pool.end())

const write = statement(sql`INSERT INTO notes (id, text) VALUES (${given('id')}::int, ${given('text')})`)
const ids = async (): Promise<number[]> => (await pool.query<{ id: number }>('SELECT id FROM notes ORDER BY id')).rows.map(({ id }) => id)

describe('what comes after the commit', () => {
  it('happens when the write is there for everybody, and the caller waits for it', async () => {
    let seen: number[] = []
    await inTransaction(db, undefined, (tx) =>
      inTransaction(db, tx, async (inner) => {
        await run(inner, write, { id: 50, text: 'seen' })
        afterCommit(inner, async () => void (seen = await ids()))
      }),
    )
    expect(seen).toContain(50)
  })

  it('does not happen when the transaction fails', async () => {
    let happened = false
    const failing = inTransaction(db, undefined, async (tx) => {
      afterCommit(tx, async () => void (happened = true))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(happened).toBe(false)
  })
})

describe('a write alongside', () => {
  it('is committed with the transaction that did not wait for it', async () => {
    await inTransaction(db, undefined, (tx) => alongside(tx, run(tx, write, { id: 1, text: 'one' })))
    expect(await ids()).toContain(1)
  })

  it('undoes the transaction when it fails, and its own failure is told', async () => {
    const failing = inTransaction(db, undefined, async (tx) => {
      await run(tx, write, { id: 2, text: 'two' })
      await alongside(tx, run(tx, write, { id: 2, text: 'again' }))
      return 'done'
    })
    await expect(failing.catch(sqlState)).resolves.toBe('23505')
    expect(await ids()).not.toContain(2)
  })

  it('is the failure that is told, when a later statement meets the failed transaction', async () => {
    const failing = inTransaction(db, undefined, async (tx) => {
      await alongside(tx, run(tx, write, { id: 3, text: 'three' }))
      await alongside(tx, run(tx, write, { id: 3, text: 'again' }))
      await run(tx, write, { id: 4, text: 'four' })
    })
    await expect(failing.catch(sqlState)).resolves.toBe('23505')
    expect(await ids()).not.toEqual(expect.arrayContaining([3, 4]))
  })

  it('leaves the failure of the statement before it to be told', async () => {
    const failing = inTransaction(db, undefined, async (tx) => {
      const wrong = tx.execute(sql`SELECT 1 / 0`)
      await Promise.all([wrong, alongside(tx, run(tx, write, { id: 5, text: 'five' }))])
    })
    await expect(failing.catch(sqlState)).resolves.toBe('22012')
  })

  it('is waited for outside a transaction', async () => {
    await expect(alongside(db, run(db, write, { id: 1, text: 'again' })).catch(sqlState)).resolves.toBe('23505')
  })
})

describe('a connection', () => {
  it('is as good as new after a transaction without a statement, and after one that was given up', async () => {
    await db.transaction(async () => undefined)
    await expect(db.transaction(async () => Promise.reject(new Error('given up')))).rejects.toThrow('given up')
    await pool.query('INSERT INTO notes (id) VALUES (6)')
    expect(await ids()).toContain(6)
    const { rows } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'test' AND state LIKE 'idle in transaction%'`)
    expect(rows).toEqual([{ n: 0 }])
  })

  it('reads rows in the same shape when the description is not sent again', async () => {
    const read = statement(sql`SELECT id, text, at, NULL::int AS nothing FROM notes WHERE id = ${given('id')}`)
    const one = await db.transaction(async (tx) => [await run(tx, read, { id: 1 }), await run(tx, read, { id: 1 }), await run(tx, read, { id: 999 }), await run(tx, read, { id: 1 })])
    const row = { id: 1, text: 'one', at: null, nothing: null }
    expect(one).toEqual([[row], [row], [], [row]])
  })

  it('reads times as each reader wants them, whoever asked first', async () => {
    const text = 'SELECT $1::timestamptz AS at'
    const at = '2026-01-02 03:04:05+00'
    const read = statement(sql`SELECT ${given('at')}::timestamptz AS at`)
    const client = await pool.connect()
    const dates = [await client.query(text, [at]), await client.query(text, [at])].map(({ rows }) => rows)
    client.release()
    expect(dates).toEqual([[{ at: new Date('2026-01-02T03:04:05Z') }], [{ at: new Date('2026-01-02T03:04:05Z') }]])
    expect(await Promise.all([run(db, read, { at }), run(db, read, { at })])).toEqual([[{ at }], [{ at }]])
  })

  it('answers many statements under way at once, each with its own rows', async () => {
    const read = statement(sql`SELECT ${given('n')}::int AS n`)
    const rows = await db.transaction((tx) => Promise.all(Array.from({ length: 50 }, (_, n) => run(tx, read, { n }))))
    expect(rows).toEqual(Array.from({ length: 50 }, (_, n) => [{ n }]))
  })
})

it('fails at its next statement when its connection is lost between two, and the pool goes on', async () => {
  const other = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'other' })
  const lost = inTransaction(db, undefined, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
    const [pid] = rows.map((row) => row.pid)
    await other.query('SELECT pg_terminate_backend($1)', [pid])
    await expect.poll(async () => (await other.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount).toBe(0)
    // The news of it has arrived when a round of the event loop after it is over.
    await new Promise((resolve) => setImmediate(resolve))
    await run(tx, write, { id: 20, text: 'lost' })
  })
  await expect(lost).rejects.toThrow(/rollback|terminat|connection/i)
  await inTransaction(db, undefined, (tx) => run(tx, write, { id: 21, text: 'next' }))
  expect(await ids()).toEqual(expect.not.arrayContaining([20]))
  expect(await ids()).toContain(21)
  await other.end()
})

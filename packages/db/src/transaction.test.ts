import { eventually, testDatabase } from '@crm/testkit'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, createPool } from './client.ts'
import { given, run, statement } from './statement.ts'
import { onQueued, type WorkTopic } from './queued.ts'
import { afterCommit, inSavepoint, inTransaction, noteQueued } from './transaction.ts'
import { isContention } from './unavailable.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test' })
const db = createDatabase(pool)

beforeAll(async () => {
  await pool.query('CREATE TABLE notes (id int PRIMARY KEY, text text, at timestamptz)')
})
afterAll(() => pool.end())

const write = statement(sql`INSERT INTO notes (id, text) VALUES (${given('id')}::int, ${given('text')})`)
const ids = async (): Promise<number[]> =>
  (await pool.query<{ id: number }>('SELECT id FROM notes ORDER BY id')).rows.map(({ id }) => id)

describe('what comes after the commit', () => {
  it('happens when the write is there for everybody, and the caller waits for it', async () => {
    let seen: number[] = []
    await inTransaction(db, undefined, (tx) =>
      inTransaction(db, tx, async (inner) => {
        await run(inner, write, { id: 60, text: 'seen' })
        afterCommit(inner, async () => void (seen = await ids()))
      }),
    )
    expect(seen).toContain(60)
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

describe('work that is queued in a transaction', () => {
  const heard: { topics: WorkTopic[]; visible: number[] }[] = []
  beforeAll(() => {
    onQueued(pool, (topics) => void ids().then((visible) => heard.push({ topics: [...topics], visible })))
  })
  const takeHeard = async (count: number) => {
    await eventually(() => expect(heard).toHaveLength(count))
    return heard.splice(0)
  }

  it('is heard of once, when everybody can see it', async () => {
    await inTransaction(db, undefined, async (tx) => {
      await run(tx, write, { id: 70, text: 'queued' })
      noteQueued(tx, ['job', 'mail'])
      await inSavepoint(tx, async (inner) => noteQueued(inner, ['mail', 'access']))
    })
    expect(await takeHeard(1)).toEqual([
      { topics: ['job', 'mail', 'access'], visible: expect.arrayContaining([70]) as number[] },
    ])
  })

  it('is not heard of when the transaction fails, nor by what the connection does next', async () => {
    const failing = inTransaction(db, undefined, async (tx) => {
      noteQueued(tx, ['job'])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await inTransaction(db, undefined, async (tx) => run(tx, write, { id: 71, text: 'quiet' }))
    noteQueued(db, ['run'])
    expect(await takeHeard(1)).toMatchObject([{ topics: ['run'] }])
  })
})

describe('a transaction', () => {
  it('refuses a statement while the one before it is not answered', async () => {
    const mixed = inTransaction(db, undefined, (tx) =>
      Promise.all([run(tx, write, { id: 1, text: 'one' }), run(tx, write, { id: 2, text: 'two' })]),
    )
    await expect(mixed).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/before the one before it was answered/) },
    })
    expect(await ids()).not.toEqual(expect.arrayContaining([1]))
    await inTransaction(db, undefined, async (tx) => {
      await run(tx, write, { id: 1, text: 'one' })
      await run(tx, write, { id: 2, text: 'two' })
    })
    expect(await ids()).toEqual(expect.arrayContaining([1, 2]))
  })

  it('is run once more when PostgreSQL ends it because of another one', async () => {
    await pool.query("INSERT INTO notes (id, text) VALUES (50, ''), (51, '')")
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    let attempts = 0
    const crossing = (first: number, second: number, mine: 0 | 1) =>
      inTransaction(db, undefined, async (tx) => {
        attempts += 1
        await tx.execute(sql`UPDATE notes SET text = text || 'x' WHERE id = ${first}`)
        both[mine].resolve()
        await both[1 - mine]?.promise
        await tx.execute(sql`UPDATE notes SET text = text || 'y' WHERE id = ${second}`)
      })
    await Promise.all([crossing(50, 51, 0), crossing(51, 50, 1)])
    expect(attempts).toBe(3)
    const { rows } = await pool.query('SELECT text FROM notes WHERE id IN (50, 51) ORDER BY id')
    expect(rows.map(({ text }: { text: string }) => text.split('').toSorted().join(''))).toEqual(['xy', 'xy'])
  })

  it.each(['40001', '40P01'])('is not tried a third time, and %s is told', async (state) => {
    let attempts = 0
    const failing = inTransaction(db, undefined, (tx) => {
      attempts += 1
      return tx.execute(sql.raw(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '${state}'; END $$`))
    })
    expect(isContention(await failing.catch((error: unknown) => error))).toBe(true)
    expect(attempts).toBe(2)
  })
})

describe('a connection', () => {
  it('is as good as new after a transaction without a statement, and after one that was given up', async () => {
    await db.transaction(async () => undefined)
    await expect(db.transaction(async () => Promise.reject(new Error('given up')))).rejects.toThrow('given up')
    await pool.query('INSERT INTO notes (id) VALUES (6)')
    expect(await ids()).toContain(6)
    const { rows } = await pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'test' AND state LIKE 'idle in transaction%'`,
    )
    expect(rows).toEqual([{ n: 0 }])
  })

  it('reads rows in the same shape each time', async () => {
    const read = statement(sql`SELECT id, text, at, NULL::int AS nothing FROM notes WHERE id = ${given('id')}`)
    const one = await db.transaction(async (tx) => [
      await run(tx, read, { id: 1 }),
      await run(tx, read, { id: 1 }),
      await run(tx, read, { id: 999 }),
      await run(tx, read, { id: 1 }),
    ])
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
})

it('fails at its next statement when its connection is lost between two, and the pool goes on', async () => {
  const other = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'other' })
  const lost = inTransaction(db, undefined, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
    const [pid] = rows.map((row) => row.pid)
    await other.query('SELECT pg_terminate_backend($1)', [pid])
    await expect
      .poll(async () => (await other.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount)
      .toBe(0)
    // The notification of it has arrived after one round of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    await run(tx, write, { id: 20, text: 'lost' })
  })
  await expect(lost).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/rollback|terminat|connection/i) },
  })
  await inTransaction(db, undefined, (tx) => run(tx, write, { id: 21, text: 'next' }))
  expect(await ids()).toEqual(expect.not.arrayContaining([20]))
  expect(await ids()).toContain(21)
  await other.end()
})

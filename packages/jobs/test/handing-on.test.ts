import { createPool, newId } from '@crm/db'
import { testDatabase } from '@crm/testkit'
import { afterAll, expect, it } from 'vitest'
import type { Topic } from '../src/index.ts'
import { handedOnMs, lostInMs, takeLost, takeWaiting } from '../src/handing-on.ts'

const database = await testDatabase()
// One connection, so that the same backend reports its own reads.
const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
afterAll(() => pool.end())

const addRows = (topic: string, count: number, relayedAt: Date | null = null) =>
  pool.query(
    'INSERT INTO outbox (workspace_id, id, topic, event, relayed_at) SELECT $1::uuid, gen_random_uuid(), $2, $3, $4::timestamptz FROM generate_series(1, $5::int)',
    [newId(), topic, 'filled', relayedAt, count],
  )

async function rowsReadInSequence(): Promise<number> {
  await pool.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ read: string }>(
    `SELECT seq_tup_read AS read FROM pg_stat_user_tables WHERE relname = 'outbox'`,
  )
  return Number(rows[0]?.read)
}

it('takes few rows of one topic without reading the many of all', async () => {
  const longAgo = new Date(Date.now() - 3_600_000)
  await addRows('change', 20_000)
  await addRows('job', 2_000)
  await addRows('job', 2_000, longAgo)
  await pool.query('VACUUM ANALYZE outbox')
  const before = await rowsReadInSequence()
  const taken: number[] = []
  // After five runs of a statement PostgreSQL may choose a generic plan.
  for (let round = 0; round < 8; round += 1) {
    for (const n of [1, 3, 8])
      taken.push(
        (await takeWaiting(pool, new Map([['job', n]]))).looked,
        (await takeLost(pool, new Map([['job', n]]))).looked,
      )
  }
  expect({ taken, read: (await rowsReadInSequence()) - before }).toEqual({
    taken: Array.from({ length: 8 }, () => [1, 1, 3, 3, 8, 8]).flat(),
    read: 0,
  })
})

it('knows when the next row that was handed on is due again', async () => {
  await pool.query('DELETE FROM outbox')
  expect(await lostInMs(pool, ['job'])).toBe(Infinity)
  expect(await lostInMs(pool, [])).toBe(Infinity)
  await addRows('job', 1)
  await addRows('mail', 1, new Date(Date.now() - 3_600_000))
  expect(await lostInMs(pool, ['job'])).toBe(Infinity)
  expect(await lostInMs(pool, ['job', 'mail'])).toBeLessThan(0)
  await addRows('job', 1, new Date(Date.now() + 3_600_000))
  expect(await lostInMs(pool, ['job'])).toBeGreaterThan(handedOnMs)
  expect((await takeLost(pool, new Map([['job', 5]]))).looked).toBe(0)
})

it('hands nothing on that is sent while the installation is paused, and all of it afterwards', async () => {
  await pool.query('DELETE FROM outbox')
  await Promise.all(['change', 'run', 'rule', 'job', 'access'].map((topic) => addRows(topic, 1)))
  const limits = new Map(['change', 'run', 'rule', 'job', 'access'].map((topic) => [topic as Topic, 5]))
  const taken = async (): Promise<string[]> =>
    (await takeWaiting(pool, limits)).rows.map(({ topic }) => topic).toSorted()
  await pool.query('INSERT INTO installation (paused_at) VALUES (now())')
  // A person who lost a right loses it while the installation is paused as well.
  expect(await taken()).toEqual(['access'])
  await pool.query('DELETE FROM installation')
  expect(await taken()).toEqual(['change', 'job', 'rule', 'run'])
})

import { createPool, newId } from '@crm/db'
import { connectRedis } from '@crm/redis'
import { bundleOf, startProcess, startRedisServer, testDatabase, eventually } from '@crm/testkit'
import { afterAll, expect, it } from 'vitest'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
const server = await startRedisServer()
const redis = await connectRedis(server.url, { role: 'test' })
afterAll(() => Promise.all([redis.close(), pool.end()]))

const start = () =>
  startProcess(bundleOf('crm-api'), { DATABASE_URL: database.urlFor('crm_api'), REDIS_URL: server.url })

/** Requests pieces of work that find nothing to do. */
async function ask(count: number): Promise<void> {
  await pool.query(
    `INSERT INTO outbox (workspace_id, id, topic, event, payload) SELECT $1::uuid, gen_random_uuid(), 'job', 'booking.tell-guest-record', jsonb_build_object('bookingId', $1::uuid) FROM generate_series(1, $2::int)`,
    [newId(), count],
  )
}

const untilDone = () =>
  eventually(async () => expect((await pool.query('SELECT FROM outbox WHERE done_at IS NULL')).rowCount).toBe(0), {
    timeout: 30_000,
  })

/** Returns the number of events in the queue. */
const carried = () => redis.client?.xlen('{crm-job}:job:events')

it('is done through the queue, and all of it while processes are killed and Redis loses everything or is away', async () => {
  const [first] = await Promise.all([start(), start()])
  await ask(30)
  await untilDone()
  expect(await carried()).toBeGreaterThan(30)

  await ask(200)
  await first.stop('SIGKILL')
  await redis.client?.flushall()
  // Jobs that were handed on and are not done fall due again after a minute; this simulates the minute.
  await pool.query(
    `UPDATE outbox SET relayed_at = now() - interval '61 seconds' WHERE relayed_at IS NOT NULL AND done_at IS NULL`,
  )
  await untilDone()

  await server.kill()
  await ask(30)
  await untilDone()
}, 90_000)

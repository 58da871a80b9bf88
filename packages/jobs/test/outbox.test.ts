import { createDatabase, createPool, inTransaction, newId, recordChange, systemActor } from '@crm/db'
import { connectRedis } from '@crm/redis'
import { createLogger } from '@crm/runtime'
import { startRedisServer, testDatabase, eventually } from '@crm/testkit'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, it } from 'vitest'
import {
  claimRow,
  createOutboxConsumer,
  createRelay,
  createWakeUp,
  createWorker,
  hearWakeUps,
  retryDelayMs,
  sendWakeUps,
  type OutboxConsumerOptions,
} from '../src/index.ts'
import { connectQueues } from '../src/queues.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 8, applicationName: 'test' })
const db = createDatabase(pool)
const logger = createLogger({ name: 'test', level: 'silent' })
afterAll(() => pool.end())

/** Starts the parts of one process: queues, relay and a consumer of `job`. */
async function startConsumer(redisUrl: string | undefined, handle: OutboxConsumerOptions['handle']) {
  const queues = await connectQueues(redisUrl)
  const relay = createRelay({ pool, queues, topics: ['job'], logger, pollMs: 20, lostPollMs: 50 })
  const consumer = createOutboxConsumer({ db, relay, queues, logger, topic: 'job', handle })
  return {
    queues,
    relay,
    stop: async () => {
      await relay.close()
      await consumer.close(1_000)
      await queues.close()
    },
  }
}

async function addRow(event: string, version = 1): Promise<string> {
  const id = newId()
  await pool.query(`INSERT INTO outbox (workspace_id, id, topic, event, version) VALUES ($1, $2, 'job', $3, $4)`, [
    newId(),
    id,
    event,
    version,
  ])
  return id
}

/** Connects to a server and waits until it answers: what is told before is lost. */
async function connected(url: string) {
  const redis = await connectRedis(url, { role: 'test' })
  await eventually(() => expect(redis.isReady()).toBe(true))
  return redis
}

async function rowOf(id: string) {
  const { rows } = await pool.query<{ attempts: number; done_at: Date | null; relayed_at: Date | null }>(
    'SELECT attempts, done_at, relayed_at FROM outbox WHERE id = $1',
    [id],
  )
  return rows[0]!
}

const untilDone = (id: string) =>
  eventually(async () => expect((await rowOf(id)).done_at).not.toBeNull(), { timeout: 30_000 })

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('%s', (_, withRedis) => {
  it('hands every row to exactly one of several consumers', async () => {
    const server = withRedis ? await startRedisServer() : undefined
    const seen: string[] = []
    const consumers = await Promise.all(
      [1, 2].map(() => startConsumer(server?.url, async (row) => void seen.push(row.id))),
    )
    const ids = await Promise.all(Array.from({ length: 50 }, (_unused, i) => addRow(`work.${i}`)))
    for (const { relay } of consumers) relay.kick()
    for (const id of ids) await untilDone(id)
    expect(seen.toSorted()).toEqual(ids.toSorted())
    await Promise.all(consumers.map(({ stop }) => stop()))
  })

  it('tries again what failed, and undoes what the failed attempt wrote', async () => {
    const server = withRedis ? await startRedisServer() : undefined
    const attempts: number[] = []
    const { stop } = await startConsumer(server?.url, async (row, tx) => {
      attempts.push(row.attempts)
      await tx.execute(
        `INSERT INTO outbox (workspace_id, id, topic, event) VALUES ('${row.workspaceId}', '${newId()}', 'access', 'written.with.${row.id}')`,
      )
      if (attempts.length === 1) throw new Error('not yet')
    })
    const id = await addRow('fails.once')
    await untilDone(id)
    const { rows } = await pool.query('SELECT 1 FROM outbox WHERE event = $1', [`written.with.${id}`])
    expect({ attempts, written: rows.length }).toEqual({ attempts: [0, 1], written: 1 })
    await stop()
  })
})

describe('work of a later version', () => {
  it('is put back as a row, until a process of that version does it', async () => {
    const seen: string[] = []
    const { relay, stop } = await startConsumer(undefined, async (row) => void seen.push(row.id))
    const later = await addRow('later', 2)
    const usual = await addRow('usual')
    relay.kick()
    await untilDone(usual)
    await eventually(async () => expect((await rowOf(later)).relayed_at).not.toBeNull())
    expect({ seen, row: await rowOf(later) }).toMatchObject({ seen: [usual], row: { attempts: 0, done_at: null } })
    // The time after which it is offered again is over.
    await pool.query("UPDATE outbox SET version = 1, relayed_at = now() - interval '61 seconds' WHERE id = $1", [later])
    await untilDone(later)
    await stop()
  })

  it('goes back into its queue', async () => {
    const server = await startRedisServer()
    const queues = await connectQueues(server.url)
    const later = new Queue('run', { connection: { url: server.url }, prefix: '{crm-run}' })
    await later.add('run@2', { shape: 'unknown' }, { jobId: 'later', attempts: 1, removeOnFail: true })
    const taken: string[] = []
    const listener = queues.listen('run', 1, async ({ id }) => void taken.push(id))
    const reference = { workspaceId: newId(), id: newId(), epoch: 0 }
    await queues.add('run', [reference])
    await eventually(() => expect(taken).toEqual([reference.id]))
    await eventually(async () => expect(await later.getJobState('later')).toBe('delayed'))
    await listener?.close(1_000)
    await later.close()
    await queues.close()
  })
})

describe('when Redis fails', () => {
  it('goes on from PostgreSQL while Redis is away, and uses it again on its return', async () => {
    const server = await startRedisServer()
    const { stop, queues } = await startConsumer(server.url, async () => undefined)
    await untilDone(await addRow('before'))
    await server.kill()
    await untilDone(await addRow('while.away'))
    await startRedisServer({ port: server.port, password: server.password })
    await eventually(() => expect(queues.isReady()).toBe(true), { timeout: 30_000 })
    await untilDone(await addRow('after'))
    await stop()
  })

  it('puts back what Redis has lost', async () => {
    const server = await startRedisServer()
    const queues = await connectQueues(server.url)
    const relay = createRelay({ pool, queues, topics: ['job'], logger, pollMs: 20 })
    const id = await addRow('lost')
    await eventually(async () => expect((await rowOf(id)).relayed_at).not.toBeNull())
    await eventually(async () => expect(await queues.waiting('job')).toBe(1))
    await relay.close()
    const redis = new Redis(server.url)
    await redis.flushall()
    redis.disconnect()
    await pool.query(`UPDATE outbox SET relayed_at = now() - interval '61 seconds' WHERE id = $1`, [id])
    const { stop } = await startConsumer(server.url, async () => undefined)
    await untilDone(id)
    await stop()
    await queues.close()
  })

  it('carries ids only', async () => {
    const server = await startRedisServer()
    const queues = await connectQueues(server.url)
    const reference = { workspaceId: newId(), id: newId(), epoch: 3 }
    await queues.add('run', [reference, reference])
    const redis = new Redis(server.url)
    const keys = await redis.keys('*')
    expect(keys.every((key) => key.startsWith('{crm-run}:'))).toBe(true)
    expect(JSON.parse((await redis.hget(`{crm-run}:run:run-${reference.id}-3`, 'data'))!)).toEqual(reference)
    expect(await queues.waiting('run')).toBe(1)
    redis.disconnect()
    await queues.close()
  })
})

describe('a row that somebody else has locked', () => {
  /** Locks the row, returns the result of a claim that finds it locked, and unlocks it when that claim has looked, or after it. */
  async function claimBeside(letGo: 'SOON' | 'LATE') {
    const id = await addRow('work.locked')
    const {
      rows: [row],
    } = await pool.query<{ workspace_id: string }>('SELECT workspace_id FROM outbox WHERE id = $1', [id])
    const locker = await pool.connect()
    await locker.query('BEGIN')
    await locker.query('SELECT FROM outbox WHERE workspace_id = $2 AND id = $1 FOR UPDATE', [id, row!.workspace_id])
    const claim = inTransaction(db, undefined, (tx) => claimRow(tx, { workspaceId: row!.workspace_id, id, epoch: 0 }))
    const looked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle%' AND query ILIKE '%from "outbox"%'`
    if (letGo === 'SOON')
      await eventually(async () => expect((await pool.query(looked)).rowCount).toBeGreaterThan(0), { interval: 1 })
    else await claim
    await locker.query('COMMIT')
    locker.release()
    const claimed = await claim
    await pool.query('UPDATE outbox SET done_at = now() WHERE id = $1', [id])
    return { id, claimed: claimed?.id }
  }

  it('is claimed once it is let go, as a relay does that came too late for it', async () => {
    const { id, claimed } = await claimBeside('SOON')
    expect(claimed).toBe(id)
  })

  it('is left to whoever works on it', async () => {
    expect((await claimBeside('LATE')).claimed).toBeUndefined()
  })
})

it('makes a listener anew that takes nothing although work waits', async () => {
  const server = await startRedisServer()
  const queues = await connectQueues(server.url)
  let listeners = 0
  // The first listener receives nothing, like one with a hanging connection.
  const listen: typeof queues.listen = (...asked) =>
    listeners++ === 0 ? { close: async () => undefined } : queues.listen(...asked)
  const relay = createRelay({ pool, queues, topics: ['job'], logger, pollMs: 20 })
  const taken: string[] = []
  const worker = createWorker({
    topic: 'job',
    concurrency: 1,
    queues: { ...queues, listen },
    relay,
    logger,
    stuckMs: 200,
    perform: async ({ id }) => void taken.push(id),
  })
  const id = await addRow('work.unheard')
  await eventually(() => expect(taken).toEqual([id]), { timeout: 30_000 })
  // On a busy machine the second one, too, may need longer than that before it takes something.
  expect(listeners).toBeGreaterThanOrEqual(2)
  await relay.close()
  await worker.close(1_000)
  await queues.close()
})

it.each([
  ['only lets read', (redis: Redis, other: string) => redis.replicaof('127.0.0.1', new URL(other).port)],
  ['is full', (redis: Redis) => redis.config('SET', 'maxmemory', '1')],
])('leaves a server alone that answers and %s, and goes on when it takes work again', async (_what, harm) => {
  const [server, other] = [await startRedisServer(), await startRedisServer()]
  const redis = new Redis(server.url)
  const queues = await connectQueues(server.url)
  const work = () => ({ workspaceId: newId(), id: newId(), epoch: 0 })
  const [first, second] = [work(), work()]
  await queues.add('job', [first])
  await harm(redis, other.url)
  await expect(queues.add('job', [work()])).rejects.toThrow(/READONLY|OOM/)
  const taken: string[] = []
  const listener = queues.listen('job', 2, async ({ id }) => void taken.push(id))
  const errors = async (): Promise<number> =>
    [...(await redis.info('errorstats')).matchAll(/count=(\d+)/g)].reduce(
      (total, [, count]) => total + Number(count),
      0,
    )
  const before = await errors()
  // A listener that does not rest makes an error in the time of each of these answers.
  for (let n = 0; n < 3_000; n++) await redis.ping()
  const asked = (await errors()) - before
  expect(asked).toBeLessThan(100)
  await redis.config('SET', 'maxmemory', '0')
  await redis.replicaof('NO', 'ONE')
  await eventually(() => queues.add('job', [second]))
  await eventually(() => expect(taken).toEqual([first.id, second.id]))
  await listener?.close(1_000)
  await queues.close()
  redis.disconnect()
})

it('waits longer after each failure, at most ten minutes', () => {
  expect([0, 1, 5, 50].map(retryDelayMs)).toEqual([1_000, 2_000, 32_000, 600_000])
})

describe('a relay that other processes tell of their work', () => {
  it('takes what a commit queues, although it would not have looked for long', async () => {
    const server = await startRedisServer()
    const [redis, queues] = await Promise.all([connected(server.url), connectQueues(server.url)])
    const relay = createRelay({ pool, queues, topics: ['job'], logger, pollMs: 3_600_000 })
    const consumer = createOutboxConsumer({ db, relay, queues, logger, topic: 'job', handle: async () => undefined })
    const wakeUps = hearWakeUps(server.url, ['job'], () => relay.kick())
    await eventually(() => expect(wakeUps.isHearing()).toBe(true))
    const writer = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
    sendWakeUps([writer], redis)
    const workspaceId = newId()
    await inTransaction(createDatabase(writer), undefined, (tx) =>
      recordChange(tx, {
        workspaceId,
        actor: systemActor,
        at: '2026-11-01T08:00:00.000Z',
        events: [{ topic: 'job', event: 'work.told' }],
      }),
    )
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM outbox WHERE workspace_id = $1', [workspaceId])
    await untilDone(rows[0]!.id)
    wakeUps.close()
    await eventually(() => expect(wakeUps.isHearing()).toBe(false))
    await relay.close()
    await consumer.close(1_000)
    await Promise.all([queues.close(), redis.close(), writer.end()])
  })

  it('is not woken for topics of others, but for all by a message of an earlier version', async () => {
    const server = await startRedisServer()
    const redis = await connected(server.url)
    const heard = { job: 0, mail: 0 }
    const ears = (['job', 'mail'] as const).map((topic) => hearWakeUps(server.url, [topic], () => void heard[topic]++))
    await eventually(() => expect(ears.every((ear) => ear.isHearing())).toBe(true))
    createWakeUp(redis).send(['mail'])
    await eventually(() => expect(heard).toEqual({ job: 0, mail: 1 }))
    await redis.client?.publish('crm-outbox', '')
    await eventually(() => expect(heard).toEqual({ job: 1, mail: 2 }))
    for (const ear of ears) ear.close()
    await redis.close()
  })

  it('is told once Redis is back of what it would not take', async () => {
    const server = await startRedisServer()
    const redis = await connected(server.url)
    let isReady = false
    let heard = 0
    const wakeUps = hearWakeUps(server.url, ['job'], () => (heard += 1))
    await eventually(() => expect(wakeUps.isHearing()).toBe(true))
    createWakeUp({ client: redis.client, isReady: () => isReady }).send(['job'])
    // A message of another sender comes through meanwhile.
    createWakeUp(redis).send(['job'])
    await eventually(() => expect(heard).toBe(1))
    isReady = true
    await eventually(() => expect(heard).toBe(2))
    wakeUps.close()
    await redis.close()
  })

  it('hands on again what was put aside', async () => {
    const queues = await connectQueues(undefined)
    const relay = createRelay({ pool, queues, topics: ['job'], logger, isTold: () => true, lostPollMs: 50 })
    let tries = 0
    const handle = async (): Promise<void> => {
      tries += 1
      if (tries === 1) throw new Error('not yet')
    }
    const consumer = createOutboxConsumer({ db, relay, queues, logger, topic: 'job', handle })
    await untilDone(await addRow('work.put-aside'))
    expect(tries).toBe(2)
    await relay.close()
    await consumer.close(1_000)
    await queues.close()
  })

  it('looks by itself for what nobody told it', async () => {
    const queues = await connectQueues(undefined)
    const relay = createRelay({ pool, queues, topics: ['job'], logger, isTold: () => true })
    const consumer = createOutboxConsumer({ db, relay, queues, logger, topic: 'job', handle: async () => undefined })
    await untilDone(await addRow('work.untold'))
    await relay.close()
    await consumer.close(1_000)
    await queues.close()
  })
})

it('says nothing while Redis is away, and fails nobody', async () => {
  const client = new Redis('redis://127.0.0.1:9', { lazyConnect: true, enableOfflineQueue: false })
  createWakeUp({ client, isReady: () => true }).send(['job'])
  createWakeUp({ client: undefined, isReady: () => false }).send(['job'])
  hearWakeUps(undefined, [], () => undefined).close()
  client.disconnect()
})

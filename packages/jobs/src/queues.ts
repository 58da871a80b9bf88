import { DelayedError, Queue, Worker, type Job } from 'bullmq'
import { openRedis, type RedisClient } from '@crm/redis'
import { within } from '@crm/runtime'
import type { RedisOptions } from 'ioredis'
import {
  isKnownJob,
  jobCatalogue,
  jobIdOf,
  jobNameOf,
  jobReference,
  queueNames,
  type PeriodicQueue,
  type Topic,
} from './catalogue.ts'
import { noQueues, type QueueDepth, type QueueListener, type Queues } from './no-queues.ts'

const connectTimeoutMs = 1_000
const commandTimeoutMs = 2_000
/** The time for which Redis counts as unreachable after a failed command, even when its connection is open. */
const distrustMs = 1_000

/** The time after which another worker gets the jobs of a killed one, unless told. */
const usualLockMs = 15_000
/** How often in that time a worker looks for jobs of killed ones. */
const looksWithinLock = 3
/** How long a worker with nothing to do waits for Redis to wake it before it asks again; the longest that the library takes. */
const idleBlockS = 10

/** The time after which a job of a later version is offered again, perhaps to a process that knows it. */
const unknownJobMs = 1_000

/** The grace time after one period until an untaken periodic job is overdue. */
const overdueAfterMs = 5_000
/** The number of finished periodic jobs that are kept for an operator. */
const periodicJobsKept = 50

const retryStrategy = (attempt: number): number => Math.min(attempt * 50, 1_000)

type QueueName = Topic | PeriodicQueue

/** The keys of one queue share a hash tag, so that a Redis cluster keeps them together. */
const prefixOf = (name: QueueName): string => `{crm-${name}}`

interface QueueOptions {
  /** How long a job stays with a worker that shows no life; 15000 by default. */
  readonly lockMs?: number
}

/** Connects to the queues; without a URL there are none, and workers take everything from PostgreSQL. */
export async function connectQueues(
  url: string | undefined,
  { lockMs = usualLockMs }: QueueOptions = {},
): Promise<Queues> {
  if (url === undefined) return noQueues
  const producer = open(url, {
    connectionName: 'crm-jobs-producer',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    lazyConnect: true,
  })
  await producer.connect().catch(() => undefined)
  // Bounded: the queues of the catalogue.
  const queues = new Map<QueueName, Queue>()
  const dueTimes = new DueTimes()
  let distrustedUntilMs = 0

  const queueOf = (name: QueueName): Queue => {
    const known = queues.get(name)
    if (known) return known
    const made = openQueue(name, producer)
    queues.set(name, made)
    return made
  }

  const onQueue = async <T>(name: QueueName, command: (queue: Queue) => Promise<T>): Promise<T> => {
    try {
      return await command(queueOf(name))
    } catch (error) {
      distrustedUntilMs = performance.now() + distrustMs
      // A queue that was created while Redis was disconnecting never works; the next use creates another.
      await queues
        .get(name)
        ?.close()
        .catch(() => undefined)
      queues.delete(name)
      throw error
    }
  }

  return {
    isReady: () => producer.status === 'ready' && performance.now() >= distrustedUntilMs,
    add: async (topic, references) => {
      const { options } = jobCatalogue[topic]
      const jobs = references.map((data) => ({
        name: jobNameOf(topic),
        data,
        opts: { ...options, jobId: jobIdOf(topic, data) },
      }))
      await onQueue(topic, (queue) => queue.addBulk(jobs))
    },
    waiting: (topic) => onQueue(topic, (queue) => queue.getWaitingCount()),
    depths: () => Promise.all(queueNames.map((name) => onQueue(name, depthOf))),
    listen: (topic, concurrency, perform) =>
      listenTo({ url, lockMs }, topic, concurrency, async (job, token) => {
        if (isKnownJob(topic, job.name)) return perform(jobReference.parse(job.data))
        // A later version has added the job: its processes take it.
        await job.moveToDelayed(Date.now() + unknownJobMs, token)
        throw new DelayedError()
      }),
    schedule: (name, job, everyMs) =>
      onQueue(name, async (queue) => {
        const known = await queue.getJobScheduler(job)
        const isOverdue =
          known?.next !== undefined && dueTimes.standsFor(`${name} ${job}`, known.next) > everyMs + overdueAfterMs
        // A scheduler whose job was lost is made due again here, too.
        if (!known?.next || known.every !== everyMs || isOverdue)
          await queue.upsertJobScheduler(job, { every: everyMs }, { name: job, opts: periodicOptions })
        return isOverdue ? 'OVERDUE' : 'KEPT'
      }),
    unschedule: (name, job) => onQueue(name, async (queue) => void (await queue.removeJobScheduler(job))),
    listenForPeriodic: (name, concurrency, perform) =>
      listenTo({ url, lockMs }, name, concurrency, (job) => perform(job.name)),
    close: async () => {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()))
      producer.disconnect()
    },
  }
}

/** Takes the jobs of a queue on a connection of its own, which waits for Redis as long as it takes. */
function listenTo(
  { url, lockMs }: { readonly url: string; readonly lockMs: number },
  name: QueueName,
  concurrency: number,
  perform: (job: Job, token?: string) => Promise<void>,
): QueueListener {
  const connection = open(url, { connectionName: `crm-jobs-${name}`, maxRetriesPerRequest: null })
  const worker = new Worker(name, perform, {
    connection,
    prefix: prefixOf(name),
    concurrency,
    skipVersionCheck: true,
    ...removal,
    drainDelay: idleBlockS,
    lockDuration: lockMs,
    stalledInterval: lockMs / looksWithinLock,
  })
  let resting: NodeJS.Timeout | undefined
  let isClosed = false
  // A worker asks again at once after an answer that is an error, as from a server that only lets read.
  const rest = (): void => {
    if (isClosed) return
    void worker.pause(true).catch(() => undefined)
    resting ??= setTimeout(() => {
      resting = undefined
      void worker.resume()
    }, distrustMs)
  }
  worker.on('error', (error) => void (error.name === 'ReplyError' && rest()))
  return {
    close: async (withinMs) => {
      isClosed = true
      clearTimeout(resting)
      const closed = worker.close(withinMs === 0).catch(() => undefined)
      await within(withinMs, closed, () => undefined)
      connection.disconnect()
    },
  }
}

async function depthOf(queue: Queue): Promise<QueueDepth> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed')
  const [oldest] = await queue.getWaiting(0, 0)
  return { queue: queue.name, counts, oldestSeconds: oldest ? Math.max(0, Date.now() - oldest.timestamp) / 1_000 : 0 }
}

const removal = { removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } } as const
const periodicOptions = {
  attempts: 1,
  removeOnComplete: { count: periodicJobsKept },
  removeOnFail: { count: periodicJobsKept },
} as const

/** The time when this process first saw each due time of a job. Clocks of processes differ, so they are not compared. */
class DueTimes {
  /** Bounded: the periodic jobs of this process. */
  readonly #seen = new Map<string, { readonly dueAt: number; readonly sinceMs: number }>()

  /** Returns for how many milliseconds a job has had the same due time. */
  standsFor(job: string, dueAt: number): number {
    const nowMs = performance.now()
    const seen = this.#seen.get(job)
    if (seen?.dueAt === dueAt) return nowMs - seen.sinceMs
    this.#seen.set(job, { dueAt, sinceMs: nowMs })
    return 0
  }
}

/** All queues of an installation, for inspection. */
export interface OpenQueues {
  readonly queues: readonly Queue[]
  close(): Promise<void>
}

/** Opens every queue on one connection. */
export function openAllQueues(url: string): OpenQueues {
  const connection = open(url, {
    connectionName: 'crm-jobs-view',
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
  })
  const queues = queueNames.map((name) => openQueue(name, connection))
  return {
    queues,
    close: async () => {
      await Promise.allSettled(queues.map((queue) => queue.close()))
      connection.disconnect()
    },
  }
}

function openQueue(name: QueueName, connection: RedisClient): Queue {
  const queue = new Queue(name, {
    connection,
    prefix: prefixOf(name),
    skipWaitingForReady: true,
    skipVersionCheck: true,
  })
  // Without a listener an error event would end the process; callers that add work learn of it from the failure.
  queue.on('error', () => undefined)
  return queue
}

function open(url: string, options: RedisOptions): RedisClient {
  const client = openRedis(url, { connectTimeout: connectTimeoutMs, retryStrategy, ...options })
  client.on('error', () => undefined)
  return client
}

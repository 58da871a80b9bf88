import { Queue, Worker } from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import { setTimeout as waitMs } from 'node:timers/promises'
import { jobCatalogue, jobIdOf, jobReference, type Topic } from './catalogue.ts'
import { noQueues, type Queues } from './no-queues.ts'

const connectTimeoutMs = 1_000
const commandTimeoutMs = 2_000
/** After a failed command Redis counts as away for so long, even when its connection stands. */
const distrustMs = 1_000

/** What a killed worker had taken goes to another one after so long. */
const lockMs = 15_000
const stalledLookEveryMs = 5_000

const retryStrategy = (attempt: number): number => Math.min(attempt * 50, 1_000)

/** The keys of one queue share a hash tag, so that a Redis cluster keeps them together. */
const prefixOf = (topic: Topic): string => `{crm-${topic}}`

/** Connects to the queues; without a URL there are none, and workers take everything from PostgreSQL. */
export async function connectQueues(url: string | undefined): Promise<Queues> {
  if (url === undefined) return noQueues
  const producer = open(url, {
    connectionName: 'crm-jobs-producer',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    lazyConnect: true,
  })
  await producer.connect().catch(() => undefined)
  const queues = new Map<Topic, Queue>()
  let distrustedUntilMs = 0

  const queueOf = (topic: Topic): Queue => {
    const known = queues.get(topic)
    if (known) return known
    const made = new Queue(topic, { connection: producer, prefix: prefixOf(topic), skipWaitingForReady: true, skipVersionCheck: true })
    // Without a listener an error event would end the process; whoever adds work learns of it by the failure.
    made.on('error', () => undefined)
    queues.set(topic, made)
    return made
  }

  const onQueue = async <T>(topic: Topic, command: (queue: Queue) => Promise<T>): Promise<T> => {
    try {
      return await command(queueOf(topic))
    } catch (error) {
      distrustedUntilMs = performance.now() + distrustMs
      // A queue that was made while Redis went away never works; the next use makes another.
      await queues.get(topic)?.close().catch(() => undefined)
      queues.delete(topic)
      throw error
    }
  }

  return {
    isReady: () => producer.status === 'ready' && performance.now() >= distrustedUntilMs,
    add: async (topic, references) => {
      const { options } = jobCatalogue[topic]
      const jobs = references.map((data) => ({ name: topic, data, opts: { ...options, jobId: jobIdOf(topic, data) } }))
      await onQueue(topic, (queue) => queue.addBulk(jobs))
    },
    waiting: (topic) => onQueue(topic, (queue) => queue.getWaitingCount()),
    listen: (topic, concurrency, perform) => {
      const connection = open(url, { connectionName: `crm-jobs-${topic}`, maxRetriesPerRequest: null })
      const worker = new Worker(topic, async (job) => perform(jobReference.parse(job.data)), {
        connection,
        prefix: prefixOf(topic),
        concurrency,
        skipVersionCheck: true,
        ...removal,
        lockDuration: lockMs,
        stalledInterval: stalledLookEveryMs,
      })
      worker.on('error', () => undefined)
      return {
        close: async (withinMs) => {
          const closed = worker.close(withinMs === 0).catch(() => undefined)
          await Promise.race([closed, waitMs(withinMs, undefined, { ref: false })])
          connection.disconnect()
        },
      }
    },
    close: async () => {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()))
      producer.disconnect()
    },
  }
}

const removal = { removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } } as const

function open(url: string, options: RedisOptions): Redis {
  const client = new Redis(url, { connectTimeout: connectTimeoutMs, retryStrategy, ...options })
  client.on('error', () => undefined)
  return client
}

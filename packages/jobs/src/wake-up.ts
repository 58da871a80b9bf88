import { onQueued, type Pool } from '@crm/db'
import { openRedis, type RedisClient } from '@crm/redis'
import type { Topic } from './catalogue.ts'

/** Notifies the relays of other processes that rows wait in the outbox; a missed message is made up for by their next look. */
export interface WakeUp {
  /** @param topics the topics of the rows */
  send(topics: Iterable<Topic>): void
}

/** The ears of a relay. */
export interface WakeUps {
  /** Whether messages arrive now; while they do not, the relay has to look by itself. */
  isHearing(): boolean
  close(): void
}

/** A connection to Redis that may be down. */
interface Sender {
  readonly client: RedisClient | undefined
  isReady(): boolean
}

const channel = 'crm-outbox'
/** Calls within this many milliseconds share a message: a caller waits for a run, and busy times hand on everything else in batches. */
const gatherMs = (topic: Topic): number => (topic === 'run' ? 10 : 100)

/** Makes the sender; it uses no queue, because the queue library is a tenth of the memory of a process. */
export function createWakeUp({ client, isReady }: Sender): WakeUp {
  // Bounded: the topics that exist.
  const timers = new Map<Topic, NodeJS.Timeout>()
  const publish = (topic: Topic): void => {
    timers.delete(topic)
    if (client && isReady()) client.publish(channel, topic).catch(() => undefined)
  }
  return {
    send: (topics) => {
      for (const topic of topics)
        if (!timers.has(topic)) timers.set(topic, setTimeout(publish, gatherMs(topic), topic).unref())
    },
  }
}

/** Sends a message after each commit, through these pools, that leaves work in the outbox. */
export function sendWakeUps(pools: readonly Pool[], redis: Sender): void {
  const wakeUp = createWakeUp(redis)
  for (const pool of pools) onQueued(pool, wakeUp.send)
}

/**
 * Listens for messages about some topics until it is closed; without Redis there are none.
 * A message without a topic comes from an earlier version, and may be about any.
 */
export function hearWakeUps(url: string | undefined, topics: readonly Topic[], listener: () => void): WakeUps {
  if (url === undefined) return { isHearing: () => false, close: () => undefined }
  const client = openRedis(url, {
    connectionName: 'crm-jobs-wake-up',
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
  })
  let isSubscribed = false
  // Without a listener an error event would end the process; the client reconnects and subscribes again by itself.
  client.on('error', () => undefined)
  client.on('message', (_channel, topic: string) => {
    if (topic === '' || topics.some((own) => own === topic)) listener()
  })
  client.subscribe(channel).then(
    () => (isSubscribed = true),
    () => undefined,
  )
  return { isHearing: () => isSubscribed && client.status === 'ready', close: () => client.disconnect() }
}

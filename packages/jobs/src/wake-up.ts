import { onQueued, type Pool, type WorkTopic } from '@crm/db'
import { openRedis, type RedisClient } from '@crm/redis'

/** Notifies other processes that work waits; a missed message is made up for by their next look. */
export interface WakeUp {
  send(topics: Iterable<WorkTopic>): void
}

/** The ears of a process. */
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
const gatherMs = (topic: WorkTopic): number => (topic === 'run' ? 10 : 100)

/** A message that Redis did not take is sent again after this time. */
const retryMs = 1_000

/** Makes the sender; it uses no queue, because the queue library is a tenth of the memory of a process. */
export function createWakeUp({ client, isReady }: Sender): WakeUp {
  // Bounded: the topics that exist.
  const timers = new Map<WorkTopic, NodeJS.Timeout>()
  const sendIn = (ms: number, topic: WorkTopic): void => {
    if (client && !timers.has(topic)) timers.set(topic, setTimeout(() => void publish(client, topic), ms).unref())
  }
  const publish = async (redis: RedisClient, topic: WorkTopic): Promise<void> => {
    timers.delete(topic)
    const isSent =
      isReady() &&
      (await redis.publish(channel, topic).then(
        () => true,
        () => false,
      ))
    if (!isSent) sendIn(retryMs, topic)
  }
  return {
    send: (topics) => {
      for (const topic of topics) sendIn(gatherMs(topic), topic)
    },
  }
}

/** Sends a message after each commit, through these pools, that leaves work. */
export function sendWakeUps(pools: readonly Pool[], redis: Sender): void {
  const wakeUp = createWakeUp(redis)
  for (const pool of pools) onQueued(pool, wakeUp.send)
}

/**
 * Listens for messages about some topics until it is closed; without Redis there are none.
 * A message without a topic comes from an earlier version, and may be about any.
 */
export function hearWakeUps<T extends WorkTopic>(
  url: string | undefined,
  topics: readonly T[],
  listener: (topic: T) => void,
): WakeUps {
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
    for (const own of topics) if (topic === '' || topic === own) listener(own)
  })
  client.subscribe(channel).then(
    () => (isSubscribed = true),
    () => undefined,
  )
  return { isHearing: () => isSubscribed && client.status === 'ready', close: () => client.disconnect() }
}

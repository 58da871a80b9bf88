import { openRedis, type RedisClient } from '@crm/redis'

/** Notifies the relays of other processes that rows wait in the outbox; a missed message is made up for by their next look. */
export interface WakeUp {
  send(): void
}

/** A connection to Redis that may be down. */
interface Sender {
  readonly client: RedisClient | undefined
  isReady(): boolean
}

const channel = 'crm-outbox'
/** Calls within this many milliseconds share a message. */
const gatherMs = 10

/** Makes the sender; it uses no queue, because the queue library is a tenth of the memory of a process. */
export function createWakeUp({ client, isReady }: Sender): WakeUp {
  let timer: NodeJS.Timeout | undefined
  const publish = (): void => {
    timer = undefined
    if (client && isReady()) client.publish(channel, '').catch(() => undefined)
  }
  return { send: () => void (timer ??= setTimeout(publish, gatherMs)) }
}

/** Listens for messages until it is closed; without Redis there are none. */
export function hearWakeUps(url: string | undefined, listener: () => void): { close(): void } {
  if (url === undefined) return { close: () => undefined }
  const client = openRedis(url, {
    connectionName: 'crm-jobs-wake-up',
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
  })
  // Without a listener an error event would end the process; the client reconnects and subscribes again by itself.
  client.on('error', () => undefined)
  client.on('message', listener)
  client.subscribe(channel).catch(() => undefined)
  return { close: () => client.disconnect() }
}

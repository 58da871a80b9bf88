import { Redis } from 'ioredis'

/** A connection that may be away at any time; whoever uses it has a way to go on without. */
export interface RedisConnection {
  /** The client, absent when the installation has no Redis. */
  readonly client: Redis | undefined
  /** Whether commands sent now have a server to answer them. */
  isReady(): boolean
  /** Counts the times the connection was made; what was known under another number may have been lost since. */
  generation(): number
  close(): Promise<void>
}

const connectTimeoutMs = 1_000
const commandTimeoutMs = 1_000
const reconnectDelayMsMax = 1_000

/**
 * Connects to Redis and resolves when it answers or has failed to once; reconnecting goes on in the background.
 *
 * A command fails at once while Redis is away, is never repeated by itself, and no error of the connection ends the process.
 * @param role what the connection is for; shown by CLIENT LIST
 */
export async function connectRedis(
  url: string | undefined,
  { role }: { readonly role: string },
): Promise<RedisConnection> {
  if (url === undefined) return withoutRedis
  const client = new Redis(url, {
    connectionName: `crm-${role}`,
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    // A server that answers nothing is frozen: it counts as away until a new connection to it stands, so that only the first commands wait.
    socketTimeout: commandTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 50, reconnectDelayMsMax),
  })
  let generation = 0
  client.on('ready', () => generation++)
  // Without a listener an error event would end the process; callers learn of it through isReady and failed commands.
  client.on('error', () => undefined)
  await client.connect().catch(() => undefined)
  return {
    client,
    isReady: () => client.status === 'ready',
    generation: () => generation,
    close: async () => client.disconnect(),
  }
}

const withoutRedis: RedisConnection = {
  client: undefined,
  isReady: () => false,
  generation: () => 0,
  close: async () => undefined,
}

import { openRedis, type RedisClient } from './open-redis.ts'

/** A connection that may be down at any time; its users can continue without it. */
export interface RedisConnection {
  /** The client, absent when the installation has no Redis. */
  readonly client: RedisClient | undefined
  /** Whether a server can answer commands sent now. */
  isReady(): boolean
  /** Returns how often the connection was made; knowledge from an earlier generation may be lost. */
  generation(): number
  close(): Promise<void>
}

const connectTimeoutMs = 1_000
const commandTimeoutMs = 1_000
const reconnectDelayMsMax = 1_000

/**
 * Connects to Redis and resolves after the first answer or failure; reconnecting continues in the background.
 *
 * A server that has no database of the number in the URL is refused: the client would go on in database 0.
 * A command fails at once while Redis is unreachable, is never repeated automatically, and no connection error ends the process.
 * @param role the purpose of the connection; shown by CLIENT LIST
 */
export async function connectRedis(
  url: string | undefined,
  { role }: { readonly role: string },
): Promise<RedisConnection> {
  if (url === undefined) return withoutRedis
  const client = openRedis(url, {
    connectionName: `crm-${role}`,
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    // A silent server is frozen: it counts as unreachable until a new connection to it is open, so that only the first commands wait.
    socketTimeout: commandTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 50, reconnectDelayMsMax),
  })
  let generation = 0
  client.on('ready', () => generation++)
  // Without a listener an error event would end the process; callers learn of it through isReady and failed commands.
  let isElsewhere = false
  client.on('error', ({ message }: Error) => (isElsewhere ||= /DB index is out of range/.test(message)))
  await client.connect().catch(() => undefined)
  // The answer about the database comes before that of any later command.
  if (client.status === 'ready') await client.ping().catch(() => undefined)
  if (isElsewhere) {
    client.disconnect()
    throw new Error(
      `Redis has no database of the number in its URL (${/(?<!\d)\d+$/.exec(url)?.[0]}): take a smaller number, or raise "databases" there`,
    )
  }
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

import { randomUUID } from 'node:crypto'
import type { RedisConnection } from './connection.ts'
import { epochKey as keyOf } from './keys.ts'

/** A value per workspace that changes with every change of rights in it. */
export interface Epochs {
  /**
   * Returns the current value, or null when Redis is unreachable and the database must be asked.
   *
   * Results under the same value may be reused within this process; values of two processes are not comparable.
   */
  read(workspaceId: string): Promise<string | null>
  /** Invalidates all results so far in the workspace; a message that Redis misses now is sent on its return. */
  bump(workspaceId: string): Promise<void>
  /** Returns the key in Redis, for commands that read it together with other keys. */
  keyOf(workspaceId: string): string
  /** Returns the value of a stored epoch that was read on the connection of this generation. */
  accept(workspaceId: string, stored: string, generation: number): string | null
}

// FLUSHALL deletes the keys; the next reader creates another random value, so no old value is equal to it.
const createIfMissing = `
local current = redis.call('GET', KEYS[1])
if current then return current end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]`

const retryAfterMs = 250

const version = 1
const newEpoch = (): string => `${version}.${randomUUID()}`

/** Makes the epochs in Redis. */
export function createEpochs(redis: RedisConnection): Epochs {
  const { client } = redis
  if (client === undefined) return { read: async () => null, bump: async () => undefined, keyOf, accept: () => null }
  // Bounded: workspaces that were changed while Redis was away; each leaves it when Redis is told.
  const notToldYet = new Set<string>()

  const bump = async (workspaceId: string): Promise<void> => {
    notToldYet.add(workspaceId)
    try {
      await client.set(keyOf(workspaceId), newEpoch())
      notToldYet.delete(workspaceId)
    } catch {
      notToldYet.add(workspaceId)
      setTimeout(() => void bump(workspaceId), retryAfterMs).unref()
    }
  }

  // A server that returns may have lost its latest writes, so earlier knowledge is discarded.
  const accept = (workspaceId: string, stored: string, generation: number): string | null =>
    notToldYet.has(workspaceId) ? null : `${generation}:${stored}`

  const read = async (workspaceId: string): Promise<string | null> => {
    if (!redis.isReady() || notToldYet.has(workspaceId)) return null
    const key = keyOf(workspaceId)
    const generation = redis.generation()
    try {
      const epoch = (await client.get(key)) ?? (await client.eval(createIfMissing, 1, key, newEpoch()))
      return accept(workspaceId, String(epoch), generation)
    } catch {
      return null
    }
  }

  return { read, bump, keyOf, accept }
}

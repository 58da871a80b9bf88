import { randomUUID } from 'node:crypto'
import type { RedisConnection } from './connection.ts'
import { workspaceTag } from './workspace-tag.ts'

/** A value per workspace that changes whenever somebody's rights in it do. */
export interface Epochs {
  /**
   * The current value, or null when Redis is away and the database must be asked.
   *
   * What was resolved under the same value may be reused within this process; values of two processes do not compare.
   */
  read(workspaceId: string): Promise<string | null>
  /** Invalidates everything resolved so far in the workspace; what Redis could not be told now it is told on its return. */
  bump(workspaceId: string): Promise<void>
  /** The key in Redis, for commands that read it along with something else. */
  keyOf(workspaceId: string): string
  /** What a stored value counts for that was read on the connection of this generation. */
  accept(workspaceId: string, stored: string, generation: number): string | null
}

// FLUSHALL takes the keys away; the next reader makes another random value, so nothing old compares equal.
const createIfMissing = `
local current = redis.call('GET', KEYS[1])
if current then return current end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]`

const retryAfterMs = 250

/** Makes the epochs that live in Redis. */
export function createEpochs(redis: RedisConnection): Epochs {
  const { client } = redis
  if (client === undefined) return { read: async () => null, bump: async () => undefined, keyOf, accept: () => null }
  const notToldYet = new Set<string>()

  const bump = async (workspaceId: string): Promise<void> => {
    notToldYet.add(workspaceId)
    try {
      await client.set(keyOf(workspaceId), randomUUID())
      notToldYet.delete(workspaceId)
    } catch {
      notToldYet.add(workspaceId)
      setTimeout(() => void bump(workspaceId), retryAfterMs).unref()
    }
  }

  // A server that comes back may have lost its latest writes, so what was known before counts for nothing.
  const accept = (workspaceId: string, stored: string, generation: number): string | null =>
    notToldYet.has(workspaceId) ? null : `${generation}:${stored}`

  const read = async (workspaceId: string): Promise<string | null> => {
    if (!redis.isReady() || notToldYet.has(workspaceId)) return null
    const key = keyOf(workspaceId)
    const generation = redis.generation()
    try {
      const epoch = (await client.get(key)) ?? (await client.eval(createIfMissing, 1, key, randomUUID()))
      return accept(workspaceId, String(epoch), generation)
    } catch {
      return null
    }
  }

  return { read, bump, keyOf, accept }
}

function keyOf(workspaceId: string): string {
  return `epoch:${workspaceTag(workspaceId)}`
}

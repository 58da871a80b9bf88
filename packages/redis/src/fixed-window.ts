import { versionedKey } from './keys.ts'
import { createMemoryWindow } from './memory-window.ts'
import type { RedisConnection } from './connection.ts'

export interface FixedWindowOptions {
  readonly redis: RedisConnection
  /** The name of the count; part of the key. */
  readonly name: string
  /** The number of requests allowed in one window. */
  readonly points: number
  /** The length of the window, which begins with the first request. */
  readonly windowMs: number
}

export interface Verdict {
  readonly allowed: boolean
  /** Seconds until the window ends, at least 1. */
  readonly retryAfterS: number
}

export interface FixedWindow {
  /**
   * Counts one request.
   * @param key the subject of the count, with the workspace as hash tag: `${workspaceTag(workspaceId)}:${apiKeyId}`
   * @param points the number that this subject is allowed; the usual one by default
   */
  consume(key: string, points?: number): Promise<Verdict>
  /** Uncounts one request, for limits that only failures should use up. */
  forgive(key: string): Promise<void>
  readonly windowMs: number
  /** Returns the key in Redis, for scripts that count together with other work. */
  keyOf(key: string): string
  /** Returns the verdict for a number of requests and the remaining time of the window. */
  judge(used: number, leftMs: number, points?: number): Verdict
}

/** The lines of a script that count at `KEYS[1]` in windows of `ARGV[1]` milliseconds; they set `used` and `leftMs`. */
export const countLines = `
local used = redis.call('INCR', KEYS[1])
local leftMs = redis.call('PTTL', KEYS[1])
if leftMs < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  leftMs = tonumber(ARGV[1])
end`

// Sent in full each time: the server keeps it compiled, and nothing needs loading after a restart.
const countScript = `${countLines}
return {used, leftMs}`

const forgiveScript = `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end`

/**
 * Makes a limit of `points` requests per window, exact over all processes that share the Redis.
 *
 * While Redis is unreachable each process counts in its own memory; `consume` never fails.
 */
export function createFixedWindow({ redis, name, points: usualPoints, windowMs }: FixedWindowOptions): FixedWindow {
  const inMemory = createMemoryWindow(windowMs)
  const keyOf = (key: string): string => versionedKey('limit', name, key)
  const judge = (used: number, leftMs: number, points = usualPoints): Verdict => ({
    allowed: used <= points,
    retryAfterS: Math.max(1, Math.ceil(leftMs / 1_000)),
  })

  const count = async (key: string): Promise<readonly [used: number, leftMs: number]> => {
    if (redis.client === undefined || !redis.isReady()) return inMemory.count(key)
    try {
      return (await redis.client.eval(countScript, 1, keyOf(key), windowMs)) as [number, number]
    } catch {
      return inMemory.count(key)
    }
  }

  return {
    windowMs,
    keyOf,
    judge,
    consume: async (key, points) => judge(...(await count(key)), points),
    forgive: async (key) => {
      inMemory.forgive(key)
      if (redis.client === undefined || !redis.isReady()) return
      await redis.client.eval(forgiveScript, 1, keyOf(key)).catch(() => undefined)
    },
  }
}

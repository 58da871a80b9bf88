import type { RedisConnection } from './connection.ts'
import type { Epochs } from './epochs.ts'
import { countLines, type FixedWindow, type Verdict } from './fixed-window.ts'

/** The facts that a request needs first. */
interface Admitted {
  readonly epoch: string | null
  readonly verdict: Verdict
}

/** Counts a request and reads the epoch of its workspace in one command. */
export type Admission = (workspaceId: string, key: string, points?: number) => Promise<Admitted>

const admitScript = `${countLines}
return {used, leftMs, redis.call('GET', KEYS[2])}`

/**
 * Combines a limit and the epochs of one Redis; both keys carry the workspace as hash tag.
 * When Redis is unreachable, or has no epoch yet, the two answer separately.
 */
export function createAdmission(redis: RedisConnection, epochs: Epochs, limit: FixedWindow): Admission {
  const separately = async (workspaceId: string, key: string, points?: number): Promise<Admitted> => {
    const [epoch, verdict] = await Promise.all([epochs.read(workspaceId), limit.consume(key, points)])
    return { epoch, verdict }
  }
  return async (workspaceId, key, points) => {
    if (redis.client === undefined || !redis.isReady()) return separately(workspaceId, key, points)
    const generation = redis.generation()
    try {
      const [used, leftMs, epoch] = (await redis.client.eval(
        admitScript,
        2,
        limit.keyOf(key),
        epochs.keyOf(workspaceId),
        limit.windowMs,
      )) as [number, number, string | null]
      const known = epoch === null ? await epochs.read(workspaceId) : epochs.accept(workspaceId, epoch, generation)
      return { epoch: known, verdict: limit.judge(used, leftMs, points) }
    } catch {
      return separately(workspaceId, key, points)
    }
  }
}

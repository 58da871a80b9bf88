import type { RedisConnection } from './connection.ts'
import { versionedKey } from './keys.ts'
import { workspaceTag } from './workspace-tag.ts'

/** Remembers for a minute how far each credential has changed or seen the database, for all processes. */
export interface ChangeMarks {
  /** Notes a position; an earlier one changes nothing. */
  note(workspaceId: string, credentialId: string, position: bigint): Promise<void>
  /** Returns the noted position, 0 without one; undefined when Redis cannot be asked, or has something else there. */
  read(workspaceId: string, credentialId: string): Promise<bigint | undefined>
}

const keptS = 60

// Positions have the same number of digits, so that texts compare like numbers.
const noteLater = `
local known = redis.call('GET', KEYS[1])
if not known or known < ARGV[1] then known = ARGV[1] end
redis.call('SET', KEYS[1], known, 'EX', ARGV[2])`

const positions = /^[0-9a-f]{16}$/

/** Makes the marks in Redis. */
export function createChangeMarks({ client, isReady }: RedisConnection): ChangeMarks {
  const keyOf = (workspaceId: string, credentialId: string): string =>
    versionedKey('changed', workspaceTag(workspaceId), credentialId)
  return {
    note: async (workspaceId, credentialId, position) => {
      if (client === undefined || !isReady()) return
      const text = position.toString(16).padStart(16, '0')
      // Without Redis every read goes to the primary, so nothing is lost with the mark.
      await client.eval(noteLater, 1, keyOf(workspaceId, credentialId), text, keptS).catch(() => undefined)
    },
    read: async (workspaceId, credentialId) => {
      if (client === undefined || !isReady()) return undefined
      const known = await client.get(keyOf(workspaceId, credentialId)).catch(() => undefined)
      if (known === null) return 0n
      return known !== undefined && positions.test(known) ? BigInt(`0x${known}`) : undefined
    },
  }
}

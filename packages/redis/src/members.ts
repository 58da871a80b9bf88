import { LRUCache } from 'lru-cache'
import type { RedisConnection } from './connection.ts'

/** Keeps who is in a place, over all processes that share the Redis; without one, in this process. */
export interface Members {
  /** Lets a member in, or keeps it there, unless others fill the place. */
  enter(place: string, member: string): Promise<Entered>
  leave(place: string, member: string): Promise<void>
}

interface Entered {
  readonly isIn: boolean
  /** The other members, whether the place is full or not. */
  readonly others: readonly string[]
}

export interface MembersOptions {
  readonly redis: RedisConnection
  /** Returns the key of a place in Redis. */
  readonly keyOf: (place: string) => string
  readonly max: number
  /** A member is in the place for this time after each sign of life. */
  readonly keptMs: number
  readonly nowMs?: () => number
}

const enterScript = `
local now, kept, max = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local others, known = {}, redis.call('HGETALL', KEYS[1])
for at = 1, #known, 2 do
  if tonumber(known[at + 1]) <= now then redis.call('HDEL', KEYS[1], known[at])
  elseif known[at] ~= ARGV[1] then table.insert(others, known[at]) end
end
if #others >= max then return {0, others} end
redis.call('HSET', KEYS[1], ARGV[1], now + kept)
redis.call('PEXPIRE', KEYS[1], kept)
return {1, others}`

/** Makes the places of one kind. */
export function createMembers({ redis, keyOf, max, keptMs, nowMs = Date.now }: MembersOptions): Members {
  const inMemory = createMembersInMemory(max, keptMs, nowMs)
  return {
    enter: async (place, member) => {
      if (!redis.client || !redis.isReady()) return inMemory.enter(place, member)
      try {
        const args = [member, nowMs(), keptMs, max]
        const [isIn, others] = (await redis.client.eval(enterScript, 1, keyOf(place), ...args)) as [number, string[]]
        return { isIn: isIn === 1, others }
      } catch {
        return inMemory.enter(place, member)
      }
    },
    leave: async (place, member) => {
      inMemory.leave(place, member)
      if (redis.isReady()) await redis.client?.hdel(keyOf(place), member).catch(() => 0)
    },
  }
}

/** The number of places of this process that are remembered while Redis is away. */
const placesMax = 2_000

function createMembersInMemory(max: number, keptMs: number, nowMs: () => number) {
  const places = new LRUCache<string, ReadonlyMap<string, number>>({ max: placesMax })
  return {
    enter: (place: string, member: string): Entered => {
      const now = nowMs()
      const present = [...(places.get(place) ?? [])].filter(([id, untilMs]) => untilMs > now && id !== member)
      const others = present.map(([id]) => id)
      if (others.length >= max) return { isIn: false, others }
      places.set(place, new Map([...present, [member, now + keptMs]]))
      return { isIn: true, others }
    },
    leave: (place: string, member: string): void => {
      const left = [...(places.get(place) ?? [])].filter(([id]) => id !== member)
      if (left.length > 0) places.set(place, new Map(left))
      else places.delete(place)
    },
  }
}

import type { RedisConnection } from '@crm/redis'

/** A call has two members. */
const seatsOfRoom = 2

/** A seat is kept for this time without a sign of life; a member who leaves gives it back sooner. */
export const seatKeptMs = 25_000

/** Counts the members of each room, over all processes that share the Redis; without one, in this process. */
export interface Seats {
  /** Takes a seat or keeps the member's own; false when other members have all seats. */
  take(roomId: string, member: string): Promise<boolean>
  free(roomId: string, member: string): Promise<void>
}

const takeScript = `
local now, kept = tonumber(ARGV[2]), tonumber(ARGV[3])
local others = 0
local taken = redis.call('HGETALL', KEYS[1])
for at = 1, #taken, 2 do
  if tonumber(taken[at + 1]) <= now then redis.call('HDEL', KEYS[1], taken[at])
  elseif taken[at] ~= ARGV[1] then others = others + 1 end
end
if others >= ${seatsOfRoom} then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], now + kept)
redis.call('PEXPIRE', KEYS[1], kept)
return 1`

const keyOf = (roomId: string): string => `call-seats:{${roomId}}`

/** Makes the count of seats. */
export function createSeats(redis: RedisConnection): Seats {
  const inMemory = new Map<string, Map<string, number>>()

  const takeInMemory = (roomId: string, member: string): boolean => {
    const now = Date.now()
    const taken = new Map([...(inMemory.get(roomId) ?? [])].filter(([, until]) => until > now))
    taken.delete(member)
    if (taken.size >= seatsOfRoom) return false
    inMemory.set(roomId, taken.set(member, now + seatKeptMs))
    return true
  }

  return {
    take: async (roomId, member) => {
      if (!redis.client || !redis.isReady()) return takeInMemory(roomId, member)
      try {
        return (await redis.client.eval(takeScript, 1, keyOf(roomId), member, Date.now(), seatKeptMs)) === 1
      } catch {
        return takeInMemory(roomId, member)
      }
    },
    free: async (roomId, member) => {
      const taken = inMemory.get(roomId)
      taken?.delete(member)
      if (taken?.size === 0) inMemory.delete(roomId)
      if (redis.isReady()) await redis.client?.hdel(keyOf(roomId), member).catch(() => 0)
    },
  }
}

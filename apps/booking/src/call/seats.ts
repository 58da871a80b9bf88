import { createMembers, versionedKey, type RedisConnection } from '@crm/redis'

/** A call has two members. */
const seatsOfRoom = 2

/** A seat is kept for this time without a sign of life; a member who leaves gives it back sooner. */
const seatKeptMs = 25_000

/** Counts the members of each room, over all processes that share the Redis; without one, in this process. */
export interface Seats {
  /** Takes a seat or keeps the member's own; false when other members have all seats. */
  take(roomId: string, member: string): Promise<boolean>
  free(roomId: string, member: string): Promise<void>
}

/** Makes the count of seats. */
export function createSeats(redis: RedisConnection): Seats {
  const keyOf = (roomId: string): string => versionedKey('call-seats', `{${roomId}}`)
  const members = createMembers({ redis, keyOf, max: seatsOfRoom, keptMs: seatKeptMs })
  return {
    take: async (roomId, member) => (await members.enter(roomId, member)).isIn,
    free: members.leave,
  }
}

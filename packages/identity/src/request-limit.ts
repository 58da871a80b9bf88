import { createFixedWindow, type FixedWindow, type RedisConnection } from '@crm/redis'

const windowMs = 60_000

/** Makes the limit of requests per credential and minute, which all processes with credentials share (docs/guide/limits.md). */
export function createRequestLimit(redis: RedisConnection, requestsPerMinute = 600): FixedWindow {
  return createFixedWindow({ redis, name: 'api', points: requestsPerMinute, windowMs })
}

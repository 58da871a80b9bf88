import { createFixedWindow, type FixedWindow, type RedisConnection } from '@crm/redis'
import { workspaceLimits } from '@crm/runtime'

const windowMs = 60_000

/** A directory sends its people one by one, and thousands of them on the first day. */
const scimRequestsPerMinute = 3_000

/** Makes the limit of requests per directory and minute (docs/guide/provisioning.md). */
export function createScimLimit(redis: RedisConnection, requestsPerMinute = scimRequestsPerMinute): FixedWindow {
  return createFixedWindow({ redis, name: 'scim', points: requestsPerMinute, windowMs })
}

/** Makes the limit of requests per credential and minute, which all processes with credentials share (docs/guide/limits.md). */
export function createRequestLimit(
  redis: RedisConnection,
  requestsPerMinute: number = workspaceLimits['api.per-minute'].usual,
): FixedWindow {
  return createFixedWindow({ redis, name: 'api', points: requestsPerMinute, windowMs })
}

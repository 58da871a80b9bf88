import type { Database } from '@crm/db'
import type { Epochs, RedisConnection } from '@crm/redis'
import type { Clock, Logger } from '@crm/runtime'
import type { Pool } from 'pg'

/** What the CRM API works with; tests give their own. */
export interface CrmApiDeps {
  readonly pool: Pool
  readonly db: Database
  readonly redis: RedisConnection
  readonly epochs: Epochs
  readonly clock: Clock
  readonly logger: Logger
  readonly trustedProxies: readonly string[]
  readonly runTokenSecret?: string
  /** Private blocks of addresses that automation may reach all the same. */
  readonly outboundAllowCidrs?: readonly string[]
  /** Whether replies are checked against their schemas. */
  readonly checkReplies?: boolean
  /** Told of every answer: method, route template, status and seconds. */
  readonly observe?: (method: string, route: string, status: number, seconds: number) => void
  /** Requests per credential and minute. */
  readonly requestsPerMinute?: number
}

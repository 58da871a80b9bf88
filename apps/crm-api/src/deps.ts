import type { Database } from '@crm/db'
import type { Epochs, RedisConnection } from '@crm/redis'
import type { Clock, Logger } from '@crm/runtime'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'

/** What the CRM API works with; tests give their own. */
/** Keeps what was read about workspaces for as long as their epochs stand. */
export interface WorkspaceMemory {
  remembered<T extends object>(key: string, epoch: string | null, read: () => Promise<T>): Promise<T>
}

/** Makes a memory of so many entries. */
export function createWorkspaceMemory(entriesMax = 5_000): WorkspaceMemory {
  const entries = new LRUCache<string, { readonly epoch: string; readonly value: object }>({ max: entriesMax })
  return {
    remembered: async <T extends object>(key: string, epoch: string | null, read: () => Promise<T>): Promise<T> => {
      const known = entries.get(key)
      if (epoch !== null && known?.epoch === epoch) return known.value as T
      const value = await read()
      if (epoch !== null) entries.set(key, { epoch, value })
      return value
    },
  }
}

export interface CrmApiDeps {
  readonly pool: Pool
  readonly db: Database
  readonly redis: RedisConnection
  readonly epochs: Epochs
  readonly memory: WorkspaceMemory
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

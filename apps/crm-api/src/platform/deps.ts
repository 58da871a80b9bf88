import type { Database } from '@crm/db'
import type { AddressResolver } from '@crm/egress'
import type { Epochs, RedisConnection } from '@crm/redis'
import { FairTurns, type Clock, type Logger } from '@crm/runtime'
import type { Storage } from '@crm/storage'
import { availableParallelism } from 'node:os'
import type { Pool } from 'pg'
import { createCompaction, type Compaction } from './compaction.ts'
import { createWorkspaceMemory, type WorkspaceMemory } from './workspace-memory.ts'

/** What a process gives; the rest is made from it. */
export type GivenDeps = Omit<CrmApiDeps, 'memory' | 'compaction' | 'passwordChecks'>

/** A check takes a core for some fifty milliseconds; half of the cores are left to everything else. */
const passwordCheckBounds = {
  atOnce: Math.max(1, Math.floor(availableParallelism() / 2)),
  waitingMax: 200,
  waitMsMax: 15_000,
}

/** Completes what a process gives by what one API keeps for itself. */
export function completeDeps(given: GivenDeps): CrmApiDeps {
  return {
    ...given,
    memory: createWorkspaceMemory(),
    compaction: createCompaction(given.db, given.logger),
    passwordChecks: new FairTurns(passwordCheckBounds),
  }
}

/** What the CRM API works with. */
export interface CrmApiDeps {
  readonly pool: Pool
  readonly db: Database
  readonly redis: RedisConnection
  readonly epochs: Epochs
  readonly memory: WorkspaceMemory
  readonly compaction: Compaction
  /** Whose password is looked at, workspaces in turn. */
  readonly passwordChecks: FairTurns
  readonly clock: Clock
  readonly logger: Logger
  /** Where the bytes of files are. */
  readonly storage: Storage
  /** The largest file that is taken. */
  readonly fileBytesMax?: number
  readonly trustedProxies: readonly string[]
  readonly runTokenSecret?: string
  /** Where run tokens are taken from; loopback unless told. */
  readonly runTokenNetworks?: readonly string[]
  /** Private blocks of addresses that automation may reach all the same. */
  readonly outboundAllowCidrs?: readonly string[]
  /** Looks up the hosts that automation sends to; asks the system's DNS servers unless told. */
  readonly outboundResolver?: AddressResolver
  /** Whether an answer that the contract does not declare is a fault; tests alone give it. */
  readonly checkAnswers?: boolean
  /** The checks of reach that are left out, to show that each of them counts; tests alone give it. */
  readonly uncheckedReach?: ReadonlySet<string>
  /** How long search asks its index; 500 ms unless told. */
  readonly searchMs?: number
  /** Requests per credential and minute. */
  readonly requestsPerMinute?: number
}

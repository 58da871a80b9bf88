import type { KeptHead } from '@crm/audit'
import { presenceKeptMs, presenceMax } from '@crm/contract'
import type { Database } from '@crm/db'
import { createEgress, textResolver, type AddressResolver, type Egress, type TextResolver } from '@crm/egress'
import type { Mailer } from '@crm/mail'
import {
  createFixedWindow,
  createMembers,
  versionedKey,
  type Epochs,
  type FixedWindow,
  type Members,
  type RedisConnection,
} from '@crm/redis'
import { FairTurns, type Clock, type Logger } from '@crm/runtime'
import type { Secrets } from '@crm/secrets'
import type { Storage } from '@crm/storage'
import { availableParallelism } from 'node:os'
import type { Pool } from 'pg'
import { ProviderClient } from './provider-client.ts'
import { createCompaction, type Compaction } from './compaction.ts'
import { createAgentCalls, type AgentCalls } from './agent-calls.ts'
import type { AgentCounts } from './agent-counts.ts'
import type { LateReads } from './late-reads.ts'
import { createWorkspaceMemory, type WorkspaceMemory } from './workspace-memory.ts'

/** The dependencies that a process gives; the other ones are made from them. */
export type GivenDeps = Omit<
  CrmApiDeps,
  | 'memory'
  | 'compaction'
  | 'agentCalls'
  | 'passwordChecks'
  | 'providers'
  | 'providerEgress'
  | 'ssoStarts'
  | 'cheapRefusals'
  | 'presence'
  | 'resolveText'
>

/** A check takes a core for about fifty milliseconds; half of the cores are left to all other work. */
const passwordCheckBounds = {
  atOnce: Math.max(1, Math.floor(availableParallelism() / 2)),
  waitingMax: 200,
  waitMsMax: 15_000,
}

/** Metadata, keys and tokens of identity providers are a few kilobytes. */
const providerAnswerBytesMax = 512 * 1024
const hourMs = 3_600_000

/** Completes the given dependencies with the state that one API keeps for itself. */
export function completeDeps(given: GivenDeps): CrmApiDeps {
  const providerEgress = createEgress({
    allowCidrs: given.outboundAllowCidrs ?? [],
    ...(given.outboundResolver ? { resolver: given.outboundResolver } : {}),
    answerBytesMax: providerAnswerBytesMax,
  })
  const limit = (name: string, points: number, windowMs = 60_000): FixedWindow =>
    createFixedWindow({ redis: given.redis, name, points, windowMs })
  return {
    ...given,
    memory: createWorkspaceMemory(),
    compaction: createCompaction(given.db, given.logger),
    agentCalls: createAgentCalls(given),
    passwordChecks: new FairTurns(passwordCheckBounds),
    providerEgress,
    presence: createMembers({
      redis: given.redis,
      keyOf: (place) => versionedKey('presence', place),
      max: presenceMax,
      keptMs: presenceKeptMs,
      nowMs: () => given.clock.now().getTime(),
    }),
    providers: new ProviderClient(providerEgress),
    resolveText: textResolver(given.dnsServers),
    ssoStarts: { ofAddress: limit('sso-address', 300), ofWorkspace: limit('sso', 3_000) },
    cheapRefusals: {
      ofAddress: limit('refusals-of-address', 20, hourMs),
      ofWorkspace: limit('refusals', 200, hourMs),
    },
  }
}

/** How the heads of audit logs are signed and kept. */
export interface AuditProof {
  readonly key: Buffer | undefined
  keep(head: KeptHead): Promise<void>
}

/** The dependencies of the CRM API. */
export interface CrmApiDeps {
  readonly pool: Pool
  readonly db: Database
  readonly redis: RedisConnection
  readonly epochs: Epochs
  /** Who looks at which record. */
  readonly presence: Members
  readonly memory: WorkspaceMemory
  readonly compaction: Compaction
  /** Notes the calls of agents. */
  readonly agentCalls: AgentCalls
  /** Schedules password checks; workspaces take turns. */
  readonly passwordChecks: FairTurns
  readonly clock: Clock
  readonly logger: Logger
  /** The storage of the bytes of files. */
  readonly storage: Storage
  /** The size of the largest accepted file. */
  readonly fileBytesMax?: number
  readonly trustedProxies: readonly string[]
  readonly runTokenSecret?: string
  /** The secret of before, with which running workflows may still be signed. */
  readonly runTokenSecretPrevious?: string
  /** Signs the heads of audit logs, and keeps them outside the database. */
  readonly auditProof?: AuditProof
  /** Seals the secrets of other systems before they are stored, and opens them. */
  readonly secrets: Secrets
  /** The networks from which run tokens are accepted; loopback by default. */
  readonly runTokenNetworks?: readonly string[]
  /** Private blocks of addresses that automation may reach nevertheless. */
  readonly outboundAllowCidrs?: readonly string[]
  /** Looks up the hosts to which automation sends; by default it asks the system's DNS servers. */
  readonly outboundResolver?: AddressResolver
  /** The DNS servers in which the owners of domains publish records (`address:port`); the system's by default. */
  readonly dnsServers?: readonly string[]
  readonly resolveText: TextResolver
  /** The way out to identity providers. */
  readonly providerEgress: Egress
  readonly providers: ProviderClient
  /** The limits of ways to providers that browsers begin. */
  readonly ssoStarts: { readonly ofAddress: FixedWindow; readonly ofWorkspace: FixedWindow }
  /** How many refusals that cost a stranger nothing the audit log takes. */
  readonly cheapRefusals: { readonly ofAddress: FixedWindow; readonly ofWorkspace: FixedWindow }
  /** Whether an answer that the contract does not declare is a fault; set by tests only. */
  readonly checkAnswers?: boolean
  /** The checks of reach that are left out, to show that each of them is needed; set by tests only. */
  readonly uncheckedReach?: ReadonlySet<string>
  /** How long search may query its index, and look for similar words, in milliseconds; 500 and 150 by default. */
  readonly searchMs?: number
  /** The list of breached passwords; without it no password is looked up. */
  readonly breachedPasswordsFile?: string
  /** How long the counts of agents' calls wait before they are written, in milliseconds; 5,000 by default. */
  readonly agentFlushMs?: number
  /** Counts what agents do; nobody counts by default. */
  readonly agentCounts?: AgentCounts
  /** The transport of mails about accounts; without it none is sent. */
  readonly mailer?: Mailer
  /** The replicas that lists, searches, summaries and exports read; none by default. */
  readonly lateReads?: LateReads
  /** The requests that a process works on at once; 2,000 by default. */
  readonly requestsAtOnce?: number
  /** Requests per credential and minute. */
  readonly requestsPerMinute?: number
}

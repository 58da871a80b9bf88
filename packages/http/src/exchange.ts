import type { DeclaredOperation, IncomingUpload, ObjectOf, ReachEffect, RevealedObject, WeekStart } from '@crm/contract'
import type { ErrorCode } from '@crm/errors'
import type { AccessLevels, Module } from '@crm/permissions'
import type { ReadLines } from './read-turns.ts'
import type { Shape } from './shape.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on paths that no operation has. */
    exchange: Exchange | null
  }
}

/** What the pipeline needs to know of a workspace. */
export interface PipelineWorkspace {
  readonly id: string
  readonly baseUrl: string
  /** IANA zone, in which days are meant. */
  readonly timezone: string
  readonly weekStart: WeekStart
  readonly inMaintenance: boolean
  /** The modules that are off, with the reason. */
  readonly modulesOff: ReadonlyMap<Module, 'plan' | 'self'>
}

/** What the pipeline needs to know of a caller. */
export interface PipelineCaller {
  readonly class: 'session' | 'api-key' | 'oauth-token'
  readonly employee: { readonly id: string; readonly status: string }
  /** What the person holds. */
  readonly owned: ReadonlySet<string>
  /** What of it the credential can use. */
  readonly effective: ReadonlySet<string>
  readonly levels: AccessLevels
  /** Whether the credential came by itself, as a cookie does; then the request must come from the workspace's own origin. */
  readonly isAmbient: boolean
}

/** How much of a request budget is left. */
export interface Budget {
  readonly allowed: boolean
  readonly retryAfterS: number
}

/** What a request's host and credential say. */
export interface Recognition<Workspace, Caller> {
  readonly workspace: Workspace | null
  readonly caller: Caller | null
  readonly budget: Budget | null
  /** The value under which what is known of the workspace may be kept; null: not at all. */
  readonly epoch: string | null
}

/** One request on its way through the pipeline. */
export interface Exchange<
  Workspace extends PipelineWorkspace = PipelineWorkspace,
  Caller extends PipelineCaller = PipelineCaller,
> {
  readonly declared: DeclaredOperation
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  recognition: Recognition<Workspace, Caller>
  input: {
    params: unknown
    query: unknown
    body: unknown
    upload?: IncomingUpload<unknown>
    customFieldFilters: ReadonlyMap<string, string>
  }
  /** How the records of the answer are wanted, where that was asked for. */
  shape?: Shape
  /** Whether an answer without records of its own leaves out what is empty. */
  isCompact?: boolean
  /** The code of its refusal, where the operation does not declare it. */
  undeclaredCode?: ErrorCode
}

/** The checks of reach that a request goes through: the object that each of them concerns. */
export type ReachChecks = { readonly [Effect in ReachEffect]?: ObjectOf<Effect> }

/** An answer that is ready to be sent and to be stored for a replay. */
export interface Answer {
  readonly status: number
  /** JSON text; its beginning, where the rest comes in slices. */
  readonly body: string
  /** Reads the text of each slice that follows. */
  readonly later?: readonly (() => Promise<string>)[]
  /** What comes after the last slice. */
  readonly end?: string
}

/** How an idempotent request is told from others. */
export interface IdempotencyClaim {
  readonly workspaceId: string
  readonly employeeId: string
  readonly key: string
  /** Digest of the method, path and body. */
  readonly fingerprint: string
}

/** What was saved of a list. */
export interface SavedQuery {
  readonly entityType: string
  /** The parameters as they stand in a query. */
  readonly params: Readonly<Record<string, string>>
}

/** What a deployable gives the pipeline. */
export interface Ports<Workspace extends PipelineWorkspace, Caller extends PipelineCaller, Context, Transaction> {
  /** Finds the workspace of the host and the caller of the credential, and counts the request. */
  recognise(request: FastifyRequest): Promise<Recognition<Workspace, Caller>>
  /** Whether the database is behind the code. */
  isSchemaBehind(): boolean | Promise<boolean>
  /** Counts a request that has no credential, by address or by what it names. */
  countAnonymous?(exchange: Exchange<Workspace, Caller>): Promise<Budget>
  /** The custom-field filters that a workspace knows for an entity type, as parameter names. */
  customFieldParams?(workspace: Workspace, entityType: string): Promise<ReadonlySet<string>>
  /** The keys of the custom fields that records of an entity type have. */
  customFieldKeys?(workspace: Workspace, entityType: string): Promise<readonly string[]>
  /** The names behind ids of a field, as far as the caller may see what they name. */
  readNames?(
    exchange: Exchange<Workspace, Caller>,
    field: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>>
  /** The parameters saved under an id for the list of an operation, or null when the caller has no such saved filter. */
  savedQuery?(
    workspace: Workspace,
    caller: Caller,
    list: DeclaredOperation,
    id: string,
    params: { readonly key?: string },
  ): Promise<SavedQuery | null>
  /** Runs the work of one idempotency key at most once at a time and keeps its answer. */
  once?(claim: IdempotencyClaim, work: (tx: Transaction) => Promise<Answer>): Promise<Answer>
  /**
   * Does work that may change or use what people reach, and refuses or undoes it where it goes beyond the caller's own reach.
   * Work that changes reach gets a transaction of its own, or the one that is running.
   */
  guardReach?<T>(
    exchange: Exchange<Workspace, Caller>,
    checks: Omit<ReachChecks, 'reveals'>,
    work: (tx?: Transaction) => Promise<T>,
    running?: Transaction,
  ): Promise<T>
  /** Which of some objects tell only of records that the caller may see now, by their ids; an unknown one is not among them. */
  seen?(
    exchange: Exchange<Workspace, Caller>,
    object: RevealedObject,
    ids: readonly string[],
    running?: Transaction,
  ): Promise<ReadonlySet<string>>
  /** The checks of reach that are left out, to show that each of them counts; for tests. */
  readonly uncheckedReach?: ReadonlySet<string>
  /** Makes what handlers get. */
  createContext(exchange: Exchange<Workspace, Caller>, tx?: Transaction): Context
  /** Told of every unexpected fault. */
  report(error: unknown, details: { errorId: string; route: string; requestId: string }): void
  /** Whether a fault is one that passes by itself, such as a lasting deadlock: it is answered 503, and nothing was done. */
  isTransient?(error: unknown): boolean
  /** The largest file that operations with an upload take. */
  readonly fileBytesMax?: number
  /** The turns of requests that only read, for all services of a process; without them nobody waits. */
  readonly reads?: ReadLines
  /** Whether an answer that the contract does not declare is a fault: a reply that does not fit, or a code; for tests. */
  readonly checkAnswers?: boolean
}

export type AnyPorts = Ports<PipelineWorkspace, PipelineCaller, unknown, unknown>

/** One check of the pipeline: it passes, changes the exchange, or throws the refusal. */
export type Step = (exchange: Exchange, ports: AnyPorts) => void | Promise<void>

import type { DeclaredOperation, IncomingUpload, ObjectOf, ReachEffect, RevealedObject, WeekStart } from '@crm/contract'
import type { ErrorCode } from '@crm/errors'
import type { AccessLevels, Module } from '@crm/permissions'
import type { SharedPlaces, WorkspaceLimits } from '@crm/runtime'
import type { ReadLines } from './read-turns.ts'
import type { Shape } from './shape.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on paths without an operation. */
    exchange: Exchange | null
  }
}

/** The facts about a workspace that the pipeline needs. */
export interface PipelineWorkspace {
  readonly id: string
  readonly baseUrl: string
  /** IANA zone of days. */
  readonly timezone: string
  readonly weekStart: WeekStart
  readonly inMaintenance: boolean
  /** The limits that differ from the usual ones. */
  readonly limits?: WorkspaceLimits
  /** The disabled modules, with the reason. */
  readonly modulesOff: ReadonlyMap<Module, 'plan' | 'self'>
}

/** The facts about a caller that the pipeline needs. */
export interface PipelineCaller {
  readonly class: 'session' | 'api-key' | 'oauth-token' | 'scim-token'
  readonly employee: { readonly id: string; readonly status: string }
  /** The permissions of the person. */
  readonly owned: ReadonlySet<string>
  /** The part of these permissions that the credential can use. */
  readonly effective: ReadonlySet<string>
  readonly levels: AccessLevels
  /** The blocks of addresses from which the credential works; none: from everywhere. */
  readonly allowedCidrs?: readonly string[]
  /** Whether the browser sends the credential by itself, as it does cookies; the request must then come from the workspace's own origin. */
  readonly isAmbient: boolean
}

/** The remaining part of a request budget. */
export interface Budget {
  readonly allowed: boolean
  readonly retryAfterS: number
}

/** The workspace and the caller, from a request's host and credential. */
interface Recognition<Workspace, Caller> {
  readonly workspace: Workspace | null
  readonly caller: Caller | null
  readonly budget: Budget | null
  /** The key under which knowledge of the workspace may be cached; null forbids caching. */
  readonly epoch: string | null
}

/** A request that a service sends to itself, through its whole pipeline, for a caller who is known already. */
export interface InnerRequest {
  readonly recognition: Exchange['recognition']
  /** Does the work of the handler in a transaction of the sender. */
  perform(exchange: Exchange, work: (tx: unknown) => Promise<Answer>): Promise<Answer>
}

/** A request on its way through the pipeline. */
export interface Exchange<
  Workspace extends PipelineWorkspace = PipelineWorkspace,
  Caller extends PipelineCaller = PipelineCaller,
> {
  readonly declared: DeclaredOperation
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Set where the service itself sent the request. */
  readonly inner?: InnerRequest | undefined
  /** Reads the record that the path names, as the API shows it to the caller in a transaction; absent where no operation shows it. */
  readonly readShown?: ((tx: unknown) => Promise<Readonly<Record<string, unknown>> | null>) | undefined
  recognition: Recognition<Workspace, Caller>
  input: {
    params: unknown
    query: unknown
    body: unknown
    upload?: IncomingUpload<unknown>
    customFieldFilters: ReadonlyMap<string, string>
  }
  /** The requested shape of the answer's records, if there is one. */
  shape?: Shape
  /** Whether an answer without records of its own omits empty members. */
  isCompact?: boolean
  /** The code of its refusal, where the operation does not declare that code. */
  undeclaredCode?: ErrorCode
}

/** The checks of reach for a request, with the object that each of them concerns. */
export type ReachChecks = { readonly [Effect in ReachEffect]?: ObjectOf<Effect> }

/** An answer that is ready to be sent, and to be stored for a replay. */
export interface Answer {
  readonly status: number
  /** JSON text, or its beginning where the rest comes in slices. */
  readonly body: string
  /** Reads the text of each later slice. */
  readonly later?: readonly (() => Promise<string>)[]
  /** The text after the last slice. */
  readonly end?: string
}

/** The identity of an idempotent request. */
export interface IdempotencyClaim {
  readonly workspaceId: string
  readonly employeeId: string
  readonly key: string
  /** Digest of the method, path and body. */
  readonly fingerprint: string
}

/** A saved filter of a list. */
export interface SavedQuery {
  /** The custom fields that it named and that are gone; its parameters do without them. */
  readonly gone?: readonly string[]
  readonly entityType: string
  /** The parameters as in a query. */
  readonly params: Readonly<Record<string, string>>
}

/** The use of a copy of the database by one read. */
export interface ReplicaUse {
  /** Goes back to the primary after a failure. */
  giveUp(error: unknown): void
}

/** The functions that a deployable gives the pipeline. */
export interface Ports<Workspace extends PipelineWorkspace, Caller extends PipelineCaller, Context, Transaction> {
  /** Finds the workspace of the host and the caller of the credential, and counts the request. */
  recognise(request: FastifyRequest): Promise<Recognition<Workspace, Caller>>
  /** Whether the database lacks a migration of the code. */
  isSchemaBehind(): boolean | Promise<boolean>
  /** Counts a request without a credential, by address or by the object that it names. */
  countAnonymous?(exchange: Exchange<Workspace, Caller>): Promise<Budget>
  /** Returns the custom-field filters of an entity type in a workspace, as parameter names. */
  customFieldParams?(workspace: Workspace, entityType: string): Promise<ReadonlySet<string>>
  /** Returns the keys of an entity type's custom fields. */
  customFieldKeys?(workspace: Workspace, entityType: string): Promise<readonly string[]>
  /** Reads the names behind ids of a field, as far as the caller may see the named records. */
  readNames?(
    exchange: Exchange<Workspace, Caller>,
    field: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>>
  /** Reads the parameters saved under an id for an operation's list, or null when the caller has no such saved filter. */
  savedQuery?(
    workspace: Workspace,
    caller: Caller,
    list: DeclaredOperation,
    id: string,
    params: { readonly key?: string },
  ): Promise<SavedQuery | null>
  /** Lets a read use a copy of the database that has the caller's own changes; undefined when there is none now. */
  useReplica?(exchange: Exchange<Workspace, Caller>): Promise<ReplicaUse | undefined>
  /** Notes that the caller may have changed something, before they get their answer. */
  noteChange?(exchange: Exchange<Workspace, Caller>): Promise<void>
  /** Runs the work of one idempotency key at most once at a time and keeps its answer. */
  once?(claim: IdempotencyClaim, work: (tx: Transaction) => Promise<Answer>): Promise<Answer>
  /** Does the work of a write as its credential may do it: at once, within limits, or later. */
  control?(
    exchange: Exchange<Workspace, Caller>,
    work: (running?: Transaction) => Promise<Answer>,
    running?: Transaction,
  ): Promise<Answer>
  /**
   * Does work that may change or use people's reach, and refuses or undoes it where it exceeds the caller's own reach.
   * Work that changes reach gets a transaction of its own, or the current one.
   */
  guardReach?<T>(
    exchange: Exchange<Workspace, Caller>,
    checks: Omit<ReachChecks, 'reveals'>,
    work: (tx?: Transaction) => Promise<T>,
    running?: Transaction,
  ): Promise<T>
  /** Whether the person of a request has proved lately enough who they are; credentials that no person is asked about are fresh. */
  isFresh?(caller: Caller): boolean
  /** Whether a request shows a sign-in that waits for its second factor; its handler checks it. */
  isSigningIn?(exchange: Exchange<Workspace, Caller>): boolean
  /** Returns the ids of objects that only concern records that the caller may see now; an unknown object is not among them. */
  seen?(
    exchange: Exchange<Workspace, Caller>,
    object: RevealedObject,
    ids: readonly string[],
    running?: Transaction,
  ): Promise<ReadonlySet<string>>
  /** The checks of reach to leave out, so that tests can show that each of them counts. */
  readonly uncheckedReach?: ReadonlySet<string>
  /** Makes the context of handlers. */
  createContext(exchange: Exchange<Workspace, Caller>, tx?: Transaction): Context
  /** Receives every credential that is used from an address from which it does not work. */
  noteForeignAddress?(exchange: Exchange<Workspace, Caller>): Promise<void>
  /** Receives every unexpected fault. */
  report(error: unknown, details: { errorId: string; route: string; requestId: string }): void
  /** Whether a fault is temporary, such as a lasting deadlock: it is answered 503, and nothing was done. */
  isTransient?(error: unknown): boolean
  /** The largest file for operations with an upload. */
  readonly fileBytesMax?: number
  /** The turns of read requests, for all services of a process; without them no request waits. */
  readonly reads?: ReadLines
  /** The places for requests, for all services of a process; without them any number is worked on. */
  readonly places?: SharedPlaces
  /** Whether an answer that the contract does not declare, by its reply or its code, is a fault; for tests. */
  readonly checkAnswers?: boolean
}

export type AnyPorts = Ports<PipelineWorkspace, PipelineCaller, unknown, unknown>

/** A check of the pipeline: it passes, changes the exchange, or throws the refusal. */
export type Step = (exchange: Exchange, ports: AnyPorts) => void | Promise<void>

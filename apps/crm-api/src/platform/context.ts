import { implementFor } from '@crm/contract'
import {
  inTransaction,
  newId,
  scopeOf,
  type Actor,
  type Database,
  type Executor,
  type Scope,
  type Transaction,
} from '@crm/db'
import { ApiError, permissionRequired } from '@crm/errors'
import type { Caller, Workspace } from '@crm/identity'
import type { LeveledAction } from '@crm/permissions'
import type { CrmApiDeps } from './deps.ts'
import { refusingBrokenReferences } from './broken-references.ts'

/** The context that every handler of the CRM API gets besides its input. */
export interface CrmContext {
  readonly deps: CrmApiDeps
  readonly workspace: Workspace
  readonly caller: Caller
  readonly actor: Actor
  /** For reads: the running transaction, or the pool. */
  readonly db: Executor
  /** For reads that outlast a transaction; a replica where the operation may lag. */
  readonly reads: Database
  /** Runs reads in one transaction: the running one, or one of their own. */
  readIn<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Runs writes in the request's transaction. */
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** The time of the request, ISO 8601. */
  readonly at: string
  /** The name of the operation of the API; null for work in the background. */
  readonly operation: string | null
  /** The operation to which all entries of history that the request writes belong. */
  readonly groupId: string
  /**
   * Returns how far the caller reaches for one action on one kind of record.
   * Throws ACCESS_DENIED without the permission and ACCESS_LEVEL_NONE without a level.
   */
  scope(entityType: string, action?: LeveledAction): Scope
  /** Returns the scope of seeing records of a kind, or null when the caller may not see any. */
  scopeIfAllowed(entityType: string): Scope | null
  /**
   * Returns a value about the workspace that changes only together with its epoch; reads it from the database when it may
   * have changed. Code that changes the value calls `changingWorkspace`.
   */
  remembered<T extends object>(key: string, read: () => Promise<T>): Promise<T>
  /** Returns the client's address. It is a function because few callers need it, and every proxy on the way must be looked at. */
  address(): string
  /** Returns the client as limits count it. */
  countedClient(): CountedClient
  /** Names the request in the logs; null for work in the background. */
  readonly requestId: string | null
  /** The address of the other end of the connection: a proxy, or the client itself. */
  readonly peer: string
  readonly requestHeaders: Readonly<Record<string, string | string[] | undefined>>
  setHeader(name: string, value: string | string[]): void
  /** Refuses a version of the record that the request changes when its `If-Match` names others; the record is locked. */
  expectVersion(this: void, version: number): void
}

export const implement = implementFor<CrmContext>()

/** A client as limits count it. */
export interface CountedClient {
  /** Its address, or that of a proxy which hides its clients. */
  readonly key: string
  /** Whether many clients may stand behind the address, so that it is allowed more. */
  readonly isProxy: boolean
}

/** The facts of a request from which its context is made. */
export interface RequestFacts {
  address(): string
  countedClient(): CountedClient
  readonly peer: string
  readonly headers: CrmContext['requestHeaders']
  readonly requestId?: string
  readonly operation?: string
  readonly epoch: string | null
  /** The replica that the request reads; none by default. */
  readonly replica?: Database | undefined
  setHeader(name: string, value: string | string[]): void
  /** None for work without a request. */
  readonly expectVersion?: CrmContext['expectVersion']
}

/** Makes the context of one request. */
export function createContext(
  deps: CrmApiDeps,
  workspace: Workspace,
  caller: Caller | null,
  facts: RequestFacts,
  running?: Transaction,
): CrmContext {
  const known = caller ?? nobody
  const reads = facts.replica ?? deps.db
  const at = deps.clock.now().toISOString()
  const scopeIfAllowed = (entityType: string): Scope | null => scopeOf(workspace.id, known, entityType)
  return {
    deps,
    workspace,
    caller: known,
    actor: {
      type: 'EMPLOYEE',
      id: known.employee.id,
      name: known.employee.name,
      source: known.source,
      via: known.via,
      depth: known.depth,
    },
    db: running ?? reads,
    reads,
    readIn: (work) => inTransaction(reads, running, work),
    transact: (work) => refusingBrokenReferences(inTransaction(deps.db, running, work)),
    at,
    operation: facts.operation ?? null,
    groupId: newId(),
    scope: (entityType, action = 'VIEW') => requireScope(workspace, known, entityType, action),
    scopeIfAllowed,
    remembered: (key, read) => {
      const known = `${workspace.id}:${key}`
      // A value of a replica may be older than its epoch, so it is not kept.
      return reads === deps.db
        ? deps.memory.remembered(known, facts.epoch, read)
        : deps.memory.recalled(known, facts.epoch, read)
    },
    address: facts.address,
    countedClient: facts.countedClient,
    peer: facts.peer,
    requestHeaders: facts.headers,
    requestId: facts.requestId ?? null,
    setHeader: facts.setHeader,
    expectVersion: facts.expectVersion ?? (() => undefined),
  }
}

function requireScope(workspace: Workspace, caller: Caller, entityType: string, action: LeveledAction): Scope {
  const permission = `${action}_${entityType}`
  if (!caller.effective.has(permission)) {
    throw permissionRequired(permission)
  }
  const scope = scopeOf(workspace.id, caller, entityType, action)
  if (!scope)
    throw new ApiError('ACCESS_LEVEL_NONE', {
      message: `No access level for ${permission}`,
      requiredPermission: permission,
    })
  return scope
}

/** The caller of an open operation: no person, with no rights. */
export const nobody: Caller = {
  class: 'session',
  isAmbient: false,
  credential: {
    id: '00000000-0000-0000-0000-000000000000',
    name: 'None',
    prefix: null,
    createdAt: '',
    expiresAt: null,
    lastUsedAt: null,
  },
  employee: {
    id: '00000000-0000-0000-0000-000000000000',
    email: '',
    firstName: null,
    lastName: null,
    name: 'Nobody',
    kind: 'PERSON',
    status: 'ACTIVE',
    departmentId: null,
    managerId: null,
    timezone: null,
    createdAt: '',
    roleIds: [],
  },
  allowedCidrs: [],
  departmentTreeIds: [],
  requested: [],
  owned: new Set(),
  effective: new Set(),
  levels: {},
  source: 'UI',
  via: { type: 'SESSION', id: null, name: null },
  control: null,
  freshUntil: null,
  depth: 0,
}

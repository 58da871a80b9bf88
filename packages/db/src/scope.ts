import type { AccessLevel } from '@crm/permissions'
import { and, eq, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

declare const authorized: unique symbol

/**
 * Proof that a caller may do one action to one kind of record in one workspace, with how far they reach.
 * Only `authorizeScope` makes it, so a query that needs it does not compile without the check.
 */
export interface Scope {
  readonly [authorized]: true
  readonly workspaceId: string
  readonly level: AccessLevel
  readonly employeeId: string
  readonly departmentId: string | null
  readonly departmentTreeIds: readonly string[]
}

export type ScopeFacts = Omit<Scope, typeof authorized>

/** Makes a scope; called by the authorization of a deployable and nowhere else. */
export function authorizeScope(facts: ScopeFacts): Scope {
  return facts as Scope
}

/** Narrows nothing: a scope over all records of a workspace, for work that the service does by itself. */
export function systemScope(workspaceId: string): Scope {
  return authorizeScope({ workspaceId, level: 'ALL', employeeId: '00000000-0000-0000-0000-000000000000', departmentId: null, departmentTreeIds: [] })
}

interface OwnedColumns {
  readonly workspaceId: SQLWrapper
  readonly ownerId: SQLWrapper
  readonly createdById: SQLWrapper
  readonly departmentId: SQLWrapper
  /** Those whose record it is as well as the owner's. */
  readonly assigneeId?: SQLWrapper
  readonly memberIds?: SQLWrapper
}

/** The one predicate of record visibility: the workspace and what the scope's level reaches of it. */
export function visible(scope: Scope, columns: OwnedColumns): SQL {
  const isOwn = or(
    eq(columns.ownerId, scope.employeeId),
    and(isNull(columns.ownerId), eq(columns.createdById, scope.employeeId)),
    columns.assigneeId ? eq(columns.assigneeId, scope.employeeId) : undefined,
    columns.memberIds ? sql`${columns.memberIds} @> ARRAY[${scope.employeeId}]::uuid[]` : undefined,
  )
  return within(scope, columns.workspaceId, isOwn, columns.departmentId)
}

/** One of the parts that make up what a scope reaches. */
export interface ReachedPart {
  /** Records that an index of the kind has in the order of time: those of one owner, of nobody, of one department. */
  readonly among: SQL
  /** Which of them belong to the part; all where it says nothing. */
  readonly only?: SQL
}

/** What a scope reaches of records that are nobody's but their owner's, in parts; a record may be in several. */
export function reachedParts(scope: Scope, columns: OwnedColumns): readonly ReachedPart[] {
  const inWorkspace = eq(columns.workspaceId, scope.workspaceId)
  const among = (condition: SQL): SQL => and(inWorkspace, condition) as SQL
  if (scope.level === 'ALL') return [{ among: inWorkspace }]
  if (scope.level === 'NONE') return []
  return [
    { among: among(eq(columns.ownerId, scope.employeeId)) },
    { among: among(isNull(columns.ownerId)), only: eq(columns.createdById, scope.employeeId) },
    ...departmentsOf(scope).map((id) => ({ among: among(eq(columns.departmentId, id)) })),
  ]
}

/** The same predicate over the ledger of counts, where the holder is the owner or, without one, the creator. */
export function visibleCounts(scope: Scope, columns: { readonly workspaceId: SQLWrapper; readonly holderId: SQLWrapper; readonly departmentId: SQLWrapper }): SQL {
  return within(scope, columns.workspaceId, eq(columns.holderId, scope.employeeId), columns.departmentId)
}

function within(scope: Scope, workspaceId: SQLWrapper, isOwn: SQL | undefined, departmentId: SQLWrapper): SQL {
  const inWorkspace = eq(workspaceId, scope.workspaceId)
  const reach = reachOf(scope, isOwn, departmentId)
  return reach ? (and(inWorkspace, reach) as SQL) : inWorkspace
}

function reachOf(scope: Scope, isOwn: SQL | undefined, departmentId: SQLWrapper): SQL | undefined {
  if (scope.level === 'ALL') return undefined
  if (scope.level === 'NONE') return sql`false`
  if (scope.level === 'OWN') return isOwn
  return or(isOwn, sql`${departmentId} = ANY(${sql.param(departmentsOf(scope))}::uuid[])`)
}

/** The departments whose records a scope reaches besides one's own. */
export function departmentsOf({ level, departmentId, departmentTreeIds }: ScopeFacts): readonly string[] {
  return level === 'DEPARTMENT' && departmentId ? [departmentId] : level === 'DEPARTMENT_TREE' ? departmentTreeIds : []
}

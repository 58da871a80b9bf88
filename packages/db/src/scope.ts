import { levelFor, type AccessLevel, type AccessLevels, type LeveledAction } from '@crm/permissions'
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

/** What of a caller says how far they reach. */
export interface ReachingCaller {
  readonly employee: { readonly id: string; readonly departmentId: string | null }
  readonly departmentTreeIds: readonly string[]
  readonly effective: ReadonlySet<string>
  readonly levels: AccessLevels
}

/** How far a caller reaches for one action on one kind of record; null without the permission or without a level. */
export function scopeOf(
  workspaceId: string,
  { effective, levels, employee, departmentTreeIds }: ReachingCaller,
  entityType: string,
  action: LeveledAction = 'VIEW',
): Scope | null {
  const level = levelFor(levels, entityType, action)
  if (!effective.has(`${action}_${entityType}`) || level === 'NONE') return null
  return authorizeScope({
    workspaceId,
    level,
    employeeId: employee.id,
    departmentId: employee.departmentId,
    departmentTreeIds,
  })
}

/** Narrows nothing: a scope over all records of a workspace, for work that the service does by itself. */
export function systemScope(workspaceId: string): Scope {
  return authorizeScope({
    workspaceId,
    level: 'ALL',
    employeeId: '00000000-0000-0000-0000-000000000000',
    departmentId: null,
    departmentTreeIds: [],
  })
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

/** What tells whose a record is, as it stands in the record itself. */
export interface RecordHolders {
  readonly ownerId?: string | null
  readonly createdById?: string | null
  readonly departmentId?: string | null
  readonly assigneeId?: string | null
  readonly memberIds?: readonly string[] | null
}

/** Whether a scope reaches a record that is in hand: the predicate of `visible` for a row that was read already. */
export function reaches(
  scope: ScopeFacts,
  { ownerId = null, createdById, departmentId, assigneeId, memberIds }: RecordHolders,
): boolean {
  const { level, employeeId } = scope
  if (level === 'ALL') return true
  if (level === 'NONE') return false
  const isOwn =
    ownerId === employeeId ||
    (ownerId === null && createdById === employeeId) ||
    assigneeId === employeeId ||
    memberIds?.includes(employeeId) === true
  return isOwn || (typeof departmentId === 'string' && departmentsOf(scope).includes(departmentId))
}

/**
 * Where the records lie that a scope reaches, when they are nobody's but their owner's: those of one owner, of nobody, of one department.
 * Indexes have each of these parts in the order of time. A record may be in several, and of nobody's not all are reached.
 */
export function reachedParts(scope: Scope, columns: OwnedColumns): readonly SQL[] {
  const inWorkspace = eq(columns.workspaceId, scope.workspaceId)
  const among = (condition: SQL): SQL => and(inWorkspace, condition) as SQL
  if (scope.level === 'ALL') return [inWorkspace]
  if (scope.level === 'NONE') return []
  return [
    among(eq(columns.ownerId, scope.employeeId)),
    among(isNull(columns.ownerId)),
    ...departmentsOf(scope).map((id) => among(eq(columns.departmentId, id))),
  ]
}

/** The same predicate over the ledger of counts, where the holder is the owner or, without one, the creator. */
export function visibleCounts(
  scope: Scope,
  columns: { readonly workspaceId: SQLWrapper; readonly holderId: SQLWrapper; readonly departmentId: SQLWrapper },
): SQL {
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

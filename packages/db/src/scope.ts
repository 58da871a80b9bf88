import { levelFor, type AccessLevel, type AccessLevels, type LeveledAction } from '@crm/permissions'
import { and, eq, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

declare const authorized: unique symbol

/**
 * Proof that a caller may perform one action on one kind of record in one workspace, and the extent of their reach.
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

/** Makes a scope; only the authorization of a deployable calls it. */
export function authorizeScope(facts: ScopeFacts): Scope {
  return facts as Scope
}

/** The facts about a caller that decide their reach. */
export interface ReachingCaller {
  readonly employee: { readonly id: string; readonly departmentId: string | null }
  readonly departmentTreeIds: readonly string[]
  readonly effective: ReadonlySet<string>
  readonly levels: AccessLevels
}

/** Returns the reach of a caller for one action on one kind of record; null without the permission or without a level. */
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

/** Returns a scope over all records of a workspace, for work that the service does by itself. */
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
  /** People for whom the record counts as their own, besides the owner. */
  readonly assigneeId?: SQLWrapper
  readonly memberIds?: SQLWrapper
}

/** Returns the one predicate of record visibility: the workspace, and the level's part of it. */
export function visible(scope: Scope, columns: OwnedColumns): SQL {
  const isOwn = or(
    eq(columns.ownerId, scope.employeeId),
    and(isNull(columns.ownerId), eq(columns.createdById, scope.employeeId)),
    columns.assigneeId ? eq(columns.assigneeId, scope.employeeId) : undefined,
    columns.memberIds ? sql`${columns.memberIds} @> ARRAY[${scope.employeeId}]::uuid[]` : undefined,
  )
  return within(scope, columns.workspaceId, isOwn, columns.departmentId)
}

/** The columns that say whose a record is, as values of the record. */
export interface RecordHolders {
  readonly ownerId?: string | null
  readonly createdById?: string | null
  readonly departmentId?: string | null
  readonly assigneeId?: string | null
  readonly memberIds?: readonly string[] | null
}

/** Whether a scope reaches a record that was read already: the predicate of `visible` in code. */
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
 * Returns the parts of a scope's reach, when records belong to their owner alone: records of one owner, of no owner, of one department.
 * Indexes have each part in the order of time. A record may be in several parts, and not all records without an owner are reached.
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

/** Returns the same predicate over the ledger of counts, where the holder is the owner or, without one, the creator. */
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

/** Returns the departments whose records a scope reaches besides its own records. */
export function departmentsOf({ level, departmentId, departmentTreeIds }: ScopeFacts): readonly string[] {
  return level === 'DEPARTMENT' && departmentId ? [departmentId] : level === 'DEPARTMENT_TREE' ? departmentTreeIds : []
}

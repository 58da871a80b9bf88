import { isAnyOf, schema, type Executor } from '@crm/db'
import { and, eq, or, sql, type SQL } from 'drizzle-orm'
import { kindsInSight } from '../../kinds/kinds.ts'
import type { CrmContext } from '../../platform/context.ts'
import { shownColumns } from '../../records/shown-columns.ts'

const { savedFilters, employees } = schema
export const viewColumns = shownColumns(savedFilters, 'savedFilters')

export type SavedFilterRow = Omit<typeof savedFilters.$inferSelect, 'workspaceId'>

/** The person who looks for saved filters. */
export interface FilterReader {
  readonly workspaceId: string
  readonly employeeId: string
  readonly departmentId: string | null
  /** The kinds of record that the person may see; filters of other kinds do not exist for them. */
  readonly entityTypes: readonly string[]
}

/**
 * Returns the condition for the filters that a person may use: their own, those shared with everybody, and those of people
 * of their department.
 */
export function usable({ workspaceId, employeeId, departmentId, entityTypes }: FilterReader): SQL {
  const isColleagues = and(
    eq(savedFilters.visibility, 'DEPARTMENT'),
    sql`EXISTS (SELECT FROM ${employees} WHERE ${employees.workspaceId} = ${savedFilters.workspaceId} AND ${employees.id} = ${savedFilters.ownerId} AND ${employees.departmentId} = ${departmentId})`,
  )
  const isShared = or(
    eq(savedFilters.ownerId, employeeId),
    eq(savedFilters.visibility, 'WORKSPACE'),
    departmentId ? isColleagues : undefined,
  )
  return and(eq(savedFilters.workspaceId, workspaceId), isAnyOf(savedFilters.entityType, entityTypes), isShared) as SQL
}

/** Returns the caller as a reader of saved filters. */
export function filterReaderOf(context: Pick<CrmContext, 'workspace' | 'caller' | 'scopeIfAllowed'>): FilterReader {
  const { workspace, caller, scopeIfAllowed } = context
  const { employee } = caller
  const entityTypes = kindsInSight(context)
    .map(({ entityType }) => entityType)
    .filter((entityType) => scopeIfAllowed(entityType) !== null)
  return { workspaceId: workspace.id, employeeId: employee.id, departmentId: employee.departmentId, entityTypes }
}

/** Returns the usable filters among some ids. */
export async function findUsableFilters(
  db: Executor,
  reader: FilterReader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SavedFilterRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select(viewColumns)
    .from(savedFilters)
    .where(and(usable(reader), isAnyOf(savedFilters.id, ids)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns one usable filter. */
export async function findSavedFilter(
  db: Executor,
  reader: FilterReader,
  id: string,
): Promise<SavedFilterRow | undefined> {
  const [row] = await db
    .select(viewColumns)
    .from(savedFilters)
    .where(and(usable(reader), eq(savedFilters.id, id)))
  return row
}

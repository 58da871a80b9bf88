import { isAnyOf, schema, type Executor } from '@crm/db'
import { and, eq, type SQL } from 'drizzle-orm'
import { kindsInSight } from '../../kinds/kinds.ts'
import type { CrmContext } from '../../platform/context.ts'
import { sharedWith, type Reader } from '../../records/shared-with.ts'
import { shownColumns } from '../../records/shown-columns.ts'

const { savedFilters } = schema
export const viewColumns = shownColumns(savedFilters, 'savedFilters')

export type SavedFilterRow = Omit<typeof savedFilters.$inferSelect, 'workspaceId'>

/** A reader of saved filters. */
export interface FilterReader extends Reader {
  /** The entity types whose lists they may read. */
  readonly entityTypes: readonly string[]
}

/** Returns the condition for the filters that a reader may use. */
export function usable(reader: FilterReader): SQL {
  return and(sharedWith(savedFilters, reader), isAnyOf(savedFilters.entityType, reader.entityTypes)) as SQL
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

import type { SavedFilterInput, SavedFilterPatch } from '@crm/contract'
import { newId, schema, type Executor, type Page, type Transaction, inNameOrder } from '@crm/db'
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm'
import {
  usable,
  viewColumns as columns,
  type FilterReader,
  type SavedFilterRow,
} from '../../../domain/views/usable-views.ts'
import { searchCondition } from '../../../records/search-terms.ts'

const { savedFilters } = schema

/** Returns a page of the usable filters in their order, then by name, and the number of matches. */
export async function listSavedFilters(
  db: Executor,
  reader: FilterReader,
  filter: { readonly search?: string; readonly entityType?: string },
  page: { readonly limit: number; readonly offset: number; readonly locale: string },
): Promise<Page<SavedFilterRow>> {
  const where = and(
    usable(reader),
    searchCondition(filter.search, sql`crm_searchable(${savedFilters.name})`),
    filter.entityType ? eq(savedFilters.entityType, filter.entityType) : undefined,
  )
  const [total] = await db.select({ n: count() }).from(savedFilters).where(where)
  const items = await db
    .select(columns)
    .from(savedFilters)
    .where(where)
    .orderBy(asc(savedFilters.position), inNameOrder(savedFilters.name, page.locale), asc(savedFilters.id))
    .limit(page.limit)
    .offset(page.offset)
  return { items, total: total?.n ?? 0 }
}

/** Writes a new filter of a person. */
export async function insertSavedFilter(
  tx: Transaction,
  { workspaceId, employeeId }: FilterReader,
  input: SavedFilterInput,
  at: string,
): Promise<SavedFilterRow> {
  const values = {
    ...input,
    workspaceId,
    id: newId(),
    ownerId: employeeId,
    createdById: employeeId,
    createdAt: at,
    updatedAt: at,
  }
  const [row] = await tx.insert(savedFilters).values(values).returning(columns)
  return row as SavedFilterRow
}

/** Changes a filter. */
export async function updateSavedFilter(
  tx: Transaction,
  workspaceId: string,
  id: string,
  patch: SavedFilterPatch,
  at: string,
): Promise<SavedFilterRow | undefined> {
  const [row] = await tx
    .update(savedFilters)
    .set({ ...patch, updatedAt: at })
    .where(isFilter(workspaceId, id))
    .returning(columns)
  return row
}

/** Clears the default filter of a type; changes of it wait for each other. */
export async function clearDefault(tx: Transaction, workspaceId: string, entityType: string): Promise<void> {
  await tx.execute(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${`default-view:${workspaceId}:${entityType}`}, 0))`,
  )
  await tx
    .update(savedFilters)
    .set({ isDefault: false })
    .where(
      and(
        eq(savedFilters.workspaceId, workspaceId),
        eq(savedFilters.entityType, entityType),
        eq(savedFilters.isDefault, true),
      ),
    )
}

/** Deletes a filter. */
export async function deleteSavedFilter(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.delete(savedFilters).where(isFilter(workspaceId, id))
}

function isFilter(workspaceId: string, id: string): SQL {
  return and(eq(savedFilters.workspaceId, workspaceId), eq(savedFilters.id, id)) as SQL
}

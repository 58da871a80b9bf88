import { filteredEntities, savedFilters, success, type FilteredEntity } from '@crm/contract'
import type { Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import { implement, type CrmContext } from '../../platform/context.ts'
import { offsetOf, pageOf } from '../../records/pages.ts'
import { checkListRequest } from './saved-filters.check.ts'
import {
  deleteSavedFilter,
  findSavedFilter,
  insertSavedFilter,
  listSavedFilters,
  updateSavedFilter,
  type FilterReader,
  type SavedFilterRow,
} from './saved-filters.repository.ts'

export const implementedSavedFilters = implement(savedFilters, {
  list: async ({ query }, context) => {
    const { items, total } = await listSavedFilters(context.db, readerOf(context), query, {
      limit: query.pageSize,
      offset: offsetOf(query),
    })
    return pageOf({ items: items.map(toRecord), total }, query)
  },

  get: async ({ params }, context) => success(toRecord(await requireUsableFilter(context.db, context, params.id))),

  create: async ({ body }, context) => {
    context.scope(body.entityType)
    checkListRequest(body.entityType, body)
    return success(toRecord(await context.transact((tx) => insertSavedFilter(tx, readerOf(context), body, context.at))))
  },

  update: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const current = await requireOwnFilter(tx, context, params.id)
      checkListRequest(toRecord(current).entityType, { ...current, ...body })
      return success(toRecord(required(await updateSavedFilter(tx, context.workspace.id, params.id, body, context.at))))
    }),

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      await requireOwnFilter(tx, context, params.id)
      await deleteSavedFilter(tx, context.workspace.id, params.id)
      return success({ id: params.id })
    }),
})

/** Somebody as the reader of saved filters. */
export function readerOf({ workspace, caller: { employee }, scopeIfAllowed }: CrmContext): FilterReader {
  const entityTypes = filteredEntities.filter((entityType) => scopeIfAllowed(entityType) !== null)
  return { workspaceId: workspace.id, employeeId: employee.id, departmentId: employee.departmentId, entityTypes }
}

/** One saved filter that the caller may use, or NOT_FOUND. */
export async function requireUsableFilter(db: Executor, context: CrmContext, id: string): Promise<SavedFilterRow> {
  return required(await findSavedFilter(db, readerOf(context), id))
}

/** What is shared with the workspace can also be put in order by whoever manages the workspace, after its owner has left. */
async function requireOwnFilter(db: Executor, context: CrmContext, id: string): Promise<SavedFilterRow> {
  const filter = await requireUsableFilter(db, context, id)
  const isManaged = filter.visibility === 'WORKSPACE' && context.caller.effective.has('MANAGE_WORKSPACE')
  if (filter.ownerId === context.caller.employee.id || isManaged) return filter
  throw new ApiError('ACCESS_DENIED', { message: 'Only its owner changes a saved filter' })
}

function required(row: SavedFilterRow | undefined): SavedFilterRow {
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such saved filter' })
  return row
}

function toRecord(row: SavedFilterRow) {
  return { ...row, entityType: row.entityType as FilteredEntity }
}

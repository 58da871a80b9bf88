import { withoutGone } from '../../../domain/views/without-gone.ts'
import { recordOperations, savedFilters, success, type SavedFilterPatch, type SavedFilterRecord } from '@crm/contract'
import type { Executor, Transaction } from '@crm/db'
import { ApiError, invalidField, permissionRequired } from '@crm/errors'
import {
  knownColumns,
  requireArrangement,
  requireAskedList,
  requireColumns,
  requireConditions,
  usualGroupBy,
} from '../../../domain/views/asked-lists.ts'
import { checkListRequest } from '../../../domain/views/list-request.ts'
import { filterReaderOf, findSavedFilter, type SavedFilterRow } from '../../../domain/views/usable-views.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { customFieldKindsOf } from '../../../records/custom-field-filters.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import {
  clearDefault,
  deleteSavedFilter,
  insertSavedFilter,
  listSavedFilters,
  updateSavedFilter,
} from './saved-filters.repository.ts'

export const implementedSavedFilters = implement(savedFilters, {
  list: async ({ query }, context) => {
    const { items, total } = await listSavedFilters(context.db, filterReaderOf(context), query, {
      limit: query.pageSize,
      offset: offsetOf(query),
      locale: context.workspace.locale,
    })
    return pageOf({ items: await showFilters(context.db, context, items), total }, query)
  },

  get: async ({ params }, context) =>
    showOne(context.db, context, await requireUsableFilter(context.db, context, params.id)),

  create: async ({ body }, context) => {
    context.scope(body.entityType)
    await checkView(context.db, context, { ...blank, ...body }, body)
    return context.transact(async (tx) => {
      await passDefault(tx, context, { ...blank, entityType: body.entityType }, body)
      return showOne(tx, context, await insertSavedFilter(tx, filterReaderOf(context), body, context.at))
    })
  },

  update: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const current = await requireOwnFilter(tx, context, params.id)
      await checkView(tx, context, current, body)
      await passDefault(tx, context, current, body)
      return showOne(
        tx,
        context,
        required(await updateSavedFilter(tx, context.workspace.id, params.id, body, context.at)),
      )
    }),

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      await requireOwnFilter(tx, context, params.id)
      await deleteSavedFilter(tx, context.workspace.id, params.id)
      return success({ id: params.id })
    }),
})

const arranged = ['view', 'groupBy', 'dateField', 'measures'] as const

/** The default values of a filter. */
const blank = {
  visibility: 'PRIVATE' as const,
  view: 'LIST' as const,
  groupBy: null,
  dateField: null,
  measures: [],
  isDefault: false,
}

type View = Pick<SavedFilterRow, 'entityType' | keyof typeof blank> & Parameters<typeof checkListRequest>[1]

/** Refuses a view that the list itself would refuse, and sent fields by which its records cannot be shown. */
async function checkView(db: Executor, context: CrmContext, current: View, sent: SavedFilterPatch): Promise<void> {
  const view = { ...current, ...sent }
  checkListRequest(current.entityType, view, { calendar: context.workspace, employeeId: context.caller.employee.id })
  const list = await requireAskedList(db, context, current.entityType, 'entityType')
  if (sent.query) requireConditions(list, sent.query, context, ['query'])
  requireColumns(list, sent.columns ?? [], ['columns'])
  // A custom field that was deleted later does not block other changes.
  if (arranged.some((name) => sent[name] !== undefined)) requireArrangement(list, view)
  if (view.isDefault && view.visibility !== 'WORKSPACE')
    throw invalidField('isDefault', 'What not everybody sees cannot be the default')
}

/** Moves the default to another view of the type; a person who manages the workspace chooses it. */
async function passDefault(
  tx: Transaction,
  { caller, workspace }: CrmContext,
  current: Pick<SavedFilterRow, 'entityType' | 'isDefault'>,
  { isDefault = current.isDefault }: SavedFilterPatch,
): Promise<void> {
  if (isDefault === current.isDefault) return
  const permission = 'MANAGE_WORKSPACE'
  if (!caller.effective.has(permission)) throw permissionRequired(permission)
  if (isDefault) await clearDefault(tx, workspace.id, current.entityType)
}

async function requireUsableFilter(db: Executor, context: CrmContext, id: string): Promise<SavedFilterRow> {
  return required(await findSavedFilter(db, filterReaderOf(context), id))
}

/**
 * Returns a filter that the caller may change. People who manage the workspace may also change filters that are shared with
 * the workspace, for example after the owner has left.
 */
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

async function showOne(db: Executor, context: CrmContext, row: SavedFilterRow) {
  const [shown] = await showFilters(db, context, [row])
  return success(shown as SavedFilterRecord)
}

/** Shows filters without deleted custom fields. */
async function showFilters(
  db: Executor,
  { workspace }: CrmContext,
  rows: readonly SavedFilterRow[],
): Promise<SavedFilterRecord[]> {
  const customFields = new Map<string, readonly string[]>()
  for (const { entityType } of rows.filter(namesCustomFields)) {
    if (customFields.has(entityType)) continue
    const kinds = await customFieldKindsOf(db, workspace.id, entityType)
    customFields.set(
      entityType,
      kinds.map(({ key }) => `cf_${key}`),
    )
  }
  return rows.map((row) => showFilter(row, customFields.get(row.entityType) ?? []))
}

function namesCustomFields({ columns, groupBy, dateField, measures, query, sortBy }: SavedFilterRow): boolean {
  const names = [
    ...columns,
    ...measures,
    groupBy,
    dateField,
    sortBy,
    ...Object.keys(query),
    query['filter'],
    query['thenBy'],
  ]
  return names.some((name) => name?.includes('cf_'))
}

function showFilter(row: SavedFilterRow, customFields: readonly string[]): SavedFilterRecord {
  const { list, summary } = recordOperations(row.entityType) ?? {}
  const columns = list?.shaped ? knownColumns(list.shaped) : []
  const gone = new Set<string>()
  const isThere = (field: string): boolean => {
    if (!field.startsWith('cf_') || customFields.includes(field)) return true
    gone.add(field)
    return false
  }
  const stillThere = (field: string | null): string | null => (field !== null && isThere(field) ? field : null)
  const usual = row.view === 'KANBAN' && summary?.summarized ? usualGroupBy(summary.summarized) : null
  const asked = withoutGone(row, new Set(customFields.map((name) => name.slice('cf_'.length))))
  const shown = {
    ...row,
    query: asked.query,
    sortBy: asked.sortBy,
    columns: row.columns.filter((column) => columns.includes(column) || (column.startsWith('cf_') && isThere(column))),
    measures: row.measures.filter((measure) => isThere(measure.slice(measure.indexOf(':') + 1))),
    groupBy: stillThere(row.groupBy) ?? usual,
    dateField: stillThere(row.dateField),
  }
  return { ...shown, goneFields: [...new Set([...asked.gone, ...gone])] }
}

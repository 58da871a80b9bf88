import { checklistItemsMax, success, taskChecklist } from '@crm/contract'
import type { Executor, Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { isDeepStrictEqual } from 'node:util'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { requireRecord } from '../../../records/owned/handlers.ts'
import { lockRecord } from '../../../records/owned/repository.ts'
import { leaveTrace, traceChanged } from '../../../records/owned/trace.ts'
import {
  deleteItem,
  insertItem,
  orderItems,
  readChecklists,
  updateItem,
  type ChecklistRow,
} from './checklist.repository.ts'
import { taskKind, type TaskRow } from '../../../kinds/tasks.ts'

export const implementedTaskChecklist = implement(taskChecklist, {
  list: async ({ params, query }, context) => {
    const { id } = await requireRecord(context, taskKind, params.id)
    const items = await readItems(context.db, context, id)
    const from = offsetOf(query)
    return pageOf({ items: items.slice(from, from + query.pageSize), total: items.length }, query)
  },

  create: async ({ params, body }, context) => {
    const { position, ...values } = body
    return context.transact(async (tx) => {
      const { task, items } = await lockChecklist(tx, context, params.id)
      if (items.length >= checklistItemsMax)
        throw invalidField([], `A checklist holds at most ${checklistItemsMax} items`)
      const item = await insertItem(tx, context, task.id, { ...values, position: items.length })
      const placed = await move(tx, context, [...items, item], item, position ?? items.length)
      await trace(tx, context, task, null, placed)
      return success(placed)
    })
  },

  update: async ({ params, body }, context) => {
    const { position, ...set } = body
    return context.transact(async (tx) => {
      const { task, items } = await lockChecklist(tx, context, params.id)
      const before = requireItem(items, params.itemId)
      const changed = await updateItem(tx, context.workspace.id, before.id, set, context.at)
      const placed = await move(tx, context, items, changed, position ?? before.position)
      await trace(tx, context, task, before, placed)
      return success(placed)
    })
  },

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      const { task, items } = await lockChecklist(tx, context, params.id)
      const before = requireItem(items, params.itemId)
      await deleteItem(tx, context.workspace.id, before.id)
      await orderItems(
        tx,
        context.workspace.id,
        items.filter((item) => item !== before).map(({ id }) => id),
      )
      await trace(tx, context, task, before, null)
      return success({ id: before.id })
    }),
})

async function readItems(db: Executor, { workspace }: CrmContext, taskId: string): Promise<ChecklistRow[]> {
  return (await readChecklists(db, workspace.id, [taskId])).get(taskId) ?? []
}

/** Returns a task that the caller may change, locked with its checklist, so that concurrent changes keep its order. */
async function lockChecklist(
  tx: Transaction,
  context: CrmContext,
  taskId: string,
): Promise<{ task: TaskRow; items: ChecklistRow[] }> {
  const task = await lockRecord(tx, context, taskKind, context.scope('TASK', 'UPDATE'), taskId)
  return { task, items: await readItems(tx, context, task.id) }
}

function requireItem(items: readonly ChecklistRow[], itemId: string): ChecklistRow {
  const item = items.find(({ id }) => id === itemId.toLowerCase())
  if (!item) throw new ApiError('NOT_FOUND', { message: 'There is no such checklist item' })
  return item
}

/** Moves an item to its place among the others; a place after the last one is the last. */
async function move(
  tx: Transaction,
  { workspace }: CrmContext,
  items: readonly ChecklistRow[],
  item: ChecklistRow,
  wanted: number,
): Promise<ChecklistRow> {
  const ids = items.map(({ id }) => id).filter((id) => id !== item.id)
  const position = Math.min(wanted, ids.length)
  await orderItems(tx, workspace.id, ids.toSpliced(position, 0, item.id))
  return { ...item, position }
}

type Told = Pick<ChecklistRow, 'title' | 'isDone' | 'position'> | null

function told(item: ChecklistRow | null): Told {
  return item && { title: item.title, isDone: item.isDone, position: item.position }
}

/**
 * Writes a change of a checklist into the history of its task like a change of a field. The version of the task stays, so
 * that checking off never conflicts with another change.
 */
async function trace(
  tx: Transaction,
  context: CrmContext,
  task: TaskRow,
  before: ChecklistRow | null,
  after: ChecklistRow | null,
): Promise<void> {
  const [from, to] = [told(before), told(after)]
  if (isDeepStrictEqual(from, to)) return
  await leaveTrace(tx, context, taskKind, traceChanged(taskKind, task, [{ field: 'checklist', from, to }]))
}

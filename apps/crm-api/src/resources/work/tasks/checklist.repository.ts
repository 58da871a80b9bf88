import { isAnyOf, newId, schema, type Executor, type Transaction } from '@crm/db'
import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../../platform/context.ts'

const { checklistItems } = schema
const { id, title, isDone, position, createdAt, updatedAt, createdById } = checklistItems
const columns = { id, title, isDone, position, createdAt, updatedAt, createdById }

/** An item of a checklist as it is read. */
export type ChecklistRow = Omit<typeof checklistItems.$inferSelect, 'workspaceId' | 'taskId'>

/** The columns of an item besides its place. */
export interface ChecklistValues {
  readonly title: string
  readonly isDone: boolean
}

type Writing = Pick<CrmContext, 'workspace' | 'caller' | 'at'>

/** Returns the checklists of many tasks in one query, each in order. */
export async function readChecklists(
  db: Executor,
  workspaceId: string,
  taskIds: readonly string[],
): Promise<Map<string, ChecklistRow[]>> {
  if (taskIds.length === 0) return new Map()
  const ofTasks = and(eq(checklistItems.workspaceId, workspaceId), isAnyOf(checklistItems.taskId, taskIds))
  const rows = await db
    .select({ taskId: checklistItems.taskId, ...columns })
    .from(checklistItems)
    .where(ofTasks)
    .orderBy(asc(checklistItems.taskId), asc(position), asc(id))
  const byTask = Map.groupBy(rows, ({ taskId }) => taskId)
  return new Map([...byTask].map(([task, items]) => [task, items.map(({ taskId: _task, ...item }) => item)]))
}

/** Writes the first items of a checklist, in order. */
export async function insertChecklist(
  tx: Transaction,
  { workspace, caller, at }: Writing,
  taskId: string,
  items: readonly ChecklistValues[],
): Promise<void> {
  if (items.length === 0) return
  const stamps = { createdAt: at, updatedAt: at, createdById: caller.employee.id }
  await tx.insert(checklistItems).values(
    items.map((item, place) => ({
      ...item,
      ...stamps,
      workspaceId: workspace.id,
      taskId,
      id: newId(),
      position: place,
    })),
  )
}

/** Writes one more item. */
export async function insertItem(
  tx: Transaction,
  { workspace, caller, at }: Writing,
  taskId: string,
  values: ChecklistValues & { readonly position: number },
): Promise<ChecklistRow> {
  const stamps = { createdAt: at, updatedAt: at, createdById: caller.employee.id }
  const [row] = await tx
    .insert(checklistItems)
    .values({ ...values, ...stamps, workspaceId: workspace.id, taskId, id: newId() })
    .returning(columns)
  return row as ChecklistRow
}

/** Changes an item without its place. */
export async function updateItem(
  tx: Transaction,
  workspaceId: string,
  itemId: string,
  set: Partial<ChecklistValues>,
  at: string,
): Promise<ChecklistRow> {
  const [row] = await tx
    .update(checklistItems)
    .set({ ...set, updatedAt: at })
    .where(isItem(workspaceId, itemId))
    .returning(columns)
  return row as ChecklistRow
}

/** Deletes an item. */
export async function deleteItem(tx: Transaction, workspaceId: string, itemId: string): Promise<void> {
  await tx.delete(checklistItems).where(isItem(workspaceId, itemId))
}

/** Orders the items of a checklist: the place of each is its place in the list of ids. */
export async function orderItems(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    UPDATE ${checklistItems} SET position = place.at - 1 FROM unnest(${sql.param([...ids])}::uuid[]) WITH ORDINALITY AS place (id, at)
    WHERE ${checklistItems.workspaceId} = ${workspaceId} AND ${checklistItems.id} = place.id AND position <> place.at - 1`)
}

function isItem(workspaceId: string, itemId: string): SQL {
  return and(eq(checklistItems.workspaceId, workspaceId), eq(checklistItems.id, itemId)) as SQL
}

import { tasks as tasksResource, type TaskInput, type TaskPatch, type TaskRecord } from '@crm/contract'
import { schema, type Executor, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import type { CrmContext } from '../../../platform/context.ts'
import { nextOwner, recallOwnedFacts, requireVisible } from '../../../records/owned/facts.ts'
import { drawNumber } from '../../../records/owned/repository.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { allLinks, replaceLinks, withLinks } from '../../../kinds/record-links.ts'
import { isWithin, lockTree } from '../../../records/trees.ts'
import { insertChecklist, readChecklists } from './checklist.repository.ts'
import { entriesOfTask } from './tasks.history.ts'
import { planTask, planTaskChange } from './tasks.intake.ts'
import { requireReferences } from '../../../kinds/references.ts'
import { taskKind, type TaskRow } from '../../../kinds/tasks.ts'

const fromTask = ({ id }: TaskRow) => ({ fromType: 'TASK', fromId: id }) as const

/** Creates a task with the next number; its project and the linked records get an entry in their history. */
export async function createTask(tx: Transaction, context: WriteContext, input: TaskInput): Promise<TaskRow> {
  const facts = await recallOwnedFacts(tx, context, taskKind, nextOwner(context, input))
  await requireTaskReferences(tx, context, input)
  const values = planTask(input, facts, context.at)
  const number = await drawNumber(tx, context.workspace.id, taskKind.entityType)
  return createRecord(tx, context, taskKind, { ...values, number }, async (task) => {
    await insertChecklist(tx, context, task.id, input.checklist ?? [])
    const { added } = await replaceLinks(tx, context, fromTask(task), input.links ?? [])
    return { timeline: entriesOfTask({ status: null, projectId: null }, task, { added, links: added }), events: [] }
  })
}

/** The rules by which tasks change. */
export const taskWriter: RecordWriter<TaskRow, TaskPatch> = {
  kind: taskKind,
  listQuery: tasksResource.operations.list.query.omit({ entityType: true, entityId: true }),
  planChange: async (tx, context, current, patch) => {
    const facts = await recallOwnedFacts(tx, context, taskKind, nextOwner(context, patch, current))
    await requireTaskReferences(tx, context, patch, current)
    return planTaskChange(current, patch, facts, context.at)
  },
  afterChange: async (tx, context, { before, after, patch }) => {
    const { added } = patch.links ? await replaceLinks(tx, context, fromTask(after), patch.links) : { added: [] }
    const links = await allLinks(tx, context.workspace.id, fromTask(after))
    return { timeline: entriesOfTask(before, after, { added, links }), events: [] }
  },
}

type TaskReferences = Pick<TaskPatch, 'assigneeId' | 'memberIds' | 'projectId' | 'parentTaskId'>

/** Refuses references of a task that do not exist or that the caller may not see; present references may stay. */
async function requireTaskReferences(
  tx: Transaction,
  context: WriteContext,
  sent: TaskReferences,
  current?: TaskRow,
): Promise<void> {
  await requireReferences(tx, context, taskKind.entityType, sent, current)
  if (sent.parentTaskId !== current?.parentTaskId) await requireParent(tx, context, sent.parentTaskId, current?.id)
}

const taskTree = { table: schema.tasks, parentId: schema.tasks.parentTaskId }

async function requireParent(
  tx: Transaction,
  context: WriteContext,
  parentTaskId: string | null | undefined,
  id: string | undefined,
): Promise<void> {
  if (!parentTaskId) return
  await requireVisible(tx, context, taskKind, parentTaskId, 'parentTaskId')
  if (!id) return
  await lockTree(tx, taskTree, context.workspace.id)
  if (await isWithin(tx, taskTree, context.workspace.id, parentTaskId, [id]))
    throw new ApiError('PARENT_CYCLE', { message: 'A task cannot belong to itself or to one below it' })
}

/** Shows tasks with their checklists and with their linked records, as far as the caller sees those. */
export async function showTasks(db: Executor, context: CrmContext, rows: readonly TaskRow[]): Promise<TaskRecord[]> {
  const linked = await withLinks(db, context, 'TASK', rows)
  const checklists = await readChecklists(
    db,
    context.workspace.id,
    rows.map(({ id }) => id),
  )
  return linked.map((row) => ({ ...row, checklist: checklists.get(row.id) ?? [] }))
}

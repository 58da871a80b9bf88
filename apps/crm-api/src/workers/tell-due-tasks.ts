import { writeRows, inTransaction, returned, schema } from '@crm/db'
import { doDueWork, isNotPutOff, type DueWork, type RoundDeps } from '@crm/jobs'
import { sql } from 'drizzle-orm'
import { tell } from '../records/notices.ts'

const { tasks } = schema

/** How often due tasks are looked for. */
export const dueTasksRoundMs = 60_000
const work = 'tell-due-tasks'

/** Tasks that became due longer ago, such as before an upgrade, are not reported any more. */
const reportedWithinHours = 24
const foundAtOnce = 500
const toldTogether = 100

interface Due extends Record<string, unknown> {
  readonly workspaceId: string
  readonly id: string
}

interface Told extends Record<string, unknown> {
  readonly id: string
  readonly assigneeId: string
}

const isDue = (at: string) => sql`t.deleted_at IS NULL AND t.assignee_id IS NOT NULL
  AND t.status IN ('TODO', 'IN_PROGRESS', 'IN_REVIEW') AND t.due_told_at IS DISTINCT FROM t.due_at
  AND t.due_at <= ${at} AND t.due_at > ${at}::timestamptz - make_interval(hours => ${reportedWithinHours})`

/** Notifies the assignees of open tasks that became due, once for each due date. */
export async function tellDueTasks(deps: RoundDeps): Promise<void> {
  const { db } = deps
  const notices: DueWork<Due> = {
    name: work,
    everyMs: dueTasksRoundMs,
    batch: foundAtOnce,
    together: toldTogether,
    find: async (at, limit) => {
      const { rows } = await db.execute<Due>(sql`
        SELECT t.workspace_id AS "workspaceId", t.id FROM ${tasks} AS t
        WHERE ${isDue(at)} AND ${isNotPutOff(work, { workspaceId: sql`t.workspace_id`, row: sql`t.id` }, at)}
        ORDER BY t.due_at LIMIT ${limit}`)
      return rows
    },
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: (due, workspaceId) => tellOf(deps, workspaceId, due),
  }
  await doDueWork(deps, notices)
}

async function tellOf({ db, clock }: RoundDeps, workspaceId: string, found: readonly Due[]): Promise<void> {
  const at = clock.now().toISOString()
  await inTransaction(db, undefined, async (tx) => {
    const tellThem = sql`
      UPDATE ${tasks} AS told SET due_told_at = told.due_at
      FROM (
        SELECT t.id FROM ${tasks} AS t
        WHERE t.workspace_id = ${workspaceId} AND t.id = ANY(${sql.param(found.map(({ id }) => id))}::uuid[]) AND ${isDue(at)} FOR UPDATE SKIP LOCKED
      ) AS due
      WHERE told.workspace_id = ${workspaceId} AND told.id = due.id`
    const answer = returned({ id: sql`told.id`, assigneeId: sql`told.assignee_id` })
    const rows = await writeRows<Told>(tx, tasks, tellThem, answer)
    const notices = rows.map(({ id, assigneeId }) => ({
      employeeId: assigneeId,
      kind: 'task.due' as const,
      text: 'A task of yours is due',
      entityType: 'TASK',
      entityId: id,
    }))
    if (notices.length > 0) await tell(tx, { workspaceId, at }, notices)
  })
}

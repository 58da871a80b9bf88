import { inTransaction, schema, type Database } from '@crm/db'
import type { Clock } from '@crm/runtime'
import { sql } from 'drizzle-orm'
import { tell } from '../records/notices.ts'

const { tasks } = schema

/** Tasks that became due longer ago, such as before an upgrade, are not reported any more. */
const reportedWithinHours = 24
const atOnceMax = 500

interface Due extends Record<string, unknown> {
  readonly workspaceId: string
  readonly id: string
  readonly assigneeId: string
}

/** Notifies the assignees of open tasks that became due, once for each due date. */
export async function tellDueTasks({ db, clock }: { readonly db: Database; readonly clock: Clock }): Promise<void> {
  const at = clock.now().toISOString()
  await inTransaction(db, undefined, async (tx) => {
    const { rows } = await tx.execute<Due>(sql`
      UPDATE ${tasks} AS told SET due_told_at = told.due_at
      FROM (
        SELECT t.workspace_id, t.id FROM ${tasks} AS t
        WHERE t.deleted_at IS NULL AND t.assignee_id IS NOT NULL AND t.status IN ('TODO', 'IN_PROGRESS', 'IN_REVIEW')
          AND t.due_told_at IS DISTINCT FROM t.due_at
          AND t.due_at <= ${at} AND t.due_at > ${at}::timestamptz - make_interval(hours => ${reportedWithinHours})
        ORDER BY t.due_at LIMIT ${atOnceMax} FOR UPDATE SKIP LOCKED
      ) AS due
      WHERE told.workspace_id = due.workspace_id AND told.id = due.id
      RETURNING told.workspace_id AS "workspaceId", told.id, told.assignee_id AS "assigneeId"`)
    for (const [workspaceId, due] of Map.groupBy(rows, (row) => row.workspaceId)) {
      const notices = due.map(({ id, assigneeId }) => ({
        employeeId: assigneeId,
        kind: 'task.due' as const,
        text: 'A task of yours is due',
        entityType: 'TASK',
        entityId: id,
      }))
      await tell(tx, { workspaceId, at }, notices)
    }
  })
}

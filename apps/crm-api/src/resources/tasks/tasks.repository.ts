import { schema, type Transaction } from '@crm/db'
import { sql } from 'drizzle-orm'

const { tasks } = schema

/** Makes changes of the order of tasks wait for each other, so that no two of them together close a circle. */
export async function lockTaskTree(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tasks:${workspaceId}`}, 0))`)
}

/** Whether a task is another one or stands somewhere below it. */
export async function isWithinTask(tx: Transaction, workspaceId: string, id: string, ancestorId: string): Promise<boolean> {
  const { rows } = await tx.execute<{ found: boolean }>(sql`
    WITH RECURSIVE line(id, parent_id) AS (
      SELECT id, parent_task_id FROM ${tasks} WHERE workspace_id = ${workspaceId} AND id = ${id}
      UNION SELECT above.id, above.parent_task_id FROM ${tasks} above JOIN line ON above.id = line.parent_id WHERE above.workspace_id = ${workspaceId}
    ) SELECT EXISTS (SELECT FROM line WHERE id = ${ancestorId}) AS found`)
  return rows[0]?.found === true
}

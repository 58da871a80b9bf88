import { firstIdAt, schema, type Executor } from '@crm/db'
import { sql } from 'drizzle-orm'

const { notifications } = schema

/** The most notifications of one person that are looked at: any of them means that the inbox changed. */
const eachMax = 20

/** A person whose inbox is followed. */
export interface InboxOwner {
  readonly workspaceId: string
  readonly employeeId: string
}

/** A new notification of a person. */
export interface NewNotice extends InboxOwner {
  readonly id: string
}

/** Returns the notifications that these people got since a moment, the newest of each. */
export async function readNewNotices(
  db: Executor,
  people: readonly InboxOwner[],
  sinceMs: number,
): Promise<readonly NewNotice[]> {
  const workspaceIds = people.map(({ workspaceId }) => workspaceId)
  const employeeIds = people.map(({ employeeId }) => employeeId)
  const { rows } = await db.execute<NewNotice & Record<string, unknown>>(sql`
    SELECT person.workspace_id AS "workspaceId", person.employee_id AS "employeeId", notice.id
    FROM unnest(${sql.param(workspaceIds)}::uuid[], ${sql.param(employeeIds)}::uuid[]) AS person (workspace_id, employee_id)
    CROSS JOIN LATERAL (
      SELECT ${notifications.id} AS id FROM ${notifications}
      WHERE ${notifications.workspaceId} = person.workspace_id AND ${notifications.employeeId} = person.employee_id
        AND ${notifications.id} >= ${firstIdAt(sinceMs)}::uuid
      ORDER BY ${notifications.id} DESC LIMIT ${eachMax}
    ) AS notice`)
  return rows
}

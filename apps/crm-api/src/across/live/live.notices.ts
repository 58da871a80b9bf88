import { firstIdAt, schema, type Executor } from '@crm/db'
import { sql } from 'drizzle-orm'

const { employees, notifications } = schema

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
    SELECT person.workspace_id AS "workspaceId", person.id AS "employeeId", notice.id FROM ${employees} AS person CROSS JOIN LATERAL (
      SELECT ${notifications.id} AS id FROM ${notifications}
      WHERE ${notifications.workspaceId} = person.workspace_id AND ${notifications.employeeId} = person.id
        AND ${notifications.id} >= ${firstIdAt(sinceMs)}::uuid
      ORDER BY ${notifications.id} DESC LIMIT ${eachMax}
    ) AS notice
    WHERE person.workspace_id = ANY (${sql.param(workspaceIds)}::uuid[]) AND person.id = ANY (${sql.param(employeeIds)}::uuid[])`)
  return rows
}

import { isAnyOf, schema, type Database } from '@crm/db'
import { fullName } from '@crm/identity'
import type { Mailer, MailMessage } from '@crm/mail'
import type { Clock, Logger } from '@crm/runtime'
import { and, eq, sql } from 'drizzle-orm'

const { notifications } = schema

interface MailDeps {
  readonly db: Database
  readonly mailer: Mailer
  readonly clock: Clock
  readonly logger: Logger
}

/** Notifications older than a day are not mailed any more. */
const keptTryingHours = 24
const atOnceMax = 500
const shownMax = 20

/** A notification with its recipient and its origin. */
interface Told {
  readonly workspaceId: string
  readonly employeeId: string
  readonly id: string
  readonly text: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly workspaceName: string
  readonly baseUrl: string
}

/**
 * Mails people the notifications of the kinds that they chose, those of one round in one message.
 *
 * A notification is claimed before its message is sent, so that nobody gets it twice; after a failure it is released for the
 * next round.
 */
export async function mailNotifications(deps: MailDeps): Promise<void> {
  const { db, clock, logger } = deps
  const at = clock.now().toISOString()
  const { rows } = await db.execute<Told & Record<string, unknown>>(sql`
    UPDATE ${notifications} AS told SET mailed_at = ${at}
    FROM (
      SELECT n.workspace_id, n.id, e.email, e.first_name, e.last_name, w.name AS workspace_name, w.base_url
      FROM notification_mails AS wished
      JOIN employees AS e ON e.workspace_id = wished.workspace_id AND e.id = wished.employee_id AND e.status = 'ACTIVE'
      JOIN workspaces AS w ON w.id = wished.workspace_id
      JOIN ${notifications} AS n ON n.workspace_id = wished.workspace_id AND n.employee_id = wished.employee_id
        AND n.kind = ANY (wished.kinds) AND n.created_at >= wished.since
      WHERE n.mailed_at IS NULL AND n.read_at IS NULL AND n.created_at > ${at}::timestamptz - make_interval(hours => ${keptTryingHours})
      ORDER BY n.created_at LIMIT ${atOnceMax} FOR UPDATE OF n SKIP LOCKED
    ) AS due
    WHERE told.workspace_id = due.workspace_id AND told.id = due.id
    RETURNING told.workspace_id AS "workspaceId", told.employee_id AS "employeeId", told.id, told.text,
      due.email, due.first_name AS "firstName", due.last_name AS "lastName", due.workspace_name AS "workspaceName", due.base_url AS "baseUrl"`)
  // The statement returns the rows in any order; ids follow time.
  const inOrder = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  for (const mine of Map.groupBy(inOrder, ({ workspaceId, employeeId }) => `${workspaceId} ${employeeId}`).values()) {
    const { workspaceId } = mine[0]!
    try {
      await deps.mailer.send(messageFor(mine))
    } catch (error) {
      logger.warn({ err: error, workspaceId }, 'somebody could not be mailed their notifications')
      await db
        .update(notifications)
        .set({ mailedAt: null })
        .where(
          and(
            eq(notifications.workspaceId, workspaceId),
            isAnyOf(
              notifications.id,
              mine.map(({ id }) => id),
            ),
          ),
        )
    }
  }
}

function messageFor(mine: readonly Told[]): MailMessage {
  const { email, workspaceName, baseUrl, text, ...person } = mine[0]!
  const shown = mine.slice(0, shownMax).map((one) => `• ${one.text}`)
  const others = mine.length - shown.length
  return {
    to: { name: fullName({ ...person, email }), address: email },
    isToMember: true,
    fromName: workspaceName,
    subject: mine.length === 1 ? text.slice(0, 150) : `${mine.length} notifications`,
    text: [
      ...shown,
      ...(others > 0 ? [`… and ${others} more`] : []),
      '',
      `${workspaceName}: ${baseUrl}`,
      'You chose to get these notifications by email. You can change that in your account.',
      '',
    ].join('\n'),
  }
}

import { isAnyOf, schema, type Database } from '@crm/db'
import { fullName } from '@crm/identity'
import type { Mailer } from '@crm/mail'
import type { Clock, Logger } from '@crm/runtime'
import { and, eq, sql } from 'drizzle-orm'

const { employees, notifications, workspaces } = schema

interface MailDeps {
  readonly db: Database
  readonly mailer: Mailer
  readonly clock: Clock
  readonly logger: Logger
}

/** What is older than a day is no news any more. */
const keptTryingHours = 24
const atOnceMax = 500
const shownMax = 20

interface Told {
  readonly workspaceId: string
  readonly employeeId: string
  readonly id: string
  readonly text: string
}

/**
 * Mails people the notifications of the kinds that they chose, those of one round in one message.
 *
 * A notification is taken before its message is sent, so that nobody gets it twice; after a failure it is given back for the next round.
 */
export async function mailNotifications(deps: MailDeps): Promise<void> {
  const { db, clock, logger } = deps
  const at = clock.now().toISOString()
  const { rows } = await db.execute<Told & Record<string, unknown>>(sql`
    UPDATE ${notifications} AS told SET mailed_at = ${at}
    FROM (
      SELECT n.workspace_id, n.id FROM notification_mails AS wished
      JOIN ${notifications} AS n ON n.workspace_id = wished.workspace_id AND n.employee_id = wished.employee_id
        AND n.kind = ANY (wished.kinds) AND n.created_at >= wished.since
      WHERE n.mailed_at IS NULL AND n.read_at IS NULL AND n.created_at > ${at}::timestamptz - make_interval(hours => ${keptTryingHours})
      ORDER BY n.created_at LIMIT ${atOnceMax} FOR UPDATE OF n SKIP LOCKED
    ) AS due
    WHERE told.workspace_id = due.workspace_id AND told.id = due.id
    RETURNING told.workspace_id AS "workspaceId", told.employee_id AS "employeeId", told.id, told.text`)
  for (const mine of Map.groupBy(rows, ({ workspaceId, employeeId }) => `${workspaceId} ${employeeId}`).values()) {
    const { workspaceId } = mine[0]!
    try {
      await mailOne(deps, mine)
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

async function mailOne({ db, mailer }: MailDeps, mine: readonly Told[]): Promise<void> {
  const { workspaceId, employeeId } = mine[0]!
  const [person] = await db
    .select({
      address: employees.email,
      firstName: employees.firstName,
      lastName: employees.lastName,
      email: employees.email,
      status: employees.status,
      workspaceName: workspaces.name,
      baseUrl: workspaces.baseUrl,
    })
    .from(employees)
    .innerJoin(workspaces, eq(workspaces.id, employees.workspaceId))
    .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, employeeId)))
  if (person?.status !== 'ACTIVE') return
  const shown = mine.slice(0, shownMax).map(({ text }) => `• ${text}`)
  const others = mine.length - shown.length
  await mailer.send({
    to: { name: fullName(person), address: person.address },
    isToMember: true,
    fromName: person.workspaceName,
    subject: mine.length === 1 ? mine[0]!.text.slice(0, 150) : `${mine.length} notifications`,
    text: [
      ...shown,
      ...(others > 0 ? [`… and ${others} more`] : []),
      '',
      `${person.workspaceName}: ${person.baseUrl}`,
      'You chose to get these notifications by email. You can change that in your account.',
      '',
    ].join('\n'),
  })
}

import type { NotificationKind } from '@crm/contract'
import { isAnyOf, mailTriedHours, schema, scopeOf, waitsForMail, type Database } from '@crm/db'
import { fullName, readEmployeeCaller, readWorkspace } from '@crm/identity'
import { chooseLanguage, noticeSentence, writeNoticeMail, type Mailer, type NoticeLine } from '@crm/mail'
import type { Clock, Logger } from '@crm/runtime'
import { and, eq, sql } from 'drizzle-orm'
import { addressOf, keyOf, readSeen } from '../kinds/in-sight.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

const { notifications } = schema

interface MailDeps {
  readonly db: Database
  readonly pool: CrmApiDeps['pool']
  readonly mailer: Mailer
  readonly clock: Clock
  readonly logger: Logger
}

/** The hour of the day, in the zone of the person, at which the digest is sent. */
const digestHour = 8
const atOnceMax = 500

/** A notification with its recipient and its origin. */
interface Told {
  readonly workspaceId: string
  readonly employeeId: string
  readonly id: string
  readonly kind: NotificationKind
  readonly text: string
  /** The name of the person who caused it. */
  readonly actor: string | null
  /** The name of the thing that it is about. */
  readonly name: string | null
  readonly entityType: string | null
  readonly entityId: string | null
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly workspaceName: string
  readonly baseUrl: string
  readonly locale: string | null
  readonly workspaceLocale: string
}

/**
 * Mails people the notifications of the kinds that they chose, those of one round in one message. Kinds of the digest wait
 * for the next morning. Notifications about records that a person no longer sees are not mailed.
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
      SELECT n.workspace_id, n.id, e.email, e.first_name, e.last_name, e.locale, w.name AS workspace_name, w.base_url,
        w.locale AS workspace_locale
      FROM notification_mails AS wished
      JOIN employees AS e ON e.workspace_id = wished.workspace_id AND e.id = wished.employee_id AND e.status = 'ACTIVE'
      JOIN workspaces AS w ON w.id = wished.workspace_id
      JOIN ${notifications} AS n ON n.workspace_id = wished.workspace_id AND n.employee_id = wished.employee_id
        AND n.created_at >= wished.since
      CROSS JOIN LATERAL (
        SELECT CASE WHEN n.kind = ANY (wished.kinds) THEN n.created_at WHEN n.kind = ANY (wished.digest) THEN
          (date_trunc('day', n.created_at AT TIME ZONE coalesce(e.timezone, w.timezone) + make_interval(hours => ${24 - digestHour}))
            + make_interval(hours => ${digestHour})) AT TIME ZONE coalesce(e.timezone, w.timezone) END AS at
      ) AS due
      WHERE ${waitsForMail(at)}
        AND due.at <= ${at} AND due.at > ${at}::timestamptz - make_interval(hours => ${mailTriedHours})
      ORDER BY n.created_at LIMIT ${atOnceMax} FOR UPDATE OF n SKIP LOCKED
    ) AS due
    WHERE told.workspace_id = due.workspace_id AND told.id = due.id
    RETURNING told.workspace_id AS "workspaceId", told.employee_id AS "employeeId", told.id, told.kind, told.text,
      told.data->'actor'->>'name' AS actor, told.data->>'name' AS name,
      told.entity_type AS "entityType", told.entity_id AS "entityId",
      due.email, due.first_name AS "firstName", due.last_name AS "lastName", due.workspace_name AS "workspaceName", due.base_url AS "baseUrl",
      due.locale, due.workspace_locale AS "workspaceLocale"`)
  // The statement returns the rows in any order; ids follow time.
  const inOrder = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  for (const mine of Map.groupBy(inOrder, ({ workspaceId, employeeId }) => `${workspaceId} ${employeeId}`).values()) {
    const { workspaceId } = mine[0]!
    try {
      const lines = await linesFor(deps, mine)
      if (lines.length > 0) await deps.mailer.send(writeNoticeMail({ ...addressed(mine[0]!), lines }))
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

/** Returns the notifications of a person in words, without those about records that the person does not see. */
async function linesFor({ db, pool }: MailDeps, mine: readonly Told[]): Promise<readonly NoticeLine[]> {
  const { workspaceId, employeeId, baseUrl } = mine[0]!
  const linkOf = ({ entityType, entityId }: Told) => (entityType && entityId ? { entityType, entityId } : undefined)
  const links = mine.flatMap((told) => linkOf(told) ?? [])
  const [workspace, caller] =
    links.length > 0
      ? await Promise.all([readWorkspace(pool, workspaceId), readEmployeeCaller(pool, workspaceId, employeeId)])
      : []
  const scopeIfAllowed = (entityType: string) => (caller ? scopeOf(workspaceId, caller, entityType) : null)
  const seen = workspace && caller ? await readSeen(db, { workspace, caller, scopeIfAllowed }, links) : undefined
  return mine.flatMap((told) => {
    const link = linkOf(told)
    const sentence = noticeSentence(told, languageOf(told))
    if (!link) return [{ subject: sentence, text: sentence }]
    const record = seen?.get(keyOf(link))
    if (!record) return []
    const text = `${sentence}: ${record.kind.title(record.row)}`
    return [{ subject: text, text: `${text}\n  ${addressOf(baseUrl, link)}` }]
  })
}

function addressed(told: Told) {
  const { email, workspaceName, baseUrl } = told
  return {
    to: { name: fullName(told), address: email },
    workspace: { name: workspaceName, baseUrl },
    language: languageOf(told),
  }
}

function languageOf({ locale, workspaceLocale }: Told): string {
  return chooseLanguage(locale, workspaceLocale)
}

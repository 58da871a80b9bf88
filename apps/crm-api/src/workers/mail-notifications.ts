import type { NotificationKind } from '@crm/contract'
import { isAnyOf, mailTriedHours, schema, scopeOf, waitsForMail, type Database } from '@crm/db'
import { fullName, readEmployeeCaller, readWorkspace } from '@crm/identity'
import { doDueWork, isNotPutOff, type RoundDeps } from '@crm/jobs'
import {
  chooseLanguage,
  noticeSentence,
  writeNoticeMail,
  type Mailer,
  type MailMessage,
  type NoticeLine,
} from '@crm/mail'
import { nextTimeOfDay, timeZoneFor } from '@crm/scheduling'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { addressOf, keyOf, readSeen } from '../kinds/in-sight.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

const { notifications } = schema

interface MailDeps extends RoundDeps {
  readonly pool: CrmApiDeps['pool']
  readonly mailer: Mailer
}

/** How often due mails about notifications are looked for. */
export const noticeMailsRoundMs = 60_000
const work = 'mail-notifications'
const peopleAtOnce = 200
/** The people who are mailed at the same time. */
const mailedAtOnce = 4
/** The most notifications of one message. */
const noticesOfOneMax = 500

/** The time of day, in the zone of the person, at which the digest is sent. */
const digestTime = '08:00'
const hourMs = 3_600_000

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

/** Somebody with notifications to be mailed. */
interface Person extends Record<string, unknown> {
  readonly workspaceId: string
  readonly employeeId: string
}

/**
 * Mails people the notifications of the kinds that they chose, those of one round in one message. Kinds of the digest wait
 * for the next morning. Notifications about records that a person no longer sees are not mailed.
 *
 * A notification is claimed before its message is sent, so that nobody gets it twice; after a failure it is released for a
 * later round.
 */
export async function mailNotifications(deps: MailDeps): Promise<void> {
  const { db, clock } = deps
  const digests = digestsOf(await readDigestZones(db), clock.now().getTime())
  await doDueWork<Person>(deps, {
    name: work,
    everyMs: noticeMailsRoundMs,
    batch: peopleAtOnce,
    atOnce: mailedAtOnce,
    find: async (at, limit) => {
      const row = sql`n.employee_id`
      const { rows } = await db.execute<Person>(sql`
        SELECT n.workspace_id AS "workspaceId", n.employee_id AS "employeeId" FROM ${dueNotices(at, digests)}
          AND ${isNotPutOff(work, { workspaceId: sql`n.workspace_id`, row }, at)}
        GROUP BY 1, 2 ORDER BY min(n.created_at) LIMIT ${limit}`)
      return rows
    },
    keyOf: ({ workspaceId, employeeId }) => ({ workspaceId, row: employeeId }),
    perform: async (people) => {
      for (const person of people) await mailPerson(deps, person, digests)
    },
  })
}

/** The time at which the last digest of a zone was due, and the one before. */
interface Digest {
  /** The zone as it is stored. */
  readonly zone: string
  readonly dueAt: string
  readonly beforeAt: string
}

/** Returns the zones of the people who want a digest. */
async function readDigestZones(db: Database): Promise<readonly string[]> {
  const { rows } = await db.execute<{ zone: string }>(sql`
    SELECT DISTINCT ${zoneOfPerson} AS zone FROM notification_mails AS wished
    JOIN employees AS e ON e.workspace_id = wished.workspace_id AND e.id = wished.employee_id AND e.status = 'ACTIVE'
    JOIN workspaces AS w ON w.id = wished.workspace_id
    WHERE cardinality(wished.digest) > 0`)
  return rows.map(({ zone }) => zone)
}

const zoneOfPerson = sql`coalesce(e.timezone, w.timezone)`

/** Days are cut here and not by PostgreSQL, which has rules of its own and fails at names that it does not know. */
function digestsOf(zones: readonly string[], nowMs: number): readonly Digest[] {
  const text = (ms: number): string => new Date(ms).toISOString()
  return zones.map((zone) => {
    const known = timeZoneFor(zone) ?? 'UTC'
    let [before, due, next] = [0, 0, nowMs - 3 * 24 * hourMs]
    while (next <= nowMs) [before, due, next] = [due, next, nextTimeOfDay(digestTime, known, next)]
    return { zone, dueAt: text(due), beforeAt: text(before) }
  })
}

/** Returns SQL for the notifications `n` whose mail is due, with the wish, the person and the workspace; more conditions may follow. */
function dueNotices(at: string, digests: readonly Digest[]): SQL {
  const column = (name: keyof Digest): SQL => sql`${sql.param(digests.map((digest) => digest[name]))}`
  const triedSince = sql`${at}::timestamptz - make_interval(hours => ${mailTriedHours})`
  return sql`notification_mails AS wished
    JOIN employees AS e ON e.workspace_id = wished.workspace_id AND e.id = wished.employee_id AND e.status = 'ACTIVE'
    JOIN workspaces AS w ON w.id = wished.workspace_id
    JOIN ${notifications} AS n ON n.workspace_id = wished.workspace_id AND n.employee_id = wished.employee_id
      AND n.created_at >= wished.since
    LEFT JOIN unnest(${column('zone')}::text[], ${column('dueAt')}::timestamptz[], ${column('beforeAt')}::timestamptz[])
      AS digests (zone, due_at, before_at) ON digests.zone = ${zoneOfPerson}
    WHERE ${waitsForMail(at)} AND CASE
      WHEN n.kind = ANY (wished.kinds) THEN n.created_at <= ${at} AND n.created_at > ${triedSince}
      WHEN n.kind = ANY (wished.digest) THEN n.created_at < digests.due_at AND n.created_at >= digests.before_at
      ELSE false END`
}

async function mailPerson(deps: MailDeps, person: Person, digests: readonly Digest[]): Promise<void> {
  const mine = await claimNotices(deps, person, digests)
  const [first] = mine
  if (!first) return
  try {
    const lines = await linesFor(deps, mine)
    if (lines.length > 0) await sendNotices(deps, { ...writeNoticeMail({ ...addressed(first), lines }), id: first.id })
  } catch (error) {
    await releaseNotices(deps.db, mine)
    throw error
  }
}

/** Sends a mail with notifications. One that is refused for good, or whose end nobody knows, is not sent again: the inbox has it all. */
async function sendNotices({ mailer, logger }: MailDeps, message: MailMessage): Promise<void> {
  const { refused, unknown, waiting } = await mailer.send(message)
  // The error goes to the log, where nobody's address belongs, and the server's words may hold it.
  if (waiting.length > 0) throw new Error('The mail server did not take a mail with notifications yet')
  if (refused.length + unknown.length > 0)
    logger.warn(
      { refused: refused.length, unknown: unknown.length },
      'a mail with notifications did not arrive for certain',
    )
}

async function claimNotices(
  { db, clock }: MailDeps,
  { workspaceId, employeeId }: Person,
  digests: readonly Digest[],
): Promise<readonly Told[]> {
  const at = clock.now().toISOString()
  const { rows } = await db.execute<Told & Record<string, unknown>>(sql`
    UPDATE ${notifications} AS told SET mailed_at = ${at}
    FROM (
      SELECT n.workspace_id, n.id, e.email, e.first_name, e.last_name, e.locale, w.name AS workspace_name, w.base_url,
        w.locale AS workspace_locale
      FROM ${dueNotices(at, digests)} AND n.workspace_id = ${workspaceId} AND n.employee_id = ${employeeId}
      ORDER BY n.created_at LIMIT ${noticesOfOneMax} FOR UPDATE OF n SKIP LOCKED
    ) AS due
    WHERE told.workspace_id = ${workspaceId} AND told.workspace_id = due.workspace_id AND told.id = due.id
    RETURNING told.workspace_id AS "workspaceId", told.employee_id AS "employeeId", told.id, told.kind, told.text,
      told.data->'actor'->>'name' AS actor, told.data->>'name' AS name,
      told.entity_type AS "entityType", told.entity_id AS "entityId",
      due.email, due.first_name AS "firstName", due.last_name AS "lastName", due.workspace_name AS "workspaceName", due.base_url AS "baseUrl",
      due.locale, due.workspace_locale AS "workspaceLocale"`)
  // The statement returns the rows in any order; ids follow time.
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

async function releaseNotices(db: Database, mine: readonly Told[]): Promise<void> {
  const ids = mine.map(({ id }) => id)
  await db
    .update(notifications)
    .set({ mailedAt: null })
    .where(and(eq(notifications.workspaceId, mine[0]!.workspaceId), isAnyOf(notifications.id, ids)))
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

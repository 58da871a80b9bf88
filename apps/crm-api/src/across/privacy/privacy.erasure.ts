import { lead } from '@crm/model'
import { emailKey } from '../../records/contact-points.ts'
import { domainToUnicode } from 'node:url'
import { erasedPart, sealBatch } from '@crm/audit'
import { addressKey, isAddress, isAnyOf, returned, schema, writeRows, type Transaction } from '@crm/db'
import { and, between, eq, inArray, isNotNull, isNull, max, or, sql, type SQL } from 'drizzle-orm'
import { releaseFiles } from '../../records/released-files.ts'
import type { PrivacySubject } from './privacy.terms.ts'

const { auditLog, bookings, calendarEvents, contacts, documentRecords, employees, fileLinks, files, leads } = schema
const { invoices, orders, quotes } = schema

type Counts = Record<string, number>

interface Place {
  readonly workspaceId: string
  readonly at: string
}

/** Tables with rows about a record, by the columns that name it, and whether such rows go or only lose what they say. */
const aboutRecord = ['comments', 'timeline', 'notifications', 'record_links', 'follows'] as const
const ownedByEmployee = [
  'employee_pictures',
  'sessions',
  'api_keys',
  'totp_factors',
  'recovery_codes',
  'passkeys',
  'identities',
  'password_resets',
  'calendar_subscriptions',
  'calendar_feeds',
  'notifications',
  'notification_mails',
  'follows',
  'oauth_grants',
  'scim_people',
  'pending_sign_ins',
  'scim_group_members',
  'idempotency_keys',
]

/** Erases the own data of a contact or a lead: the record and everything that hangs on it. */
export async function eraseRecord(
  tx: Transaction,
  { workspaceId, at }: Place,
  { type, id }: Pick<PrivacySubject, 'type' | 'id'>,
): Promise<Counts> {
  const counts: Counts = {}
  const isAbout = sql`workspace_id = ${workspaceId} AND entity_type = ${type} AND entity_id = ${id}::uuid`
  const made = await tx
    .delete(documentRecords)
    .where(
      sql`${documentRecords.workspaceId} = ${workspaceId} AND ${documentRecords.entityType} = ${type} AND ${documentRecords.entityId} = ${id}`,
    )
    .returning({ fileId: documentRecords.fileId })
  const unlinked = await tx
    .delete(fileLinks)
    .where(and(eq(fileLinks.workspaceId, workspaceId), eq(fileLinks.entityType, type), eq(fileLinks.entityId, id)))
    .returning({ fileId: fileLinks.fileId })
  const fileIds = [...made, ...unlinked].flatMap(({ fileId }) => fileId ?? [])
  await releaseFiles(tx, workspaceId, fileIds, at)
  if (fileIds.length > 0) {
    // A released file is normally kept for a while, in case somebody restores its record.
    const gone = await tx
      .update(files)
      .set({ leavesAt: at, deletedAt: at, name: 'erased' })
      .where(and(eq(files.workspaceId, workspaceId), inArray(files.id, fileIds), isNotNull(files.leavesAt)))
    counts['files'] = gone.rowCount ?? 0
  }
  const theirs = sql`DELETE FROM activities a WHERE a.workspace_id = ${workspaceId}
    AND EXISTS (SELECT FROM record_links l WHERE l.workspace_id = a.workspace_id AND l.from_type = 'ACTIVITY' AND l.from_id = a.id AND l.entity_type = ${type} AND l.entity_id = ${id}::uuid)
    AND NOT EXISTS (SELECT FROM record_links l WHERE l.workspace_id = a.workspace_id AND l.from_type = 'ACTIVITY' AND l.from_id = a.id AND NOT (l.entity_type = ${type} AND l.entity_id = ${id}::uuid))`
  await writeRows(tx, 'activities', theirs)
  for (const table of aboutRecord) await count(counts, table, deleteRows(tx, table, isAbout))
  await count(
    counts,
    'retired_field_values',
    tx.execute(sql`DELETE FROM retired_field_values WHERE workspace_id = ${workspaceId} AND record_id = ${id}::uuid`),
  )
  await eraseAutomation(tx, workspaceId, type, id, counts)
  await count(
    counts,
    'import_rows',
    tx.execute(
      sql`UPDATE import_rows SET cells = '{}', typed = NULL, problems = NULL, changes = NULL, reason = NULL WHERE workspace_id = ${workspaceId} AND record_id = ${id}::uuid`,
    ),
  )
  await count(
    counts,
    'outbox',
    tx.execute(sql`UPDATE outbox SET payload = '{}' WHERE ${isAbout} AND done_at IS NOT NULL`),
  )
  await count(
    counts,
    'idempotency_keys',
    tx.execute(sql`DELETE FROM idempotency_keys WHERE workspace_id = ${workspaceId} AND body LIKE ${`%${id}%`}`),
  )
  await eraseBookings(
    tx,
    workspaceId,
    type === lead.entity ? eq(bookings.leadId, id) : eq(bookings.contactId, id),
    counts,
  )
  if (type === 'CONTACT') await eraseParty(tx, workspaceId, id)
  const empty = {
    firstName: null,
    lastName: null,
    email: null,
    phone: null,
    jobTitle: null,
    address: null,
    messengers: [],
    description: null,
  }
  const gone = { ...empty, customFields: {}, tags: [], deletedAt: at, updatedAt: at }
  const table = type === 'CONTACT' ? contacts : leads
  const emptied =
    table === contacts
      ? tx.update(contacts).set({ ...gone, emails: [], phones: [], socials: {} })
      : tx.update(leads).set({ ...gone, ...emptyLead })
  const isThis = and(eq(table.workspaceId, workspaceId), eq(table.id, id))
  await writeRows(tx, table, emptied.where(isThis).getSQL())
  counts[type === 'CONTACT' ? 'contacts' : 'leads'] = 1
  return counts
}

const emptyLead = {
  companyName: null,
  website: null,
  lostReason: null,
  referrer: null,
  landingPage: null,
  gclid: null,
  fbclid: null,
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmContent: null,
  utmTerm: null,
}

/** Erases the account of somebody who has left; what they wrote stays, without their name. */
export async function eraseEmployee(
  tx: Transaction,
  { workspaceId, at }: Place,
  { id, emails }: PrivacySubject,
): Promise<Counts> {
  const counts: Counts = {}
  await count(counts, 'sso_sessions', forgetProviders(tx, workspaceId, id, 'theirs'))
  // Nothing tells whose a sign-in was whose session has ended, and nobody needs it any more.
  await forgetProviders(tx, workspaceId, id, 'ended')
  for (const table of ownedByEmployee)
    await count(
      counts,
      table,
      tx.execute(
        sql`DELETE FROM ${sql.identifier(table)} WHERE workspace_id = ${workspaceId} AND ${sql.identifier(ownerColumn[table] ?? 'employee_id')} = ${id}::uuid`,
      ),
    )
  await count(
    counts,
    'calendar_events',
    tx
      .delete(calendarEvents)
      .where(
        and(
          eq(calendarEvents.workspaceId, workspaceId),
          eq(calendarEvents.employeeId, id),
          sql`${calendarEvents.bookingId} IS NULL`,
        ),
      ),
  )
  await count(
    counts,
    'invitations',
    tx.execute(
      sql`DELETE FROM invitations WHERE workspace_id = ${workspaceId} AND ${isAddress(sql`email`, emails[0] ?? '')}`,
    ),
  )
  await count(
    counts,
    'timeline',
    tx.execute(
      sql`UPDATE timeline SET actor_name = '' WHERE workspace_id = ${workspaceId} AND actor_type = 'EMPLOYEE' AND actor_id = ${id}::uuid`,
    ),
  )
  await count(
    counts,
    'comments',
    tx.execute(
      sql`UPDATE comments SET author_name = '', author_email = NULL WHERE workspace_id = ${workspaceId} AND author_id = ${id}::uuid`,
    ),
  )
  await tx
    .update(employees)
    .set({
      email: `${id}@erased.invalid`,
      firstName: null,
      lastName: null,
      passwordHash: null,
      deviceKey: null,
      timezone: null,
      locale: null,
      timeFormat: null,
      theme: null,
      density: null,
      startPage: null,
      pinned: null,
      unfolded: null,
      monthlyGoal: null,
      signedInAt: null,
      updatedAt: at,
    })
    .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, id)))
  counts['employees'] = 1
  return counts
}

/** Deletes sign-ins at identity providers, with their sealed tokens: those of a person, or those that neither session nor sign-in has. */
function forgetProviders(tx: Transaction, workspaceId: string, employeeId: string, which: 'theirs' | 'ended') {
  const begun = sql`SELECT sso_id, employee_id FROM sessions WHERE workspace_id = ${workspaceId} AND sso_id IS NOT NULL
    UNION ALL SELECT sso_id, employee_id FROM pending_sign_ins WHERE workspace_id = ${workspaceId} AND sso_id IS NOT NULL`
  const chosen =
    which === 'theirs'
      ? sql`EXISTS (SELECT FROM (${begun}) b WHERE b.sso_id = s.session_id AND b.employee_id = ${employeeId}::uuid)`
      : sql`NOT EXISTS (SELECT FROM (${begun}) b WHERE b.sso_id = s.session_id)`
  return tx.execute(sql`DELETE FROM sso_sessions s WHERE s.workspace_id = ${workspaceId} AND ${chosen}`)
}

const ownerColumn: Readonly<Record<string, string>> = { api_keys: 'owner_id' }

/** Empties what automation has kept about a record. */
async function eraseAutomation(
  tx: Transaction,
  workspaceId: string,
  type: string,
  id: string,
  counts: Counts,
): Promise<void> {
  const isSubject = sql`workspace_id = ${workspaceId} AND subject_type = ${type} AND subject_id = ${id}::uuid`
  await count(
    counts,
    'deliveries',
    tx.execute(
      sql`UPDATE deliveries SET request = request || '{"body": null}', response_body = NULL WHERE ${isSubject}`,
    ),
  )
  await count(counts, 'rule_runs', tx.execute(sql`UPDATE rule_runs SET skipped = NULL WHERE ${isSubject}`))
  await tx.execute(sql`UPDATE workflow_step_runs s SET input = NULL, output = NULL FROM workflow_runs r
    WHERE r.workspace_id = ${workspaceId} AND r.subject_type = ${type} AND r.subject_id = ${id}::uuid AND s.workspace_id = r.workspace_id AND s.run_id = r.id`)
  await count(counts, 'workflow_runs', tx.execute(sql`UPDATE workflow_runs SET trigger = NULL WHERE ${isSubject}`))
}

async function eraseBookings(tx: Transaction, workspaceId: string, isTheirs: SQL, counts: Counts): Promise<void> {
  const erased = await tx
    .update(bookings)
    .set({
      inviteeName: '(erased)',
      inviteeEmail: 'erased@erased.invalid',
      inviteePhone: null,
      note: null,
      answers: [],
      cancelReason: null,
    })
    .where(and(eq(bookings.workspaceId, workspaceId), isTheirs))
    .returning({ id: bookings.id })
  if (erased.length > 0) counts['bookings'] = erased.length
  for (const { id } of erased)
    await tx
      .update(calendarEvents)
      .set({ title: '(erased)' })
      .where(and(eq(calendarEvents.workspaceId, workspaceId), eq(calendarEvents.bookingId, id)))
}

/** Takes the person out of the drafts that are addressed to them. */
async function eraseParty(tx: Transaction, workspaceId: string, contactId: string): Promise<void> {
  for (const table of [quotes, orders, invoices]) {
    const emptied = tx
      .update(table)
      .set({ partyName: null, billingAddress: null })
      .where(and(eq(table.workspaceId, workspaceId), eq(table.contactId, contactId), isNull(table.number)))
    await writeRows(tx, table, emptied.getSQL())
  }
}

/** An address as records have it, and as a guest may have given it: with its domain in its own script. */
export function spellingsOf(email: string): readonly string[] {
  const key = emailKey(email)
  const at = key.lastIndexOf('@') + 1
  return [key, `${key.slice(0, at)}${domainToUnicode(key.slice(at))}`]
}

/**
 * Takes the person out of bookings and comments that came from one of their addresses and belong to no record.
 * @param emails addresses that nobody else has
 */
export async function eraseByAddress(
  tx: Transaction,
  workspaceId: string,
  emails: readonly string[],
  counts: Counts,
): Promise<void> {
  if (emails.length === 0) return
  const isTheirs = (column: SQL): SQL => sql`${addressKey(column)} = ANY (${sql.param(emails.flatMap(spellingsOf))})`
  const isLoose = and(isNull(bookings.leadId), isNull(bookings.contactId), isTheirs(sql`${bookings.inviteeEmail}`))
  await eraseBookings(tx, workspaceId, isLoose as SQL, counts)
  await count(
    counts,
    'comments',
    tx.execute(sql`UPDATE comments SET author_name = '', author_email = NULL
      WHERE workspace_id = ${workspaceId} AND author_id IS NULL AND ${isTheirs(sql`author_email`)}`),
  )
}

/**
 * Empties the personal part of audit entries about records of a person, and of those by an account; returns the ranges of their numbers.
 * @param ids the records of the person
 */
export async function eraseAuditEntries(
  tx: Transaction,
  workspaceId: string,
  { type, id }: Pick<PrivacySubject, 'type' | 'id'>,
  ids: readonly string[],
): Promise<[number, number][]> {
  while ((await sealBatch(tx, workspaceId)) > 0);
  const isAbout = isAnyOf(auditLog.subjectId, ids)
  const isTheirs = type === 'EMPLOYEE' ? or(isAbout, eq(auditLog.actorId, id)) : isAbout
  const seqs: number[] = []
  for (const part of await partsOfLog(tx, workspaceId)) {
    const rows = await tx
      .update(auditLog)
      .set(erasedPart)
      .where(and(part, isNotNull(auditLog.privateSalt), isTheirs))
      .returning({ seq: auditLog.seq })
    seqs.push(...rows.map(({ seq }) => seq ?? 0))
  }
  return rangesOf(seqs.toSorted((one, other) => one - other))
}

/** The entries that one statement looks at, so that no statement takes long. */
const entriesAtOnce = 100_000

/** Returns the conditions that cut the sealed log of a workspace into parts for one statement each. */
async function partsOfLog(tx: Transaction, workspaceId: string): Promise<readonly (SQL | undefined)[]> {
  const [newest] = await tx
    .select({ seq: max(auditLog.seq) })
    .from(auditLog)
    .where(eq(auditLog.workspaceId, workspaceId))
  return Array.from({ length: Math.ceil((newest?.seq ?? 0) / entriesAtOnce) }, (_, at) => {
    const first = at * entriesAtOnce + 1
    return and(eq(auditLog.workspaceId, workspaceId), between(auditLog.seq, first, first + entriesAtOnce - 1))
  })
}

function rangesOf(seqs: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const seq of seqs) {
    const last = ranges.at(-1)
    if (last && last[1] === seq - 1) last[1] = seq
    else ranges.push([seq, seq])
  }
  return ranges
}

async function deleteRows(tx: Transaction, table: string, where: SQL): Promise<{ readonly rowCount: number }> {
  const one = returned({ one: sql`1` })
  const gone = await writeRows(tx, table, sql`DELETE FROM ${sql.identifier(table)} WHERE ${where}`, one)
  return { rowCount: gone.length }
}

async function count(
  counts: Counts,
  kind: string,
  work: PromiseLike<{ readonly rowCount: number | null }>,
): Promise<void> {
  const { rowCount } = await work
  if (rowCount) counts[kind] = (counts[kind] ?? 0) + rowCount
}

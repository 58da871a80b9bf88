import { lead } from '@crm/model'
import { schema, type Transaction } from '@crm/db'
import { exportKey } from '@crm/storage'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { visibleFiles } from '../../domain/files/files.visibility.ts'
import { activityKind } from '../../kinds/activities.ts'
import { contactKind } from '../../kinds/contacts.ts'
import { dealKind } from '../../kinds/deals.ts'
import { sightOf } from '../../kinds/in-sight.ts'
import { invoiceKind } from '../../kinds/invoices.ts'
import { leadKind } from '../../kinds/leads.ts'
import { orderKind } from '../../kinds/orders.ts'
import { quoteKind } from '../../kinds/quotes.ts'
import { visibleReferences } from '../../kinds/references.ts'
import { taskKind } from '../../kinds/tasks.ts'
import type { CrmContext } from '../../platform/context.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { existing } from '../../records/owned/list.ts'
import { updateExport, type ExportKey } from '../transfers/exports.repository.ts'
import { requireSubjectRights, type SubjectKey } from './privacy.subject.ts'

const { files, jobs } = schema

/** The kind of an export with the data of one person. */
export const personDataType = 'PERSON_DATA'

/** The most rows of one table in a file. */
const rowsMax = 10_000

/** Columns that are no data of the person: digests, keys and sealed secrets, and the text by which rows are found. */
const hidden =
  /(_hash|^hash|secret|token|private_salt|^wrapped|search_text|device_key|^content|public_key|^url|offered)$/

interface Part {
  readonly table: string
  /** Rows of the table `t` about the person. */
  readonly where: SQL
  /** The rows among them that the reader may see; all of them by default. */
  readonly sight?: SQL
  /** The row `t` as it stands in the file; all of its columns by default. */
  readonly row?: SQL
}

const about = (table: string, { type, id }: SubjectKey): Part => ({
  table,
  where: sql`t.entity_type = ${type} AND t.entity_id = ${id}::uuid`,
})
const owned = (table: string, column: string, { id }: SubjectKey): Part => ({
  table,
  where: sql`t.${sql.identifier(column)} = ${id}::uuid`,
})

/** The tables of a contact or a lead with records that have rights of their own. */
const kindsByTable = {
  leads: leadKind,
  contacts: contactKind,
  deals: dealKind,
  activities: activityKind,
  tasks: taskKind,
  quotes: quoteKind,
  orders: orderKind,
  invoices: invoiceKind,
} as const

/**
 * Returns the parts of the database with data of a person, as far as the reader may see them; what others have written about somebody
 * else is not in them.
 */
function partsOf(context: CrmContext, subject: SubjectKey): readonly Part[] {
  if (subject.type === 'EMPLOYEE') return partsOfEmployee(context, subject)
  const column = subject.type === lead.entity ? 'lead_id' : 'contact_id'
  const recordsOf = (table: keyof typeof kindsByTable, where: SQL): Part => ({
    table,
    where,
    sight: recordsInSight(context, kindsByTable[table]),
  })
  const named = (table: keyof typeof kindsByTable, of: string): Part =>
    recordsOf(table, owned(table, of, subject).where)
  const linked = sql`EXISTS (SELECT FROM record_links l WHERE l.workspace_id = t.workspace_id AND l.from_id = t.id AND l.entity_type = ${subject.type} AND l.entity_id = ${subject.id}::uuid)`
  return [
    named(subject.type === lead.entity ? 'leads' : 'contacts', 'id'),
    about('comments', subject),
    about('timeline', subject),
    { ...about('document_records', subject), sight: context.scopeIfAllowed('DOCUMENT') ? undefined : sql`false` },
    {
      table: 'files',
      where: sql`EXISTS (SELECT FROM file_links l WHERE l.workspace_id = t.workspace_id AND l.file_id = t.id AND l.entity_type = ${subject.type} AND l.entity_id = ${subject.id}::uuid)`,
      sight: filesInSight(context),
    },
    recordsOf('activities', linked),
    recordsOf('tasks', linked),
    { ...owned('bookings', column, subject), sight: bookingsInSight(context) },
    named('deals', column),
    ...(subject.type === 'CONTACT'
      ? (['quotes', 'orders', 'invoices'] as const).map((table) => named(table, column))
      : []),
  ]
}

function partsOfEmployee(context: CrmContext, subject: SubjectKey): readonly Part[] {
  const isOneself = subject.id === context.caller.employee.id
  return [
    owned('employees', 'id', subject),
    { ...owned('employee_pictures', 'employee_id', subject), row: pictureRow },
    ...['employee_roles', 'sessions', 'identities', 'passkeys', 'calendar_subscriptions', 'calendar_events'].map(
      (table) => owned(table, 'employee_id', subject),
    ),
    ...['notifications', 'notification_mails', 'follows', 'saved_filters', 'scim_people'].map((table) =>
      owned(table, table === 'saved_filters' ? 'owner_id' : 'employee_id', subject),
    ),
    owned('api_keys', 'owner_id', subject),
    { ...owned('comments', 'author_id', subject), sight: isOneself ? undefined : commentsInSight(context) },
    owned('audit_log', 'actor_id', subject),
  ]
}

/** A picture as an address that browsers open. */
const pictureRow = sql`jsonb_build_object(
  'created_at', t.created_at, 'picture', 'data:' || t.media_type || ';base64,' || translate(encode(t.bytes, 'base64'), E'\\n', ''))`

function recordsInSight(context: CrmContext, kind: RecordKind): SQL {
  const scope = sightOf(context, kind.entityType)
  return scope
    ? sql`EXISTS (SELECT FROM ${kind.table} WHERE ${existing(kind, scope)} AND ${kind.table.id} = t.id)`
    : sql`false`
}

function filesInSight(context: CrmContext): SQL {
  const isAllowed = context.scopeIfAllowed('FILE') ?? context.scopeIfAllowed('DOCUMENT')
  return isAllowed
    ? sql`EXISTS (SELECT FROM ${files} WHERE ${visibleFiles(context)} AND ${files.id} = t.id)`
    : sql`false`
}

function bookingsInSight({ caller }: CrmContext): SQL | undefined {
  return caller.effective.has('MANAGE_BOOKING') ? undefined : sql`t.organizer_id = ${caller.employee.id}::uuid`
}

function commentsInSight(context: CrmContext): SQL {
  const reference = { entityType: sql`t.entity_type`, entityId: sql`t.entity_id` }
  return visibleReferences(context, reference)
}

/** The data of a person as it stands in the file. */
interface PersonData {
  readonly subject: SubjectKey
  readonly at: string
  readonly data: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}

/** Writes the file with the data of a person, as far as its maker may see it now. */
export async function writePersonData(
  tx: Transaction,
  context: CrmContext,
  storage: { write(key: string, content: AsyncIterable<Uint8Array>): Promise<unknown> },
  key: ExportKey,
  subject: SubjectKey,
): Promise<void> {
  const { at } = context
  await requireSubjectRights(context, subject, 'VIEW')
  const data: Record<string, Record<string, unknown>[]> = {}
  for (const part of partsOf(context, subject)) data[part.table] = await readPart(tx, key.workspaceId, part)
  const text = JSON.stringify({ subject, at, data } satisfies PersonData, undefined, 2)
  await storage.write(exportKey(key), once(Buffer.from(text)))
  const rows = Object.values(data).reduce((sum, some) => sum + some.length, 0)
  await updateExport(tx, key, { state: 'DONE', rows, bytes: Buffer.byteLength(text), finishedAt: at })
  await finishJob(tx, key, { state: 'DONE', processed: 1, startedAt: at, finishedAt: at })
}

/** Returns the text of a file with what its maker may see now: rights and owners may have changed since it was written. */
export async function personDataInSight(context: CrmContext, content: AsyncIterable<Uint8Array>): Promise<string> {
  const { subject, at, data } = JSON.parse(await textOf(content)) as PersonData
  await requireSubjectRights(context, subject, 'VIEW')
  const kept: Record<string, readonly Readonly<Record<string, unknown>>[]> = {}
  for (const part of partsOf(context, subject)) {
    const rows = data[part.table] ?? []
    const seen = part.sight && (await idsInSight(context, part, rows))
    kept[part.table] = seen ? rows.filter(({ id }) => seen.has(String(id))) : rows
  }
  return JSON.stringify({ subject, at, data: kept } satisfies PersonData, undefined, 2)
}

/** Changes the job of an export of a person's data. */
export async function finishJob(
  tx: Transaction,
  key: ExportKey,
  set: Partial<typeof jobs.$inferInsert>,
): Promise<void> {
  await tx
    .update(jobs)
    .set(set)
    .where(and(eq(jobs.workspaceId, key.workspaceId), eq(jobs.id, key.id)))
}

async function readPart(
  tx: Transaction,
  workspaceId: string,
  { table, where, sight = sql`true`, row = sql`to_jsonb(t)` }: Part,
): Promise<Record<string, unknown>[]> {
  const { rows } = await tx.execute<{ row: Record<string, unknown> }>(
    sql`SELECT ${row} AS row FROM ${sql.identifier(table)} t WHERE t.workspace_id = ${workspaceId} AND ${where} AND ${sight} LIMIT ${rowsMax}`,
  )
  return rows.map(({ row }) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'workspace_id' && !hidden.test(name))),
  )
}

async function idsInSight(
  { db, workspace }: CrmContext,
  { table, where, sight = sql`true` }: Part,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const ids = rows.map(({ id }) => String(id))
  const { rows: found } = await db.execute<{ id: string }>(
    sql`SELECT t.id::text AS id FROM ${sql.identifier(table)} t WHERE t.workspace_id = ${workspace.id} AND ${where} AND ${sight} AND t.id = ANY (${sql.param(ids)}::uuid[])`,
  )
  return new Set(found.map(({ id }) => id))
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts).toString()
}

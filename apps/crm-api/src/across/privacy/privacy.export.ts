import { schema, type Transaction } from '@crm/db'
import { exportKey } from '@crm/storage'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { findExport, updateExport } from '../transfers/exports.repository.ts'
import type { SubjectKey } from './privacy.subject.ts'

const { jobs } = schema

/** The kind of an export with the data of one person. */
export const personDataType = 'PERSON_DATA'

/** The most rows of one table in a file. */
const rowsMax = 10_000

/** Columns that are no data of the person: digests, keys and sealed secrets, and the text by which rows are found. */
const hidden =
  /(_hash|^hash|secret|token|private_salt|^wrapped|search_text|device_key|^content|public_key|^url|offered)$/

interface Part {
  readonly table: string
  readonly where: SQL
}

const about = (table: string, { type, id }: SubjectKey): Part => ({
  table,
  where: sql`entity_type = ${type} AND entity_id = ${id}::uuid`,
})
const owned = (table: string, column: string, { id }: SubjectKey): Part => ({
  table,
  where: sql`${sql.identifier(column)} = ${id}::uuid`,
})

/** Returns the parts of the database with data of a person; what others have written about somebody else is not in them. */
function partsOf(subject: SubjectKey): readonly Part[] {
  if (subject.type === 'EMPLOYEE')
    return [
      owned('employees', 'id', subject),
      ...['employee_roles', 'sessions', 'identities', 'passkeys', 'calendar_subscriptions', 'calendar_events'].map(
        (table) => owned(table, 'employee_id', subject),
      ),
      ...['notifications', 'notification_mails', 'saved_filters', 'scim_people'].map((table) =>
        owned(table, table === 'saved_filters' ? 'owner_id' : 'employee_id', subject),
      ),
      owned('api_keys', 'owner_id', subject),
      owned('comments', 'author_id', subject),
      owned('audit_log', 'actor_id', subject),
    ]
  const column = subject.type === 'LEAD' ? 'lead_id' : 'contact_id'
  const documents =
    subject.type === 'CONTACT' ? ['quotes', 'orders', 'invoices'].map((table) => owned(table, column, subject)) : []
  return [
    owned(subject.type === 'LEAD' ? 'leads' : 'contacts', 'id', subject),
    ...['comments', 'timeline', 'document_records'].map((table) => about(table, subject)),
    {
      table: 'files',
      where: sql`EXISTS (SELECT FROM file_links l WHERE l.workspace_id = t.workspace_id AND l.file_id = t.id AND l.entity_type = ${subject.type} AND l.entity_id = ${subject.id}::uuid)`,
    },
    ...['activities', 'tasks'].map((table) => ({
      table,
      where: sql`EXISTS (SELECT FROM record_links l WHERE l.workspace_id = t.workspace_id AND l.from_id = t.id AND l.entity_type = ${subject.type} AND l.entity_id = ${subject.id}::uuid)`,
    })),
    owned('bookings', column, subject),
    owned('deals', column, subject),
    ...documents,
  ]
}

/** Writes the file with the data of a person. */
export async function writePersonData(
  tx: Transaction,
  storage: { write(key: string, content: AsyncIterable<Uint8Array>): Promise<unknown> },
  key: { readonly workspaceId: string; readonly id: string },
  at: string,
): Promise<void> {
  const [job] = await tx
    .select()
    .from(jobs)
    .where(and(eq(jobs.workspaceId, key.workspaceId), eq(jobs.id, key.id)))
  const made = await findExport(tx, key)
  if (!job || !made || made.state === 'DONE') return
  const subject = job.payload['subject'] as SubjectKey
  const data: Record<string, unknown[]> = {}
  for (const { table, where } of partsOf(subject)) data[table] = await readPart(tx, key.workspaceId, table, where)
  const text = JSON.stringify({ subject, at, data }, undefined, 2)
  await storage.write(exportKey(key), once(Buffer.from(text)))
  const rows = Object.values(data).reduce((sum, some) => sum + some.length, 0)
  await updateExport(tx, key, { state: 'DONE', rows, bytes: Buffer.byteLength(text), finishedAt: at })
  await tx
    .update(jobs)
    .set({ state: 'DONE', processed: 1, startedAt: at, finishedAt: at })
    .where(and(eq(jobs.workspaceId, key.workspaceId), eq(jobs.id, key.id)))
}

async function readPart(tx: Transaction, workspaceId: string, table: string, where: SQL): Promise<unknown[]> {
  const { rows } = await tx.execute<{ row: Record<string, unknown> }>(
    sql`SELECT to_jsonb(t) AS row FROM ${sql.identifier(table)} t WHERE t.workspace_id = ${workspaceId} AND ${where} LIMIT ${rowsMax}`,
  )
  return rows.map(({ row }) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'workspace_id' && !hidden.test(name))),
  )
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

import { lead } from '@crm/model'
import { schema, type Executor } from '@crm/db'
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import { contactKind } from '../../kinds/contacts.ts'
import { leadKind } from '../../kinds/leads.ts'
import { existing } from '../../records/owned/list.ts'
import type { ErasureReach } from './privacy.reach.ts'
import type { PrivacySubject } from './privacy.terms.ts'

const { contacts, leads } = schema

/** A record of a person. */
export type PersonRecord = Pick<PrivacySubject, 'type' | 'id'>

/** The records of one person. */
export interface PersonRecords {
  /** The record itself, what was merged into it, and the leads that a contact was made from. */
  readonly erased: readonly PersonRecord[]
  /** Records of the same person that the caller sees and that need an erasure of their own. */
  readonly left: readonly PersonRecord[]
}

/** Returns the records that refer to a contact or a lead as the same person, as far as the caller reaches. */
export async function recordsOfPerson(
  db: Executor,
  workspaceId: string,
  subject: PersonRecord,
  reach: ErasureReach,
): Promise<PersonRecords> {
  if (subject.type === 'EMPLOYEE') return { erased: [subject], left: [] }
  const erased = await withMerged(db, workspaceId, subject)
  if (subject.type === lead.entity) return { erased, left: await contactOf(db, workspaceId, subject.id, reach) }
  const scope = reach.scope(lead.entity)
  const before = scope
    ? await idsOf(db, leads, and(existing(leadKind, scope), eq(leads.contactId, subject.id)) as SQL)
    : []
  for (const id of before) erased.push(...(await withMerged(db, workspaceId, { type: lead.entity, id })))
  return { erased, left: [] }
}

/** Returns a record with those that were merged into it, and into these. */
async function withMerged(db: Executor, workspaceId: string, { type, id }: PersonRecord): Promise<PersonRecord[]> {
  const table = type === lead.entity ? leads : contacts
  const all = [id]
  for (const into of all) {
    const merged = and(eq(table.workspaceId, workspaceId), eq(table.mergedIntoId, into)) as SQL
    for (const each of await idsOf(db, table, merged)) if (!all.includes(each)) all.push(each)
  }
  return all.map((each) => ({ type, id: each }))
}

async function contactOf(
  db: Executor,
  workspaceId: string,
  leadId: string,
  reach: ErasureReach,
): Promise<PersonRecord[]> {
  const scope = reach.scope('CONTACT')
  const [lead] = await db
    .select({ contactId: leads.contactId })
    .from(leads)
    .where(and(eq(leads.workspaceId, workspaceId), eq(leads.id, leadId), isNull(leads.deletedAt)))
  if (!scope || !lead?.contactId) return []
  const ids = await idsOf(db, contacts, and(existing(contactKind, scope), eq(contacts.id, lead.contactId)) as SQL)
  return ids.map((id) => ({ type: 'CONTACT', id }))
}

async function idsOf(db: Executor, table: typeof leads | typeof contacts, where: SQL): Promise<string[]> {
  const rows = await db.select({ id: table.id }).from(table).where(where)
  return rows.map(({ id }) => id)
}

import { columnsExcept, rowReader, schema } from '@crm/db'
import { sql } from 'drizzle-orm'
import { equals, type RecordKind } from '../../records/owned/kind.ts'

const { contacts } = schema

/** A contact as it is read. */
export type ContactRow = Omit<typeof contacts.$inferSelect, 'workspaceId' | 'deletedAt' | 'searchText' | 'mergedIntoId'>

/** The columns that a new contact is written with. */
export type ContactValues = Omit<typeof contacts.$inferInsert, 'workspaceId' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'deletedAt'>

/** A contact's name as it is shown to people. */
export function contactTitle(contact: Pick<ContactRow, 'firstName' | 'lastName' | 'email' | 'phone'>): string {
  return [contact.firstName, contact.lastName].filter(Boolean).join(' ') || contact.email || contact.phone || 'Contact'
}

export const contactKind: RecordKind<ContactRow> = {
  entityType: 'CONTACT',
  noun: 'contact',
  table: contacts,
  rows: rowReader(columnsExcept(contacts, ['workspaceId', 'deletedAt', 'searchText', 'mergedIntoId'])),
  title: contactTitle,
  filters: {
    companyId: equals(contacts.companyId),
    email: { condition: (value: string) => sql`lower(${contacts.email}) = lower(${value})` },
    phone: equals(contacts.phone),
  },
  sortable: { updatedAt: contacts.updatedAt, lastName: contacts.lastName, firstName: contacts.firstName, email: contacts.email },
  customFields: 'CONTACT',
  timelineKinds: { ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: true,
}

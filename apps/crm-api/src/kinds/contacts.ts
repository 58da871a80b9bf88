import { rowReader, schema, isAddress } from '@crm/db'
import { contact } from '@crm/model'
import { sql, type SQL } from 'drizzle-orm'
import { toE164 } from '../records/contact-points.ts'
import { type RecordKind } from '../records/owned/kind.ts'
import { searchCondition } from '../records/search-terms.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'
import { followUpConditions, followUpModules, followUpValues, followedUp, type FollowedUp } from './follow-ups.ts'

const { contacts } = schema

/** A contact as it is read. */
export type ContactRow = Omit<
  typeof contacts.$inferSelect,
  'workspaceId' | 'deletedAt' | 'searchText' | 'mergedIntoId'
> &
  FollowedUp

/** The columns that a new contact is written with. */
export type ContactValues = Omit<
  typeof contacts.$inferInsert,
  'workspaceId' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'deletedAt'
>

/** Returns a contact's name as it is shown to people. */
function contactTitle(contact: Pick<ContactRow, 'firstName' | 'lastName' | 'email' | 'phone'>): string {
  return [contact.firstName, contact.lastName].filter(Boolean).join(' ') || contact.email || contact.phone || 'Contact'
}

/** Returns the condition that a contact has an email address, its first or a further one. */
export function hasEmail(email: string): SQL {
  // The search index finds further addresses; the other condition keeps only exact matches.
  const isFurther = sql`${searchCondition(email, contacts.searchText)} AND EXISTS (SELECT FROM unnest(${contacts.emails}) AS further WHERE ${isAddress(sql`further`, email)})`
  return sql`(${isAddress(contacts.email, email)} OR ${isFurther})`
}

/** Returns the condition that a contact has a number, its first or a further one; E.164. */
export function hasPhone(phone: string): SQL {
  return sql`(${contacts.phone} = ${phone} OR ${searchCondition(phone, contacts.searchText)} AND ${phone} = ANY(${contacts.phones}))`
}

export const contactKind: RecordKind<ContactRow> = {
  entityType: contact.entity,
  noun: contact.noun,
  table: contacts,
  rows: rowReader(shownColumns(contacts, 'contacts'), followedUp),
  title: contactTitle,
  filters: {
    ...filtersOf(contact, contacts),
    email: { condition: hasEmail },
    phone: { condition: (value: string) => hasPhone(toE164(value) ?? value) },
    ...followUpConditions(contacts),
  },
  sortable: sortableOf(contact, contacts),
  fieldModules: followUpModules,
  computed: { ...followUpValues(contacts) },
  customFields: 'CONTACT',
  timelineKinds: { ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: true,
}

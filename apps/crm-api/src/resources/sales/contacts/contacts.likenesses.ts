import { contact, namesWith } from '@crm/model'
import { schema, addressKey } from '@crm/db'
import { sql } from 'drizzle-orm'
import { emailKey } from '../../../records/contact-points.ts'
import {
  personName,
  personNameKey,
  personNameText,
  personSigns,
  sameText,
  type Likenesses,
  type TypedSigns,
} from '../../../records/owned/duplicates.ts'
import type { MergeRules } from '../../../records/owned/merge.ts'
import { unique, uniqueEmails } from '../../../records/owned/plan.ts'
import { referringColumns } from '../../../kinds/referring-columns.ts'
import { contactKind, hasEmail, hasPhone, type ContactRow } from '../../../kinds/contacts.ts'

const { contacts } = schema

type ContactSigns = Pick<ContactRow, 'email' | 'phone' | 'firstName' | 'lastName'>

const nameOf = personNameKey(contacts)

/** The ways in which two contacts can look alike. */
const contactLikenesses: Likenesses<ContactSigns, 'email' | 'phone' | 'name'> = {
  email: {
    key: sql`point.value`,
    beside: sql`CROSS JOIN LATERAL (SELECT DISTINCT ${addressKey(sql`one`)} AS value FROM unnest(array_append(${contacts.emails}, ${contacts.email})) AS one) AS point`,
    valueOf: ({ email }) => email && emailKey(email),
    has: hasEmail,
    weight: 60,
  },
  phone: {
    key: sql`point.value`,
    beside: sql`CROSS JOIN LATERAL (SELECT DISTINCT one AS value FROM unnest(array_append(${contacts.phones}, ${contacts.phone})) AS one) AS point`,
    valueOf: ({ phone }) => phone,
    has: hasPhone,
    weight: 50,
  },
  name: {
    key: nameOf,
    from: personNameText(contacts),
    valueOf: personName,
    has: (name) => sameText(nameOf, name, contacts.searchText),
    weight: 30,
  },
}

const contactMerge: MergeRules<ContactRow> = {
  kind: contactKind,
  preferable: namesWith(contact.fields, 'preferred'),
  complete: async (_tx, { target, filled, sources }) => uniteContactPoints(filled, [target, ...sources]),
  children: referringColumns(contact.entity),
}

/** The rules by which contacts look alike and are merged. */
export const contactDuplicates = {
  merge: contactMerge,
  likenesses: contactLikenesses,
  signsOf: (typed: TypedSigns<ContactSigns>): ContactSigns => personSigns(typed),
}

/**
 * Unites the contact points of merged contacts, so that no address, number or profile is lost: those that are not the
 * survivor's first one become further ones.
 */
function uniteContactPoints(
  { email, phone }: ContactRow,
  all: readonly ContactRow[],
): Pick<ContactRow, 'emails' | 'phones' | 'socials'> {
  const emails = uniqueEmails(
    [email, ...all.flatMap((each) => [each.email, ...each.emails])].filter((address) => address !== null),
  )
  const phones = unique(
    [phone, ...all.flatMap((each) => [each.phone, ...each.phones])].filter((number) => number !== null),
  )
  const socials = all.reduce<Record<string, string>>((known, each) => ({ ...each.socials, ...known }), {})
  return { emails: emails.slice(email === null ? 0 : 1), phones: phones.slice(phone === null ? 0 : 1), socials }
}

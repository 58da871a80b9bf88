import * as z from 'zod'
import { bulkOperations, duplicateOperations } from '../bulk.ts'
import {
  address,
  customFieldValues,
  day,
  email,
  expectedVersion,
  id,
  messenger,
  newOwner,
  ownedFields,
  phone,
  requiredText,
  shownDay,
  tags,
  text,
  typedEmail,
} from '../fields.ts'
import { idFilter } from '../filters.ts'
import { followUpFields, followUpFilters, followUpSortFields } from '../follow-ups.ts'
import { commonFilters, customSortQuery, pagedList, refusingPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'

const nullableText = z.string().nullable()

/** A contact as the API shows it (docs/guide/leads-and-deals.md). */
export const contact = z.object({
  ...ownedFields,
  firstName: nullableText,
  lastName: nullableText,
  email: nullableText,
  phone: nullableText,
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  jobTitle: nullableText,
  companyId: id.nullable(),
  birthday: shownDay,
  address: address.nullable(),
  messengers: z.array(messenger),
  socials: z.record(z.string(), z.string()),
  description: nullableText,
  ...followUpFields,
  customFields: customFieldValues,
})
export type ContactRecord = z.output<typeof contact>

const socials = z
  .record(
    z.string().regex(/^[a-zA-Z][\w-]{0,39}$/, 'Expected the name of a network, such as linkedin'),
    requiredText(500),
  )
  .refine((known) => Object.keys(known).length <= 20, 'Expected 20 at most')
  .meta({ description: 'Profiles by network, for example {"linkedin": "https://…"}' })

const editable = {
  firstName: text(200).optional(),
  lastName: text(200).optional(),
  email: email.nullable().optional(),
  phone: phone.nullable().optional(),
  emails: z.array(email).max(20).optional().meta({ description: 'Further addresses' }),
  phones: z.array(phone).max(20).optional().meta({ description: 'Further numbers' }),
  jobTitle: text(200).optional(),
  companyId: id.nullable().optional(),
  birthday: day.nullable().optional(),
  address: address.nullable().optional(),
  messengers: z.array(messenger).max(20).optional(),
  socials: socials.optional(),
  description: text(10_000).optional(),
  ownerId: newOwner,
  tags: tags.optional(),
  customFields: customFieldValues.optional(),
}

export const contactInput = z.strictObject(editable)
export type ContactInput = z.output<typeof contactInput>

export const contactPatch = z.strictObject({ ...editable, version: expectedVersion })
export type ContactPatch = z.output<typeof contactPatch>

export const contactSortFields = [
  'createdAt',
  'updatedAt',
  'lastName',
  'firstName',
  'email',
  ...followUpSortFields,
] as const

/** The filters of the contact list; bulk operations take the same. */
export const contactFilters = {
  ...commonFilters,
  companyId: idFilter({ canBeEmpty: true }).optional(),
  email: requiredText(255).optional().meta({ description: 'One of the addresses, whole' }),
  phone: requiredText(50).optional().meta({ description: 'One of the numbers, with + and country code' }),
  ...followUpFilters,
}

const contactList = {
  ...pagedList(contact, refusingPages, { ...contactFilters, ...customSortQuery(contactSortFields) }),
  queryPolicy: 'strict',
  customFields: 'CONTACT',
} as const

const { companyId, jobTitle, ownerId, customFields } = editable

const operations = withSummary(
  standard({
    path: '/api/contacts',
    noun: 'contact',
    plural: 'contacts',
    record: contact,
    create: contactInput,
    update: contactPatch,
    list: contactList,
    access: entityAccess('CONTACT'),
  }),
)

export const contacts = resource(
  'contacts',
  'SALES',
  withUndo({
    ...operations,
    create: {
      ...operations.create,
      description:
        'Needs at least one of firstName, lastName, email or phone. companyId is the company that the person works for.',
      idempotent: true,
    },
    update: { ...operations.update, description: 'Takes any subset of the fields; null clears, lists are replaced.' },
    ...bulkOperations({
      path: '/api/contacts',
      plural: 'contacts',
      entity: 'CONTACT',
      set: z.strictObject({ companyId, jobTitle, ownerId, customFields }),
    }),
    ...duplicateOperations({
      path: '/api/contacts',
      entity: 'CONTACT',
      one: 'contact',
      many: 'contacts',
      record: contact,
      by: ['email', 'phone', 'name'],
      signs: z.strictObject({
        email: typedEmail.optional(),
        phone: text(50).optional(),
        firstName: text(200).optional(),
        lastName: text(200).optional(),
      }),
    }),
  }),
)

import { contact as kind } from '@crm/model'
import * as z from 'zod'
import { bulkOperations, duplicateOperations } from '../bulk.ts'
import { requiredText, text, typedEmail } from '../fields.ts'
import { followUpFilters } from '../follow-ups.ts'
import { commonFilters, customSortQuery, pagedList, refusingPages } from '../lists.ts'
import { bulkSetOf, filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'

/** A contact as the API shows it (docs/guide/leads-and-deals.md). */
export const contact = recordOf(kind)
export type ContactRecord = z.output<typeof contact>

export const contactInput = inputOf(kind)
export type ContactInput = z.output<typeof contactInput>

const contactPatch = patchOf(kind)
export type ContactPatch = z.output<typeof contactPatch>

export const contactSortFields = sortFieldsOf(kind)

/** The filters of the contact list; bulk operations take the same. */
export const contactFilters = {
  ...commonFilters,
  ...filtersOf(kind),
  email: requiredText(255).optional().meta({ description: 'One of the addresses, whole' }),
  phone: requiredText(50).optional().meta({ description: 'One of the numbers, with + and country code' }),
  ...followUpFilters,
}

const contactList = {
  ...pagedList(contact, refusingPages, { ...contactFilters, ...customSortQuery(contactSortFields) }),
  queryPolicy: 'strict',
  customFields: 'CONTACT',
} as const

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
  kind.fields,
)

export const contacts = resource(
  { name: 'contacts', entity: kind.entity },
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
      set: bulkSetOf(kind),
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

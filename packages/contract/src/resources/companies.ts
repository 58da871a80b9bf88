import * as z from 'zod'
import { bulkOperations, duplicateOperations } from '../bulk.ts'
import {
  address,
  customFieldValues,
  domainName,
  email,
  expectedVersion,
  id,
  newOwner,
  ownedFields,
  phone,
  requiredText,
  tags,
  text,
  typedEmail,
} from '../fields.ts'
import { idFilter } from '../filters.ts'
import { followUpFields, followUpFilters, followUpSortFields } from '../follow-ups.ts'
import { commonFilters, customSortQuery, idsParam, pagedList, refusingPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'

const nullableText = z.string().nullable()

/** A company as the API shows it (docs/guide/leads-and-deals.md). */
export const company = z.object({
  ...ownedFields,
  name: z.string(),
  domain: nullableText,
  industryId: id.nullable(),
  size: nullableText,
  phone: nullableText,
  email: nullableText,
  website: nullableText,
  taxId: nullableText,
  billingAddress: address.nullable(),
  shippingAddress: address.nullable(),
  parentId: id.nullable(),
  description: nullableText,
  ...followUpFields,
  customFields: customFieldValues,
})
export type CompanyRecord = z.output<typeof company>

const fields = {
  domain: domainName.nullable().optional(),
  industryId: id.nullable().optional(),
  size: text(100).optional(),
  phone: phone.nullable().optional(),
  email: email.nullable().optional(),
  website: text(500).optional(),
  taxId: text(100).optional(),
  billingAddress: address.nullable().optional(),
  shippingAddress: address.nullable().optional(),
  parentId: id.nullable().optional(),
  description: text(10_000).optional(),
  ownerId: newOwner,
  tags: tags.optional(),
  customFields: customFieldValues.optional(),
}

export const companyInput = z.strictObject({ name: requiredText(200), ...fields })
export type CompanyInput = z.output<typeof companyInput>

export const companyPatch = z.strictObject({ name: requiredText(200).optional(), ...fields, version: expectedVersion })
export type CompanyPatch = z.output<typeof companyPatch>

export const companySortFields = ['createdAt', 'updatedAt', 'name', 'domain', ...followUpSortFields] as const

/** The filters of the company list; bulk operations take the same. */
export const companyFilters = {
  ...commonFilters,
  ids: idsParam(100).optional(),
  industryId: idFilter({ canBeEmpty: true }).optional(),
  parentId: idFilter({ canBeEmpty: true }).optional(),
  domain: domainName.optional(),
  ...followUpFilters,
}

const companyList = {
  ...pagedList(company, refusingPages, { ...companyFilters, ...customSortQuery(companySortFields) }),
  queryPolicy: 'strict',
  customFields: 'COMPANY',
} as const

const { industryId, size, parentId, ownerId, customFields } = fields

const operations = withSummary(
  standard({
    path: '/api/companies',
    noun: 'company',
    plural: 'companies',
    record: company,
    create: companyInput,
    update: companyPatch,
    list: companyList,
    access: entityAccess('COMPANY'),
  }),
)

export const companies = resource(
  'companies',
  'SALES',
  withUndo({
    ...operations,
    create: {
      ...operations.create,
      description: 'Needs a name. parentId is the company that this one belongs to.',
      idempotent: true,
    },
    update: {
      ...operations.update,
      description: 'Takes any subset of the fields; null clears.',
      errors: ['PARENT_CYCLE'],
    },
    ...bulkOperations({
      path: '/api/companies',
      plural: 'companies',
      entity: 'COMPANY',
      set: z.strictObject({ industryId, size, parentId, ownerId, customFields }),
    }),
    ...duplicateOperations({
      path: '/api/companies',
      entity: 'COMPANY',
      one: 'company',
      many: 'companies',
      record: company,
      by: ['domain', 'name', 'email', 'phone'],
      signs: z.strictObject({
        domain: text(500).optional(),
        name: text(300).optional(),
        email: typedEmail.optional(),
        phone: text(50).optional(),
      }),
    }),
  }),
)

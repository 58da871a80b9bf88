import { company as kind } from '@crm/model'
import * as z from 'zod'
import { bulkOperations, duplicateOperations } from '../bulk.ts'
import { domainName, text, typedEmail } from '../fields.ts'
import { followUpFilters } from '../follow-ups.ts'
import { commonFilters, customSortQuery, idsParam, pagedList, refusingPages } from '../lists.ts'
import { bulkSetOf, filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'

/** A company as the API shows it (docs/guide/leads-and-deals.md). */
export const company = recordOf(kind)
export type CompanyRecord = z.output<typeof company>

export const companyInput = inputOf(kind)
export type CompanyInput = z.output<typeof companyInput>

const companyPatch = patchOf(kind)
export type CompanyPatch = z.output<typeof companyPatch>

export const companySortFields = sortFieldsOf(kind)

/** The filters of the company list; bulk operations take the same. */
export const companyFilters = {
  ...commonFilters,
  ids: idsParam(100).optional(),
  ...filtersOf(kind),
  domain: domainName.optional(),
  ...followUpFilters,
}

const companyList = {
  ...pagedList(company, refusingPages, { ...companyFilters, ...customSortQuery(companySortFields) }),
  queryPolicy: 'strict',
  customFields: 'COMPANY',
} as const

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
  kind.fields,
)

export const companies = resource(
  { name: 'companies', entity: kind.entity },
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
      set: bulkSetOf(kind),
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

import { lead as kind, type Field } from '@crm/model'
import * as z from 'zod'
import { bulkOperations, duplicateOperations } from '../bulk.ts'
import { byId, currencyCode, customFieldValues, day, decimal, id, requiredText, text, typedEmail } from '../fields.ts'
import { followUpFilters, stageFilters } from '../follow-ups.ts'
import { commonFilters, customSortQuery, pagedList, type PageRule } from '../lists.ts'
import { bulkSetOf, filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { stageTimesOperation } from '../stage-times.ts'
import { withSummary } from '../summaries.ts'
import { companyInput } from './companies.ts'
import { contactInput } from './contacts.ts'

export { leadStatuses, temperatures } from '@crm/model'

/** The data about a lead's origin that a website form can send. */
export const originFields = Object.entries<Field>(kind.fields).flatMap(([name, { rules }]) =>
  rules.origin ? [name] : [],
)

/** A lead as the API shows it (docs/guide/leads-and-deals.md). */
export const lead = recordOf(kind)
export type LeadRecord = z.output<typeof lead>

export const leadInput = inputOf(kind)
export type LeadInput = z.output<typeof leadInput>

export const leadPatch = patchOf(kind)
export type LeadPatch = z.output<typeof leadPatch>

const leadPages: PageRule = { pageSize: 20, pageSizeMax: 100, overMax: 'refuse' }

export const leadSortFields = sortFieldsOf(kind)

/** The filters of the lead list; bulk operations take the same. */
export const leadFilters = { ...commonFilters, ...filtersOf(kind), ...stageFilters, ...followUpFilters }

const leadList = {
  ...pagedList(lead, leadPages, { ...leadFilters, ...customSortQuery(leadSortFields) }),
  customFields: kind.entity,
} as const

/** Declares the treatment of a lead's person or company; `fields` override the lead's own fields in the created record. */
function party<const Fields extends z.ZodType>(fields: Fields, like: string) {
  return z
    .strictObject({
      mode: z.enum(['CREATE', 'EXISTING', 'AUTO', 'NONE']),
      id: id.optional(),
      fields: fields.optional().meta({ description: `As in ${like}` }),
    })
    .default({ mode: 'AUTO' } as never)
}

export const conversion = z.strictObject({
  contact: party(contactInput.omit({ companyId: true, ownerId: true }), 'contacts_create'),
  company: party(companyInput.omit({ ownerId: true }).partial(), 'companies_create'),
  deal: z
    .strictObject({
      mode: z.enum(['CREATE', 'EXISTING', 'NONE']),
      id: id.optional(),
      name: requiredText(200).optional(),
      pipelineId: id.optional(),
      stageId: id.optional(),
      amount: decimal.optional(),
      currency: currencyCode.optional(),
      expectedCloseDate: day.optional(),
      customFields: customFieldValues.optional(),
    })
    .default({ mode: 'CREATE' }),
  contactId: id.optional().meta({ description: 'Short for contact EXISTING' }),
  createContact: z.literal(true).optional().meta({ description: 'Short for contact CREATE' }),
  companyId: id.optional().meta({ description: 'Short for company EXISTING' }),
  createCompany: z.literal(true).optional().meta({ description: 'Short for company CREATE' }),
  ownerId: id.optional(),
  onDuplicate: z.enum(['LINK', 'ERROR']).default('LINK'),
})

const converted = z.object({
  lead,
  contactId: id.nullable(),
  companyId: id.nullable(),
  dealId: id.nullable(),
  created: z.array(z.enum(['contact', 'company', 'deal'])),
  linked: z.array(z.enum(['contact', 'company', 'deal'])),
})

const candidate = z.object({ id, name: z.string(), matchedOn: z.string() })

const conversionOptions = z.object({
  contact: z.object({ mode: z.enum(['CREATE', 'EXISTING', 'NONE']), candidates: z.array(candidate) }),
  company: z.object({ mode: z.enum(['CREATE', 'EXISTING', 'NONE']), candidates: z.array(candidate) }),
  deal: z.object({ mode: z.literal('CREATE'), name: z.string(), pipelineId: id, stageId: id }),
})

/** The answer to a caller who created a duplicate of a lead that they may not see: its id and the fields that they sent. */
const unseenLead = lead.partial().extend({ id, mergedIntoId: id })

/** Without `mergedIntoId` the answer is the whole new lead, and its type says so. */
const createdLead = z.union([
  lead.extend({ mergedIntoId: id }),
  unseenLead,
  lead.extend({ mergedIntoId: z.never().optional() }),
])

const duplicates = duplicateOperations({
  path: '/api/leads',
  entity: kind.entity,
  one: 'lead',
  many: 'leads',
  record: lead,
  by: ['email', 'phone', 'name', 'company'],
  signs: z.strictObject({
    email: typedEmail.optional(),
    phone: text(50).optional(),
    firstName: text(200).optional(),
    lastName: text(200).optional(),
    companyName: text(200).optional(),
  }),
  mergeErrors: ['LEAD_ALREADY_CONVERTED'],
})

/** Adds the contacts that a lead may be, as far as the caller sees them. */
function withContacts<Items extends z.ZodRawShape>({
  status,
  body,
}: {
  readonly status: 200
  readonly body: z.ZodObject<Items>
}) {
  return { status, body: body.extend({ contacts: z.array(candidate).max(10) }) }
}

export const leads = resource(
  { name: 'leads', entity: kind.entity },
  'SALES',
  withUndo({
    ...withSummary(
      standard({
        path: '/api/leads',
        noun: 'lead',
        plural: 'leads',
        record: lead,
        create: leadInput,
        update: leadPatch,
        list: leadList,
        access: entityAccess(kind.entity),
      }),
      kind.fields,
    ),
    create: {
      method: 'POST',
      path: '/api/leads',
      summary: 'Create a lead',
      description:
        'Needs at least one of firstName, lastName, companyName, email or phone. Owner, pipeline, stage and source have defaults. ' +
        'When the workspace merges exact duplicates, the answer is the existing lead with mergedIntoId; who may not see that lead gets its id and their own values alone.',
      access: { all: ['CREATE_LEAD'] },
      body: leadInput,
      reply: data(201, createdLead),
      errors: ['STAGE_NOT_FOUND'],
      idempotent: true,
    },
    update: {
      method: 'PATCH',
      path: '/api/leads/{id}',
      summary: 'Change a lead',
      description:
        'Takes any subset of the fields; null clears. A stage moves the lead and sets its status; a status moves it to the first stage with it.',
      access: { all: ['UPDATE_LEAD'] },
      params: byId,
      body: leadPatch,
      reply: data(200, lead),
      errors: ['STAGE_NOT_FOUND', 'STAGE_TRANSITION_NOT_ALLOWED', 'LEAD_ALREADY_CONVERTED'],
    },
    ...bulkOperations({ path: '/api/leads', plural: 'leads', entity: kind.entity, set: bulkSetOf(kind) }),
    ...stageTimesOperation({ path: '/api/leads', entity: kind.entity, noun: 'lead', queryPolicy: 'lenient' }),
    convert: {
      method: 'POST',
      path: '/api/leads/{id}/convert',
      summary: 'Convert a lead to a contact, a company and a deal',
      description:
        'An empty body finds or creates the contact and the company, and creates the deal. Tags, equal custom fields, files and notes go along. What is created needs the CREATE permission of its kind.',
      access: { all: ['UPDATE_LEAD'] },
      params: byId,
      body: conversion,
      reply: data(200, converted),
      errors: ['LEAD_ALREADY_CONVERTED', 'DUPLICATE_FOUND', 'STAGE_NOT_FOUND', 'INVALID_CURRENCY'],
      idempotent: true,
      destructive: true,
    },
    conversionOptions: {
      method: 'GET',
      path: '/api/leads/{id}/conversion-options',
      summary: 'Show what converting a lead would find',
      access: { all: ['VIEW_LEAD'] },
      params: byId,
      reply: data(200, conversionOptions),
      errors: ['LEAD_ALREADY_CONVERTED'],
    },
    ...duplicates,
    duplicatesOf: { ...duplicates.duplicatesOf, reply: withContacts(duplicates.duplicatesOf.reply) },
    duplicatesOfNew: {
      ...duplicates.duplicatesOfNew,
      description: `${duplicates.duplicatesOfNew.description} contacts are a hint: people who are known already by their address or number.`,
      reply: withContacts(duplicates.duplicatesOfNew.reply),
    },
  }),
)

import * as z from 'zod'
import { bulkOperations, duplicateOperations } from '../bulk.ts'
import {
  address,
  byId,
  currencyCode,
  customFieldValues,
  day,
  decimal,
  email,
  expectedVersion,
  id,
  instant,
  messenger,
  newOwner,
  ownedFields,
  phone,
  requiredText,
  tags,
  text,
  typedEmail,
} from '../fields.ts'
import { enumFilter, idFilter } from '../filters.ts'
import { followUpFields, followUpFilters, followUpSortFields, rottingFields, stageFilters } from '../follow-ups.ts'
import { commonFilters, customSortQuery, pagedList, rangeParam, type PageRule } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { stageTimesOperation } from '../stage-times.ts'
import { withSummary } from '../summaries.ts'
import { companyInput } from './companies.ts'
import { contactInput } from './contacts.ts'

export const leadStatuses = ['NEW', 'IN_PROGRESS', 'QUALIFIED', 'CONVERTED', 'UNQUALIFIED'] as const
export const temperatures = ['HOT', 'WARM', 'COLD'] as const

/** The data about a lead's origin that a website form can send. */
export const originFields = [
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmContent',
  'utmTerm',
  'gclid',
  'fbclid',
  'referrer',
  'landingPage',
] as const

const nullableText = z.string().nullable()

const leadRecord = z.object({
  ...ownedFields,
  firstName: nullableText,
  lastName: nullableText,
  companyName: nullableText,
  email: nullableText,
  phone: nullableText,
  jobTitle: nullableText,
  website: nullableText,
  address: address.nullable(),
  messengers: z.array(messenger),
  description: nullableText,
  status: z.enum(leadStatuses),
  temperature: z.enum(temperatures).nullable(),
  score: z.int().min(0).max(100),
  pipelineId: id,
  stageId: id,
  sourceId: id.nullable(),
  utmSource: nullableText,
  utmMedium: nullableText,
  utmCampaign: nullableText,
  utmContent: nullableText,
  utmTerm: nullableText,
  gclid: nullableText,
  fbclid: nullableText,
  referrer: nullableText,
  landingPage: nullableText,
  lostReason: nullableText,
  statusChangedAt: instant,
  stageChangedAt: instant,
  convertedAt: instant.nullable(),
  ...followUpFields,
  ...rottingFields,
  contactId: id.nullable(),
  companyId: id.nullable(),
  dealId: id.nullable(),
  customFields: customFieldValues,
})

/** A lead as the API shows it (docs/guide/leads-and-deals.md). */
export const lead = leadRecord
export type LeadRecord = z.output<typeof leadRecord>

const origin = text(2000).optional()

const editable = {
  firstName: text(200).optional(),
  lastName: text(200).optional(),
  companyName: text(200).optional(),
  email: email.nullable().optional(),
  phone: phone.nullable().optional(),
  jobTitle: text(200).optional(),
  website: text(500).optional(),
  address: address.nullable().optional(),
  messengers: z.array(messenger).max(20).optional(),
  description: text(10_000).optional(),
  temperature: z.enum(temperatures).nullable().optional(),
  status: z.enum(leadStatuses).optional(),
  ownerId: newOwner,
  pipelineId: id.optional(),
  stageId: id.optional(),
  sourceId: id.nullable().optional(),
  utmSource: origin,
  utmMedium: origin,
  utmCampaign: origin,
  utmContent: origin,
  utmTerm: origin,
  gclid: origin,
  fbclid: origin,
  referrer: origin,
  landingPage: origin,
  lostReason: text(500).optional(),
  tags: tags.optional(),
  customFields: customFieldValues.optional(),
}

export const leadInput = z.strictObject(editable)
export type LeadInput = z.output<typeof leadInput>

export const leadPatch = z.strictObject({ ...editable, version: expectedVersion })
export type LeadPatch = z.output<typeof leadPatch>

const leadPages: PageRule = { pageSize: 20, pageSizeMax: 100, overMax: 'refuse' }

export const leadSortFields = [
  'createdAt',
  'updatedAt',
  'lastName',
  'companyName',
  'status',
  'stageId',
  'score',
  'stageChangedAt',
  ...followUpSortFields,
] as const

/** The filters of the lead list; bulk operations take the same. */
export const leadFilters = {
  ...commonFilters,
  status: enumFilter({ values: leadStatuses }).optional(),
  temperature: enumFilter({ values: temperatures, canBeEmpty: true }).optional(),
  stageId: idFilter({ canBeEmpty: false }).optional(),
  pipelineId: idFilter({ canBeEmpty: false }).optional(),
  sourceId: idFilter({ canBeEmpty: true }).optional(),
  contactId: idFilter({ canBeEmpty: true }).optional(),
  companyId: idFilter({ canBeEmpty: true }).optional(),
  convertedFrom: rangeParam('from').optional(),
  convertedTo: rangeParam('to').optional(),
  ...stageFilters,
  ...followUpFilters,
}

const leadList = {
  ...pagedList(lead, leadPages, { ...leadFilters, ...customSortQuery(leadSortFields) }),
  customFields: 'LEAD',
} as const

/** Declares the treatment of a lead's person or company; `fields` override the lead's own fields in the created record. */
function party<const Fields extends z.ZodType>(fields: Fields) {
  return z
    .strictObject({
      mode: z.enum(['CREATE', 'EXISTING', 'AUTO', 'NONE']),
      id: id.optional(),
      fields: fields.optional(),
    })
    .default({ mode: 'AUTO' } as never)
}

export const conversion = z.strictObject({
  contact: party(contactInput.omit({ companyId: true, ownerId: true })),
  company: party(companyInput.omit({ ownerId: true }).partial()),
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

const { status, temperature, ownerId, pipelineId, stageId, sourceId, lostReason, customFields } = editable

const bulkSet = z.strictObject({
  status,
  temperature,
  ownerId,
  pipelineId,
  stageId,
  sourceId,
  lostReason,
  customFields,
})

/** The answer to a caller who created a duplicate of a lead that they may not see: its id and the fields that they sent. */
const unseenLead = lead.partial().extend({ id, mergedIntoId: id })

/** Without `mergedIntoId` the answer is the whole new lead, and its type says so. */
const createdLead = z.union([
  lead.extend({ mergedIntoId: id }),
  unseenLead,
  lead.extend({ mergedIntoId: z.never().optional() }),
])

export const leads = resource(
  'leads',
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
        access: entityAccess('LEAD'),
      }),
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
    ...bulkOperations({ path: '/api/leads', plural: 'leads', entity: 'LEAD', set: bulkSet }),
    ...stageTimesOperation({ path: '/api/leads', entity: 'LEAD', noun: 'lead', queryPolicy: 'lenient' }),
    convert: {
      method: 'POST',
      path: '/api/leads/{id}/convert',
      summary: 'Convert a lead to a contact, a company and a deal',
      description:
        'An empty body finds or creates the contact and the company, and creates the deal. What is created needs the CREATE permission of its kind.',
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
    ...duplicateOperations({
      path: '/api/leads',
      entity: 'LEAD',
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
    }),
  }),
)

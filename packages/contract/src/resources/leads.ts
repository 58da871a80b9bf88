import { z } from 'zod'
import {
  address, byId, currencyCode, customFieldValues, day, decimal, email, expectedVersion, id, instant, messenger, ownedFields,
  phone, requiredText, tags, text,
} from '../fields.ts'
import { commonFilters, pagedList, sortQuery, type PageRule } from '../lists.ts'
import { resource } from '../operation.ts'
import { data, entityAccess, standard } from '../standard.ts'

export const leadStatuses = ['NEW', 'IN_PROGRESS', 'QUALIFIED', 'CONVERTED', 'UNQUALIFIED'] as const
export const temperatures = ['HOT', 'WARM', 'COLD'] as const

/** The origin data that a website form can send. */
export const originFields = [
  'utmSource', 'utmMedium', 'utmCampaign', 'utmContent', 'utmTerm', 'gclid', 'fbclid', 'referrer', 'landingPage',
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
  lastActivityAt: instant.nullable(),
  contactId: id.nullable(),
  companyId: id.nullable(),
  dealId: id.nullable(),
  customFields: customFieldValues,
})

/** A lead as the API shows it (interface 2.1, domain 5). */
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
  ownerId: id.optional(),
  pipelineId: id.optional(),
  stageId: id.optional(),
  sourceId: id.optional(),
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

export const leadSortFields = ['createdAt', 'updatedAt', 'lastName', 'companyName', 'status', 'stageId', 'score'] as const

/** The filters of the lead list; bulk operations take the same. */
export const leadFilters = {
  ...commonFilters,
  status: z.enum(leadStatuses).optional(),
  temperature: z.enum(temperatures).optional(),
  stageId: id.optional(),
  pipelineId: id.optional(),
  sourceId: id.optional(),
}

const leadList = {
  ...pagedList(lead, leadPages, { ...leadFilters, ...sortQuery(leadSortFields, true) }),
  customFields: 'LEAD',
} as const


const party = z.strictObject({
  mode: z.enum(['CREATE', 'EXISTING', 'AUTO', 'NONE']),
  id: id.optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
})

export const conversion = z.strictObject({
  contact: party.default({ mode: 'AUTO' }),
  company: party.default({ mode: 'AUTO' }),
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

const duplicateKeys = ['email', 'phone', 'name', 'company'] as const

const selector = {
  ids: z.array(id).min(1).max(500).optional(),
  filter: z.record(z.string(), z.string()).optional().meta({ description: 'The parameters of the list' }),
  expectedCount: z.int().min(0).optional(),
  dryRun: z.boolean().optional(),
}

const { status, temperature, ownerId, pipelineId, stageId, sourceId, lostReason, customFields } = editable

const bulkSet = z.strictObject({ status, temperature, ownerId, pipelineId, stageId, sourceId, lostReason, customFields })

const hasSelector = (body: { ids?: unknown; filter?: unknown }) => (body.ids === undefined) !== (body.filter === undefined)
const selectorRule = { message: 'Send either ids or filter', path: ['ids'] }

const bulkResult = z.object({ id, status: z.enum(['OK', 'ERROR']), code: z.string().optional(), message: z.string().optional() })

const outcome = { matched: z.int(), failed: z.int(), results: z.array(bulkResult) }
const queued = { also: { status: 202, body: z.object({ success: z.literal(true), data: z.object({ jobId: id }) }) } }

export const leads = resource('leads', 'SALES', {
  ...standard({
    path: '/api/leads',
    noun: 'lead',
    plural: 'leads',
    record: lead,
    create: leadInput,
    update: leadPatch,
    list: leadList,
    access: entityAccess('LEAD'),
  }),
  create: {
    method: 'POST',
    path: '/api/leads',
    summary: 'Create a lead',
    description:
      'Needs at least one of firstName, lastName, companyName, email or phone. Owner, pipeline, stage and source have defaults. ' +
      'When the workspace merges exact duplicates, the answer is the existing lead with mergedIntoId.',
    access: { all: ['CREATE_LEAD'] },
    body: leadInput,
    reply: data(201, lead.extend({ mergedIntoId: id.optional() })),
    errors: ['STAGE_NOT_FOUND'],
    idempotent: true,
  },
  update: {
    method: 'PATCH',
    path: '/api/leads/{id}',
    summary: 'Change a lead',
    description: 'Takes any subset of the fields; null clears. A stage moves the lead and sets its status; a status moves it to the first stage with it.',
    access: { all: ['UPDATE_LEAD'] },
    params: byId,
    body: leadPatch,
    reply: data(200, lead),
    errors: ['STAGE_NOT_FOUND', 'STAGE_TRANSITION_NOT_ALLOWED', 'LEAD_ALREADY_CONVERTED'],
  },
  bulkUpdate: {
    method: 'PATCH',
    path: '/api/leads',
    summary: 'Change many leads',
    description: 'By up to 500 ids or by the filters of the list. A filter that matches more than 500 becomes a background job (202).',
    access: { all: ['UPDATE_LEAD'] },
    body: z
      .strictObject({ ...selector, set: bulkSet.optional(), addTags: tags.optional(), removeTags: tags.optional() })
      .refine(hasSelector, selectorRule)
      .refine((body) => body.set !== undefined || body.addTags !== undefined || body.removeTags !== undefined, {
        message: 'Send set, addTags or removeTags',
        path: ['set'],
      }),
    reply: { ...data(200, z.object({ ...outcome, updated: z.int() })), ...queued },
    errors: ['COUNT_MISMATCH'],
  },
  bulkDelete: {
    method: 'DELETE',
    path: '/api/leads',
    summary: 'Delete many leads',
    description: 'By up to 500 ids, or by the filters of the list together with expectedCount.',
    access: { all: ['DELETE_LEAD'] },
    body: z
      .strictObject(selector)
      .refine(hasSelector, selectorRule)
      .refine((body) => body.filter === undefined || body.expectedCount !== undefined, {
        message: 'A delete by filter needs expectedCount',
        path: ['expectedCount'],
      }),
    reply: { ...data(200, z.object({ ...outcome, deleted: z.int() })), ...queued },
    errors: ['COUNT_MISMATCH'],
  },
  convert: {
    method: 'POST',
    path: '/api/leads/{id}/convert',
    summary: 'Convert a lead to a contact, a company and a deal',
    description: 'An empty body finds or creates the contact and the company, and creates the deal.',
    access: { all: ['UPDATE_LEAD'] },
    params: byId,
    body: conversion,
    reply: data(200, converted),
    errors: ['LEAD_ALREADY_CONVERTED', 'DUPLICATE_FOUND', 'STAGE_NOT_FOUND', 'INVALID_CURRENCY'],
    idempotent: true,
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
  duplicates: {
    method: 'GET',
    path: '/api/leads/duplicates',
    summary: 'List groups of leads that look alike',
    access: { all: ['VIEW_LEAD'] },
    queryPolicy: 'strict',
    ...pagedList(
      z.object({ by: z.enum(duplicateKeys), value: z.string(), count: z.int(), leads: z.array(lead) }),
      { pageSize: 20, pageSizeMax: 100, overMax: 'cap' },
      { by: z.enum(duplicateKeys).default('email') },
    ),
  },
  duplicatesOf: {
    method: 'GET',
    path: '/api/leads/{id}/duplicates',
    summary: 'List the leads that look like one lead',
    access: { all: ['VIEW_LEAD'] },
    params: byId,
    query: z.object({}),
    queryPolicy: 'strict',
    reply: {
      status: 200,
      body: z.object({ items: z.array(z.object({ lead, score: z.int().min(0).max(100), matchedOn: z.array(z.enum(duplicateKeys)) })) }),
    },
  },
  merge: {
    method: 'POST',
    path: '/api/leads/{id}/merge',
    summary: 'Merge other leads into this one',
    description: 'Comments and history move to the surviving lead; the merged ones answer 404 with details.mergedIntoId.',
    access: { all: ['UPDATE_LEAD', 'DELETE_LEAD'] },
    params: byId,
    body: z.strictObject({
      sourceIds: z.array(id).min(1).max(20),
      prefer: z.record(z.string(), id).optional().meta({ description: 'For a field, the lead whose value wins' }),
    }),
    reply: data(200, lead),
    errors: ['LEAD_ALREADY_CONVERTED'],
  },
})

import * as z from 'zod'
import { address, choice, email, instant, integer, parts, phone, reference, text } from '../field.ts'
import { defineKind, followUps, rotting } from '../kind.ts'
import { messenger } from '../values.ts'

export const leadStatuses = ['NEW', 'IN_PROGRESS', 'QUALIFIED', 'CONVERTED', 'UNQUALIFIED'] as const
export const temperatures = ['HOT', 'WARM', 'COLD'] as const

const origin = text({ max: 2000, holds: 'fixed', preferred: true, origin: true })
const counted = text({ max: 2000, holds: 'fixed', preferred: true, origin: true, grouped: true })

/** Somebody who may become a customer (docs/guide/leads-and-deals.md). */
export const lead = defineKind({
  entity: 'LEAD',
  noun: 'lead',
  plural: 'leads',
  stem: 'leads',
  module: 'SALES',
  icon: 'leads',
  title: ['firstName', 'lastName'],
  quota: true,
  customFields: true,
  line: { note: 'status' },
  list: { columns: ['name', 'companyName', 'status', 'temperature', 'score', 'ownerId', 'createdAt'] },
  main: [
    'firstName',
    'lastName',
    'companyName',
    'jobTitle',
    'email',
    'phone',
    'ownerId',
    'sourceId',
    'pipelineId',
    'stageId',
    'temperature',
    'tags',
  ],
  fields: {
    firstName: text({ max: 200, holds: 'person', preferred: true }),
    lastName: text({ max: 200, holds: 'person', sort: true, preferred: true }),
    companyName: text({ max: 200, holds: 'person', sort: true, preferred: true }),
    email: email({ holds: 'person', preferred: true }),
    phone: phone({ holds: 'person', preferred: true }),
    jobTitle: text({ max: 200, holds: 'person', preferred: true }),
    website: text({ max: 500, holds: 'person', preferred: true }),
    address: address({ holds: 'person', preferred: true }),
    messengers: parts({ presence: 'always', holds: 'person' }, z.array(messenger), z.array(messenger).max(20)),
    description: text({ max: 10_000, holds: 'prose', preferred: true }),
    status: choice({ values: leadStatuses, presence: 'always', bulk: true, sort: true, filter: true }),
    temperature: choice({ values: temperatures, bulk: true, filter: true, preferred: true }),
    score: integer({ min: 0, max: 100, presence: 'always', written: 'never', sort: true }),
    pipelineId: reference({ to: 'PIPELINE', presence: 'always', bulk: true, filter: true }),
    stageId: reference({ to: 'STAGE', presence: 'always', bulk: true, sort: true, filter: true }),
    sourceId: reference({ to: 'LEAD_SOURCE', bulk: true, filter: true, preferred: true }),
    utmSource: counted,
    utmMedium: counted,
    utmCampaign: counted,
    utmContent: origin,
    utmTerm: origin,
    gclid: origin,
    fbclid: origin,
    referrer: origin,
    landingPage: origin,
    lostReason: text({ max: 500, holds: 'prose', bulk: true, grouped: true, preferred: true }),
    statusChangedAt: instant({ presence: 'always', written: 'never' }),
    stageChangedAt: instant({ presence: 'always', written: 'never', sort: true }),
    convertedAt: instant({ written: 'never', filter: 'converted' }),
    ...followUps,
    ...rotting,
    contactId: reference({ to: 'CONTACT', written: 'never', filter: true }),
    companyId: reference({ to: 'COMPANY', written: 'never', filter: true }),
    dealId: reference({ to: 'DEAL', written: 'never' }),
  },
})

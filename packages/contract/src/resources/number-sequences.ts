import { entitiesWith } from '@crm/model'
import * as z from 'zod'
import { byId, instant, recordFields, requiredText } from '../fields.ts'
import { pagedList, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, referenceAccess, standard } from '../standard.ts'

export const numberedEntities = entitiesWith('numbered')
export type NumberedEntity = (typeof numberedEntities)[number]
export const resetPeriods = ['NEVER', 'YEAR', 'MONTH'] as const

const sequence = z.object({
  ...recordFields,
  createdAt: instant,
  entityType: z.enum(numberedEntities),
  name: z.string(),
  pattern: z.string(),
  nextValue: z.int(),
  resetPeriod: z.enum(resetPeriods),
  isDefault: z.boolean(),
})

const pattern = requiredText(60).meta({
  description: 'Text with {SEQ} or {SEQ:5}, and {YYYY}, {YY}, {MM}, {DD} of the issue date',
  examples: ['INV-{YYYY}-{SEQ:5}'],
})
const nextValue = z.int().min(1).max(999_999_999)

const sequenceInput = z.strictObject({
  entityType: z.enum(numberedEntities),
  name: requiredText(100),
  pattern,
  nextValue: nextValue.default(1),
  resetPeriod: z.enum(resetPeriods).default('NEVER'),
  isDefault: z.boolean().default(false),
})
export type NumberSequenceInput = z.output<typeof sequenceInput>

const sequencePatch = z.strictObject({
  name: requiredText(100).optional(),
  pattern: pattern.optional(),
  nextValue: nextValue.optional(),
  resetPeriod: z.enum(resetPeriods).optional(),
  isDefault: z.boolean().optional(),
})
export type NumberSequencePatch = z.output<typeof sequencePatch>

const operations = standard({
  path: '/api/number-sequences',
  noun: 'number sequence',
  plural: 'number sequences',
  record: sequence,
  create: sequenceInput,
  update: sequencePatch,
  list: pagedList(sequence, usualPages, {
    entityType: z.enum(numberedEntities).optional(),
    search: z.string().max(200).optional(),
  }),
  access: referenceAccess,
})

export const numberSequences = resource({ name: 'numberSequences', entity: 'NUMBER_SEQUENCE' }, 'FINANCE', {
  ...operations,
  create: {
    ...operations.create,
    description: 'The default one of its entity type gives the numbers; a new default takes the place of the old one.',
    errors: ['NAME_TAKEN', 'NUMBER_IN_USE'],
  },
  update: {
    ...operations.update,
    description: 'nextValue must lie above every value that is used.',
    reply: data(200, sequence),
    errors: ['NAME_TAKEN', 'NUMBER_IN_USE'],
    params: byId,
  },
  delete: { ...operations.delete, errors: ['IN_USE'] },
})

import * as z from 'zod'
import { filterOperators } from '../read-conditions.ts'
import { id } from '../fields.ts'
import { resource } from '../resource.ts'
import { customFieldTypes } from './settings/custom-fields.ts'
import { stageTypes } from './pipelines.ts'

/** The types of fields; a `REFERENCE` names the kind that it refers to. */
export const recordFieldTypes = [
  ...customFieldTypes,
  'LONG_TEXT',
  'EMAIL',
  'PHONE',
  'TEXT_LIST',
  'TAGS',
  'ADDRESS',
  'REFERENCE',
  'REFERENCE_LIST',
  'OTHER',
] as const
export type RecordFieldType = (typeof recordFieldTypes)[number]

/** The groups of fields: the main ones, all others, the origin of a lead, the workspace's custom fields, and read-only fields. */
export const recordFieldGroups = ['MAIN', 'MORE', 'ORIGIN', 'CUSTOM', 'SYSTEM'] as const

const recordField = z.object({
  key: z.string().meta({ description: 'cf_<key> for a custom field' }),
  label: z.string(),
  type: z.enum(recordFieldTypes),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
  references: z
    .string()
    .nullable()
    .meta({ description: 'What a reference refers to: an entity type, STAGE, CURRENCY, …' }),
  group: z.enum(recordFieldGroups),
  maxLength: z.int().nullable(),
  required: z.boolean(),
  requiredInStages: z.array(id),
  readOnly: z.boolean(),
  default: z.string().nullable().meta({ description: 'What a new record has unless told; me is whoever makes it' }),
  operators: z.array(z.enum(filterOperators)).meta({ description: 'Of the filter of its list' }),
  sortable: z.boolean(),
  aggregates: z.array(z.enum(['sum', 'avg', 'min', 'max'])),
})
export type RecordField = z.output<typeof recordField>

const stageOfKind = z.object({
  id,
  name: z.string(),
  color: z.string().nullable(),
  type: z.enum(stageTypes),
  mappedStatus: z.string().nullable(),
  rottingDays: z.int().nullable(),
  recordLimit: z.int().nullable(),
})

const recordKind = z.object({
  key: z.string().meta({ description: 'The entity type' }),
  noun: z.string(),
  plural: z.string(),
  icon: z.string(),
  isCustom: z.boolean(),
  titleFields: z.array(z.string()),
  pipelines: z.array(
    z.object({ id, name: z.string(), isDefault: z.boolean(), isActive: z.boolean(), stages: z.array(stageOfKind) }),
  ),
  may: z.object({ create: z.boolean(), update: z.boolean(), delete: z.boolean() }),
  fields: z.array(recordField),
})
export type RecordKindSchema = z.output<typeof recordKind>

export const recordSchema = resource('schema', null, {
  get: {
    method: 'GET',
    path: '/api/schema',
    summary: 'Describe the kinds of records you may see and their fields',
    access: 'credential',
    reply: { status: 200, body: z.object({ kinds: z.array(recordKind) }) },
    revalidated: true,
  },
})

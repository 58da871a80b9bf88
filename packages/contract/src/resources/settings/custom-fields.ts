import * as z from 'zod'
import { customFieldKeyEnds, customFieldKeyLetters } from '../../custom-field-keys.ts'
import { byId, id, position, recordFields, requiredText } from '../../fields.ts'
import { booleanParam, pagedList, usualPages } from '../../lists.ts'
import { customFieldEntities } from '../../operation.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted, managedBy, reachesNothing, standard } from '../../standard.ts'

export const customFieldTypes = [
  'TEXT',
  'SELECT',
  'MULTI_SELECT',
  'BOOLEAN',
  'NUMBER',
  'CURRENCY',
  'PERCENTAGE',
  'RATING',
  'DATE',
  'DATETIME',
] as const
export type CustomFieldType = (typeof customFieldTypes)[number]

/** One option of a select. */
export const customFieldOption = z.strictObject({ value: requiredText(100), label: requiredText(200) })

const customField = z.object({
  ...recordFields,
  entityType: z.enum(customFieldEntities),
  key: z.string(),
  label: z.string(),
  type: z.enum(customFieldTypes),
  options: z.array(customFieldOption),
  isRequired: z.boolean(),
  position: z.int(),
})

const fields = {
  options: z.array(customFieldOption).max(200).optional(),
  isRequired: z.boolean().optional(),
  position: position.optional(),
}

/** The name of a custom field in values and filters. */
export const customFieldKey = z
  .string()
  .regex(customFieldKeyLetters, 'A key starts with a small letter and has at most 40 letters and digits')
  .refine((value) => !customFieldKeyEnds.test(value), 'A key may not end in Min, Max, From or To')

const customFieldInput = z
  .strictObject({
    entityType: z.enum(customFieldEntities),
    key: customFieldKey,
    label: requiredText(200),
    type: z.enum(customFieldTypes),
    ...fields,
  })
  .refine((body) => !body.type.endsWith('SELECT') || (body.options?.length ?? 0) > 0, {
    message: 'A select needs options',
    path: ['options'],
  })

const customFieldPatch = z.strictObject({
  label: requiredText(200).optional(),
  type: z.enum(customFieldTypes).optional(),
  ...fields,
})

const mayManage = { all: ['MANAGE_CUSTOM_FIELDS'] } as const

/** Confirms the removal of a field although records have values in it. */
export const retireParam = booleanParam.optional().meta({ description: 'Retires a field that records have values in' })

const operations = standard({
  path: '/api/settings/custom-fields',
  noun: 'custom field',
  plural: 'custom fields',
  record: customField,
  create: customFieldInput,
  update: customFieldPatch,
  list: pagedList(customField, usualPages, { entityType: z.enum(customFieldEntities).optional() }),
  access: managedBy(mayManage),
  reach: reachesNothing,
})

const optionParam = z.string().min(1).max(100).optional().meta({ description: 'The value of an option' })

/** What the count of what names a field has in common, whatever the field belongs to; each by its number. */
export const fieldUses = {
  method: 'GET',
  description:
    'For the question before a field is retired or an option is removed. Records keep the value of a removed option, and it is accepted when it is sent back unchanged.',
  access: mayManage,
  reach: 'none',
  params: byId,
  query: z.object({ option: optionParam }),
  reply: data(
    200,
    z.object({
      records: z.int(),
      views: z.int(),
      dashboards: z.int(),
      rules: z.int(),
      workflows: z.int(),
      stages: z.int().meta({ description: 'Stages that require it' }),
    }),
  ),
} as const

export const customFields = settingsResource('settings.customFields', {
  ...operations,
  uses: {
    ...fieldUses,
    path: '/api/settings/custom-fields/{id}/uses',
    summary: 'Count what uses a custom field, or one option of it',
  },
  create: { ...operations.create, errors: ['NAME_TAKEN'] },
  update: { ...operations.update, errors: ['CUSTOM_FIELD_TYPE_FIXED'] },
  delete: {
    ...operations.delete,
    description:
      'A field that records have values in is refused (IN_USE) unless retire is true: it is then hidden everywhere, its values can be restored for 30 days, and its key is free after that. With purge=now an administrator erases the values at once.',
    query: z.object({
      retire: retireParam,
      purge: z.enum(['now']).optional().meta({ description: 'Erases the values at once; needs MANAGE_WORKSPACE' }),
    }),
    errors: ['IN_USE', 'FIELD_REQUIRED_BY_STAGE'],
  },
})

/** A retired field, as it can be restored. */
const retiredField = z.object({
  id,
  entityType: z.string(),
  key: z.string(),
  label: z.string(),
  type: z.enum(customFieldTypes),
  valueCount: z.int(),
  retiredAt: z.string(),
  purgeAt: z.string(),
})

export const retiredFields = settingsResource('settings.retiredFields', {
  list: {
    method: 'GET',
    path: '/api/settings/retired-fields',
    summary: 'List retired fields, the latest first',
    access: mayManage,
    reach: 'none',
    ...pagedList(retiredField, usualPages, { entityType: z.string().max(60).optional() }),
  },
  restore: {
    method: 'POST',
    path: '/api/settings/retired-fields/{id}/restore',
    summary: 'Give a retired field back to its records, with its values',
    access: mayManage,
    reach: 'none',
    params: byId,
    reply: data(200, z.object({ id })),
    errors: ['NAME_TAKEN'],
  },
  purge: {
    method: 'DELETE',
    path: '/api/settings/retired-fields/{id}',
    summary: 'Erase a retired field and its values for good',
    access: { all: ['MANAGE_CUSTOM_FIELDS', 'MANAGE_WORKSPACE'] },
    reach: 'none',
    params: byId,
    reply: deleted,
  },
})

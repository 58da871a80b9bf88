import { z } from 'zod'
import { position, recordFields, requiredText } from '../../fields.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { customFieldEntities, settingsResource } from '../../operation.ts'
import { managedBy, reachesNothing, standard } from '../../standard.ts'

export const customFieldTypes = [
  'TEXT', 'SELECT', 'MULTI_SELECT', 'BOOLEAN', 'NUMBER', 'CURRENCY', 'PERCENTAGE', 'RATING', 'DATE', 'DATETIME',
] as const
export type CustomFieldType = (typeof customFieldTypes)[number]

/** One choice of a select. */
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
  .regex(/^[a-z][a-zA-Z0-9]{0,39}$/, 'A key starts with a small letter and has at most 40 letters and digits')
  .refine((value) => !/(Min|Max|From|To)$/.test(value), 'A key may not end in Min, Max, From or To')

const customFieldInput = z
  .strictObject({ entityType: z.enum(customFieldEntities), key: customFieldKey, label: requiredText(200), type: z.enum(customFieldTypes), ...fields })
  .refine((body) => !body.type.endsWith('SELECT') || (body.options?.length ?? 0) > 0, { message: 'A select needs options', path: ['options'] })

const customFieldPatch = z.strictObject({ label: requiredText(200).optional(), type: z.enum(customFieldTypes).optional(), ...fields })

const operations = standard({
  path: '/api/settings/custom-fields',
  noun: 'custom field',
  plural: 'custom fields',
  record: customField,
  create: customFieldInput,
  update: customFieldPatch,
  list: pagedList(customField, usualPages, { entityType: z.enum(customFieldEntities).optional() }),
  access: managedBy({ all: ['MANAGE_CUSTOM_FIELDS'] } as const),
  reach: reachesNothing,
})

export const customFields = settingsResource('settings.customFields', {
  ...operations,
  create: { ...operations.create, errors: ['NAME_TAKEN'] },
  update: { ...operations.update, errors: ['CUSTOM_FIELD_TYPE_FIXED'] },
})

import { everyCustomRecord } from '@crm/model'
import { entityTypes, isPermission, type EntityAction } from '@crm/permissions'
import * as z from 'zod'
import {
  customFieldValues,
  expectedVersion,
  id,
  newOwner,
  ownedFields,
  recordFields,
  requiredText,
  tags,
} from '../fields.ts'
import { commonFilters, customSortQuery, pagedList, usualPages } from '../lists.ts'
import { resource, settingsResource } from '../resource.ts'
import { data, deleted, managedBy, reachesNothing, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'
import {
  customFieldKey,
  customFieldOption,
  customFieldTypes,
  fieldUses,
  retireParam,
} from './settings/custom-fields.ts'

const field = z
  .strictObject({
    key: customFieldKey,
    label: requiredText(200),
    type: z.enum(customFieldTypes),
    options: z.array(customFieldOption).max(200).default([]),
    isRequired: z.boolean().default(false),
  })
  .refine(({ type, options }) => !type.endsWith('SELECT') || options.length > 0, {
    message: 'A select needs options',
    path: ['options'],
  })

const labels = z.strictObject({ singular: requiredText(100), plural: requiredText(100) })

/** A type of record that a workspace made for itself (docs/guide/records.md). */
const customEntity = z.object({
  ...recordFields,
  key: z.string(),
  entityType: z.string().meta({ description: 'The key in capitals, as in permissions, comments and links' }),
  labels,
  fields: z.array(field),
  hasOwner: z.boolean(),
})
export type CustomEntityRecord = z.output<typeof customEntity>

/** Names that events, search and links of records use already, so a custom entity cannot have them. */
const takenNames: readonly string[] = [
  ...entityTypes,
  'COMMENT',
  'BOOKING',
  'CHANNEL',
  'CONVERSATION',
  'IMPORT',
  'USER',
  'ROLE',
  'WORKSPACE',
  'WORKFLOW',
]

const isFree = (key: string): boolean =>
  !takenNames.includes(key.toUpperCase()) &&
  !isPermission(`VIEW_${key.toUpperCase()}`) &&
  !isPermission(`MANAGE_${key.toUpperCase()}`)

const entityKey = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'A key starts with a letter and has at most 40 letters, digits and underscores')
  .refine(isFree, 'This name belongs to a built-in type')

const fieldsMax = 100

const customEntityInput = z.strictObject({
  key: entityKey,
  labels,
  fields: z.array(field).max(fieldsMax).default([]),
  hasOwner: z.boolean().default(true),
})
export type CustomEntityInput = z.output<typeof customEntityInput>

const customEntityPatch = z.strictObject({
  labels: labels.optional(),
  fields: z.array(field).max(fieldsMax).optional(),
  hasOwner: z.boolean().optional(),
})
export type CustomEntityPatch = z.output<typeof customEntityPatch>

const mayManage = { all: ['MANAGE_CUSTOM_FIELDS'] } as const

const retiring =
  'Leaving out a field that records have values in is refused (IN_USE) unless retire is true: it is then hidden, and can be restored for 30 days.'

const settings = standard({
  path: '/api/settings/custom-entities',
  noun: 'custom entity',
  plural: 'custom entities',
  record: customEntity,
  create: customEntityInput,
  update: customEntityPatch,
  list: pagedList(customEntity, usualPages, {}),
  access: managedBy(mayManage),
  reach: reachesNothing,
})

export const customEntitySettings = settingsResource('settings.customEntities', {
  ...settings,
  uses: {
    ...fieldUses,
    path: '/api/settings/custom-entities/{id}/uses',
    summary: 'Count what uses a field of a custom entity, or one option of it',
    query: fieldUses.query.extend({ field: z.string().meta({ description: 'The key of the field' }) }),
  },
  create: { ...settings.create, errors: ['NAME_TAKEN'] },
  update: {
    ...settings.update,
    description: retiring,
    query: z.object({ retire: retireParam }),
    errors: ['CUSTOM_FIELD_TYPE_FIXED', 'IN_USE', 'NAME_TAKEN'],
  },
  delete: { ...settings.delete, errors: ['IN_USE'] },
})

const typePath = '/api/custom-entities/{key}'
const byKey = z.object({ key: z.string().max(60).meta({ description: 'Key of the custom entity' }) })

export const customEntities = resource({ name: 'customEntities', entity: 'CUSTOM_ENTITY' }, null, {
  list: {
    method: 'GET',
    path: '/api/custom-entities',
    summary: 'List the custom entities whose records you may see, with their fields',
    access: 'credential',
    ...pagedList(customEntity, usualPages, {}),
  },
  get: {
    method: 'GET',
    path: typePath,
    summary: 'Read a custom entity',
    access: 'credential',
    params: byKey,
    reply: data(200, customEntity),
  },
  create: {
    method: 'POST',
    path: '/api/custom-entities',
    summary: 'Declare a custom entity',
    description:
      'Its records have a title and values of its fields. It brings the permissions VIEW_, CREATE_, UPDATE_ and DELETE_<KEY>, which the Administrator role holds at once.',
    access: mayManage,
    body: customEntityInput,
    reply: data(201, customEntity),
    errors: ['NAME_TAKEN'],
  },
  update: {
    method: 'PATCH',
    path: typePath,
    summary: 'Change a custom entity',
    access: mayManage,
    description: retiring,
    params: byKey,
    query: z.object({ retire: retireParam }),
    body: customEntityPatch,
    reply: data(200, customEntity),
    errors: ['CUSTOM_FIELD_TYPE_FIXED', 'IN_USE', 'NAME_TAKEN'],
  },
  delete: {
    method: 'DELETE',
    path: typePath,
    summary: 'Delete a custom entity that has no records',
    access: mayManage,
    params: byKey,
    reply: deleted,
    errors: ['IN_USE'],
  },
})

/** A record of a custom entity. */
const customRecord = z.object({
  ...ownedFields,
  entityKey: z.string(),
  title: z.string(),
  values: customFieldValues,
})
export type CustomRecord = z.output<typeof customRecord>

const editable = { values: customFieldValues.optional(), ownerId: newOwner, tags: tags.optional() }

const customRecordInput = z.strictObject({ title: requiredText(300), ...editable })
export type CustomRecordInput = z.output<typeof customRecordInput>

const customRecordPatch = z.strictObject({ title: requiredText(300).optional(), ...editable, version: expectedVersion })
export type CustomRecordPatch = z.output<typeof customRecordPatch>

const recordsPath = '/api/custom-entities/{key}/records'
const recordPath = '/api/custom-entities/{key}/records/{id}'
const oneRecord = byKey.extend({ id })
const may = <const Action extends EntityAction>(action: Action) => ({ custom: action }) as const

const readCustomRecords = withSummary(
  {
    list: {
      method: 'GET',
      path: recordsPath,
      summary: 'List the records of a custom entity',
      access: may('VIEW'),
      params: byKey,
      ...pagedList(customRecord, usualPages, {
        ...commonFilters,
        ...customSortQuery(['createdAt', 'updatedAt', 'title']),
      }),
      queryPolicy: 'strict',
      customFields: 'BY_KEY',
    },
    get: {
      method: 'GET',
      path: recordPath,
      summary: 'Read a record of a custom entity',
      access: may('VIEW'),
      params: oneRecord,
      reply: data(200, customRecord),
    },
  },
  everyCustomRecord,
)

export const customRecords = resource(
  'customEntities.records',
  null,
  withUndo({
    ...readCustomRecords,
    create: {
      method: 'POST',
      path: recordsPath,
      summary: 'Create a record of a custom entity',
      description: 'values holds the fields of the type by key; see custom_entities_get.',
      access: may('CREATE'),
      params: byKey,
      body: customRecordInput,
      reply: data(201, customRecord),
    },
    update: {
      method: 'PATCH',
      path: recordPath,
      summary: 'Change a record of a custom entity',
      description: 'Values that are not named stay.',
      access: may('UPDATE'),
      params: oneRecord,
      body: customRecordPatch,
      reply: data(200, customRecord),
    },
    delete: {
      method: 'DELETE',
      path: recordPath,
      summary: 'Delete a record of a custom entity',
      access: may('DELETE'),
      params: oneRecord,
      reply: deleted,
    },
  }),
)

import { entityTypes, type EntityType } from '@crm/permissions'
import * as z from 'zod'
import { structuredLimits } from '../read-conditions.ts'
import { entityTypeName, id, position, recordFields, requiredText, wholeNumber } from '../fields.ts'
import { pagedList, usualPages } from '../lists.ts'
import { densities } from './me.ts'
import { resource } from '../resource.ts'
import { standard } from '../standard.ts'

const withoutOwnedList = ['DOCUMENT', 'FILE', 'EMPLOYEE', 'DEPARTMENT', 'PRICE_LIST'] as const

/** The kinds of record whose lists a saved filter can filter; custom entities are filtered too. */
export type FilteredEntity = Exclude<EntityType, (typeof withoutOwnedList)[number]>
export const filteredEntities = entityTypes.filter(
  (entityType) => !(withoutOwnedList as readonly string[]).includes(entityType),
) as readonly FilteredEntity[]

/** Any of the permissions to see owned records, custom entities included. */
export const anyOwnedList = { record: filteredEntities.map((entityType) => `VIEW_${entityType}` as const) } as const

export const filterVisibilities = ['PRIVATE', 'DEPARTMENT', 'WORKSPACE'] as const

const sortOrders = ['asc', 'desc'] as const
export const viewKinds = ['LIST', 'KANBAN', 'CALENDAR'] as const

const savedFilter = z.object({
  ...recordFields,
  name: z.string(),
  entityType: z.string(),
  visibility: z.enum(filterVisibilities),
  query: z.record(z.string(), z.string()),
  sortBy: z.string().nullable(),
  sortOrder: z.enum(sortOrders).nullable(),
  view: z.enum(viewKinds),
  columns: z.array(z.string()),
  columnWidths: z.record(z.string(), wholeNumber),
  density: z.enum(densities).nullable(),
  groupBy: z.string().nullable(),
  dateField: z.string().nullable(),
  measures: z.array(z.string()),
  position: wholeNumber,
  isDefault: z.boolean(),
  ownerId: id,
  goneFields: z.array(z.string()).meta({ description: 'Custom fields that are gone; the view works without them' }),
})
export type SavedFilterRecord = z.output<typeof savedFilter>

const parameter = z.union([z.string().max(structuredLimits.characters), z.number(), z.boolean()]).transform(String)
const savedCharactersMax = 20_000

/** The parameters of a list as in its query. */
export const savedParameters = z
  .record(z.string().max(60), parameter)
  .refine((query) => Object.keys(query).length <= 50, 'Expected 50 parameters at most')
  .refine(
    (query) => Object.values(query).join('').length <= savedCharactersMax,
    `Expected ${savedCharactersMax} characters at most`,
  )

/** The names of columns: fields, custom fields as `cf_<key>`, and names to which ids can be expanded. */
export const columnNames = z.array(requiredText(60)).max(50)

const fields = {
  visibility: z.enum(filterVisibilities).optional(),
  query: savedParameters.optional().meta({ description: 'The parameters of the list' }),
  sortBy: requiredText(60).nullable().optional(),
  sortOrder: z.enum(sortOrders).nullable().optional(),
  view: z.enum(viewKinds).optional(),
  columns: columnNames.optional(),
  columnWidths: z
    .record(z.string().max(60), z.int().min(40).max(800))
    .refine((widths) => Object.keys(widths).length <= 50, 'Expected 50 columns at most')
    .optional(),
  density: z.enum(densities).nullable().optional().meta({ description: 'null for the density that each person chose' }),
  groupBy: requiredText(60).nullable().optional().meta({ description: 'KANBAN: the columns of the board' }),
  dateField: requiredText(60).nullable().optional().meta({ description: 'CALENDAR needs it' }),
  measures: z.array(requiredText(80)).max(8).optional().meta({ description: 'As in a summary' }),
  position: position.optional(),
  isDefault: z.boolean().optional().meta({ description: 'Of its type, for everybody' }),
}

const input = z.strictObject({ name: requiredText(100), entityType: entityTypeName, ...fields })
export type SavedFilterInput = z.output<typeof input>

const patch = z.strictObject({ name: requiredText(100).optional(), ...fields })
export type SavedFilterPatch = z.output<typeof patch>

const operations = standard({
  path: '/api/saved-filters',
  noun: 'saved filter',
  plural: 'the saved filters that you may use',
  record: savedFilter,
  create: input,
  update: patch,
  list: pagedList(savedFilter, usualPages, {
    search: z.string().max(200).optional(),
    entityType: entityTypeName.optional(),
  }),
  access: { view: anyOwnedList, create: anyOwnedList, update: anyOwnedList, delete: anyOwnedList },
})

export const savedFilters = resource({ name: 'savedFilters', entity: 'SAVED_FILTER' }, null, {
  ...operations,
  create: {
    ...operations.create,
    summary: 'Save a filter of a list',
    description:
      'A view of a list. Needs VIEW_<TYPE> of its entityType. PRIVATE: you alone; DEPARTMENT: the people of your department; WORKSPACE: everybody.',
  },
  update: { ...operations.update, summary: 'Change a saved filter of your own', errors: ['ACCESS_DENIED'] },
  delete: { ...operations.delete, summary: 'Delete a saved filter of your own', errors: ['ACCESS_DENIED'] },
})

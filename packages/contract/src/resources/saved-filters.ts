import { z } from 'zod'
import { id, recordFields, requiredText } from '../fields.ts'
import { pagedList, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { standard } from '../standard.ts'

/** The kinds of record whose lists can be filtered by a saved filter. */
export const filteredEntities = ['LEAD', 'CONTACT', 'COMPANY', 'DEAL', 'TASK', 'PROJECT', 'PRODUCT'] as const
export type FilteredEntity = (typeof filteredEntities)[number]

export const filterVisibilities = ['PRIVATE', 'DEPARTMENT', 'WORKSPACE'] as const

const sortOrders = ['asc', 'desc'] as const
const views = ['LIST', 'KANBAN'] as const

const savedFilter = z.object({
  ...recordFields,
  name: z.string(),
  entityType: z.enum(filteredEntities),
  visibility: z.enum(filterVisibilities),
  query: z.record(z.string(), z.string()),
  sortBy: z.string().nullable(),
  sortOrder: z.enum(sortOrders).nullable(),
  view: z.enum(views),
  columns: z.array(z.string()),
  ownerId: id,
})

const parameter = z.union([z.string().max(1000), z.number(), z.boolean()]).transform(String)

const fields = {
  visibility: z.enum(filterVisibilities).optional(),
  query: z
    .record(z.string().max(60), parameter)
    .refine((query) => Object.keys(query).length <= 50, 'Expected 50 parameters at most')
    .optional()
    .meta({ description: 'The parameters of the list' }),
  sortBy: requiredText(60).nullable().optional(),
  sortOrder: z.enum(sortOrders).nullable().optional(),
  view: z.enum(views).optional(),
  columns: z.array(requiredText(60)).max(50).optional(),
}

const input = z.strictObject({ name: requiredText(100), entityType: z.enum(filteredEntities), ...fields })
export type SavedFilterInput = z.output<typeof input>

const patch = z.strictObject({ name: requiredText(100).optional(), ...fields })
export type SavedFilterPatch = z.output<typeof patch>

const anyList = {
  any: ['VIEW_LEAD', 'VIEW_CONTACT', 'VIEW_COMPANY', 'VIEW_DEAL', 'VIEW_TASK', 'VIEW_PROJECT', 'VIEW_PRODUCT'],
} as const

const operations = standard({
  path: '/api/saved-filters',
  noun: 'saved filter',
  plural: 'the saved filters that you may use',
  record: savedFilter,
  create: input,
  update: patch,
  list: pagedList(savedFilter, usualPages, {
    search: z.string().max(200).optional(),
    entityType: z.enum(filteredEntities).optional(),
  }),
  access: { view: anyList, create: anyList, update: anyList, delete: anyList },
})

export const savedFilters = resource('savedFilters', null, {
  ...operations,
  create: {
    ...operations.create,
    summary: 'Save a filter of a list',
    description:
      'Needs VIEW_<TYPE> of its entityType. PRIVATE: you alone; DEPARTMENT: the people of your department; WORKSPACE: everybody.',
  },
  update: { ...operations.update, summary: 'Change a saved filter of your own', errors: ['ACCESS_DENIED'] },
  delete: { ...operations.delete, summary: 'Delete a saved filter of your own', errors: ['ACCESS_DENIED'] },
})

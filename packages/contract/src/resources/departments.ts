import * as z from 'zod'
import { id, recordFields, requiredText } from '../fields.ts'
import { pagedList, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { entityAccess, standard } from '../standard.ts'

const department = z.object({ ...recordFields, name: z.string(), parentId: id.nullable(), headId: id.nullable() })

const places = { parentId: id.nullable().optional(), headId: id.nullable().optional() }

const input = z.strictObject({ name: requiredText(200), ...places })
export type DepartmentInput = z.output<typeof input>

const patch = z.strictObject({ name: requiredText(200).optional(), ...places })
export type DepartmentPatch = z.output<typeof patch>

const operations = standard({
  path: '/api/departments',
  noun: 'department',
  plural: 'departments',
  record: department,
  create: input,
  update: patch,
  list: pagedList(department, usualPages, {
    search: z.string().max(200).optional(),
    parentId: id.optional(),
    headId: id.optional(),
  }),
  access: entityAccess('DEPARTMENT'),
})

export const departments = resource({ name: 'departments', entity: 'DEPARTMENT' }, null, {
  ...operations,
  // Creating or deleting an empty department changes nobody's reach.
  update: {
    ...operations.update,
    reach: { gives: 'department', takes: 'department', when: ['parentId'] },
    errors: ['PARENT_CYCLE'],
  },
  delete: {
    ...operations.delete,
    summary: 'Delete a department without people, records, departments below it or rules for groups',
    errors: ['IN_USE'],
  },
})

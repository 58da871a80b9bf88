import * as z from 'zod'
import { byId, id, pictureUrl } from '../fields.ts'
import { booleanParam, idsParam, lookupList, pagedList, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, entityAccess } from '../standard.ts'
import { employeeStatuses, user } from './settings/people.ts'

const access = entityAccess('EMPLOYEE')

const directoryEntry = z.object({
  id,
  name: z.string(),
  departmentId: id.nullable(),
  status: z.enum(employeeStatuses),
  pictureUrl,
})

export const employees = resource({ name: 'employees', entity: 'EMPLOYEE' }, null, {
  list: {
    method: 'GET',
    path: '/api/employees',
    summary: 'List employees',
    access: access.view,
    ...pagedList(user, usualPages, {
      search: z.string().max(200).optional().meta({ description: 'Name or email' }),
      status: z.enum(employeeStatuses).optional(),
      departmentId: id.optional(),
      managerId: id.optional(),
    }),
  },
  get: {
    method: 'GET',
    path: '/api/employees/{id}',
    summary: 'Read an employee',
    access: access.view,
    params: byId,
    reply: data(200, user),
  },
  directory: {
    method: 'GET',
    path: '/api/employees/directory',
    summary: 'Look up employees by name',
    description: 'When hasMore is true, narrow the search. Without ids, the terminated are left out.',
    access: access.view,
    ...lookupList(
      directoryEntry,
      { limit: 50, limitMax: 200 },
      {
        ids: idsParam(200).optional(),
        withLeft: booleanParam.optional().meta({ description: 'Also the terminated, last' }),
      },
    ),
  },
})

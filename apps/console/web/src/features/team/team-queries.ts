import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

const shownMax = 100

/** One person with an account. */
export function employeeQuery(id: string) {
  return queryOptions({
    queryKey: ['people', 'one', id],
    queryFn: async ({ signal }) => (await crm.employees.get({ params: { id }, signal })).data,
  })
}

/** One department. */
export function departmentQuery(id: string) {
  return queryOptions({
    queryKey: ['departments', 'one', id],
    queryFn: async ({ signal }) => (await crm.departments.get({ params: { id }, signal })).data,
  })
}

/** The people of a department. */
export function membersQuery(departmentId: string) {
  return queryOptions({
    queryKey: ['people', 'of', departmentId],
    queryFn: ({ signal }) =>
      crm.employees.list({ query: { departmentId, status: 'ACTIVE', pageSize: shownMax }, signal }),
  })
}

/** Reads the departments directly below a department. */
export function departmentsBelowQuery(parentId: string) {
  return queryOptions({
    queryKey: ['departments', 'below', parentId],
    queryFn: ({ signal }) => crm.departments.list({ query: { parentId, pageSize: shownMax }, signal }),
  })
}

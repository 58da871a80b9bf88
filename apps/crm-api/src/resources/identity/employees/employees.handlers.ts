import { employees, success } from '@crm/contract'
import { implement } from '../../../platform/context.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { findEmployee, listEmployees, lookUpEmployees } from './employees.repository.ts'

export const implementedEmployees = implement(employees, {
  list: async ({ query }, { db, scope }) =>
    pageOf(
      await listEmployees(db, scope('EMPLOYEE'), query, { limit: query.pageSize, offset: offsetOf(query) }),
      query,
    ),

  get: async ({ params }, { db, scope, refuse }) => {
    const employee = await findEmployee(db, scope('EMPLOYEE'), params.id)
    if (!employee) throw refuse('NOT_FOUND', { message: 'There is no such employee' })
    return success(employee)
  },

  directory: async ({ query }, { db, scope, workspace }) => {
    const found = await lookUpEmployees(db, scope('EMPLOYEE'), {
      ...query,
      limit: query.limit + 1,
      locale: workspace.locale,
    })
    const items = found.slice(0, query.limit)
    return { items, returned: items.length, hasMore: found.length > items.length }
  },
})

import { departments, success, type DepartmentPatch } from '@crm/contract'
import { fieldChanges, type Executor, type FieldChange, type Scope, type Transaction } from '@crm/db'
import { ApiError, invalidReference } from '@crm/errors'
import { countRulesOfDepartment } from '../../../domain/people/people.rules.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { isWithin, lockTree } from '../../../records/trees.ts'
import { refuseUsed } from '../../../records/uses.ts'
import {
  closeDepartment,
  countMembers,
  deleteDepartment,
  departmentTree,
  findDepartment,
  insertDepartment,
  isEmployee,
  listDepartments,
  updateDepartment,
  type DepartmentRow,
} from './departments.repository.ts'

export const implementedDepartments = implement(departments, {
  list: async ({ query }, { db, scope, workspace }) =>
    pageOf(
      await listDepartments(db, scope('DEPARTMENT'), query, {
        limit: query.pageSize,
        offset: offsetOf(query),
        locale: workspace.locale,
      }),
      query,
    ),

  get: async ({ params }, { db, scope }) => success(await requireDepartment(db, scope('DEPARTMENT'), params.id)),

  create: async ({ body }, context) => {
    const { workspace, caller, at } = context
    return changingWorkspace(context, async (tx) => {
      await lockTree(tx, departmentTree, workspace.id)
      await requireReferences(tx, context, body)
      const department = await insertDepartment(tx, workspace.id, caller.employee.id, body, at)
      await trace(tx, context, 'department.created', department)
      return success(department)
    })
  },

  update: async ({ params, body }, context) => {
    const scope = context.scope('DEPARTMENT', 'UPDATE')
    const { workspace, at } = context
    return changingWorkspace(context, async (tx) => {
      await lockTree(tx, departmentTree, workspace.id)
      const current = await requireDepartment(tx, scope, params.id)
      await requireReferences(tx, context, body)
      if (body.parentId && (await isWithin(tx, departmentTree, workspace.id, body.parentId, [params.id])))
        throw context.refuse('PARENT_CYCLE')
      const department = await updateDepartment(tx, workspace.id, params.id, body, at)
      await trace(tx, context, 'department.changed', department, fieldChanges(current, body))
      return success(department)
    })
  },

  delete: async ({ params }, context) => {
    const scope = context.scope('DEPARTMENT', 'DELETE')
    const { workspace } = context
    return changingWorkspace(context, async (tx) => {
      await lockTree(tx, departmentTree, workspace.id)
      const department = await requireDepartment(tx, scope, params.id)
      await closeDepartment(tx, workspace.id, params.id)
      const rules = await countRulesOfDepartment(tx, workspace.id, params.id)
      refuseUsed('department', [
        ...(await countMembers(tx, workspace.id, params.id)),
        { entityType: 'SIGN_IN_RULE', count: rules },
      ])
      await deleteDepartment(tx, workspace.id, params.id)
      await trace(tx, context, 'department.deleted', department)
      return success({ id: params.id })
    })
  },
})

async function requireDepartment(db: Executor, scope: Scope, id: string): Promise<DepartmentRow> {
  const department = await findDepartment(db, scope, id)
  if (!department) throw new ApiError('NOT_FOUND', { message: 'There is no such department' })
  return department
}

/** Refuses references of a department. The parent must be a department that the caller sees: otherwise an error would reveal it. */
async function requireReferences(
  tx: Transaction,
  { workspace, scopeIfAllowed }: CrmContext,
  { parentId, headId }: DepartmentPatch,
): Promise<void> {
  const seen = scopeIfAllowed('DEPARTMENT')
  if (parentId && !(seen && (await findDepartment(tx, seen, parentId)))) throw invalidReference('parentId')
  if (headId && !(await isEmployee(tx, workspace.id, headId))) throw invalidReference('headId')
}

async function trace(
  tx: Transaction,
  context: CrmContext,
  action: string,
  { id, name }: DepartmentRow,
  changes: readonly FieldChange[] = [],
): Promise<void> {
  await audit(tx, context, { action, subjectType: 'DEPARTMENT', subjectId: id, summary: `Department ${name}`, changes })
}

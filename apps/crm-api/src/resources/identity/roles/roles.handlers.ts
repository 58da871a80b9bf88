import { roles, success, type RoleInput, type RolePatch } from '@crm/contract'
import { endingTwin, fieldChanges, newId, schema, subquery, type Executor, type Transaction } from '@crm/db'
import { ApiError, type Issue } from '@crm/errors'
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm'
import { countRulesOfRole } from '../../../domain/people/people.rules.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingPeople } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { recallEntityTypes, recallPermissions } from '../../../records/rights.ts'
import { withUniqueFields } from '../../../records/unique.ts'
import { refuseUsed } from '../../../records/uses.ts'

const { roles: table, employeeRoles } = schema
const uniqueFields = { roles_name: 'name' }

export const implementedRoles = implement(roles, {
  list: async ({ query }, { db, workspace }) => {
    const where = eq(table.workspaceId, workspace.id)
    const [total] = await db.select({ n: count() }).from(table).where(where)
    const items = await selectRoles(db, workspace.id, where)
      .orderBy(asc(table.createdAt), asc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items, total: total?.n ?? 0 }, query)
  },

  get: async ({ params }, context) => success(await readRole(context.db, context, params.id)),

  create: async ({ body }, context) => {
    const values = await checkRole(body, context)
    const id = newId()
    await changingPeople(context, async (tx) => {
      const stamps = { createdById: context.caller.employee.id, createdAt: context.at, updatedAt: context.at }
      await withUniqueFields(uniqueFields, () =>
        tx.insert(table).values({
          ...values,
          name: body.name,
          permissions: values.permissions ?? [],
          workspaceId: context.workspace.id,
          id,
          ...stamps,
        }),
      )
      await audit(tx, context, {
        action: 'role.created',
        subjectType: 'ROLE',
        subjectId: id,
        summary: `Created the role ${body.name}`,
        changes: fieldChanges(noRole, values),
      })
    })
    return success(await readRole(context.db, context, id))
  },

  update: async ({ params, body }, context) => {
    const values = await checkRole(body, context)
    await changingPeople(context, async (tx) => {
      const current = await lockRole(tx, context, params.id)
      if (current.isSystem) throw context.refuse('SYSTEM_ROLE')
      await withUniqueFields(uniqueFields, () =>
        tx
          .update(table)
          .set(endingTwin(table, { ...values, updatedAt: context.at }))
          .where(isRole(context, params.id)),
      )
      await audit(tx, context, {
        action: 'role.changed',
        subjectType: 'ROLE',
        subjectId: params.id,
        summary: `Changed the role ${current.name}`,
        changes: fieldChanges(current, values),
        data: { fields: Object.keys(body) },
      })
    })
    return success(await readRole(context.db, context, params.id))
  },

  delete: async ({ params }, context) => {
    await changingPeople(context, async (tx) => {
      const current = await lockRole(tx, context, params.id)
      if (current.isSystem) throw context.refuse('SYSTEM_ROLE')
      const [used] = await tx
        .select({ n: count() })
        .from(employeeRoles)
        .where(and(eq(employeeRoles.workspaceId, context.workspace.id), eq(employeeRoles.roleId, params.id)))
      refuseUsed('role', [
        { entityType: 'EMPLOYEE', count: used?.n ?? 0 },
        { entityType: 'SIGN_IN_RULE', count: await countRulesOfRole(tx, context.workspace.id, params.id) },
      ])
      await tx.delete(table).where(isRole(context, params.id))
      await audit(tx, context, {
        action: 'role.deleted',
        subjectType: 'ROLE',
        subjectId: params.id,
        summary: `Deleted the role ${current.name}`,
        changes: fieldChanges(roleParts(current), noRole),
      })
    })
    return success({ id: params.id })
  },
})

type RoleParts = Pick<typeof table.$inferSelect, 'permissions' | 'access'> & {
  readonly name: string | null
  readonly description: string | null
}

const noRole: RoleParts = { name: null, description: null, permissions: [], access: [] }

function roleParts({ name, description, permissions, access }: RoleParts): RoleParts {
  return { name, description, permissions, access }
}

function selectRoles(db: Executor, workspaceId: string, where: SQL) {
  return db
    .select({
      id: table.id,
      name: table.name,
      description: table.description,
      isSystem: table.isSystem,
      permissions: table.permissions,
      access: table.access,
      createdAt: table.createdAt,
      updatedAt: table.updatedAt,
      createdById: table.createdById,
      userCount: subquery<number>(
        sql`SELECT count(*)::int FROM employee_roles er WHERE er.workspace_id = ${workspaceId} AND er.role_id = ${table.id}`,
      ),
    })
    .from(table)
    .where(where)
    .$dynamic()
}

function isRole({ workspace }: CrmContext, id: string): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.id, id)) as SQL
}

async function readRole(db: Executor, context: CrmContext, id: string) {
  const [role] = await selectRoles(db, context.workspace.id, isRole(context, id))
  if (!role) throw new ApiError('NOT_FOUND', { message: 'There is no such role' })
  return role
}

async function lockRole(tx: Transaction, context: CrmContext, id: string) {
  const [role] = await tx.select().from(table).where(isRole(context, id)).for('update')
  if (!role) throw new ApiError('NOT_FOUND', { message: 'There is no such role' })
  return role
}

async function checkRole<Body extends RoleInput | RolePatch>(body: Body, context: CrmContext): Promise<Body> {
  const names = new Set((await recallPermissions(context.db, context)).map(({ name }) => name))
  const types = await recallEntityTypes(context.db, context)
  const issues: Issue[] = [
    ...(body.permissions ?? []).flatMap((name, at) =>
      names.has(name) ? [] : [{ path: ['permissions', at], message: 'Unknown permission' }],
    ),
    ...(body.access ?? []).flatMap(({ entityType }, at) =>
      types.includes(entityType) ? [] : [{ path: ['access', at, 'entityType'], message: 'Unknown entity type' }],
    ),
  ]
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
  return body
}

import { scimGroups, success } from '@crm/contract'
import { fieldChanges, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidReference } from '@crm/errors'
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm'
import { followDepartments, followGroupsOpenly, requireRoles } from '../../../domain/people/people.roles.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingPeople } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'

const { departments, scimGroupMembers, scimGroupRoles, scimGroups: table } = schema

export const implementedScimGroupSettings = implement(scimGroups, {
  list: async ({ query }, { db, workspace }) => {
    const where = eq(table.workspaceId, workspace.id)
    const [total] = await db.select({ n: count() }).from(table).where(where)
    const items = await selectGroups(db, workspace.id, where)
      .orderBy(asc(table.displayName), asc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items, total: total?.n ?? 0 }, query)
  },

  update: async ({ params, body }, context) => {
    await changingPeople(context, async (tx) => {
      const { workspace } = context
      const [locked] = await tx.select({ id: table.id }).from(table).where(isGroup(context, params.id)).for('update')
      const current = locked && (await selectGroups(tx, context.workspace.id, isGroup(context, params.id)))[0]
      if (!current) throw new ApiError('NOT_FOUND', { message: 'There is no such group' })
      const { roleIds, departmentId } = body
      if (roleIds) await replaceGroupRoles(tx, context, params.id, roleIds)
      if (departmentId !== undefined) await moveGroup(tx, context, params.id, departmentId)
      const members = await tx
        .select({ id: scimGroupMembers.employeeId })
        .from(scimGroupMembers)
        .where(and(eq(scimGroupMembers.workspaceId, workspace.id), eq(scimGroupMembers.groupId, params.id)))
      const people = members.map(({ id }) => id)
      await followGroupsOpenly(tx, context, people)
      if (departmentId !== undefined) await followDepartments(tx, context, { people, former: current.departmentId })
      await audit(tx, context, {
        action: 'scim-group.changed',
        subjectType: 'SCIM_GROUP',
        subjectId: params.id,
        summary: `Changed the rights of the group ${current.displayName}`,
        changes: fieldChanges(current, body),
        data: { members: people.length },
      })
    })
    const [group] = await selectGroups(context.db, context.workspace.id, isGroup(context, params.id))
    return success(group!)
  },
})

function selectGroups(db: Executor, workspaceId: string, where: SQL) {
  const ofGroup = sql`workspace_id = ${workspaceId} AND group_id = ${table.id}`
  return db
    .select({
      id: table.id,
      displayName: table.displayName,
      externalId: table.externalId,
      departmentId: table.departmentId,
      createdAt: table.createdAt,
      updatedAt: table.updatedAt,
      memberCount: sql<number>`(SELECT count(*)::int FROM scim_group_members WHERE ${ofGroup})`,
      roleIds: sql<string[]>`ARRAY(SELECT role_id FROM scim_group_roles WHERE ${ofGroup} ORDER BY role_id)`,
    })
    .from(table)
    .where(where)
    .$dynamic()
}

function isGroup({ workspace }: CrmContext, id: string): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.id, id)) as SQL
}

async function replaceGroupRoles(
  tx: Transaction,
  context: CrmContext,
  groupId: string,
  roleIds: readonly string[],
): Promise<void> {
  const workspaceId = context.workspace.id
  const wanted = [...new Set(roleIds)]
  await requireRoles(tx, context, wanted, 'roleIds')
  await tx
    .delete(scimGroupRoles)
    .where(and(eq(scimGroupRoles.workspaceId, workspaceId), eq(scimGroupRoles.groupId, groupId)))
  if (wanted.length > 0)
    await tx.insert(scimGroupRoles).values(wanted.map((roleId) => ({ workspaceId, groupId, roleId })))
}

async function moveGroup(
  tx: Transaction,
  context: CrmContext,
  groupId: string,
  departmentId: string | null,
): Promise<void> {
  if (departmentId) {
    const found = await tx
      .select({ id: departments.id })
      .from(departments)
      .where(and(eq(departments.workspaceId, context.workspace.id), eq(departments.id, departmentId)))
      .for('key share')
    if (found.length === 0) throw invalidReference('departmentId')
  }
  await tx.update(table).set({ departmentId, updatedAt: context.at }).where(isGroup(context, groupId))
}

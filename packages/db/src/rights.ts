import type { Rights } from '@crm/permissions'
import { and, asc, eq, sql } from 'drizzle-orm'
import { isAnyOf } from './any-of.ts'
import { customEntities, departments, employees, employeeRoles, roles } from './schema/index.ts'
import type { Executor } from './transaction.ts'

/**
 * Makes changes of rights in a workspace wait for each other until the transaction ends: two of them at once, each within what
 * its maker holds, could together leave something that neither of them may do.
 */
export async function lockRights(tx: Executor, workspaceId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`rights:${workspaceId}`}, 0))`)
}

/** Who reaches what in a workspace; with `peopleIds`, only these people. */
export async function readRights(db: Executor, workspaceId: string, peopleIds?: readonly string[]): Promise<Rights> {
  const people = await db
    .select({
      id: employees.id,
      departmentId: employees.departmentId,
      isActive: sql<boolean>`${employees.status} = 'ACTIVE'`,
      roleIds: sql<
        string[]
      >`ARRAY(SELECT ${employeeRoles.roleId} FROM ${employeeRoles} WHERE ${employeeRoles.workspaceId} = ${employees.workspaceId} AND ${employeeRoles.employeeId} = ${employees.id})`,
    })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), peopleIds ? isAnyOf(employees.id, [...peopleIds]) : undefined))
    .orderBy(asc(employees.id))
  const granted = await db
    .select({ id: roles.id, permissions: roles.permissions, access: roles.access })
    .from(roles)
    .where(eq(roles.workspaceId, workspaceId))
  const tree = await db
    .select({ id: departments.id, parentId: departments.parentId })
    .from(departments)
    .where(eq(departments.workspaceId, workspaceId))
  const custom = await db
    .select({ key: customEntities.key })
    .from(customEntities)
    .where(eq(customEntities.workspaceId, workspaceId))
  return { people, roles: granted, departments: tree, customTypes: custom.map(({ key }) => key.toUpperCase()) }
}

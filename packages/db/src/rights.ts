import type { Rights, RightsHolder } from '@crm/permissions'
import { and, asc, eq, sql } from 'drizzle-orm'
import { isAnyOf } from './any-of.ts'
import { customEntities, departments, employees, employeeRoles, roles } from './schema/index.ts'
import { subqueryList } from './subquery.ts'
import type { Executor } from './transaction.ts'

/**
 * Makes changes of rights in a workspace wait for each other until the transaction ends. Two concurrent changes, each within the rights
 * of its author, could otherwise together produce a state that neither author may produce.
 */
export async function lockRights(tx: Executor, workspaceId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`rights:${workspaceId}`}, 0))`)
}

/** Reads the rights of people in a workspace; with `peopleIds`, only of these people. */
export async function readRights(db: Executor, workspaceId: string, peopleIds?: readonly string[]): Promise<Rights> {
  const people = await readRightsHolders(db, workspaceId, peopleIds)
  const granted = await db
    .select({ id: roles.id, permissions: roles.permissions, access: roles.access })
    .from(roles)
    .where(eq(roles.workspaceId, workspaceId))
    .orderBy(asc(roles.id))
  const tree = await db
    .select({ id: departments.id, parentId: departments.parentId })
    .from(departments)
    .where(eq(departments.workspaceId, workspaceId))
    .orderBy(asc(departments.id))
  const custom = await db
    .select({ key: customEntities.key })
    .from(customEntities)
    .where(eq(customEntities.workspaceId, workspaceId))
    .orderBy(asc(customEntities.key))
  return { people, roles: granted, departments: tree, customTypes: custom.map(({ key }) => key.toUpperCase()) }
}

/** The roles that a row of employees holds, by id in a fixed order; for a selection. */
export const heldRoleIds = (workspaceId: string) =>
  subqueryList<string>(
    sql`SELECT ${employeeRoles.roleId} FROM ${employeeRoles} WHERE ${employeeRoles.workspaceId} = ${workspaceId} AND ${employeeRoles.employeeId} = ${employees.id} ORDER BY 1`,
  )

/** Reads people with their roles, their department and their state; with `peopleIds`, only these people. */
export function readRightsHolders(
  db: Executor,
  workspaceId: string,
  peopleIds?: readonly string[],
): Promise<RightsHolder[]> {
  return db
    .select({
      id: employees.id,
      departmentId: employees.departmentId,
      isActive: sql<boolean>`${employees.status} = 'ACTIVE'`,
      isService: sql<boolean>`${employees.kind} = 'SERVICE'`,
      roleIds: heldRoleIds(workspaceId),
    })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), peopleIds ? isAnyOf(employees.id, [...peopleIds]) : undefined))
    .orderBy(asc(employees.id))
}

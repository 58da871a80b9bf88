import { fieldChanges, heldRoleIds, isAnyOf, schema, type PeopleTransaction, type Transaction } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { fullName } from '@crm/identity'
import { and, eq, sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { auditAll } from '../../records/audit.ts'

const { employeeRoles, employees, roles } = schema

type InWorkspace = Pick<CrmContext, 'workspace'>

/**
 * Gives a person exactly these roles, by hand. Roles that the person has only because of groups in another system stay: they
 * follow the groups.
 */
export async function replaceRoles(
  tx: PeopleTransaction,
  context: InWorkspace,
  employeeId: string,
  roleIds: readonly string[],
): Promise<void> {
  const wanted = [...new Set(roleIds)]
  await requireRoles(tx, context, wanted, 'roleIds')
  const { workspace } = context
  await tx
    .delete(employeeRoles)
    .where(
      and(
        eq(employeeRoles.workspaceId, workspace.id),
        eq(employeeRoles.employeeId, employeeId),
        eq(employeeRoles.byHand, true),
      ),
    )
  if (wanted.length > 0)
    await tx
      .insert(employeeRoles)
      .values(wanted.map((roleId) => ({ workspaceId: workspace.id, employeeId, roleId })))
      .onConflictDoNothing()
  await followGroups(tx, context, [employeeId])
}

/** Throws INVALID_REFERENCE when one of the roles is not in the workspace. The roles stay until the transaction ends. */
export async function requireRoles(
  tx: Transaction,
  { workspace }: InWorkspace,
  roleIds: readonly string[],
  field: string,
): Promise<void> {
  const wanted = [...new Set(roleIds)]
  if (wanted.length === 0) return
  const found = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.workspaceId, workspace.id), isAnyOf(roles.id, wanted)))
    .for('key share')
  if (found.length !== wanted.length) throw invalidReference(field)
}

export async function rolesOf(tx: Transaction, { workspace }: InWorkspace, employeeId: string): Promise<string[]> {
  const held = await tx
    .select({ roleId: employeeRoles.roleId })
    .from(employeeRoles)
    .where(and(eq(employeeRoles.workspaceId, workspace.id), eq(employeeRoles.employeeId, employeeId)))
  return held.map(({ roleId }) => roleId)
}

/** The roles that people have because of their groups in other systems. */
const ofGroups = (workspaceId: string, people: string) => sql`
  SELECT m.employee_id, r.role_id FROM scim_group_members m
    JOIN scim_group_roles r ON r.workspace_id = m.workspace_id AND r.group_id = m.group_id
    WHERE m.workspace_id = ${workspaceId} AND m.employee_id = ANY (${people}::uuid[])
  UNION
  SELECT p.employee_id, p.role_id FROM provider_roles p
    WHERE p.workspace_id = ${workspaceId} AND p.employee_id = ANY (${people}::uuid[])`

/** Gives people the roles of their groups in other systems, and takes those whose groups they left. Roles given by hand stay. */
export async function followGroups(
  tx: PeopleTransaction,
  { workspace }: InWorkspace,
  employeeIds: readonly string[],
): Promise<void> {
  if (employeeIds.length === 0) return
  const people = `{${employeeIds.join()}}`
  await tx.execute(sql`
    DELETE FROM employee_roles e WHERE e.workspace_id = ${workspace.id} AND e.employee_id = ANY (${people}::uuid[]) AND NOT e.by_hand
      AND (e.employee_id, e.role_id) NOT IN (${ofGroups(workspace.id, people)})`)
  await tx.execute(sql`
    INSERT INTO employee_roles (workspace_id, employee_id, role_id, by_hand)
    SELECT ${workspace.id}::uuid, wanted.employee_id, wanted.role_id, false FROM (${ofGroups(workspace.id, people)}) AS wanted
    ON CONFLICT DO NOTHING`)
}

/** Does the same and writes into the audit log whose roles have changed. */
export async function followGroupsOpenly(
  tx: PeopleTransaction,
  context: CrmContext,
  employeeIds: readonly string[],
): Promise<void> {
  if (employeeIds.length === 0) return
  const before = await holdersOf(tx, context, employeeIds)
  await followGroups(tx, context, employeeIds)
  const after = new Map((await holdersOf(tx, context, employeeIds)).map(({ id, roleIds }) => [id, roleIds]))
  const lines = before.flatMap(({ id, name, roleIds }) => {
    const changes = fieldChanges({ roleIds }, { roleIds: after.get(id) ?? [] })
    const summary = `The roles of ${name} follow their groups in another system`
    return changes.length === 0
      ? []
      : [{ action: 'user.roles-changed', subjectType: 'EMPLOYEE', subjectId: id, summary, changes }]
  })
  await auditAll(tx, context, lines)
}

/** Returns people with their names and their roles, in a fixed order. */
async function holdersOf(tx: Transaction, { workspace }: InWorkspace, employeeIds: readonly string[]) {
  const { id, email, firstName, lastName } = employees
  const rows = await tx
    .select({ id, email, firstName, lastName, roleIds: heldRoleIds(workspace.id) })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspace.id), isAnyOf(employees.id, [...employeeIds])))
  return rows.map((row) => ({ id: row.id, name: fullName(row), roleIds: row.roleIds }))
}

/**
 * Puts people into the department of their group with the first name that has one, and writes it into the audit log. People without
 * such a group leave the department that they were in because of a group, and keep any other.
 */
export async function followDepartments(
  tx: PeopleTransaction,
  context: CrmContext,
  {
    people,
    former,
  }: {
    readonly people: readonly string[]
    /** The department that people were in because of the group. */
    readonly former: string | null
  },
): Promise<void> {
  if (people.length === 0) return
  const workspaceId = context.workspace.id
  const { rows } = await tx.execute<Moved>(sql`
    WITH wanted AS (
      SELECT p.id, p.department_id AS former, coalesce(
        (SELECT g.department_id FROM scim_group_members m
          JOIN scim_groups g ON g.workspace_id = m.workspace_id AND g.id = m.group_id
          WHERE m.workspace_id = ${workspaceId} AND m.employee_id = p.id AND g.department_id IS NOT NULL
          ORDER BY crm_fold(g.display_name), g.id LIMIT 1),
        nullif(p.department_id, ${former}::uuid)) AS next
      FROM employees p WHERE p.workspace_id = ${workspaceId} AND p.id = ANY (${`{${people.join()}}`}::uuid[])
    )
    UPDATE employees e SET department_id = wanted.next, updated_at = ${context.at} FROM wanted
    WHERE e.workspace_id = ${workspaceId} AND e.id = wanted.id AND e.department_id IS DISTINCT FROM wanted.next
    RETURNING e.id, e.email, e.first_name AS "firstName", e.last_name AS "lastName", wanted.former AS "from", wanted.next AS "to"`)
  await noteMoves(tx, context, rows)
}

/** A person who came into another department because of groups in another system. */
export interface Moved extends Record<string, unknown> {
  readonly id: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly from: string | null
  readonly to: string | null
}

/** Writes into the audit log who came into which department because of groups. */
export async function noteMoves(tx: PeopleTransaction, context: CrmContext, moved: readonly Moved[]): Promise<void> {
  const lines = moved.map(({ id, from, to, ...person }) => ({
    action: 'user.changed',
    subjectType: 'EMPLOYEE',
    subjectId: id,
    summary: `The department of ${fullName(person)} follows their groups in another system`,
    changes: fieldChanges({ departmentId: from }, { departmentId: to }),
  }))
  await auditAll(tx, context, lines)
}

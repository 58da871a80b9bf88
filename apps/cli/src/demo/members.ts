import { newId, schema, type Executor } from '@crm/db'
import { hashPassword, newSecret } from '@crm/identity'
import { and, eq } from 'drizzle-orm'

/** Somebody who works in the demo workspace. */
export interface Member {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly department: string
  /** null: the administrator stays in none, since departments of the demo go with it. */
  readonly departmentId: string | null
  /** Whether their role lets them change records. */
  readonly writes: boolean
}

const colleagues = [
  { firstName: 'Maya', lastName: 'Brandt', role: 'Manager', department: 'Sales' },
  { firstName: 'Jonas', lastName: 'Weber', role: 'Member', department: 'Sales' },
  { firstName: 'Priya', lastName: 'Nair', role: 'Member', department: 'Sales' },
  { firstName: 'Luc', lastName: 'Martin', role: 'Manager', department: 'Marketing' },
  { firstName: 'Sofia', lastName: 'Costa', role: 'Member', department: 'Marketing' },
  { firstName: 'Nora', lastName: 'Lind', role: 'Member', department: 'Support' },
  { firstName: 'Ben', lastName: 'Adeyemi', role: 'Read only', department: 'Support' },
]

/**
 * Adds three departments under a common parent, and a team with different roles, each person under the manager of their
 * department. Nobody knows their passwords until an administrator sets them. The administrator is one of the team, so that
 * their Home has work on it.
 */
export async function addTeam(
  tx: Executor,
  workspaceId: string,
  adminId: string,
  roleIds: Readonly<Record<string, string>>,
): Promise<Member[]> {
  const departmentIds = Object.fromEntries(['Sales', 'Marketing', 'Support'].map((name) => [name, newId()]))
  const members = colleagues.map((person) => ({
    ...person,
    id: newId(),
    departmentId: departmentIds[person.department] as string,
    email: `${person.firstName}.${person.lastName}@demo.test`.toLowerCase(),
  }))
  const managerOf = (department: string): string | undefined =>
    members.find((member) => member.department === department && member.role === 'Manager')?.id
  const companyId = newId()
  await tx.insert(schema.departments).values([
    { workspaceId, id: companyId, name: 'Demo Company', headId: adminId },
    ...Object.entries(departmentIds).map(([name, id]) => ({
      workspaceId,
      id,
      name,
      parentId: companyId,
      headId: managerOf(name) ?? null,
    })),
  ])
  const [admin] = await tx
    .select()
    .from(schema.employees)
    .where(and(eq(schema.employees.workspaceId, workspaceId), eq(schema.employees.id, adminId)))
  if (!admin) throw new Error('The workspace of the demo has no administrator')
  const passwordHash = await hashPassword(newSecret())
  await tx.insert(schema.employees).values(
    members.map(({ id, firstName, lastName, email, department, departmentId }) => {
      const managerId = managerOf(department)
      return {
        workspaceId,
        id,
        firstName,
        lastName,
        email,
        departmentId,
        passwordHash,
        managerId: managerId && managerId !== id ? managerId : adminId,
        createdById: adminId,
      }
    }),
  )
  await tx
    .insert(schema.employeeRoles)
    .values(members.map(({ id, role }) => ({ workspaceId, employeeId: id, roleId: roleIds[role] as string })))
  const team = [...members, { ...admin, role: 'Admin', department: 'Management' }]
  return team.map(({ id, firstName, lastName, email, role, department, departmentId }) => ({
    id,
    name: `${firstName} ${lastName}`,
    email,
    department,
    departmentId,
    writes: role !== 'Read only',
  }))
}

import { newId, schema, type Executor } from '@crm/db'
import { hashPassword, newSecret } from '@crm/identity'

/** Somebody who works in the demo workspace. */
export interface Member {
  readonly id: string
  readonly departmentId: string
}

const team = [
  { firstName: 'Maya', lastName: 'Brandt', role: 'Manager', department: 'Sales' },
  { firstName: 'Jonas', lastName: 'Weber', role: 'Member', department: 'Sales' },
  { firstName: 'Priya', lastName: 'Nair', role: 'Member', department: 'Sales' },
  { firstName: 'Luc', lastName: 'Martin', role: 'Manager', department: 'Marketing' },
  { firstName: 'Sofia', lastName: 'Costa', role: 'Member', department: 'Marketing' },
  { firstName: 'Ben', lastName: 'Adeyemi', role: 'Read only', department: 'Support' },
]

/** Adds three departments and a team with different roles; nobody knows their passwords until an administrator sets them. */
export async function addTeam(tx: Executor, workspaceId: string, adminId: string, roleIds: Readonly<Record<string, string>>): Promise<Member[]> {
  const departmentIds = Object.fromEntries(['Sales', 'Marketing', 'Support'].map((name) => [name, newId()]))
  await tx.insert(schema.departments).values(Object.entries(departmentIds).map(([name, id]) => ({ workspaceId, id, name, headId: name === 'Sales' ? adminId : null })))
  const passwordHash = await hashPassword(newSecret())
  const members = team.map((person) => ({ ...person, id: newId(), departmentId: departmentIds[person.department] as string }))
  await tx.insert(schema.employees).values(
    members.map(({ id, firstName, lastName, departmentId }) => ({
      workspaceId, id, firstName, lastName, departmentId, passwordHash, managerId: adminId, createdById: adminId,
      email: `${firstName}.${lastName}@demo.test`.toLowerCase(),
    })),
  )
  await tx.insert(schema.employeeRoles).values(members.map(({ id, role }) => ({ workspaceId, employeeId: id, roleId: roleIds[role] as string })))
  return members.map(({ id, departmentId }) => ({ id, departmentId }))
}

import { schema, type Executor, type Transaction, isAddress, addressKey } from '@crm/db'
import { and, eq, sql } from 'drizzle-orm'

const { employees, employeeRoles, roles } = schema

/** A person who signs in, as stored. */
export type Person = typeof employees.$inferSelect

/** Finds the person with an address, in any case. */
export async function findPerson(db: Executor, workspaceId: string, email: string): Promise<Person | undefined> {
  const [row] = await db
    .select()
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), isAddress(employees.email, email.trim())))
  return row
}

/** Returns an address as the database compares addresses; other programs know other letters to be alike. */
export async function foldAddress(db: Executor, email: string): Promise<string> {
  const { rows } = await db.execute<{ folded: string }>(sql`SELECT ${addressKey(sql`${email.trim()}::text`)} AS folded`)
  return rows[0]?.folded ?? ''
}

/** Reads a person by id. */
export async function readPerson(db: Executor, workspaceId: string, id: string): Promise<Person | undefined> {
  const [row] = await db
    .select()
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, id)))
  return row
}

/** Locks a person, so that nothing about them changes meanwhile, and returns them as they are. */
export async function lockPerson(
  tx: Transaction,
  { workspaceId, id }: Pick<Person, 'workspaceId' | 'id'>,
): Promise<Person | undefined> {
  const [row] = await tx
    .select()
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, id)))
    .for('no key update')
  return row
}

/** Reads the roles of a person, with their rights. */
export function readRoles(db: Executor, { workspaceId, id }: Pick<Person, 'workspaceId' | 'id'>) {
  return db
    .select({ id: roles.id, permissions: roles.permissions, access: roles.access })
    .from(employeeRoles)
    .innerJoin(roles, and(eq(roles.workspaceId, employeeRoles.workspaceId), eq(roles.id, employeeRoles.roleId)))
    .where(and(eq(employeeRoles.workspaceId, workspaceId), eq(employeeRoles.employeeId, id)))
}

import { schema, type Executor, isAddress } from '@crm/db'
import { customPermissions, permissionNames } from '@crm/permissions'
import { and, asc, eq } from 'drizzle-orm'
import { CommandError } from './output.ts'

/** The workspace with a slug. */
export async function requireWorkspace(db: Executor, slug: string): Promise<typeof schema.workspaces.$inferSelect> {
  const [row] = await db.select().from(schema.workspaces).where(eq(schema.workspaces.slug, slug))
  if (!row) throw new CommandError(`There is no workspace ${slug}`)
  return row
}

/** The employee with an email address. */
export async function requireEmployee(
  db: Executor,
  workspaceId: string,
  email: string,
): Promise<typeof schema.employees.$inferSelect> {
  const { employees } = schema
  const [row] = await db
    .select()
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), isAddress(employees.email, email)))
  if (!row) throw new CommandError(`There is no user ${email} in this workspace`)
  return row
}

/** The names of all permissions in a workspace, including the permissions of its own record types. */
export async function permissionsOf(db: Executor, workspaceId: string): Promise<string[]> {
  const { customEntities } = schema
  const own = await db
    .select()
    .from(customEntities)
    .where(eq(customEntities.workspaceId, workspaceId))
    .orderBy(asc(customEntities.createdAt), asc(customEntities.id))
  return [
    ...permissionNames,
    ...own.flatMap(({ key }) =>
      customPermissions({ entityType: key.toUpperCase(), plural: key }).map(({ name }) => name),
    ),
  ]
}

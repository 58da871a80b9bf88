import { schema, type Executor } from '@crm/db'
import { and, eq, sql } from 'drizzle-orm'
import { CommandError } from './output.ts'

/** The workspace with a slug. */
export async function requireWorkspace(db: Executor, slug: string): Promise<typeof schema.workspaces.$inferSelect> {
  const [row] = await db.select().from(schema.workspaces).where(eq(schema.workspaces.slug, slug))
  if (!row) throw new CommandError(`There is no workspace ${slug}`)
  return row
}

/** The employee with an e-mail address. */
export async function requireEmployee(db: Executor, workspaceId: string, email: string): Promise<typeof schema.employees.$inferSelect> {
  const { employees } = schema
  const [row] = await db.select().from(employees).where(and(eq(employees.workspaceId, workspaceId), sql`lower(${employees.email}) = lower(${email})`))
  if (!row) throw new CommandError(`There is no user ${email} in this workspace`)
  return row
}

import type { CommentedEntity } from '@crm/contract'
import { schema, visible, type Executor, type Scope } from '@crm/db'
import { and, eq, isNull } from 'drizzle-orm'

const tables = { LEAD: schema.leads, CONTACT: schema.contacts, COMPANY: schema.companies, DEAL: schema.deals } as const

/** Whether a record exists and the scope reaches it. */
export async function isReachable(db: Executor, scope: Scope, entityType: CommentedEntity, id: string): Promise<boolean> {
  const table = tables[entityType]
  const rows = await db.select({ id: table.id }).from(table).where(and(visible(scope, table), eq(table.id, id), isNull(table.deletedAt)))
  return rows.length === 1
}

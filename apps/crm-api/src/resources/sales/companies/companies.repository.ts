import { schema, type Transaction } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { sql } from 'drizzle-orm'

const { companies, industries } = schema

/** The tree of companies. */
export const companyTree = { table: companies, parentId: companies.parentId }

/** Refuses an industry that does not exist, and keeps an existing one from deletion until the company is written. */
export async function requireIndustry(
  tx: Transaction,
  workspaceId: string,
  id: string | null | undefined,
): Promise<void> {
  if (!id) return
  const { rows } = await tx.execute(
    sql`SELECT 1 FROM ${industries} WHERE workspace_id = ${workspaceId} AND id = ${id} FOR KEY SHARE`,
  )
  if (rows.length === 0) throw invalidReference('industryId')
}

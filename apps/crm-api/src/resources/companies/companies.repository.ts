import { schema, type Executor, type Transaction } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { sql } from 'drizzle-orm'

const { companies, industries } = schema

/** Lets the changes of a workspace's tree of companies happen one after the other, so that two of them make no circle together. */
export async function lockCompanyTree(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`companies:${workspaceId}`}, 0))`)
}

/** A company and all that stand above it, nearest first. */
export async function listLineage(db: Executor, workspaceId: string, id: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    WITH RECURSIVE lineage AS (
      SELECT id, parent_id, 0 AS distance FROM ${companies} WHERE workspace_id = ${workspaceId} AND id = ${id}
      UNION ALL
      SELECT above.id, above.parent_id, distance + 1 FROM ${companies} above JOIN lineage ON above.workspace_id = ${workspaceId} AND above.id = lineage.parent_id
    ) CYCLE id SET is_seen USING path
    SELECT id FROM lineage WHERE NOT is_seen ORDER BY distance`)
  return rows.map((row) => row.id)
}

/** Refuses an industry that does not exist, and keeps one that does from being deleted before the company is written. */
export async function requireIndustry(tx: Transaction, workspaceId: string, id: string | null | undefined): Promise<void> {
  if (!id) return
  const { rows } = await tx.execute(sql`SELECT 1 FROM ${industries} WHERE workspace_id = ${workspaceId} AND id = ${id} FOR KEY SHARE`)
  if (rows.length === 0) throw invalidReference('industryId')
}

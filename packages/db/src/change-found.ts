import { sql, type SQL } from 'drizzle-orm'
import { writeRows } from './counted.ts'
import type { Transaction } from './transaction.ts'

/** A row that was found without a lock. */
export interface FoundRow extends Record<string, unknown> {
  readonly workspaceId: string
  readonly id: string
}

/**
 * Changes rows of a table that were found without a lock, workspace by workspace, since a distributed database locks past the locks of others
 * on one machine alone. Rows that another transaction holds are left, and found again later.
 * @param name of the table
 * @param set the assignments
 */
export async function changeFound(tx: Transaction, name: string, found: readonly FoundRow[], set: SQL): Promise<void> {
  const table = sql.identifier(name)
  for (const [workspaceId, own] of Map.groupBy(found, (row) => row.workspaceId)) {
    const ids = sql.param(own.map(({ id }) => id))
    const change = sql`
      UPDATE ${table} SET ${set} WHERE workspace_id = ${workspaceId} AND id IN (
        SELECT id FROM ${table} WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::uuid[]) FOR UPDATE SKIP LOCKED)`
    await writeRows(tx, name, change)
  }
}

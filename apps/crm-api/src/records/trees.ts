import type { Executor, RecordTable, Transaction } from '@crm/db'
import { getTableName, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** A table whose rows form a tree. */
export interface Tree {
  readonly table: RecordTable
  /** The parent of a row. */
  readonly parentId: PgColumn
}

/** Makes changes of a tree wait for each other: two moves at once could close a circle that neither of them sees. */
export async function lockTree(tx: Transaction, { table }: Tree, workspaceId: string): Promise<void> {
  await tx.execute(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tree:${getTableName(table)}:${workspaceId}`}, 0))`,
  )
}

/** Whether a row is one of others or a descendant of one of them. */
export async function isWithin(
  db: Executor,
  { table, parentId }: Tree,
  workspaceId: string,
  id: string,
  ancestorIds: readonly string[],
): Promise<boolean> {
  const parent = sql.identifier(parentId.name)
  const { rows } = await db.execute<{ found: boolean }>(sql`
    WITH RECURSIVE line(id, parent_id) AS (
      SELECT id, ${parent} FROM ${table} WHERE workspace_id = ${workspaceId} AND id = ${id}
      UNION SELECT above.id, above.${parent} FROM ${table} above JOIN line ON above.id = line.parent_id WHERE above.workspace_id = ${workspaceId}
    ) SELECT EXISTS (SELECT FROM line WHERE id = ANY(${sql.param([...ancestorIds])}::uuid[])) AS found`)
  return rows[0]?.found === true
}

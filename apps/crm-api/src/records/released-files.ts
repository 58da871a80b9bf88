import { isAnyOf, schema, type Transaction } from '@crm/db'
import { and, eq, isNotNull, isNull, notExists, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

const { documentRecords, fileLinks, files } = schema

/** How long a file stays that was deleted or belongs to nothing any more. */
const keptMs = 30 * 24 * 60 * 60 * 1000

/** When a file goes for good that was deleted or lost its last link at a time. */
export function afterKept(at: string): string {
  return new Date(Date.parse(at) + keptMs).toISOString()
}

/** Lets those files go in their time that are deleted, or belong to no record and are no made document any more. */
export async function releaseFiles(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
  at: string,
): Promise<void> {
  if (ids.length === 0) return
  const isFree = or(isNotNull(files.deletedAt), and(namesNoFile(fileLinks), namesNoFile(documentRecords)))
  await tx
    .update(files)
    .set({ leavesAt: afterKept(at) })
    .where(and(eq(files.workspaceId, workspaceId), isAnyOf(files.id, ids), isNull(files.leavesAt), isFree))
}

function namesNoFile(table: { readonly workspaceId: PgColumn; readonly fileId: PgColumn }): SQL {
  return notExists(
    sql`(SELECT FROM ${table} WHERE ${table.workspaceId} = ${files.workspaceId} AND ${table.fileId} = ${files.id})`,
  )
}

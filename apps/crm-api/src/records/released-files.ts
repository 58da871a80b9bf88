import { isAnyOf, schema, type Transaction } from '@crm/db'
import { and, eq, isNotNull, isNull, notExists, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

const { documentRecords, fileLinks, files } = schema

/** How long a file stays after it was deleted or lost its last link. */
const keptMs = 30 * 24 * 60 * 60 * 1000

/** Returns the time at which a file is removed for good after it was deleted or lost its last link. */
export function afterKept(at: string): string {
  return new Date(Date.parse(at) + keptMs).toISOString()
}

/** Schedules the removal of files that are deleted, or that belong to no record and are not the file of a document any more. */
export async function releaseFiles(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
  at: string,
): Promise<void> {
  if (ids.length === 0) return
  const isFree = or(
    isNotNull(files.deletedAt),
    and(namesNoFile(workspaceId, fileLinks), namesNoFile(workspaceId, documentRecords)),
  )
  await tx
    .update(files)
    .set({ leavesAt: afterKept(at) })
    .where(and(eq(files.workspaceId, workspaceId), isAnyOf(files.id, ids), isNull(files.leavesAt), isFree))
}

function namesNoFile(workspaceId: string, table: { readonly workspaceId: PgColumn; readonly fileId: PgColumn }): SQL {
  return notExists(
    sql`(SELECT FROM ${table} WHERE ${table.workspaceId} = ${workspaceId} AND ${table.fileId} = ${files.id})`,
  )
}

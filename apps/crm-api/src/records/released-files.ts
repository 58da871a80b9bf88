import { isAnyOf, schema, type Transaction } from '@crm/db'
import { and, eq, isNotNull, isNull, notExists, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

const { documentRecords, fileLinks, files } = schema

/** Lets those files go at a time that are deleted, or belong to no record and are no made document any more. */
export async function releaseFiles(tx: Transaction, workspaceId: string, ids: readonly string[], leaveAt: string): Promise<void> {
  if (ids.length === 0) return
  const isFree = or(isNotNull(files.deletedAt), and(namesNoFile(fileLinks), namesNoFile(documentRecords)))
  await tx.update(files).set({ leavesAt: leaveAt }).where(and(eq(files.workspaceId, workspaceId), isAnyOf(files.id, ids), isNull(files.leavesAt), isFree))
}

function namesNoFile(table: { readonly workspaceId: PgColumn; readonly fileId: PgColumn }): SQL {
  return notExists(sql`(SELECT FROM ${table} WHERE ${table.workspaceId} = ${files.workspaceId} AND ${table.fileId} = ${files.id})`)
}

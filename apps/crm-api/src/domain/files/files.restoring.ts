import { schema, type Executor, type Transaction } from '@crm/db'
import { ApiError, isRefusal } from '@crm/errors'
import { sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import type { BulkResult } from '../../records/owned/bulk.ts'
import { undoneSince } from '../../records/owned/undo.ts'
import { requireStorage } from '../../records/quotas.ts'
import { traceLinks } from './files.links.ts'
import { lockFile, selectLinks, updateFile } from './files.repository.ts'
import { restorableFiles } from './files.visibility.ts'

const { timeline } = schema

/** Returns the file that an operation of the caller's own deleted within the last ten minutes, by the histories of its records. */
export async function findDeletedFile(
  db: Executor,
  { workspace, caller, at }: CrmContext,
  operationId: string,
): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT ${timeline.relatedId} AS id FROM ${timeline}
    WHERE ${timeline.workspaceId} = ${workspace.id} AND ${timeline.operationId} = ${operationId} AND ${timeline.kind} = 'FILE_REMOVED'
      AND ${timeline.actorId} = ${caller.employee.id} AND ${timeline.occurredAt} > ${undoneSince(at)} LIMIT 1`)
  return rows[0]?.id
}

/** Restores a deleted file within the caller's rights of now and within the storage of the workspace; its links were never touched. */
export async function restoreFile(tx: Transaction, context: CrmContext, id: string): Promise<BulkResult> {
  const { workspace, at } = context
  const file = await lockFile(tx, restorableFiles(context), id)
  if (!file) return { id, status: 'ERROR', code: 'NOT_FOUND', message: 'There is no such deleted file' }
  try {
    await requireStorage(tx, workspace, file.size)
  } catch (error) {
    if (!isRefusal(error) || !(error instanceof ApiError)) throw error
    return { id, status: 'ERROR', code: error.code, message: error.message }
  }
  const restored = await updateFile(tx, workspace.id, id, { deletedAt: null, leavesAt: null, updatedAt: at })
  await traceLinks(tx, context, restored, { added: (await selectLinks(tx, workspace.id, [id])).get(id) })
  return { id, status: 'OK' }
}

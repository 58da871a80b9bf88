import { undoMerge } from '../../records/owned/unmerge.ts'
import { findMerge } from '../../records/owned/merges.ts'
import { StatusReply, success, undo } from '@crm/contract'
import { schema } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, eq, inArray } from 'drizzle-orm'
import { implement, type CrmContext } from '../../platform/context.ts'
import { enqueueJob } from '../../platform/jobs.ts'
import { bulkMax, bulkOutcome } from '../../records/owned/bulk.ts'
import { findDeletedFile, restoreFile } from '../../domain/files/files.restoring.ts'
import { isSwitchedOff } from '../../records/rights.ts'
import { asUndoable } from '../../records/owned/trace.ts'
import { readOperation, readOperationRecords } from '../../records/owned/undo.ts'
import { findHandOver, handBackEvent } from '../hand-over/hand-over.work.ts'
import { mergeRules, undoOf } from './undoable-kinds.ts'

const { jobs } = schema

/** The background work that undoes an operation on more records than one request may change. */
export const undoEvent = 'undo.run'

export const implementedUndo = implement(undo, {
  run: async ({ params: { undoId } }, context) => {
    if (await isRunning(context, undoId))
      throw new ApiError('INVALID_TRANSITION', { message: 'The change is still running' })
    const handOver = await findHandOver(context.db, context, undoId)
    if (handOver) {
      const jobId = await enqueueJob(context, handBackEvent, handOver.total, { handOverId: undoId })
      return new StatusReply(202, success({ jobId }))
    }
    const merge = await findMerge(context.db, context, undoId, context.caller.employee.id)
    if (merge && !isSwitchedOff(context, `UPDATE_${merge.entityType}`)) {
      const rules = mergeRules.get(merge.entityType)
      if (!rules) throw new Error(`Nobody knows how ${merge.entityType} are merged`)
      const back = await context.transact((tx) => undoMerge(tx, context, rules, merge))
      return success(bulkOutcome(back.length, back, null))
    }
    const operation = await readOperation(context.db, context, undoId)
    const isOff = operation && isSwitchedOff(context, `UPDATE_${operation.entityType}`)
    const takeBack = operation && !isOff ? await undoOf(context.db, context, operation.entityType) : undefined
    const fileId = operation ? undefined : await findDeletedFile(context.db, context, undoId)
    if (fileId !== undefined && !isSwitchedOff(context, 'DELETE_FILE')) {
      const restored = await context.transact((tx) => restoreFile(tx, context, fileId))
      return success(bulkOutcome(1, [restored], null))
    }
    if (!operation || !takeBack)
      throw new ApiError('NOT_FOUND', { message: 'There is no change of your own from the last ten minutes to undo' })
    const { entityType, total } = operation
    if (total > bulkMax) {
      const jobId = await enqueueJob(context, undoEvent, total, { operationId: undoId, entityType })
      return new StatusReply(202, success({ jobId }))
    }
    const own = asUndoable(context)
    const results = await context.transact(async (tx) =>
      takeBack(tx, own, await readOperationRecords(tx, context, { operationId: undoId, after: null, limit: bulkMax })),
    )
    return success(bulkOutcome(total, results, own))
  },
})

async function isRunning({ db, workspace }: CrmContext, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.workspaceId, workspace.id), eq(jobs.id, id), inArray(jobs.state, ['QUEUED', 'RUNNING'])))
  return rows.length > 0
}

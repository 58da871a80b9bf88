import type { Scope, Transaction } from '@crm/db'
import { and, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'
import { bulkMax, changeRecords, removeRecords, selectedBy, type BulkChange } from '../records/owned/bulk.ts'
import { momentOf } from '../records/moment.ts'
import type { OwnedRow } from '../records/owned/kind.ts'
import { createdUntil, selectRecordIds } from '../records/owned/repository.ts'
import { readOperationRecords } from '../records/owned/undo.ts'
import type { RecordWriter } from '../records/owned/write.ts'
import { undoOf } from '../across/undo/undoable-kinds.ts'
import type { JobHandler } from './job-handler.ts'
import type { JobRow } from './job-rows.ts'
import { runStep } from './job-steps.ts'

/** Returns the background work of one kind of record: to change and delete all matches of a filter, in steps. */
export function bulkJobs<Row extends OwnedRow, Patch extends object>(
  name: string,
  writer: RecordWriter<Row, Patch>,
): Readonly<Record<string, JobHandler>> {
  return {
    [`${name}.bulk-update`]: (work) =>
      runStep(work, async (tx, context, job) => {
        const [scope, ids] = await nextMatches(tx, context, writer, job, 'UPDATE')
        const change = job.payload['change'] as BulkChange<Patch>
        return { ids, results: await changeRecords(tx, context, writer, scope, ids, change) }
      }),
    [`${name}.bulk-delete`]: (work) =>
      runStep(work, async (tx, context, job) => {
        const [scope, ids] = await nextMatches(tx, context, writer, job, 'DELETE')
        return { ids, results: await removeRecords(tx, context, writer, scope, ids) }
      }),
  }
}

/** Returns the next matches of a job's filter that its employee may change or delete now. */
async function nextMatches<Row extends OwnedRow, Patch extends object>(
  tx: Transaction,
  context: CrmContext,
  writer: RecordWriter<Row, Patch>,
  job: JobRow,
  action: 'UPDATE' | 'DELETE',
): Promise<readonly [Scope, readonly string[]]> {
  const { kind } = writer
  const scope = context.scope(kind.entityType, action)
  const matches = await selectedBy(tx, writer, { scope, moment: momentOf(context) }, job.payload)
  const upTo = createdUntil(kind, job.createdAt, job.cursor)
  return [scope, await selectRecordIds(tx, kind, and(matches, upTo) as SQL, bulkMax)]
}

/** Undoes one step of an operation on many records; the operation's records come by their ids. */
export const undoJob: JobHandler = (work) =>
  runStep(work, async (tx, context, job) => {
    const operationId = job.payload['operationId'] as string
    const undo = await undoOf(tx, context, job.payload['entityType'] as string)
    const records = undo
      ? await readOperationRecords(tx, context, { operationId, after: job.cursor, limit: bulkMax })
      : []
    return { ids: records.map(({ id }) => id), results: (await undo?.(tx, context, records)) ?? [] }
  })

import { crm } from '../base/api.ts'
import { finishedJob } from '../base/jobs.ts'
import { inOwnDays } from '../base/moments.ts'
import { notifyProgress } from '../shell/notices.tsx'
import { bulkCallsOf, type AnyRecord, type BulkAnswer } from './record-calls.ts'

/** The records of a change: some by id, or all that a list finds. */
export type BulkTarget =
  | { readonly rows: readonly AnyRecord[] }
  | { readonly query: Readonly<Record<string, string>>; readonly total: number }

/** The change that many records get. */
export interface BulkChange {
  /** The new values by field key, including custom fields. */
  readonly set?: Readonly<Record<string, unknown>>
  readonly addTags?: readonly string[]
  readonly removeTags?: readonly string[]
}

const customPrefix = 'cf_'

/** Returns the records of a target in the form of a bulk operation. */
export function selectorOf(target: BulkTarget): object {
  if ('rows' in target) return { ids: target.rows.map(({ id }) => id) }
  const { query, total } = target
  const narrows = Object.keys(query).length > 0
  return { ...(narrows ? { filter: inOwnDays(query) } : { all: true }), expectedCount: total }
}

/** Returns a change in the form of a bulk operation: custom fields are in a member of their own. */
export function bodyOfChange({ set = {}, addTags, removeTags }: BulkChange): object {
  const entries = Object.entries(set)
  const own = entries.filter(([key]) => !key.startsWith(customPrefix))
  const custom = entries.filter(([key]) => key.startsWith(customPrefix))
  const customFields = Object.fromEntries(custom.map(([key, value]) => [key.slice(customPrefix.length), value]))
  const fields = { ...Object.fromEntries(own), ...(custom.length === 0 ? {} : { customFields }) }
  return {
    ...(entries.length === 0 ? {} : { set: fields }),
    ...(addTags === undefined ? {} : { addTags }),
    ...(removeTags === undefined ? {} : { removeTags }),
  }
}

/** Changes many records; a dry run only returns the outcome. */
export function changeMany(entityType: string, target: BulkTarget, change: BulkChange, dryRun: boolean) {
  return bulkCallsOf(entityType).change({ ...selectorOf(target), ...bodyOfChange(change), dryRun })
}

/** Deletes many records; a dry run only returns the outcome. */
export function deleteMany(entityType: string, target: BulkTarget, dryRun: boolean) {
  return bulkCallsOf(entityType).remove({ ...selectorOf(target), dryRun })
}

/** The outcome of a change or of its undoing. */
export interface Done {
  readonly count: number
  readonly failed: number
  readonly undoId: string | null
}

/** Returns the outcome of a change. Work in the background is waited for, and its progress is shown as `text`. */
export async function doneOf(answer: BulkAnswer | { readonly jobId: string }, text: string): Promise<Done> {
  if (!('jobId' in answer)) {
    const { matched, failed, undoId } = answer
    return { count: matched - failed, failed, undoId }
  }
  const notice = notifyProgress(text)
  try {
    const { processed, failed } = await finishedJob(answer.jobId, notice.show)
    return { count: processed - failed, failed, undoId: answer.jobId }
  } finally {
    notice.close()
  }
}

/** Undoes a change or a deletion of many records. */
export async function undoChange(undoId: string): Promise<BulkAnswer | { readonly jobId: string }> {
  return (await crm.undo.run({ params: { undoId } })).data
}

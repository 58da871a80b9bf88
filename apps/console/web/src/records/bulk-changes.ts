import { settings } from '../base/api.ts'
import { valueOf } from './field-values.ts'
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
}

const customPrefix = 'cf_'

/** Returns the records of a target in the form of a bulk operation. */
export function selectorOf(target: BulkTarget): object {
  if ('rows' in target) return { ids: target.rows.map(({ id }) => id) }
  const { query, total } = target
  const narrows = Object.keys(query).length > 0
  return { ...(narrows ? { filter: query } : { all: true }), expectedCount: total }
}

/** Returns a change in the form of a bulk operation: custom fields are in a member of their own. */
export function bodyOfChange({ set = {}, addTags }: BulkChange): object {
  const entries = Object.entries(set)
  const own = entries.filter(([key]) => !key.startsWith(customPrefix))
  const custom = entries.filter(([key]) => key.startsWith(customPrefix))
  const customFields = Object.fromEntries(custom.map(([key, value]) => [key.slice(customPrefix.length), value]))
  const fields = { ...Object.fromEntries(own), ...(custom.length === 0 ? {} : { customFields }) }
  return {
    ...(entries.length === 0 ? {} : { set: fields }),
    ...(addTags === undefined ? {} : { addTags }),
  }
}

interface Way {
  readonly ids: readonly string[]
  readonly change: object
}

/** Returns as few changes as possible that restore the old values: records with the same old values are changed together. */
export function waysBack({ set = {}, addTags = [] }: BulkChange, before: readonly AnyRecord[]): readonly Way[] {
  const keys = Object.keys(set)
  const had = (row: AnyRecord) => Object.fromEntries(keys.map((key) => [key, valueOf(row, { key })]))
  const lacked = (row: AnyRecord) => {
    const tags: unknown = row['tags']
    return addTags.filter((tag) => !(Array.isArray(tags) && tags.includes(tag)))
  }
  const groups = Map.groupBy(before, (row) => JSON.stringify([had(row), lacked(row)]))
  return [...groups].flatMap(([, rows]) => {
    const [first] = rows
    if (first === undefined) return []
    const removeTags = lacked(first)
    const change = {
      ...(keys.length === 0 ? {} : bodyOfChange({ set: had(first) })),
      ...(removeTags.length === 0 ? {} : { removeTags }),
    }
    return Object.keys(change).length === 0 ? [] : [{ ids: rows.map(({ id }) => id), change }]
  })
}

/** Changes many records; a dry run only returns the outcome. */
export function changeMany(entityType: string, target: BulkTarget, change: BulkChange, dryRun: boolean) {
  return bulkCallsOf(entityType).change({ ...selectorOf(target), ...bodyOfChange(change), dryRun })
}

/** Deletes many records; a dry run only returns the outcome. */
export function deleteMany(entityType: string, target: BulkTarget, dryRun: boolean) {
  return bulkCallsOf(entityType).remove({ ...selectorOf(target), dryRun })
}

/** Returns the records of a target that were changed according to an answer. */
export function doneOf(rows: readonly AnyRecord[], answer: BulkAnswer): readonly AnyRecord[] {
  const failed = new Set(answer.results.filter(({ status }) => status === 'ERROR').map(({ id }) => id))
  return rows.filter(({ id }) => !failed.has(id))
}

/** Restores the values that a change replaced. */
export async function undoChange(entityType: string, change: BulkChange, before: readonly AnyRecord[]): Promise<void> {
  for (const way of waysBack(change, before)) await bulkCallsOf(entityType).change({ ids: way.ids, ...way.change })
}

/** Restores deleted records. */
export async function undoDelete(entityType: string, rows: readonly AnyRecord[]): Promise<void> {
  for (const { id } of rows) await settings.deletedRecords.restore({ params: { id }, body: { entityType } })
}

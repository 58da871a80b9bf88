import { settings } from '../base/api.ts'
import { valueOf } from './field-values.ts'
import { bulkCallsOf, type AnyRecord, type BulkAnswer } from './record-calls.ts'

/** Which records a change is for: some by id, or all that a list finds. */
export type BulkTarget =
  | { readonly rows: readonly AnyRecord[] }
  | { readonly query: Readonly<Record<string, string>>; readonly total: number }

/** What is to become of many records. */
export interface BulkChange {
  /** By the keys of fields, custom ones too. */
  readonly set?: Readonly<Record<string, unknown>>
  readonly addTags?: readonly string[]
}

const customPrefix = 'cf_'

/** The records of a target as a bulk operation takes them. */
export function selectorOf(target: BulkTarget): object {
  if ('rows' in target) return { ids: target.rows.map(({ id }) => id) }
  const { query, total } = target
  const narrows = Object.keys(query).length > 0
  return { ...(narrows ? { filter: query } : { all: true }), expectedCount: total }
}

/** A change as a bulk operation takes it: custom fields stand in a member of their own. */
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

/** The changes that give records what they had, as few as possible: those that had the same are changed together. */
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

/** Changes many records; a rehearsal says what would come of it. */
export function changeMany(entityType: string, target: BulkTarget, change: BulkChange, dryRun: boolean) {
  return bulkCallsOf(entityType).change({ ...selectorOf(target), ...bodyOfChange(change), dryRun })
}

/** Deletes many records; a rehearsal says what would come of it. */
export function deleteMany(entityType: string, target: BulkTarget, dryRun: boolean) {
  return bulkCallsOf(entityType).remove({ ...selectorOf(target), dryRun })
}

/** The records of a target that an answer says were changed. */
export function doneOf(rows: readonly AnyRecord[], answer: BulkAnswer): readonly AnyRecord[] {
  const failed = new Set(answer.results.filter(({ status }) => status === 'ERROR').map(({ id }) => id))
  return rows.filter(({ id }) => !failed.has(id))
}

/** Gives records back what a change took from them. */
export async function undoChange(entityType: string, change: BulkChange, before: readonly AnyRecord[]): Promise<void> {
  for (const way of waysBack(change, before)) await bulkCallsOf(entityType).change({ ids: way.ids, ...way.change })
}

/** Brings deleted records back. */
export async function undoDelete(entityType: string, rows: readonly AnyRecord[]): Promise<void> {
  for (const { id } of rows) await settings.deletedRecords.restore({ params: { id }, body: { entityType } })
}

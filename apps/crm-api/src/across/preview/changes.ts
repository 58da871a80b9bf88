import { previewedChangesMax, shownFields, type RecordChange } from '@crm/contract'
import { fieldChanges, type ChangeRecord, type Executor } from '@crm/db'
import type { Exchange } from '@crm/http'
import { keyOf, readSeen, type Onlooker, type SeenRecord } from '../../kinds/in-sight.ts'
import type { RecordLink } from '../../kinds/record-links.ts'

export type Values = Readonly<Record<string, unknown>>

/** Fields that every change moves, and that say nothing of it. */
const bookkeeping = new Set(['id', 'createdAt', 'updatedAt', 'createdById', 'version'])

/** What a request changes, as far as its caller may see it. */
export interface Changes {
  readonly changes: readonly RecordChange[]
  readonly more?: number
  readonly hidden?: number
  /** The versions of the changed records without the request, by id. */
  readonly versions: Readonly<Record<string, number>>
}

/** What is known of a request that was done, while its transaction still stands. */
export interface Done {
  readonly written: readonly ChangeRecord[]
  readonly records: ReadonlyMap<string, SeenRecord>
  /** The record that its path names, or the one that it made, where its kind has no history of its own. */
  readonly plain: { readonly id: string; readonly entity: string; readonly after: Values | null } | null
}

/** Returns the records to which the entries of a history belong. */
function linksOf(written: readonly ChangeRecord[]): readonly RecordLink[] {
  const links = written.flatMap(({ timeline = [] }) =>
    timeline.map(({ entityType, entityId }) => ({ entityType, entityId })),
  )
  return [...new Map(links.map((link) => [keyOf(link), link])).values()]
}

/** Reads what the caller sees of a request that was done. */
export async function readDone(
  tx: Executor,
  onlooker: Onlooker,
  exchange: Exchange,
  written: readonly ChangeRecord[],
  body: string,
): Promise<Done> {
  const links = linksOf(written)
  const id = idOf(exchange, body)
  const isOwned = links.some(({ entityId }) => entityId === id)
  const { entity } = exchange.declared.resource
  const plain =
    id === null || entity === null || isOwned ? null : { id, entity, after: await plainAfter(exchange, body, tx) }
  return { written, records: await readSeen(tx, onlooker, links), plain }
}

/** Returns the difference between what the caller sees of a request that was done, and what they see without it. */
export async function readChanges(
  tx: Executor,
  onlooker: Onlooker,
  exchange: Exchange,
  { written, records, plain }: Done,
): Promise<Changes> {
  const links = linksOf(written)
  const before = await readSeen(tx, onlooker, links)
  const seen = links.filter((link) => before.has(keyOf(link)) || records.has(keyOf(link)))
  const all = [
    ...seen.flatMap((link) => changeOf(link, before.get(keyOf(link)), records.get(keyOf(link)))),
    ...(plain ? await plainChange(tx, exchange, plain) : []),
  ]
  const more = all.length - previewedChangesMax
  const hidden = links.length - seen.length
  return {
    changes: all.slice(0, previewedChangesMax),
    versions: Object.fromEntries([...before.values()].map(({ row }) => [row.id, row.version])),
    ...(more > 0 ? { more } : {}),
    ...(hidden > 0 ? { hidden } : {}),
  }
}

function changeOf(
  { entityType, entityId }: RecordLink,
  before: SeenRecord | undefined,
  after: SeenRecord | undefined,
): readonly RecordChange[] {
  const shown = shownFields(entityType)
  const valuesOf = (seen: SeenRecord | undefined): Values | null =>
    seen ? Object.fromEntries(Object.entries(seen.row).filter(([name]) => shown.has(name))) : null
  // People know a record by what it is called now.
  const { kind, row } = (before ?? after) as SeenRecord
  return difference({ entityType, id: entityId, title: kind.title(row) }, valuesOf(before), valuesOf(after))
}

/** Returns the change from one version of a record to another; none where nothing changed. */
export function difference(
  of: Pick<RecordChange, 'entityType' | 'id' | 'title'>,
  before: Values | null,
  after: Values | null,
): readonly RecordChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const whole = Object.fromEntries([...names].map((name) => [name, after?.[name] ?? null]))
  const changed = fieldChanges(before ?? {}, whole).filter(({ field }) => !bookkeeping.has(field))
  if (before && after && changed.length === 0) return []
  const kind = before ? (after ? 'UPDATE' : 'DELETE') : 'CREATE'
  return [{ ...of, kind, fields: Object.fromEntries(changed.map(({ field, from, to }) => [field, [from, to]])) }]
}

/** Returns the id of the record that the path of a request names last, or of the one that the answer holds. */
export function idOf({ declared, input }: Exchange, body: string): string | null {
  const { method, path } = declared.operation
  const named = /\{(\w+)\}$/.exec(path)?.[1]
  const { [named ?? '']: id } = (input.params ?? {}) as Readonly<Record<string, unknown>>
  if (named !== undefined) return typeof id === 'string' ? id : null
  const made = method === 'DELETE' ? undefined : answered(body)?.['id']
  return typeof made === 'string' ? made : null
}

function answered(body: string): Values | null {
  const { data } = (body === '' ? {} : JSON.parse(body)) as { readonly data?: unknown }
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Values) : null
}

/** Reads a record without a history of its own after a request was done; null where it is gone. */
export async function plainAfter(exchange: Exchange, body: string, tx: Executor): Promise<Values | null> {
  const { method } = exchange.declared.operation
  if (method === 'DELETE') return null
  return method === 'POST' ? answered(body) : ((await exchange.readShown?.(tx)) ?? answered(body))
}

async function plainChange(
  tx: Executor,
  exchange: Exchange,
  { id, entity, after }: NonNullable<Done['plain']>,
): Promise<readonly RecordChange[]> {
  const isNew = exchange.declared.operation.method === 'POST'
  const before = isNew ? null : ((await exchange.readShown?.(tx)) ?? null)
  if (!before && !after) return []
  const { id: key = id } = (after ?? before) as { readonly id?: unknown }
  const of = { entityType: entity, id: String(key), title: titleIn(before ?? after) }
  return difference(of, before, after)
}

/** Returns the name of a record without a history of its own. */
export function titleIn(record: Values | null): string | null {
  const title = ['name', 'title', 'label', 'code']
    .map((field) => record?.[field])
    .find((text) => typeof text === 'string')
  return typeof title === 'string' ? title : null
}

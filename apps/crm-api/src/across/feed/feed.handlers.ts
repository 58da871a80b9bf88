import { feed, feedAnchors, type FeedItem, type timelineKinds } from '@crm/contract'
import { ApiError, invalidQueryParam } from '@crm/errors'
import { sql } from 'drizzle-orm'
import { addressOf, sightOf } from '../../kinds/in-sight.ts'
import { kindsInSight } from '../../kinds/kinds.ts'
import { requireKnownTypes } from '../../kinds/known-types.ts'
import type { RecordLink } from '../../kinds/record-links.ts'
import { visibleReferences } from '../../kinds/references.ts'
import { readNamesOf, type Names } from '../../domain/history/entry-names.ts'
import { showEntry } from '../../domain/history/shown-entries.ts'
import { implement, type CrmContext } from '../../platform/context.ts'
import { readCursor, writeCursor } from '../../records/cursors.ts'
import type { EntryRow } from '../../records/history.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { isReachable } from '../../records/owned/repository.ts'
import { entriesInSight, entriesOf, readEntries, type EntryPage, type FoundEntries } from './feed.entries.ts'
import { recordsAround } from './feed.records.ts'
import { rooms, sentenceOf } from './feed.words.ts'

export const implementedFeed = implement(feed, {
  list: async ({ query }, context) => {
    const anchor = anchorOf(query)
    await requireKnownTypes(context, query.types)
    const page: EntryPage = {
      workspaceId: context.workspace.id,
      filter: query,
      limit: query.limit,
      after: query.cursor === undefined ? undefined : readCursor(query.cursor),
    }
    const { found, isTruncated } = anchor
      ? await feedOf(context, anchor, query.types, page)
      : { found: await feedOfAll(context, query.types, page), isTruncated: false }
    const rows = found.ids.length > 0 ? await readEntries(context.db, context.workspace.id, found.ids) : []
    const names = await readNamesOf(context.db, context, rows)
    const items = rows.flatMap((row) => {
      const known = names.of(row)
      return known ? [query.compact ? shortItem(row, known) : item(context, row, known)] : []
    })
    // A page ends early where its entries are large; the next page continues there.
    const next = rows.length < found.ids.length ? (rows.at(-1)?.id ?? null) : found.next
    return {
      items,
      hasMore: next !== null,
      nextCursor: next === null ? null : writeCursor(next),
      ...(isTruncated ? { truncated: true as const } : {}),
    }
  },
})

type AnchorParams = Readonly<
  Partial<Record<(typeof feedAnchors)[keyof typeof feedAnchors] | 'entityType' | 'entityId', string>>
>

/** Returns the record whose feed is requested; null for the feed of the workspace. */
function anchorOf(query: AnchorParams): RecordLink | null {
  const { entityType, entityId } = query
  const named = Object.entries(feedAnchors).flatMap(([type, param]): (RecordLink & { readonly param: string })[] => {
    const id = query[param]
    return id === undefined ? [] : [{ param, entityType: type, entityId: id }]
  })
  if ((entityType === undefined) !== (entityId === undefined))
    throw invalidQueryParam(entityType === undefined ? 'entityType' : 'entityId', 'entityType and entityId go together')
  if (entityType !== undefined && entityId !== undefined) named.push({ param: 'entityType', entityType, entityId })
  const [first, second] = named
  if (second) throw invalidQueryParam(second.param, 'A feed is that of one record: send one of its ids')
  return first ? { entityType: first.entityType, entityId: first.entityId } : null
}

async function feedOf(
  context: CrmContext,
  anchor: RecordLink,
  types: readonly string[] | undefined,
  page: EntryPage,
): Promise<{ readonly found: FoundEntries; readonly isTruncated: boolean }> {
  const { db } = context
  const kind = kindsInSight(context).find(({ entityType }) => entityType === anchor.entityType)
  const scope = kind && sightOf(context, kind.entityType)
  if (!scope || !(await isReachable(db, kind, scope, anchor.entityId)))
    throw new ApiError('NOT_FOUND', { message: 'There is no such record' })
  const { records, isTruncated } = await recordsAround(db, context, anchor)
  const wanted = types ? records.filter(({ entityType }) => types.includes(entityType)) : records
  return { found: wanted.length > 0 ? await entriesOf(db, wanted, page) : { ids: [], next: null }, isTruncated }
}

async function feedOfAll(
  context: CrmContext,
  types: readonly string[] | undefined,
  page: EntryPage,
): Promise<FoundEntries> {
  const kinds = kindsInSight(context).filter(
    ({ entityType }) => (types?.includes(entityType) ?? true) && sightOf(context, entityType),
  )
  return entriesInSight(context.db, (name) => seen(context, kinds, name), page)
}

function seen(context: CrmContext, kinds: readonly RecordKind[], name: 'entry' | 'twin') {
  const column = (of: string) => sql.raw(`${name}.${of}`)
  return visibleReferences(context, { entityType: column('entity_type'), entityId: column('entity_id') }, kinds)
}

function item({ workspace }: CrmContext, row: EntryRow, names: Names): FeedItem {
  const { entityType, entityId: id } = row
  return {
    ...showEntry(row, names),
    record: { entityType, id, title: names.title, url: addressOf(workspace.baseUrl, { entityType, entityId: id }) },
    text: sentenceOf(row, names, rooms.usual),
  }
}

function shortItem(row: EntryRow, names: Names): FeedItem {
  return {
    occurredAt: row.occurredAt.replace(/\.\d+Z$/, 'Z'),
    kind: row.kind as (typeof timelineKinds)[number],
    record: `${row.entityType.toLowerCase()}:${row.entityId}`,
    text: sentenceOf(row, names, rooms.short),
  }
}

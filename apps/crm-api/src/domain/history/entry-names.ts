import { entryLinksMax, entryQuoteLines, feedQuoteMax, recordOperations, type EntryLink } from '@crm/contract'
import { targetOf } from '@crm/model'
import { isAnyOf, isId, schema, visible, type Executor } from '@crm/db'
import { and, eq, sql } from 'drizzle-orm'
import { keyOf, readSeen, sightOf, type SeenRecord } from '../../kinds/in-sight.ts'
import { kindOf } from '../../kinds/kinds.ts'
import type { RecordLink } from '../../kinds/record-links.ts'
import type { CrmContext } from '../../platform/context.ts'
import { recallCustomEntities } from '../../records/custom-kinds.ts'
import type { EntryRow } from '../../records/history.ts'
import { visibleFiles } from '../files/files.visibility.ts'
import { readNames } from '../summaries/names.ts'
import { builtInLabel, firstLines, labelWithin, plainValue } from './entry-values.ts'

/** The names that tell an entry of a history to people. */
export interface Names {
  /** The word for such a record, such as `price list`; the title of this record follows. */
  readonly noun: string
  readonly title: string
  /** The title of the task, document or file of the entry; undefined where the caller may not see it. */
  readonly related: string | undefined
  /** The written text: a comment, a note, the result of a call, an email. */
  readonly quote: string | undefined
  /** The records besides its own that the entry tells of, such as those that a lead became, as far as the caller may see them. */
  readonly others: readonly EntryLink[]
  /** These records and the objects in its changes. */
  readonly links: readonly EntryLink[]
  /** Returns the label of a field. `value` returns a value in readable form; null for no value, undefined for a value that is too long. */
  label(field: string): string
  value(field: string, value: unknown): string | null | undefined
}

/** The names of entries. */
export interface NamesOfEntries {
  /** Returns the names for an entry; undefined when its record was deleted meanwhile. */
  of(entry: EntryRow): Names | undefined
}

interface Field {
  readonly label: string
  readonly options: ReadonlyMap<string, string>
}

/** Reads all names by which entries are told, as far as the caller may see them. */
export async function readNamesOf(
  db: Executor,
  context: CrmContext,
  entries: readonly EntryRow[],
): Promise<NamesOfEntries> {
  const nouns = await readNouns(db, context)
  const records = await readSeen(db, context, entries.flatMap(recordsIn))
  const merged = await readMerged(db, context, entries)
  const files = await readFiles(db, context, entries)
  const comments = await readComments(db, context.workspace.id, entries)
  const fields = await readFields(db, context, entries)
  const referred = await readReferred(db, context, entries)
  return {
    of: (entry) => {
      const record = records.get(keyOf(entry))
      if (!record) return undefined
      const { entityType, data, relatedId, relatedType } = entry
      const related =
        relatedId !== null && relatedType !== null ? records.get(`${relatedType}:${relatedId}`) : undefined
      const enums = recordOperations(entityType)?.summary?.summarized?.dimensions ?? {}
      const others = othersIn(entry).flatMap((other): EntryLink[] => {
        const found = records.get(keyOf(other)) ?? merged.get(keyOf(other))
        if (found) return [linkTo(other, titleOf(found) ?? null)]
        const file = other.entityType === 'FILE' ? files.get(other.entityId) : undefined
        return file === undefined ? [] : [linkTo(other, file)]
      })
      return {
        noun: nouns.get(entityType) ?? record.kind.noun,
        title: record.kind.title(record.row),
        related: related ? titleOf(related) : nameIn(data),
        quote: relatedType === 'COMMENT' ? comments.get(relatedId ?? '') : writtenIn(entry, related),
        others,
        links: eachOnce([...others, ...referred.linksOf(entry)]).slice(0, entryLinksMax),
        label: (field) => fields.get(`${entityType}:${field}`)?.label ?? builtInLabel(field),
        value: (field, value) => {
          const named = typeof value === 'string' ? referred.nameOf(entityType, field, value) : undefined
          if (named !== undefined) return named
          if (typeof value === 'string' && isId(value)) return undefined
          const option =
            typeof value === 'string' ? fields.get(`${entityType}:${field}`)?.options.get(value) : undefined
          return option ?? plainValue(value, enums[field]?.type === 'enum')
        },
      }
    },
  }
}

function linkTo({ entityType, entityId }: RecordLink, title: string | null): EntryLink {
  return { entityType, id: entityId, title }
}

function eachOnce(links: readonly EntryLink[]): EntryLink[] {
  const known = new Map<string, EntryLink>()
  for (const link of links) known.set(link.id, known.get(link.id) ?? link)
  return [...known.values()]
}

/** The records that a lead became, by the member of the entry's data that names each. */
const conversionParts = { contactId: 'CONTACT', companyId: 'COMPANY', dealId: 'DEAL' } as const

/** Returns the records besides its own that an entry tells of. */
function othersIn({ kind, entityType, entityId, data, relatedType, relatedId }: EntryRow): RecordLink[] {
  const named = (type: string, id: unknown): RecordLink[] =>
    typeof id === 'string' && isId(id) ? [{ entityType: type, entityId: id }] : []
  const others = [
    ...(kind === 'CONVERTED'
      ? Object.entries(conversionParts).flatMap(([member, type]) => named(type, data[member]))
      : []),
    ...(kind === 'MERGED' && Array.isArray(data['sourceIds'])
      ? data['sourceIds'].flatMap((id) => named(entityType, id))
      : []),
    ...(relatedType === null ? [] : named(relatedType, relatedId)),
  ]
  return others.filter((other) => other.entityId !== entityId)
}

function recordsIn(entry: EntryRow): RecordLink[] {
  const { entityType, entityId } = entry
  return [{ entityType, entityId }, ...othersIn(entry)]
}

/** Returns the title of a record. An activity without a subject has its type as title, which the sentence names already. */
function titleOf({ kind, row }: SeenRecord): string | undefined {
  return 'subject' in row && row.subject === null ? undefined : kind.title(row)
}

/** Returns the name that an entry keeps of an object that is no record: a file, a document, a booking link. */
function nameIn(data: EntryRow['data']): string | undefined {
  return [data['name'], data['title'], data['linkName']].find((name) => typeof name === 'string')
}

interface Written {
  readonly subject?: string | null
  readonly body?: string | null
  readonly outcome?: string | null
}

/** Returns the text of an activity: of a call or meeting its result first, of an email and a note what was written. */
function writtenIn({ kind, data }: EntryRow, related: SeenRecord | undefined): string | undefined {
  if (typeof data['reason'] === 'string') return data['reason']
  if (related?.kind.entityType !== 'ACTIVITY') return undefined
  const { subject, body, outcome } = related.row as Written
  const isNote = kind === 'NOTE_ADDED'
  const parts = [outcome, body, isNote && !body ? subject : null].filter((part) => part)
  return parts.length === 0 ? undefined : parts.join('\n')
}

/** Returns the written text as far as an answer quotes it; null for none. */
export function quoteOf({ quote }: Names): string | null {
  return quote === undefined ? null : firstLines(quote, { lines: entryQuoteLines, characters: feedQuoteMax })
}

/** Returns the words for records of custom entities. */
async function readNouns(db: Executor, context: CrmContext): Promise<ReadonlyMap<string, string>> {
  const entities = await recallCustomEntities(db, context)
  return new Map(entities.map(({ entityType, labels }) => [entityType, labels.singular]))
}

/** Returns the records that were merged into others, as far as the caller could see them before; lists show them no more. */
async function readMerged(
  db: Executor,
  context: CrmContext,
  entries: readonly EntryRow[],
): Promise<ReadonlyMap<string, SeenRecord>> {
  const merges = entries.filter(({ kind }) => kind === 'MERGED')
  const found = new Map<string, SeenRecord>()
  for (const [entityType, ofType] of Map.groupBy(merges, (entry) => entry.entityType)) {
    const kind = kindOf(entityType)
    const scope = kind && sightOf(context, entityType)
    if (!scope || !kind.table.mergedIntoId) continue
    const ids = [...new Set(ofType.flatMap(othersIn).map(({ entityId }) => entityId))]
    if (ids.length === 0) continue
    const { table, rows } = kind
    const isMerged = sql`${table.mergedIntoId} IS NOT NULL`
    const { rows: raws } = await db.execute(
      sql`SELECT ${rows.selection(scope.workspaceId)} FROM ${table} WHERE ${and(visible(scope, table), isMerged, isAnyOf(table.id, ids))}`,
    )
    for (const row of raws.map((raw) => rows.read(raw)))
      found.set(keyOf({ entityType, entityId: row.id }), { kind, row })
  }
  return found
}

/** Returns the names of files that the caller may see, by id. */
async function readFiles(
  db: Executor,
  context: CrmContext,
  entries: readonly EntryRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = entries.flatMap(({ relatedType, relatedId }) => (relatedType === 'FILE' && relatedId ? [relatedId] : []))
  const maySee = sightOf(context, 'FILE') ?? sightOf(context, 'DOCUMENT')
  if (ids.length === 0 || !maySee) return new Map()
  const { files } = schema
  const rows = await db
    .select({ id: files.id, name: files.name })
    .from(files)
    .where(and(visibleFiles(context), isAnyOf(files.id, ids)))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Returns the texts of comments, by id; their records are the records of the entries. */
async function readComments(
  db: Executor,
  workspaceId: string,
  entries: readonly EntryRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = entries.flatMap(({ relatedType, relatedId }) =>
    relatedType === 'COMMENT' && relatedId ? [relatedId] : [],
  )
  if (ids.length === 0) return new Map()
  const { comments } = schema
  const rows = await db
    .select({ id: comments.id, body: comments.body })
    .from(comments)
    .where(and(eq(comments.workspaceId, workspaceId), isAnyOf(comments.id, ids)))
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** Returns the labels of custom fields and of their options, by entity type and field. */
async function readFields(
  db: Executor,
  context: CrmContext,
  entries: readonly EntryRow[],
): Promise<ReadonlyMap<string, Field>> {
  if (!entries.some(({ changes }) => changes.some(({ field }) => field === 'customFields' || field === 'values')))
    return new Map()
  const { customFields } = schema
  const declared = await db.select().from(customFields).where(eq(customFields.workspaceId, context.workspace.id))
  const own = (await recallCustomEntities(db, context)).flatMap(({ entityType, fields }) =>
    fields.map((field) => ({ ...field, entityType })),
  )
  return new Map(
    [...declared, ...own].map(({ entityType, key, label, options }) => [
      `${entityType}:cf_${key}`,
      { label: labelWithin(label), options: new Map(options.map((option) => [option.value, option.label])) },
    ]),
  )
}

/** The names of the objects in changes. */
interface Referred {
  nameOf(entityType: string, field: string, id: string): string | undefined
  linksOf(entry: EntryRow): readonly EntryLink[]
}

/** Reads the names behind the ids in changes. */
async function readReferred(db: Executor, context: CrmContext, entries: readonly EntryRow[]): Promise<Referred> {
  const wanted = new Map<string, { entityType: string; field: string; ids: Set<string> }>()
  for (const { entityType, changes } of entries) {
    for (const change of changes) {
      const { field } = change
      const ids = idsIn(entityType, change)
      if (ids.length === 0) continue
      const asked = wanted.get(`${entityType}:${field}`) ?? { entityType, field, ids: new Set<string>() }
      for (const id of ids) asked.ids.add(id)
      wanted.set(`${entityType}:${field}`, asked)
    }
  }
  const names = new Map<string, string>()
  for (const [key, { entityType, field, ids }] of wanted) {
    for (const [id, name] of await readNames(db, context, entityType, field, [...ids])) names.set(`${key}:${id}`, name)
  }
  const nameOf = (entityType: string, field: string, id: string) => names.get(`${entityType}:${field}:${id}`)
  return {
    nameOf,
    linksOf: ({ entityType, changes }) =>
      changes.flatMap((change) =>
        idsIn(entityType, change).flatMap((id): EntryLink[] => {
          const title = nameOf(entityType, change.field, id)
          const of = targetOf(entityType, change.field)
          return title === undefined || of === undefined ? [] : [{ entityType: of, id, title }]
        }),
      ),
  }
}

type Change = EntryRow['changes'][number]

/** Returns the ids in a change of a field that refers to other objects. */
function idsIn(entityType: string, { field, from, to }: Change): string[] {
  if (targetOf(entityType, field) === undefined) return []
  const ids = [from, to].flat().filter((value): value is string => typeof value === 'string' && isId(value))
  return [...new Set(ids)]
}

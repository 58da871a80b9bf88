import { recordOperations } from '@crm/contract'
import { isAnyOf, schema, type Executor } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { keyOf, readSeen, type SeenRecord } from '../../kinds/in-sight.ts'
import type { RecordLink } from '../../kinds/record-links.ts'
import type { CrmContext } from '../../platform/context.ts'
import { recallCustomEntities } from '../../records/custom-kinds.ts'
import { readNames } from '../../domain/summaries/names.ts'
import type { EntryRow } from './feed.entries.ts'
import { builtInLabel, labelWithin, plainValue, type Names } from './feed.words.ts'

/** The names that sentences about entries use. */
export interface NamesOfEntries {
  /** Returns the names for an entry; undefined when its record was deleted meanwhile. */
  of(entry: EntryRow): Names | undefined
}

interface Field {
  readonly label: string
  readonly options: ReadonlyMap<string, string>
}

/** Reads all names that sentences about entries use, as far as the caller may see them. */
export async function readNamesOf(
  db: Executor,
  context: CrmContext,
  entries: readonly EntryRow[],
): Promise<NamesOfEntries> {
  const nouns = await readNouns(db, context)
  const records = await readSeen(db, context, entries.flatMap(recordsIn))
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
      return {
        noun: nouns.get(entityType) ?? record.kind.noun,
        title: record.kind.title(record.row),
        related: related ? titleOf(related) : typeof data['name'] === 'string' ? data['name'] : undefined,
        quote: relatedType === 'COMMENT' ? comments.get(relatedId ?? '') : noteOf(entry, related),
        label: (field) => fields.get(`${entityType}:${field}`)?.label ?? builtInLabel(field),
        value: (field, value) => {
          const named = typeof value === 'string' ? referred.get(`${field}:${value}`) : undefined
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

function isId(text: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)
}

function recordsIn({ entityType, entityId, relatedType, relatedId }: EntryRow): RecordLink[] {
  const record = { entityType, entityId }
  return relatedType !== null && relatedId !== null
    ? [record, { entityType: relatedType, entityId: relatedId }]
    : [record]
}

/** Returns the title of a record. An activity without a subject has its type as title, which the sentence names already. */
function titleOf({ kind, row }: SeenRecord): string | undefined {
  return 'subject' in row && row.subject === null ? undefined : kind.title(row)
}

/** Returns the text of a note. */
function noteOf({ kind }: EntryRow, related: SeenRecord | undefined): string | undefined {
  if (kind !== 'NOTE_ADDED' || !related) return undefined
  const { subject, body } = related.row as { readonly subject?: string | null; readonly body?: string | null }
  return body ?? subject ?? undefined
}

/** Returns the words for records of custom entities. */
async function readNouns(db: Executor, context: CrmContext): Promise<ReadonlyMap<string, string>> {
  const entities = await recallCustomEntities(db, context)
  return new Map(entities.map(({ entityType, labels }) => [entityType, labels.singular]))
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

/** Returns the names behind the ids in changes, by field and id. */
async function readReferred(
  db: Executor,
  context: CrmContext,
  entries: readonly EntryRow[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<string, { entityType: string; field: string; ids: Set<string> }>()
  for (const { entityType, changes } of entries) {
    for (const { field, from, to } of changes.filter((change) => change.field.endsWith('Id'))) {
      const asked = wanted.get(`${entityType}:${field}`) ?? { entityType, field, ids: new Set<string>() }
      for (const id of [from, to]) if (typeof id === 'string' && isId(id)) asked.ids.add(id)
      wanted.set(`${entityType}:${field}`, asked)
    }
  }
  const names = new Map<string, string>()
  for (const { entityType, field, ids } of wanted.values()) {
    for (const [id, name] of await readNames(db, context, entityType, field, [...ids]))
      names.set(`${field}:${id}`, name)
  }
  return names
}

import type { MigrationMatch } from '@crm/contract'
import { addressKey, folded, isAnyOf, isId, schema, visible, type Executor, type Scope } from '@crm/db'
import { fieldsOf, kindOf, type Field } from '@crm/model'
import { and, eq, isNotNull, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { CrmContext } from '../../platform/context.ts'
import { toE164 } from '../../records/contact-points.ts'
import { kindOf as recordKindOf } from '../../kinds/kinds.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import type { MigrationKey } from './moving.repository.ts'

const { migrationKeys } = schema

/** Stands for a record that a row will become: a trial writes none. */
export const comingId = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

/** Where records are looked for. */
export interface Search {
  /** The migration whose rows count too; null for a single import. */
  readonly migration: MigrationKey | null
  /** The program whose keys the rows have. */
  readonly source: string
}

/**
 * Returns the records of a kind that texts name, within sight: by the key of the program, by id, address or number, or by a name that one record has.
 * Rows of the same migration count before all others.
 */
export async function findRecordsNamed(
  db: Executor,
  context: Pick<CrmContext, 'workspace' | 'scopeIfAllowed'>,
  search: Search,
  entityType: string,
  texts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const kind = recordKindOf(entityType)
  const scope = context.scopeIfAllowed(entityType)
  const missing = (): string[] => texts.filter((text) => !found.has(text))
  if (search.migration) await findAmongRows(db, search.migration, entityType, missing(), found)
  if (!kind || !scope) return found
  for (const condition of waysToName(kind, search.source)) {
    const asked = missing().filter((text) => condition.fits(text))
    if (asked.length > 0) await findByCondition(db, kind, scope, condition, asked, found)
  }
  return found
}

async function findByCondition(
  db: Executor,
  kind: RecordKind,
  scope: Scope,
  { isSame, withMerged }: Way,
  texts: readonly string[],
  found: Map<string, readonly string[]>,
): Promise<void> {
  const { table } = kind
  const survivor = withMerged && table.mergedIntoId ? sql`coalesce(${table.mergedIntoId}, ${table.id})` : table.id
  const { rows } = await db.execute<{ text: string; ids: string[] }>(sql`
    SELECT asked.text, (array_agg(DISTINCT ${survivor}))[1:2] AS ids
    FROM unnest(${sql.param([...texts])}::text[]) asked (text) JOIN ${table} ON ${isSame(sql`asked.text`)}
    WHERE ${isThere(kind, scope, withMerged)} GROUP BY 1`)
  for (const { text, ids } of rows) found.set(text, ids)
}

/** Records that were merged into others stand for those. */
function isThere({ table, base }: RecordKind, scope: Scope, withMerged: boolean): SQL {
  const remains = withMerged && table.mergedIntoId ? isNotNull(table.mergedIntoId) : undefined
  return and(visible(scope, table), or(isNull(table.deletedAt), remains), base) as SQL
}

/** One way in which a text can name a record. */
interface Way {
  fits(text: string): boolean
  isSame(text: SQL): SQL
  readonly withMerged: boolean
}

function waysToName(kind: RecordKind, source: string): readonly Way[] {
  const { table, entityType } = kind
  const columns = table as unknown as Readonly<Record<string, PgColumn | undefined>>
  const { externalSource, externalId, number, sku } = columns
  const any = (): boolean => true
  const byField = fieldsOfType(entityType, ['email', 'domain']).flatMap(({ name, field }): readonly Way[] => {
    const column = columns[name]
    const fits = field.type === 'email' ? (text: string) => text.includes('@') : (text: string) => text.includes('.')
    return column
      ? [{ fits, isSame: (text) => sql`${addressKey(column)} = ${addressKey(text)}`, withMerged: true }]
      : []
  })
  return [
    {
      fits: any,
      isSame: (text) => and(eq(externalSource as PgColumn, source), eq(externalId as PgColumn, text)) as SQL,
      withMerged: true,
    },
    { fits: isId, isSame: (text) => sql`${table.id} = ${text}::uuid`, withMerged: true },
    ...byField,
    ...(number?.getSQLType() === 'integer'
      ? [{ fits: isWhole, isSame: (text: SQL) => sql`${number} = ${text}::integer`, withMerged: false }]
      : []),
    ...(sku ? [{ fits: any, isSame: (text: SQL) => sql`${folded(sku)} = ${folded(text)}`, withMerged: false }] : []),
    { fits: any, isSame: (text) => sql`${folded(nameOf(kind))} = ${folded(text)}`, withMerged: false },
  ]
}

const wholeDigitsMax = 9

function isWhole(text: string): boolean {
  return /^\d+$/.test(text) && text.length <= wholeDigitsMax
}

/** The SQL of the name of a record: its title, in the order in which people write it. */
function nameOf({ entityType, table }: RecordKind): SQL {
  const columns = table as unknown as Readonly<Record<string, PgColumn | undefined>>
  const parts = (kindOf(entityType)?.title ?? ['title']).flatMap((name) => columns[name] ?? [])
  const [first] = parts
  return parts.length === 1 && first ? sql`${first}` : sql`concat_ws(' ', ${sql.join(parts, sql`, `)})`
}

function fieldsOfType(
  entityType: string,
  types: readonly Field['type'][],
): readonly { readonly name: string; readonly field: Field }[] {
  return Object.entries(fieldsOf(entityType))
    .filter(([, { type }]) => types.includes(type))
    .map(([name, field]) => ({ name, field }))
}

/** What a row is found by: the way, and the text. */
export interface RowKey {
  readonly by: MigrationMatch | 'name'
  readonly text: string
}

/** Returns the values of a record by which others of its kind are told apart: from the fields of a new record. */
export function keysOf(
  entityType: string,
  body: Readonly<Record<string, unknown>>,
  externalId: string | undefined,
): readonly RowKey[] {
  const { title = [] } = kindOf(entityType) ?? {}
  const name = title.flatMap((field) => (typeof body[field] === 'string' ? [body[field]] : [])).join(' ')
  return [
    ...(externalId ? [{ by: 'externalId' as const, text: externalId }] : []),
    ...pointsOf(entityType, body),
    ...(name === '' ? [] : [{ by: 'name' as const, text: name }]),
  ]
}

/** Returns all addresses, numbers and domains of a record. */
function pointsOf(entityType: string, body: Readonly<Record<string, unknown>>): readonly RowKey[] {
  return Object.entries(fieldsOf(entityType)).flatMap(([name, { type, rules }]) => {
    const by = matchOf(name, type, rules.of)
    const value = body[name]
    if (!by || value === undefined || value === null) return []
    const values = (Array.isArray(value) ? value : [value]).map(String)
    return values.map((text) => ({ by, text: by === 'phone' ? (toE164(text) ?? text) : text }))
  })
}

function matchOf(name: string, type: Field['type'], of: 'email' | 'phone' | undefined): MigrationMatch | undefined {
  if (type === 'email' || of === 'email') return 'email'
  if (type === 'phone' || of === 'phone') return 'phone'
  if (type === 'domain') return 'domain'
  return name === 'sku' ? 'number' : undefined
}

/**
 * Returns the forms of a number that mean the same telephone: some countries once wrote a digit behind their code, and the stored number may
 * have it or not.
 */
function phoneForms(phone: string): readonly string[] {
  const digits = movedDigits.flatMap(({ long, short }) => {
    if (long.test(phone)) return [phone.replace(long, short.to)]
    return short.from.test(phone) ? [phone.replace(short.from, short.back)] : []
  })
  return [phone, ...digits]
}

const movedDigits = [
  // Mexico dropped the 1 of mobile numbers, and Argentina has the 9 for calls from abroad only.
  { long: /^\+521(?=\d{10}$)/, short: { to: '+52', from: /^\+52(?=\d{10}$)/, back: '+521' } },
  { long: /^\+549(?=\d{10}$)/, short: { to: '+54', from: /^\+54(?=[^9]\d{9}$)/, back: '+549' } },
  // Brazil put a 9 before mobile numbers.
  { long: /^\+55(\d\d)9(?=\d{8}$)/, short: { to: '+55$1', from: /^\+55(\d\d)(?=[6-9]\d{7}$)/, back: '+55$19' } },
] as const

/** Returns the records with one of some keys, by key, the oldest of several; their further addresses and numbers count too. */
export async function findMatches(
  db: Executor,
  kind: RecordKind,
  scope: Scope,
  source: string,
  by: MigrationMatch,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ways = waysToMatch(kind, source, by)
  if (ways.length === 0 || texts.length === 0) return new Map()
  const { table } = kind
  const survivor = table.mergedIntoId ? sql`coalesce(${table.mergedIntoId}, ${table.id})` : table.id
  const asked = texts.flatMap((text) => (by === 'phone' ? phoneForms(text) : [text]).map((form) => ({ text, form })))
  const selects = ways.map(
    (isSame) =>
      sql`SELECT asked.text, ${survivor} AS id, ${table.createdAt} AS created FROM asked JOIN ${table} ON ${isSame(sql`asked.form`)} WHERE ${isThere(kind, scope, true)}`,
  )
  const { rows } = await db.execute<{ text: string; id: string }>(sql`
    WITH asked AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS asked (text text, form text))
    SELECT text, (array_agg(id ORDER BY created, id))[1] AS id FROM (${sql.join(selects, sql` UNION ALL `)}) AS same GROUP BY 1`)
  return new Map(rows.map(({ text, id }) => [text, id]))
}

/** Returns which of some records are there, each as the record that it was merged into, if it was. */
export async function findSurvivors(
  db: Executor,
  kind: RecordKind,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { table } = kind
  const survivor = table.mergedIntoId ? sql`coalesce(${table.mergedIntoId}, ${table.id})` : table.id
  const { rows } = await db.execute<{ id: string; survivor: string }>(
    sql`SELECT ${table.id} AS id, ${survivor} AS survivor FROM ${table} WHERE ${isThere(kind, scope, true)} AND ${isAnyOf(table.id, ids)}`,
  )
  return new Map(rows.map((row) => [row.id, row.survivor]))
}

const idPattern = '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$'

/** Returns the conditions by which a record has a key, one for each index. */
function waysToMatch(
  { table, entityType }: RecordKind,
  source: string,
  by: MigrationMatch,
): readonly ((form: SQL) => SQL)[] {
  const columns = table as unknown as Readonly<Record<string, PgColumn | undefined>>
  if (by === 'externalId')
    return [
      (form) =>
        and(eq(columns['externalSource'] as PgColumn, source), eq(columns['externalId'] as PgColumn, form)) as SQL,
      // An export of this workspace names its records by their ids.
      (form) => sql`${table.id} = CASE WHEN ${form} ~* ${idPattern} THEN ${form}::uuid END`,
    ]
  const fields = Object.entries(fieldsOf(entityType)).filter(
    ([name, { type, rules }]) => matchOf(name, type, rules.of) === by,
  )
  return fields.flatMap(([name, { type }]): readonly ((form: SQL) => SQL)[] => {
    const column = columns[name]
    if (!column) return []
    if (type === 'texts') return [(form) => isAmongFurther(column, by, form)]
    return by === 'phone'
      ? [(form) => sql`${column} = ${form}`]
      : [(form) => sql`${addressKey(column)} = ${addressKey(form)}`]
  })
}

function isAmongFurther(column: SQLWrapper, by: MigrationMatch, form: SQL): SQL {
  const has =
    by === 'phone'
      ? sql`${column} @> ARRAY[${form}]`
      : sql`string_to_array(${addressKey(sql`crm_words(${column})`)}, ' ') @> ARRAY[${addressKey(form)}]`
  return sql`(cardinality(${column}) > 0 AND ${has})`
}

/** The hash of a key of a row: keys of programs are compared letter for letter, names as search folds them. */
const hashOf = (kind: SQL, by: SQL, text: SQL): SQL =>
  sql`encode(sha256(convert_to(concat_ws(chr(31), ${kind}, ${by}, CASE ${by} WHEN 'externalId' THEN ${text} WHEN 'name' THEN crm_fold(${text}) ELSE ${addressKey(text)} END), 'UTF8')), 'hex')`

/** Keys of a row that was tried or written; a trial knows no record. */
export interface KeptKeys {
  readonly importId: string
  readonly line: number
  readonly keys: readonly RowKey[]
  readonly recordId: string | null
}

/** Remembers what the rows of a migration are found by. */
export async function keepKeys(
  db: Executor,
  { workspaceId, id }: MigrationKey,
  entityType: string,
  kept: readonly KeptKeys[],
): Promise<void> {
  const rows = kept.flatMap(({ keys, ...row }) => keys.map((key) => ({ ...row, ...key })))
  if (rows.length === 0) return
  await db.execute(sql`
    INSERT INTO ${migrationKeys} AS known (workspace_id, migration_id, key, import_id, line, record_id, is_shared)
    SELECT ${workspaceId}::uuid, ${id}::uuid, hash, (array_agg("importId" ORDER BY line))[1], min(line), (array_agg("recordId" ORDER BY line))[1],
      count(DISTINCT coalesce("recordId"::text, line::text)) > 1
    FROM (
      SELECT ${hashOf(sql`${entityType}::text`, sql`row.by`, sql`row.text`)} AS hash, "importId", line, "recordId"
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (by text, text text, "importId" uuid, line int, "recordId" uuid)
    ) AS hashed GROUP BY hash
    ON CONFLICT (workspace_id, migration_id, key) DO UPDATE SET
      is_shared = known.is_shared OR excluded.is_shared OR known.record_id IS DISTINCT FROM excluded.record_id OR (known.record_id IS NULL AND known.line <> excluded.line)`)
}

async function findAmongRows(
  db: Executor,
  { workspaceId, id }: MigrationKey,
  entityType: string,
  texts: readonly string[],
  found: Map<string, readonly string[]>,
): Promise<void> {
  if (texts.length === 0) return
  const { rows } = await db.execute<{ text: string; id: string | null; shared: boolean }>(sql`
    SELECT DISTINCT ON (asked.text) asked.text, known.record_id AS id, known.is_shared AND way.by = 'name' AS shared
    FROM unnest(${sql.param([...texts])}::text[]) asked (text)
    CROSS JOIN unnest(ARRAY['externalId', 'email', 'domain', 'number', 'name']) WITH ORDINALITY AS way (by, place)
    JOIN ${migrationKeys} known ON known.workspace_id = ${workspaceId} AND known.migration_id = ${id}
      AND known.key = ${hashOf(sql`${entityType}::text`, sql`way.by`, sql`asked.text`)}
    ORDER BY asked.text, way.place`)
  for (const { text, id: recordId, shared } of rows)
    found.set(text, shared ? [comingId, comingId] : [recordId ?? comingId])
}

/** Returns which keys earlier rows of the same migration have, with the records that those became. */
export async function findEarlierRows(
  db: Executor,
  { workspaceId, id }: MigrationKey,
  entityType: string,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, string | null>> {
  if (keys.length === 0) return new Map()
  const { rows } = await db.execute<{ by: string; text: string; id: string | null }>(sql`
    SELECT asked.by, asked.text, known.record_id AS id
    FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS asked (by text, text text)
    JOIN ${migrationKeys} known ON known.workspace_id = ${workspaceId} AND known.migration_id = ${id}
      AND known.key = ${hashOf(sql`${entityType}::text`, sql`asked.by`, sql`asked.text`)}`)
  return new Map(rows.map(({ by, text, id: recordId }) => [`${by}:${text}`, recordId]))
}

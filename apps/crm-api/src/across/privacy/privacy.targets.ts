import { holdings, schema, type Holding, type Transaction } from '@crm/db'
import { getTableColumns, getTableName, is, sql, type SQL } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { Folding } from '../../records/folding.ts'
import type { ErasureReach } from './privacy.reach.ts'
import { readTextFields, type TextFields } from './privacy.text-fields.ts'
import { candidatePattern, hasWords, withoutWords, type PersonWords } from './privacy.words.ts'

export type ErasureTarget = schema.ErasureTarget

/** A column whose texts may name anybody. */
export interface TextColumn {
  readonly column: string
  readonly type: 'text' | 'text[]' | 'jsonb'
  readonly holding: Holding
}

/** A table with such columns. */
export interface TextTable {
  readonly table: string
  readonly columns: readonly TextColumn[]
}

const searched: readonly Holding[] = ['prose', 'fields', 'copy']

/** Every table of the schema in whose texts people may be named. */
export const textTables: readonly TextTable[] = Object.entries(schema).flatMap(([key, table]) => {
  if (!is(table, PgTable)) return []
  const held: Readonly<Record<string, Holding>> = holdings[key as keyof typeof holdings] ?? {}
  const columns = Object.entries(getTableColumns(table as PgTable)).flatMap(([name, column]) => {
    const holding = held[name]
    return holding && searched.includes(holding)
      ? [{ column: column.name, type: column.getSQLType() as TextColumn['type'], holding }]
      : []
  })
  return columns.length > 0 ? [{ table: getTableName(table), columns }] : []
})

/** What is not changed: issued documents, and work under way, which would go on with changed words. */
const changeable: Readonly<Record<string, SQL>> = {
  quotes: sql`number IS NULL`,
  orders: sql`number IS NULL`,
  invoices: sql`number IS NULL`,
  deliveries: sql`state <> 'SENDING'`,
  import_rows: sql`outcome IS NOT NULL`,
  imports: sql`finished_at IS NOT NULL`,
  jobs: sql`finished_at IS NOT NULL`,
  outbox: sql`done_at IS NOT NULL`,
  rule_runs: sql`finished_at IS NOT NULL`,
  workflow_runs: sql`finished_at IS NOT NULL`,
  workflow_step_runs: sql`finished_at IS NOT NULL`,
}

/** Rows that are handed on within seconds and then deleted within a day. */
const passing: readonly string[] = ['outbox']

/** The rows in which a person is named, and others that keep their words. */
export interface Found {
  readonly targets: readonly ErasureTarget[]
  readonly rows: number
  /** Issued documents and work under way, by table. */
  readonly kept: ReadonlyMap<string, readonly string[]>
}

/** The most rows that are named as kept of each table. */
const keptMax = 100

/** The rows that one statement reads, so few that none takes long where all hold long texts. */
const rowsAtOnce = 250

/** Finds the rows within reach whose texts have one of the words; looks no further when they are more than `most`. */
export async function findNamed(
  tx: Transaction,
  workspaceId: string,
  reach: ErasureReach,
  words: PersonWords,
  most: number,
): Promise<Found> {
  const targets: ErasureTarget[] = []
  const kept = new Map<string, readonly string[]>()
  let rows = 0
  if (!hasWords(words)) return { targets, rows, kept }
  const folding = new Folding(tx)
  await folding.learn(words)
  const look: Look = {
    workspaceId,
    folding,
    pattern: candidatePattern(words, folding),
    clean: withoutWords(words, folding),
    textFields: await readTextFields(tx, workspaceId),
  }
  const keysOfTables = await keyColumns(tx)
  for (const each of textTables) {
    const within = reach.within(each.table)
    const columns = each.columns.filter(({ holding }) => reach.isWhole || holding !== 'copy')
    if (!within || columns.length === 0) continue
    const table = { ...each, columns, keyColumns: keysOfTables.get(each.table) ?? [] }
    const found = await findInTable(tx, look, table, within)
    rows += found.keys.length
    if (found.keys.length > 0) targets.push({ table: table.table, keyColumns: table.keyColumns, keys: found.keys })
    if (found.kept.length > 0) kept.set(table.table, found.kept.toSorted())
    if (rows > most) break
  }
  return { targets, rows, kept }
}

/** What is put in the place of texts. */
export interface Cleaning {
  /** It learns each value before the value is cleaned. */
  readonly folding: Folding
  readonly clean: (value: unknown) => unknown
  readonly textFields: TextFields
}

/** Returns the columns of a row whose values have one of the words, with their new values. */
export function changesOf(
  { table, columns }: TextTable,
  values: readonly unknown[],
  { clean, textFields }: Pick<Cleaning, 'clean' | 'textFields'>,
): readonly (TextColumn & { readonly value: unknown })[] {
  return columns.flatMap((column, at) => {
    const before = values[at]
    const value = column.holding === 'fields' ? cleanFields(before, textFields.get(table), clean) : clean(before)
    return value === before ? [] : [{ ...column, value }]
  })
}

/** The values of custom fields that are choices stay. */
function cleanFields(values: unknown, textKeys: ReadonlySet<string> | undefined, clean: Cleaning['clean']): unknown {
  const entries = Object.entries((values ?? {}) as Record<string, unknown>)
  const cleaned = entries.map(([key, value]) => [key, textKeys?.has(key) === true ? clean(value) : value] as const)
  return cleaned.every(([, value], at) => value === entries[at]?.[1]) ? values : Object.fromEntries(cleaned)
}

/** Returns the values of the columns of a row as one list. */
export function valuesInSql(columns: readonly TextColumn[]): SQL {
  return sql`jsonb_build_array(${list(columns.map(({ column }) => sql`to_jsonb(${sql.identifier(column)})`))})`
}

/** Returns the condition that a row may be changed. */
export function isChangeable(table: string): SQL {
  return changeable[table] ?? sql`true`
}

function list(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `)
}

interface Look extends Cleaning {
  readonly workspaceId: string
  readonly pattern: string
}

interface KeyedTable extends TextTable {
  readonly keyColumns: readonly string[]
}

async function findInTable(
  tx: Transaction,
  look: Look,
  table: KeyedTable,
  within: SQL,
): Promise<{ readonly keys: readonly (readonly string[])[]; readonly kept: readonly string[] }> {
  const found: { keys: string[][]; kept: string[] } = { keys: [], kept: [] }
  const { columns } = table
  const text = sql`concat_ws(E'\n', ${list(columns.map(({ column }) => sql`${sql.identifier(column)}::text`))})`
  const key = list(table.keyColumns.map((column) => sql`${sql.identifier(column)}::text`))
  for await (const part of partsOf(tx, look.workspaceId, table)) {
    const { rows } = await tx.execute<{ key: string[]; values: unknown[]; isChangeable: boolean }>(sql`
      SELECT ARRAY[${key}] AS key, ${valuesInSql(columns)} AS values, ${isChangeable(table.table)} AS "isChangeable"
      FROM ${sql.identifier(table.table)}
      WHERE ${part} AND workspace_id = ${look.workspaceId} AND ${within} AND crm_fold(${text}) ~ ${look.pattern}`)
    await look.folding.learn(rows.map(({ values }) => values))
    for (const row of rows) {
      if (changesOf(table, row.values, look).length === 0) continue
      if (row.isChangeable) found.keys.push(row.key)
      else if (!passing.includes(table.table) && found.kept.length < keptMax) found.kept.push(row.key.at(-1) ?? '')
    }
  }
  return found
}

/** Returns the columns of the primary key of each table besides the workspace. */
async function keyColumns(tx: Transaction): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await tx.execute<{ table: string; columns: string[] }>(sql`
    SELECT c.relname AS "table", array_agg(a.attname::text ORDER BY k.place) AS columns
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
    WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace AND a.attname <> 'workspace_id'
    GROUP BY c.relname`)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/**
 * Returns the conditions that cut the rows of a workspace into parts for one statement each, in the order of their keys: a distributed
 * database knows no place of a row.
 */
async function* partsOf(tx: Transaction, workspaceId: string, { table, keyColumns }: KeyedTable): AsyncGenerator<SQL> {
  const key = list(keyColumns.map((column) => sql`${sql.identifier(column)}`))
  let after = sql`true`
  for (;;) {
    const { rows } = await tx.execute<{ key: string[] }>(sql`
      SELECT ARRAY[${list(keyColumns.map((column) => sql`${sql.identifier(column)}::text`))}] AS key FROM ${sql.identifier(table)}
      WHERE workspace_id = ${workspaceId} AND ${after} ORDER BY ${key} OFFSET ${rowsAtOnce - 1} LIMIT 1`)
    const last = rows[0]
    if (!last) return yield after
    const place = list(last.key.map((value) => sql`${value}`))
    yield sql`${after} AND (${key}) <= (${place})`
    after = sql`(${key}) > (${place})`
  }
}

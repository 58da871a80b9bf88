import { sql, type GetColumnData, type InferInsertModel, type SQL, type SQLWrapper } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { LRUCache } from 'lru-cache'
import { toInstant } from './columns.ts'
import { counted, countNew, type Returned } from './counted.ts'
import { countFollowUps, followUpsOf } from './follow-ups.ts'
import { given, run, statement, type Statement } from './statement.ts'
import type { Executor } from './transaction.ts'
import { endOfTwin } from './twins.ts'

type Columns = Readonly<Record<string, PgColumn>>

/** The reader of a wide table's rows: the selection as one piece of SQL, and the conversion of a raw row into a typed one. */
export interface RowReader<Row> {
  /** The columns of the row itself under the names of their fields: `"leads"."first_name" AS "firstName", …`. */
  readonly stored: SQL
  /** What is computed by queries besides; no INSERT may return that where the tables are distributed. */
  readonly computed?: ((workspaceId: Given) => SQL) | undefined
  /** Both, for SELECT and for the RETURNING of an UPDATE, within a workspace. */
  selection(workspaceId: Given): SQL
  /** The names of what is selected. */
  readonly names: SQL
  /** Turns a raw row into a typed one, in place; further columns of the row stay. */
  read(raw: object): Row
}

/** The id of a workspace, or the placeholder of one. */
export type Given = string | SQLWrapper

/** Fields that are computed from the columns of a row: by SQL, or after reading. */
export interface ComputedColumns<Fields extends object> {
  /** SQL by field, within a workspace, which each query in it names; fields whose names end in `At` are moments. */
  readonly expressions: Readonly<Record<string, (workspaceId: Given) => SQL>>
  /** Returns the other fields of a row that was read. */
  derive?(row: object): Partial<Fields>
}

/**
 * Makes a reader of the given columns and of fields computed from them.
 * The selection is rendered once: building it column by column for each query costs more than the query itself.
 */
export function rowReader<const C extends Columns, Computed extends object = object>(
  columns: C,
  computed?: ComputedColumns<Computed>,
): RowReader<{ [Key in keyof C]: GetColumnData<C[Key]> } & Computed> {
  const entries = Object.entries(columns)
  const expressions = Object.entries(computed?.expressions ?? {})
  const keysOf = (type: string): string[] =>
    entries.filter(([, column]) => column.getSQLType().startsWith(type)).map(([key]) => key)
  const instants = [...keysOf('timestamptz'), ...expressions.map(([key]) => key).filter((key) => key.endsWith('At'))]
  const decimals = keysOf('numeric')
  const stored = sql.raw(
    entries.map(([key, column]) => `"${tableName(column)}"."${column.name}" AS "${key}"`).join(', '),
  )
  const computedIn = (workspaceId: Given): SQL =>
    sql.join(
      expressions.map(([key, expression]) => sql`${expression(workspaceId)} AS ${sql.identifier(key)}`),
      sql`, `,
    )
  return {
    names: sql.raw([...entries, ...expressions].map(([key]) => `"${key}"`).join(', ')),
    stored,
    ...(expressions.length === 0
      ? { selection: () => stored }
      : { computed: computedIn, selection: (workspaceId) => sql`${stored}, ${computedIn(workspaceId)}` }),
    read: (raw) => {
      const row = raw as Record<string, unknown>
      for (const key of instants) {
        const value = row[key]
        if (typeof value === 'string') row[key] = toInstant(value)
      }
      for (const key of decimals) {
        const value = row[key]
        if (typeof value === 'string') row[key] = toDecimal(value)
      }
      return Object.assign(row, computed?.derive?.(row)) as { [Key in keyof C]: GetColumnData<C[Key]> } & Computed
    },
  }
}

const decimalsKept = 2

/** Returns a decimal number without the zeros that only the column's scale adds; two decimal places stay, as for money. */
function toDecimal(text: string): string {
  const point = text.indexOf('.')
  if (point === -1) return text
  let end = text.length
  while (end > point + decimalsKept + 1 && text[end - 1] === '0') end -= 1
  return text.slice(0, end)
}

function tableName(column: PgColumn): string {
  return getTableConfig(column.table).name
}

/** Inserts one row, with only the columns that have a value, and returns it as read. */
export async function insertRow<Table extends RecordTable, Row>(
  db: Executor,
  table: Table,
  values: InferInsertModel<Table>,
  rows: RowReader<Row>,
): Promise<Row> {
  const columns = givenColumns(table, values)
  const insert = textOf(rows, `insert ${namesOf(columns)}`, () => {
    const names = sql.raw(columns.map(([column]) => `"${column.name}"`).join(', '))
    const inserted = sql`INSERT INTO ${table} (${names}) VALUES (${sql.join(
      columns.map(([column]) => given(column.name)),
      sql`, `,
    )}) RETURNING`
    const workspaceId = given('workspace_id')
    const counts = countNew(table, workspaceId)
    if (!rows.computed && !counts) return sql`${inserted} ${rows.stored}`
    // Under the name of its table the new row is read as every other one.
    return sql`WITH ${table} AS (${inserted} *)${counts ? sql`, counted AS (${counts})` : sql``}
      SELECT ${rows.selection(workspaceId)} FROM ${table} WHERE ${table.workspaceId} = ${workspaceId}`
  })
  const [row] = await run(db, insert, driverValues(columns))
  return rows.read(row as object)
}

/** Returns what a write of a counted table returns of rows that are read by a reader. */
export function rowsOf(rows: RowReader<unknown>, workspaceId: Given): Returned {
  return { selection: rows.selection(workspaceId), names: rows.names }
}

/** The key of a record. */
export interface RowKey {
  readonly workspaceId: string
  readonly id: string
}

/** Changes the given columns of one record, raises its version and returns it as read; undefined when there is none. */
export async function updateRow<Table extends RecordTable, Row>(
  db: Executor,
  table: Table,
  key: RowKey,
  values: Partial<InferInsertModel<Table>>,
  rows: RowReader<Row>,
): Promise<Row | undefined> {
  const columns = givenColumns(table, values)
  const update = textOf(rows, `update ${namesOf(columns)}`, () => {
    const assignments = columns.map(([column]) => sql`${sql.raw(`"${column.name}"`)} = ${given(column.name)}`)
    const isTwin = endOfTwin(table, (name) =>
      columns.some(([column]) => column.name === name) ? sql`${given(name)}` : undefined,
    )
    if (isTwin) assignments.push(sql`is_twin = ${isTwin}`)
    const leadsTo = followUpsOf(
      table,
      columns.map(([{ name }]) => name),
    )
    return counted(
      table,
      sql`UPDATE ${table} SET ${sql.join([...assignments, sql`version = version + 1`], sql`, `)}
        WHERE ${table.workspaceId} = ${given('key.workspaceId')} AND ${table.id} = ${given('key.id')}`,
      rowsOf(rows, given('key.workspaceId')),
      leadsTo,
    )
  })
  const written = await run(db, update, {
    ...driverValues(columns),
    'key.workspaceId': key.workspaceId,
    'key.id': key.id,
  })
  await countFollowUps(db, table, written)
  const [row] = written
  return row && rows.read(row)
}

/** A table of records with an id within a workspace. */
export type RecordTable = PgTable & { readonly workspaceId: PgColumn; readonly id: PgColumn }

/** The statements kept of each reader's table. Clients choose the columns, so there are more than can be kept. */
const textsMax = 50
const texts = new WeakMap<object, LRUCache<string, Statement>>()

/** Returns the statement of a reader's table with only these columns; the ones used last are kept. */
function textOf(rows: object, key: string, build: () => SQL): Statement {
  const ofRows = texts.get(rows) ?? new LRUCache<string, Statement>({ max: textsMax })
  texts.set(rows, ofRows)
  const known = ofRows.get(key) ?? statement(build())
  ofRows.set(key, known)
  return known
}

function namesOf(columns: readonly [PgColumn, unknown][]): string {
  return columns.map(([{ name }]) => name).join()
}

function driverValues(columns: readonly [PgColumn, unknown][]): Record<string, unknown> {
  return Object.fromEntries(
    columns.map(([column, value]) => [column.name, value === null ? null : column.mapToDriverValue(value)]),
  )
}

function givenColumns(table: PgTable, values: object): [PgColumn, unknown][] {
  const columns = columnsOf(table)
  return Object.entries(values).flatMap(([key, value]) => {
    const column = columns.get(key)
    return column && value !== undefined ? [[column, value] as [PgColumn, unknown]] : []
  })
}

/** Bounded: the columns of the tables of the schema. */
const known = new WeakMap<PgTable, Map<string, PgColumn>>()

function columnsOf(table: PgTable): Map<string, PgColumn> {
  const columns =
    known.get(table) ??
    new Map(
      Object.entries(table).filter((entry): entry is [string, PgColumn] => 'mapToDriverValue' in Object(entry[1])),
    )
  known.set(table, columns)
  return columns
}

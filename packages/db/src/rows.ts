import { sql, type GetColumnData, type InferInsertModel, type SQL } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { toInstant } from './columns.ts'

type Columns = Readonly<Record<string, PgColumn>>

/** How rows of a wide table are read: the selection as one piece of SQL, and what turns a raw row into a typed one. */
export interface RowReader<Row> {
  /** `"leads"."first_name" AS "firstName", …`, for SELECT and RETURNING alike. */
  readonly selection: SQL
  /** Turns a raw row into a typed one, in place; further columns of the row stay. */
  read(raw: object): Row
}

/**
 * Makes a reader of the given columns.
 * The selection is rendered once: building it column by column for each query costs more than the query itself.
 */
export function rowReader<const C extends Columns>(columns: C): RowReader<{ [Key in keyof C]: GetColumnData<C[Key]> }> {
  const entries = Object.entries(columns)
  const instants = entries.filter(([, column]) => column.getSQLType().startsWith('timestamptz')).map(([key]) => key)
  return {
    selection: sql.raw(entries.map(([key, column]) => `"${tableName(column)}"."${column.name}" AS "${key}"`).join(', ')),
    read: (raw) => {
      const row = raw as Record<string, unknown>
      for (const key of instants) {
        const value = row[key]
        if (typeof value === 'string') row[key] = toInstant(value)
      }
      return row as { [Key in keyof C]: GetColumnData<C[Key]> }
    },
  }
}

function tableName(column: PgColumn): string {
  return getTableConfig(column.table).name
}

/** `INSERT INTO table (…) VALUES (…)` with just the columns that have a value. */
export function insertOf<Table extends PgTable>(table: Table, values: InferInsertModel<Table>): SQL {
  const given = givenColumns(table, values)
  const names = sql.raw(given.map(([column]) => `"${column.name}"`).join(', '))
  return sql`INSERT INTO ${table} (${names}) VALUES (${sql.join(given.map(parameterOf), sql`, `)})`
}

/** `SET column = value, …` with just the columns that have a value. */
export function assignmentsOf<Table extends PgTable>(table: Table, values: Partial<InferInsertModel<Table>>): SQL {
  const given = givenColumns(table, values)
  return sql.join(given.map(([column, value]) => sql`${sql.raw(`"${column.name}"`)} = ${parameterOf([column, value])}`), sql`, `)
}

function givenColumns(table: PgTable, values: object): [PgColumn, unknown][] {
  const columns = columnsOf(table)
  return Object.entries(values).flatMap(([key, value]) => {
    const column = columns.get(key)
    return column && value !== undefined ? [[column, value] as [PgColumn, unknown]] : []
  })
}

function parameterOf([column, value]: [PgColumn, unknown]): SQL {
  return sql`${sql.param(value === null ? null : column.mapToDriverValue(value))}`
}

const known = new WeakMap<PgTable, Map<string, PgColumn>>()

function columnsOf(table: PgTable): Map<string, PgColumn> {
  const columns = known.get(table) ?? new Map(Object.entries(table).filter((entry): entry is [string, PgColumn] => 'mapToDriverValue' in Object(entry[1])))
  known.set(table, columns)
  return columns
}

import { getTableColumns, getTableName, is, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as schema from './schema/index.ts'

/** The tables whose rows can be twins, with the column that holds the name. Bounded: the tables of the schema. */
const names: ReadonlyMap<string, string> = new Map(
  Object.values<unknown>(schema).flatMap((table) => {
    if (!is(table, PgTable)) return []
    const { isTwin, sku } = getTableColumns(table)
    return isTwin ? [[getTableName(table), sku ? 'sku' : 'name'] as const] : []
  }),
)

/**
 * Returns what `is_twin` becomes with a change of a row: a row that gets another name is no twin any more (docs/decisions/texts.md). Undefined
 * where the change sets no name.
 *
 * @param valueOf the new value of a column, undefined for one that stays
 */
export function endOfTwin(
  table: PgTable | string,
  valueOf: (column: string) => SQLWrapper | undefined,
): SQL | undefined {
  const name = names.get(typeof table === 'string' ? table : getTableName(table))
  if (name === undefined) return undefined
  const value = valueOf(name)
  return value && sql`is_twin AND ${sql.identifier(name)} IS NOT DISTINCT FROM ${value}`
}

/** Returns what a change of a row sets, with the end of a twin. Every change of such a row goes through here, or through `updateRow`. */
export function endingTwin<Set extends object>(table: PgTable, set: Set): Set {
  const values = set as Readonly<Record<string, unknown>>
  const isTwin = endOfTwin(table, (column) => (values[column] === undefined ? undefined : sql`${values[column]}`))
  return isTwin ? { ...set, isTwin } : set
}

import { sql, type AnyColumn, type SQL } from 'drizzle-orm'

/**
 * Whether a column has one of the values. They are sent as one array, so that the statement and its prepared plan in PostgreSQL are
 * the same for any number of values; an empty list never matches.
 */
export function isAnyOf(column: AnyColumn, values: Iterable<string>): SQL {
  return sql`${column} = ANY(${sql.param([...values])}::${sql.raw(column.getSQLType())}[])`
}

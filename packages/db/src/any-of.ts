import { sql, type AnyColumn, type SQL } from 'drizzle-orm'

/**
 * Whether a column has one of the values. They travel as one array, so that the statement, and what PostgreSQL has prepared
 * for it, is the same for any number of them; none of them is never so.
 */
export function isAnyOf(column: AnyColumn, values: Iterable<string>): SQL {
  return sql`${column} = ANY(${sql.param([...values])}::${sql.raw(column.getSQLType())}[])`
}

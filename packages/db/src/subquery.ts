import { sql, type SQL } from 'drizzle-orm'

/**
 * Returns a query as a column of a selection. The query builder writes the columns of a selection from one table without its name, and a
 * condition that names the table around it would then compare a column with itself; a query within a query keeps its names.
 */
export function subquery<Value>(query: SQL): SQL<Value> {
  return sql<Value>`(${query})`
}

/** Returns the values of a query with one column as a list in a column of a selection, like `subquery`. */
export function subqueryList<Value>(query: SQL): SQL<Value[]> {
  return sql<Value[]>`ARRAY(${query})`
}

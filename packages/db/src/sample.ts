import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** A sample of the records of a table is one of so many, wherever it stands. */
export const recordsPerSampled = 2_048

/** Whether a record belongs to the sample: ids end at random, two of 4,096 so. Indexes and queries must say it in these very words. */
export function isSampled(id: SQLWrapper): SQL {
  return sql`right(${id}::text, 3) < '002'`
}

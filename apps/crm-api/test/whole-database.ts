import { holdings, schema, type Executor } from '@crm/db'
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'

type Row = Readonly<Record<string, unknown>>

/** Every row of every table, by table and key. */
export type WholeDatabase = ReadonlyMap<string, ReadonlyMap<string, Row>>

/** Reads every row of every workspace. */
export async function wholeDatabase(db: Executor): Promise<WholeDatabase> {
  const { rows: tables } = await db.execute<{ name: string; key: string[] }>(sql`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS key
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
    WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace GROUP BY c.relname`)
  const all = new Map<string, Map<string, Row>>()
  for (const { name, key } of tables) {
    const { rows } = await db.execute<{ row: Row }>(sql`SELECT to_jsonb(t) AS row FROM ${sql.identifier(name)} t`)
    all.set(name, new Map(rows.map(({ row }) => [key.map((column) => String(row[column])).join(' '), row])))
  }
  return all
}

/** What an erasure always writes: its own entry and row, the places of the audit log, counts, and when a session was used; calls of keys are counted seconds later. */
const alwaysWritten =
  /^(agent_sessions|audit_chains|audit_log|erasures|outbox|record_counts|sessions|processes|sign_in_tries|jobs|backfills)\./

/** A value that changed, or a row that went. */
export interface Change {
  /** Its `table.column`; without a column where the whole row went. */
  readonly place: string
  readonly before: unknown
  readonly after: unknown
}

/** Returns what changed in rows that do not name one of the ids; new rows are passed over. */
export async function changesSince(
  db: Executor,
  before: WholeDatabase,
  ids: readonly string[],
): Promise<readonly Change[]> {
  const isTheirs = (row: Row): boolean => ids.some((id) => JSON.stringify(row).includes(id))
  const changes: Change[] = []
  for (const [table, rows] of await wholeDatabase(db))
    for (const [key, old] of before.get(table) ?? []) {
      if (isTheirs(old)) continue
      const row = rows.get(key)
      if (!row) changes.push({ place: `${table}.`, before: old, after: undefined })
      for (const [column, value] of Object.entries(row ?? {}))
        if (JSON.stringify(value) !== JSON.stringify(old[column]))
          changes.push({ place: `${table}.${column}`, before: old[column], after: value })
    }
  return changes.filter(({ place }) => !alwaysWritten.test(place) && !place.endsWith('.search_text'))
}

/** What each column of the database holds, as the schema says. */
export const holdingOf: ReadonlyMap<string, string | undefined> = new Map(
  Object.entries(schema).flatMap(([key, table]) =>
    is(table, PgTable)
      ? Object.entries(getTableColumns(table as PgTable)).map(([name, { name: column }]) => [
          `${getTableName(table as PgTable)}.${column}`,
          (holdings as Readonly<Record<string, Readonly<Record<string, string>>>>)[key]?.[name],
        ])
      : [],
  ),
)

import type { ClientBase } from 'pg'

/** The tables that belong to an installation and are no part of a backup. */
const ownTables = ['installation', 'processes']

/** The tables of the product with the columns that are stored, largest first. */
export async function tablesOf(client: ClientBase): Promise<readonly { name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND NOT c.relname = ANY ($1)
     GROUP BY c.oid, c.relname ORDER BY pg_relation_size(c.oid) DESC, c.relname`,
    [ownTables],
  )
  return rows
}

/** The last value of each sequence. */
export async function sequencesOf(client: ClientBase): Promise<Record<string, string | null>> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    "SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public'",
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** The time of the database's newest migration; undefined when no migration ever ran. */
export async function migrationOf(client: ClientBase): Promise<number | undefined> {
  const { rows: found } = await client.query<{ is_there: boolean }>(
    "SELECT to_regclass('migrations.__drizzle_migrations') IS NOT NULL AS is_there",
  )
  if (found[0]?.is_there !== true) return undefined
  const { rows } = await client.query<{ newest: string | null }>(
    'SELECT max(created_at) AS newest FROM migrations.__drizzle_migrations',
  )
  const newest = rows[0]?.newest
  return newest === null || newest === undefined ? undefined : Number(newest)
}

interface Definition {
  readonly remove: string
  readonly restore: string
}

/** The constraints and indexes that slow loading down or impose an order on it, each with the statement that restores it. */
export async function obstaclesOf(
  client: ClientBase,
): Promise<{ readonly foreignKeys: readonly Definition[]; readonly indexes: readonly Definition[] }> {
  const { rows: foreignKeys } = await client.query<Definition>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS remove,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS restore
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY conname`,
  )
  const { rows: indexes } = await client.query<Definition>(
    `SELECT format('DROP INDEX %s', c.oid::regclass) AS remove, pg_get_indexdef(c.oid) AS restore
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid AND k.contype <> 'f') ORDER BY c.relname`,
  )
  return { foreignKeys, indexes }
}

/** Whether a table holds a row. */
export async function holdsRows(client: ClientBase): Promise<boolean> {
  for (const { name } of await tablesOf(client)) {
    const { rows } = await client.query<{ is_used: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM ${client.escapeIdentifier(name)}) AS is_used`,
    )
    if (rows[0]?.is_used) return true
  }
  return false
}

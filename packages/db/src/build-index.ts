import type { Client } from 'pg'

/** Builds an index while others write, or goes on after an interruption: a half-built index is never used, so it is dropped first. */
export async function buildIndex(client: Client, name: string | undefined, statement: string): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid', [
    name,
  ])
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY "${name}"`)
  await client.query(statement)
}

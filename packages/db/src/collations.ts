import type { Client, Pool } from 'pg'
import { buildIndex } from './build-index.ts'
import { commonCollation, nameCollation } from './name-order.ts'

type Queryable = Pick<Client, 'query'> | Pick<Pool, 'query'>

/** A collation whose order may be another one than when its indexes were built. */
export interface StaleCollation {
  readonly oid: number
  /** As ALTER names it, such as `COLLATION public.crm_names`. */
  readonly object: string
  readonly isDatabase: boolean
}

/** Returns the collations whose library has another version than the one that the database was used with; PostgreSQL itself only warns. */
export async function staleCollations(client: Queryable): Promise<readonly StaleCollation[]> {
  const { rows } = await client.query<StaleCollation>(`
    SELECT c.oid::int, format('COLLATION %I.%I', n.nspname, c.collname) AS object, false AS "isDatabase"
    FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace
    WHERE n.nspname = 'public' AND c.collversion <> pg_collation_actual_version(c.oid)
    UNION ALL
    SELECT 'pg_catalog."default"'::regcollation::oid::int, format('DATABASE %I', datname), true FROM pg_database
    WHERE datname = current_database() AND datcollversion <> pg_database_collation_actual_version(oid)`)
  return rows
}

/** Builds the indexes of stale collations anew, beside writers, and notes the version that they have now. */
export async function refreshCollations(client: Client): Promise<void> {
  for (const { oid, object, isDatabase } of await staleCollations(client)) {
    const { rows } = await client.query<{ name: string }>(
      `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE $1::oid = ANY (i.indcollation) AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
      [oid],
    )
    for (const { name } of rows) await client.query(`REINDEX INDEX CONCURRENTLY ${name}`)
    await client.query(`ALTER ${object} REFRESH ${isDatabase ? 'COLLATION ' : ''}VERSION`)
  }
}

/** Builds the indexes of names for each alphabet of its own that a workspace uses, like those of the common one. */
export async function indexAlphabets(client: Client): Promise<void> {
  const { rows: used } = await client.query<{ locale: string }>(
    "SELECT DISTINCT split_part(locale, '-', 1) AS locale FROM workspaces",
  )
  const collations = new Set(used.map(({ locale }) => nameCollation(locale)))
  collations.delete(commonCollation)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = 'public'::regnamespace AND $1::regcollation::oid = ANY (i.indcollation)`,
    [commonCollation],
  )
  for (const collation of collations)
    for (const { name, definition } of indexes) {
      const own = name + collation.slice(commonCollation.length)
      await buildIndex(
        client,
        own,
        definition
          .replace(`INDEX ${name} `, `INDEX CONCURRENTLY IF NOT EXISTS ${own} `)
          .replace(`COLLATE ${commonCollation}`, `COLLATE ${collation}`),
      )
    }
}

import type { Client, ClientBase, Pool } from 'pg'
import { withClient } from './with-client.ts'

/** The tables of which every machine has a copy: they say which workspace a host or a mail domain has, or belong to the installation. */
export const referenceTables: readonly string[] = [
  'workspaces',
  'workspace_hosts',
  'domains',
  'installation',
  'processes',
  'backfills',
]

/**
 * Triggers that end with the distribution. They refuse what the product does not do: what the rights of the roles and the signed heads of the
 * audit log stand for as well, and writes to a calendar without its lock.
 */
export const triggersLeft: readonly string[] = [
  'audit_log_kept',
  'bookings_require_calendar',
  'calendar_events_require_calendar',
]

/** The place of a PostgreSQL with Citus. */
export interface DatabaseNode {
  readonly host: string
  readonly port: number
}

/** A table that was distributed. */
export interface DistributedTable {
  readonly table: string
  readonly rows: number
}

/** The rows of a table after its distribution are not those before it; nothing of the table has changed. */
export class RowsDifferError extends Error {
  constructor(table: string) {
    super(`${table} had other rows after it was distributed, so it stayed as it was`)
    this.name = 'RowsDifferError'
  }
}

type Queryable = Pick<ClientBase, 'query'> | Pick<Pool, 'query'>

/** Whether tables of a database are distributed over several machines. */
export async function isDistributed(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`SELECT to_regclass('pg_dist_partition') IS NOT NULL AS is`)
  if (rows[0]?.is !== true) return false
  const { rowCount } = await client.query(`SELECT FROM pg_dist_partition WHERE partmethod = 'h' LIMIT 1`)
  return rowCount === 1
}

/** Whether nothing is left to distribute: no table, and no key between tables. */
export async function isAllDistributed(client: Queryable): Promise<boolean> {
  if (!(await isDistributed(client)) || (await openTables(client)).length > 0) return false
  const { rowCount } = await client.query('SELECT FROM migrations.keys_aside LIMIT 1')
  return rowCount === 0
}

/** Lets the current transaction change distributed tables and make new ones. */
export async function prepareChange(client: ClientBase): Promise<void> {
  await client.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`)
}

/** Distributes what the current transaction has made, before a key of its tables leads to another table. */
export async function distributeNewTables(client: ClientBase): Promise<void> {
  for (const table of await openTables(client)) await spread(client, table)
  await planWithValues(client)
}

/** A coordinator has to know the workspace before it plans, so functions of the database cannot ask for plans that fit every value. */
async function planWithValues(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regprocedure::text AS name FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND 'plan_cache_mode=force_generic_plan' = ANY (proconfig)`,
  )
  for (const { name } of rows) await client.query(`ALTER FUNCTION ${name} RESET plan_cache_mode`)
}

/**
 * Prepares machines for parts of a database: each gets a database of the same name, and the first one learns of the others. What is there
 * already stays, so it can be run again.
 * @param databaseUrl the database that is to be distributed, as its owner
 * @param coordinator the place under which the others reach it
 * @param workers the machines that are to hold rows; the owner signs in there as in the first one
 */
export async function joinWorkers(
  databaseUrl: string,
  coordinator: DatabaseNode,
  workers: readonly DatabaseNode[],
): Promise<void> {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1))
  for (const worker of workers) {
    const onWorker = (database: string): string => urlOf(databaseUrl, worker, database)
    await withClient(onWorker('postgres'), 'crm-distribute', async (client) => {
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
      if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE template0`)
    })
    await withClient(onWorker(name), 'crm-distribute', createExtension)
  }
  await withClient(databaseUrl, 'crm-distribute', async (client) => {
    await createExtension(client)
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port } of workers) await client.query('SELECT citus_add_node($1, $2)', [host, port])
  })
}

async function createExtension(client: ClientBase): Promise<void> {
  await client.query('CREATE EXTENSION IF NOT EXISTS citus')
}

function urlOf(databaseUrl: string, { host, port }: DatabaseNode, database: string): string {
  const url = new URL(databaseUrl)
  url.hostname = host
  url.port = String(port)
  url.pathname = `/${encodeURIComponent(database)}`
  return url.href
}

/**
 * Distributes every table that is not distributed yet, by workspace, and gives each machine the whole of the others. Each table is one
 * transaction, which is undone unless its rows are the same afterwards, workspace by workspace. It can be run again, and goes on where it ended.
 * Nobody may write meanwhile: foreign keys between the tables are away until all are distributed.
 * @param client the owner's connection, on which nothing else runs
 * @param onTable told of each table that is done
 * @throws RowsDifferError
 */
export async function distribute(
  client: Client,
  onTable: (table: DistributedTable) => void = () => undefined,
): Promise<void> {
  await client.query('SET statement_timeout = 0')
  // One connection to each machine does a change of a key in turn, so that it may follow what the transaction did before.
  await client.query("SET citus.multi_shard_modify_mode = 'sequential'")
  await putKeysAside(client)
  for (const table of await openTables(client)) onTable({ table, rows: await distributeTable(client, table) })
  await bringKeysBack(client)
  await planWithValues(client)
}

/** Whether a table is distributed, or every machine has it; Citus also knows of tables that only the first machine has. */
const isDone = `(d.partmethod = 'h' OR d.repmodel = 't')`

/** Foreign keys lead to distributed tables only from distributed ones, so all of them wait until the tables are. */
async function putKeysAside(client: Client): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(`CREATE TABLE IF NOT EXISTS migrations.keys_aside (
      of_table text NOT NULL, name text NOT NULL, definition text NOT NULL, PRIMARY KEY (of_table, name))`)
    const { rows } = await client.query<{ table: string; name: string }>(
      `INSERT INTO migrations.keys_aside
       SELECT c.relname, k.conname, pg_get_constraintdef(k.oid) FROM pg_constraint k
       JOIN pg_class c ON c.oid = k.conrelid AND c.relnamespace = 'public'::regnamespace
       WHERE k.contype = 'f' AND EXISTS (
         SELECT FROM unnest(ARRAY[k.conrelid, k.confrelid]) AS one (oid)
         WHERE NOT EXISTS (SELECT FROM pg_dist_partition d WHERE d.logicalrelid = one.oid AND ${isDone}))
       RETURNING of_table AS "table", name`,
    )
    for (const { table, name } of rows) await client.query(`ALTER TABLE "${table}" DROP CONSTRAINT "${name}"`)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** Returns the tables that are not distributed yet, first those that every machine gets. */
async function openTables(client: Queryable): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_dist_partition d WHERE d.logicalrelid = c.oid AND ${isDone})
       AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = c.oid AND e.deptype = 'e')
     ORDER BY NOT c.relname = ANY ($1::text[]), c.relname`,
    [referenceTables],
  )
  return rows.map(({ name }) => name)
}

/** Distributes one table and returns the number of its rows. */
async function distributeTable(client: Client, table: string): Promise<number> {
  await client.query('BEGIN')
  try {
    await client.query(`LOCK TABLE "${table}" IN EXCLUSIVE MODE`)
    const before = await sumsOf(client, table)
    await spread(client, table)
    const after = await sumsOf(client, table)
    if (before.text !== after.text) throw new RowsDifferError(table)
    await client.query('SELECT truncate_local_data_after_distributing_table($1)', [`public.${table}`])
    await client.query('COMMIT')
    return after.rows
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

async function spread(client: ClientBase, table: string): Promise<void> {
  for (const trigger of triggersLeft) await client.query(`DROP TRIGGER IF EXISTS "${trigger}" ON "${table}"`)
  if (referenceTables.includes(table)) await client.query('SELECT create_reference_table($1)', [`public.${table}`])
  else
    await client.query(`SELECT create_distributed_table($1, 'workspace_id', colocate_with => $2)`, [
      `public.${table}`,
      (await anyDistributed(client)) ?? 'default',
    ])
}

/** Returns a table beside whose rows those of the same workspace lie; undefined for the first one. */
async function anyDistributed(client: Queryable): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT 'public.' || c.relname AS name FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
     WHERE d.partmethod = 'h' AND c.relnamespace = 'public'::regnamespace ORDER BY d.colocationid, c.relname LIMIT 1`,
  )
  return rows[0]?.name
}

/** Returns the number of rows of a table, and a text that differs when a row of any workspace does. */
async function sumsOf(client: Queryable, table: string): Promise<{ readonly rows: number; readonly text: string }> {
  const workspace = referenceTables.includes(table) ? 'NULL::uuid' : 't.workspace_id'
  const { rows } = await client.query<{ workspace: string | null; rows: string; sum: string }>(
    `SELECT ${workspace} AS workspace, count(*) AS rows, sum(hashtextextended(t::text, 0)::numeric) AS sum
     FROM "${table}" t GROUP BY 1 ORDER BY 1`,
  )
  return { rows: rows.reduce((total, each) => total + Number(each.rows), 0), text: JSON.stringify(rows) }
}

async function bringKeysBack(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT of_table AS "table", name, definition FROM migrations.keys_aside ORDER BY of_table, name`,
  )
  for (const { table, name, definition } of rows) {
    await client.query('BEGIN')
    try {
      await client.query(`ALTER TABLE "${table}" ADD CONSTRAINT "${name}" ${definition}`)
      await client.query('DELETE FROM migrations.keys_aside WHERE of_table = $1 AND name = $2', [table, name])
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    }
  }
}

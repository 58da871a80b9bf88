import { getTableName, sql, type Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { countFollowUps, followUps, followUpsOf } from './follow-ups.ts'
import { kindTables } from './kind-tables.ts'
import { customRecords } from './schema/index.ts'
import type { Executor } from './transaction.ts'

/** A table whose records the ledger counts (docs/decisions/totals.md). */
interface Counted {
  /** The columns that decide which count a record belongs to, and whether to any. */
  readonly columns: readonly string[]
  /** The kind of a row, in SQL over its columns. */
  readonly entityType: string
}

const ofAll = ['workspace_id', 'owner_id', 'created_by_id', 'department_id', 'deleted_at']
const ofSome = ['pipeline_id', 'stage_id', 'status', 'entity_key']

/** By the name of the table. Bounded: the tables of the schema that are counted. */
const countedTables: ReadonlyMap<string, Counted> = new Map(
  [
    ...Object.entries(kindTables).map(([entity, table]) => [table, `'${entity}'`] as const),
    [customRecords, 'upper(entity_key)'] as const,
  ].map(([table, entityType]) => [getTableName(table), toCounted(table, entityType)]),
)

function toCounted(table: PgTable, entityType: string): Counted {
  const has = new Set(getTableConfig(table).columns.map(({ name }) => name))
  return { columns: [...ofAll, ...ofSome.filter((name) => has.has(name))], entityType }
}

const addToLedger =
  'INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)'

/** Returns what the ledger keeps of a row besides its number. */
function dimensionsOf({ columns, entityType }: Counted): string {
  const other = (name: string, type: string): string => (columns.includes(name) ? name : `NULL::${type}`)
  return `workspace_id, ${entityType}, owner_id, coalesce(owner_id, created_by_id), department_id, ${other('pipeline_id', 'uuid')}, ${other('stage_id', 'uuid')}, ${other('status', 'text')}`
}

/** What a write returns: the expressions with their names, and the names alone. */
export interface Returned {
  readonly selection: SQL
  readonly names: SQL
}

/** Returns what a write returns, by name. */
export function returned(fields: Readonly<Record<string, SQLWrapper>>): Returned {
  const entries = Object.entries(fields)
  return {
    selection: list(entries.map(([name, field]) => sql`${field} AS ${sql.identifier(name)}`)),
    names: list(entries.map(([name]) => sql`${sql.identifier(name)}`)),
  }
}

function list(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `)
}

/** What a write returns for the ledger, and the ledger's rows for both sides of each row of `written`. */
function movesOf(ofTable: Counted): { readonly sides: SQL; readonly counts: SQL } {
  const side = (row: string, sign: string): string =>
    `SELECT ${ofTable.columns.map((name) => `${row}_${name} AS ${name}`).join(', ')}, CASE WHEN ${row}_deleted_at IS NULL THEN ${sign}1 ELSE 0 END AS n FROM written WHERE ${row}_workspace_id IS NOT NULL`
  return {
    sides: sql.raw(ofTable.columns.map((name) => `old.${name} AS old_${name}, new.${name} AS new_${name}`).join(', ')),
    counts: sql.raw(
      `${addToLedger} SELECT ${dimensionsOf(ofTable)}, sum(n) FROM (${side('old', '-')} UNION ALL ${side('new', '')}) AS sides GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
    ),
  }
}

/**
 * Returns an INSERT, UPDATE or DELETE that also adds its rows to the ledger where its table is counted.
 *
 * @param write the statement without RETURNING
 * @param answer what it returns; without it the statement answers nothing
 * @param leadsTo what it returns for `countFollowUps` besides, from `followUpsOf`
 */
export function counted(table: PgTable | string, write: SQL, answer?: Returned, leadsTo?: SQL): SQL {
  const ofTable = countedTables.get(typeof table === 'string' ? table : getTableName(table))
  if (!ofTable && !leadsTo) return answer ? sql`${write} RETURNING ${answer.selection}` : write
  const moves = ofTable && movesOf(ofTable)
  const selection = list([answer?.selection, moves?.sides, leadsTo].filter((part) => part !== undefined))
  const written = sql`WITH written AS (${write} RETURNING ${selection})`
  if (!answer && !leadsTo) return sql`${written} ${moves?.counts}`
  const counting = moves ? sql`${written}, counted AS (${moves.counts})` : written
  if (!answer) return sql`${counting} SELECT DISTINCT ${followUps} FROM written WHERE ${followUps} IS NOT NULL`
  return sql`${counting} SELECT ${list([answer.names, ...(leadsTo ? [followUps] : [])])} FROM written`
}

/**
 * Performs an INSERT, UPDATE or DELETE of records, or of the links between them, and returns what it answers. Every such write goes through here, or
 * through `insertRow` and `updateRow`: it is counted in the ledger, and so are the follow-ups that it leads to.
 *
 * @param tx a transaction where the write leads to follow-ups
 * @param write the statement without RETURNING
 * @param answer what it returns; without it nothing is returned
 */
export async function writeRows<Row extends Record<string, unknown> = Record<string, unknown>>(
  tx: Executor,
  table: PgTable | string,
  write: SQL,
  answer?: Returned,
): Promise<Row[]> {
  const leadsTo = followUpsOf(table)
  const { rows } = await tx.execute<Row>(counted(table, write, answer, leadsTo))
  if (leadsTo) await countFollowUps(tx, table, rows)
  return answer ? (rows as Row[]) : []
}

/** Marks a COPY into a counted table after which `countCopied` runs in the same transaction. */
export function countedCopy(copy: string): string {
  return `${copy} /* record_counts */`
}

/** Returns the statement that counts copied rows, for a workspace and the ids of the rows. */
export function countCopied(table: string): string {
  const ofTable = countedTables.get(table)
  if (!ofTable) throw new Error(`The ledger does not count ${table}`)
  return `${addToLedger} SELECT ${dimensionsOf(ofTable)}, count(*) FILTER (WHERE deleted_at IS NULL) FROM ${table} WHERE workspace_id = $1 AND id = ANY ($2) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`
}

/** Returns the rows of the ledger for new rows of a workspace, which stand under the name of their table; undefined where that is not counted. */
export function countNew(
  table: PgTable & { readonly workspaceId: PgColumn },
  workspaceId: Placeholder,
): SQL | undefined {
  const ofTable = countedTables.get(getTableName(table))
  if (!ofTable) return undefined
  return sql`${sql.raw(`${addToLedger} SELECT ${dimensionsOf(ofTable)}, CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END`)} FROM ${table} WHERE ${table.workspaceId} = ${workspaceId}`
}

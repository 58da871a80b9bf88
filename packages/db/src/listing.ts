import { and, sql, type SQL } from 'drizzle-orm'
import { recordCounts } from './schema/crm.ts'
import { visibleCounts, type Scope } from './scope.ts'
import type { Database } from './client.ts'
import type { LaterRow } from './some-rows.ts'

/** One page of a list with the exact number of all matches. */
export interface Page<Row> {
  readonly items: readonly Row[]
  readonly total: number
  /** The rows of the page that are too large to read at once; none by default. */
  readonly later?: readonly LaterRow[]
}

/** The number of a list's rows without a count of them: the ledger's part of the query. */
export interface LedgerCount {
  readonly scope: Scope
  readonly entityType: string
  readonly where: SQL | undefined
}

/** Returns the ledger's sum for one kind of record, as a scalar subquery. */
export function ledgerTotal({ scope, entityType, where }: LedgerCount): SQL<number> {
  return sql<number>`(SELECT coalesce(sum(n), 0)::int FROM ${recordCounts} WHERE ${ledgerRows({ scope, entityType, where })})`
}

/** Returns the condition on the rows of the ledger that count a scope's visible records of one kind. */
export function ledgerRows({ scope, entityType, where }: LedgerCount): SQL {
  return and(visibleCounts(scope, recordCounts), sql`${recordCounts.entityType} = ${entityType}`, where) as SQL
}

/**
 * Returns a value that identifies the visible state of one kind of record: it changes with every write (docs/decisions/totals.md).
 * It depends on every id, not only on the highest: a fold and a slow writer can commit below it and leave the count the same.
 */
export function ledgerFingerprint(workspaceId: string, entityType: string): SQL<string> {
  return sql<string>`(SELECT count(*) || ':' || coalesce(bit_xor(hashint8extended(id, 0)), 0) FROM ${recordCounts}
    WHERE ${recordCounts.workspaceId} = ${workspaceId} AND ${recordCounts.entityType} = ${entityType})`
}

/** Folds the ledger of one kind of record when it has grown. */
export async function compactCounts(
  db: Pick<Database, 'execute'>,
  workspaceId: string,
  entityType: string,
): Promise<void> {
  await db.execute(sql`SELECT crm_compact_counts(${workspaceId}::uuid, ${entityType})`)
}

import { isAnyOf, schema, untold, visibleCounts, type Executor, type Scope } from '@crm/db'
import type { AccessLevel } from '@crm/permissions'
import { and, eq, sql } from 'drizzle-orm'

/** How many records of a kind there are, and how many of them the caller sees, at least. */
export interface Counts {
  readonly present: number
  readonly seen: number
}

/** The counts of kinds by entity type; a kind of which there are none may be missing. */
export type CountsByType = ReadonlyMap<string, Counts>

type CountedRow = { readonly entityType: string } & Readonly<Partial<Record<AccessLevel, number>>>

/** The counts of the kinds that a caller sees within these scopes, by entity type: from the ledger, read once for all of them. */
export async function readCounts(db: Executor, workspaceId: string, scopes: ReadonlyMap<string, Scope>): Promise<CountsByType> {
  const { recordCounts } = schema
  const counted = and(eq(recordCounts.workspaceId, untold(workspaceId)), isAnyOf(recordCounts.entityType, scopes.keys()))
  const seen = [...byLevel(scopes)].map(([level, scope]) => sql`, coalesce(sum(n) FILTER (WHERE ${visibleCounts(scope, recordCounts)}), 0)::int AS ${sql.identifier(level)}`)
  const { rows } = await db.execute<CountedRow>(sql`SELECT entity_type AS "entityType", sum(n)::int AS "ALL"${sql.join(seen)} FROM ${recordCounts} WHERE ${counted} GROUP BY entity_type`)
  return new Map(rows.map((row) => [row.entityType, { present: row.ALL ?? 0, seen: row[scopes.get(row.entityType)?.level ?? 'ALL'] ?? 0 }]))
}

/** One scope of each level that sees less than everything: those of one caller differ in nothing else. */
function byLevel(scopes: ReadonlyMap<string, Scope>): ReadonlyMap<string, Scope> {
  return new Map([...scopes.values()].filter(({ level }) => level !== 'ALL').map((scope) => [scope.level, scope] as const))
}

import { ledgerTotal, systemScope, type Scope } from '@crm/db'
import { getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { RecordKind } from './kind.ts'

/** A workspace with such a share of a table has most of whatever the index of texts finds there. */
const mostOfTable = 0.75

/** Whether a workspace has most of the table of a kind, as a scalar subquery (docs/decisions/search.md). */
export function fillsTable({ table, entityType }: RecordKind, { workspaceId }: Scope): SQL<boolean> {
  const present = ledgerTotal({ scope: systemScope(workspaceId), entityType, where: undefined })
  return sql<boolean>`(${present} >= ${mostOf(table)})`
}

/** How many records are most of a table, as a scalar subquery. */
export function mostOf(table: PgTable): SQL<number> {
  return sql<number>`(SELECT ${sql.raw(String(mostOfTable))} * reltuples FROM pg_class WHERE oid = ${sql.raw(`'${getTableName(table)}'`)}::regclass)`
}

/**
 * The kind with its workspace in a form that no index knows. The index of texts has the workspace as well, and reads the list of all its
 * records beside those of a text: where they fill the table, the text alone finds them sooner.
 */
export function apartFromWorkspace(kind: RecordKind): RecordKind {
  const workspaceId = { value: sql`${kind.table.workspaceId}::text` }
  return { ...kind, table: Object.create(kind.table, { workspaceId }) as RecordKind['table'] }
}

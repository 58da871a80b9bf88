import type { Executor, RecordTable, Scope } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { and, eq, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'
import { kindsInSight } from './kinds.ts'
import type { RecordKind } from '../records/owned/kind.ts'
import { existing } from '../records/owned/list.ts'

/** Columns that refer to a record of any kind. */
export interface Reference {
  readonly entityType: SQLWrapper
  readonly entityId: SQLWrapper
}

/** What tells which records a caller sees. */
export type Sight = Pick<CrmContext, 'scopeIfAllowed' | 'caller'>

/** The references whose record is there and within what the caller may see; of some kinds alone where they are named. */
export function visibleReferences(
  context: Sight,
  reference: Reference,
  kinds: readonly RecordKind[] = kindsInSight(context),
): SQL {
  const ofKinds = kinds.flatMap((kind) => {
    const scope = context.scopeIfAllowed(kind.entityType)
    return scope
      ? [and(eq(reference.entityType, kind.entityType), isThere(scope, kind, reference.entityId)) as SQL]
      : []
  })
  return or(...ofKinds) ?? sql`false`
}

/** Whether a record of any kind is there and within what the caller may see. */
export async function isVisibleRecord(db: Executor, context: Sight, entityType: string, id: string): Promise<boolean> {
  const kind = kindsInSight(context).find((known) => known.entityType === entityType)
  const scope = kind && context.scopeIfAllowed(kind.entityType)
  if (!scope) return false
  const { rows } = await db.execute(sql`SELECT 1 WHERE ${isThere(scope, kind, sql`${id}::uuid`)}`)
  return rows.length === 1
}

function isThere(scope: Scope, kind: RecordKind, id: SQLWrapper): SQL {
  return sql`EXISTS (SELECT FROM ${kind.table} WHERE ${and(existing(kind, scope), sql`${kind.table.id} = ${id}`)})`
}

/** Refuses what a field names and the workspace does not have, and keeps what it has from being deleted before the record is written. */
export async function requireReferred(
  tx: Executor,
  workspaceId: string,
  table: RecordTable,
  id: string | null | undefined,
  field: string,
): Promise<void> {
  if (!id) return
  const { rows } = await tx.execute(
    sql`SELECT 1 FROM ${table} WHERE ${table.workspaceId} = ${workspaceId} AND ${table.id} = ${id} FOR KEY SHARE`,
  )
  if (rows.length === 0) throw invalidReference(field)
}

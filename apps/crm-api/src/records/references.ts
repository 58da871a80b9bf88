import type { Executor, Scope } from '@crm/db'
import { and, eq, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { CrmContext } from '../context.ts'
import { kindOf, recordKinds, type KnownEntity } from './kinds.ts'
import type { RecordKind } from './owned/kind.ts'
import { existing } from './owned/list.ts'

/** Columns that refer to a record of any kind. */
export interface Reference {
  readonly entityType: SQLWrapper
  readonly entityId: SQLWrapper
}

/** The references whose record is there and within what the caller may see. */
export function visibleReferences({ scopeIfAllowed }: Pick<CrmContext, 'scopeIfAllowed'>, reference: Reference): SQL {
  const ofKinds = Object.values(recordKinds).flatMap((kind) => {
    const scope = scopeIfAllowed(kind.entityType as KnownEntity)
    return scope ? [and(eq(reference.entityType, kind.entityType), isThere(scope, kind, reference.entityId))] : []
  })
  return or(...ofKinds) ?? sql`false`
}

/** Whether a record of any kind is there and within what the caller may see. */
export async function isVisibleRecord(db: Executor, { scopeIfAllowed }: Pick<CrmContext, 'scopeIfAllowed'>, entityType: string, id: string): Promise<boolean> {
  const kind = kindOf(entityType)
  const scope = kind && scopeIfAllowed(kind.entityType as KnownEntity)
  if (!scope) return false
  const { rows } = await db.execute(sql`SELECT 1 WHERE ${isThere(scope, kind, sql`${id}::uuid`)}`)
  return rows.length === 1
}

function isThere(scope: Scope, kind: RecordKind, id: SQLWrapper): SQL {
  return sql`EXISTS (SELECT FROM ${kind.table} WHERE ${and(existing(kind, scope), sql`${kind.table.id} = ${id}`)})`
}

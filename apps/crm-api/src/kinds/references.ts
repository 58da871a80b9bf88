import type { Executor, RecordTable, Scope } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { referencesOf } from '@crm/model'
import { and, eq, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'
import { requireEmployees, requireVisible } from '../records/owned/facts.ts'
import { kindOf, kindsInSight } from './kinds.ts'
import type { RecordKind } from '../records/owned/kind.ts'
import { existing } from '../records/owned/list.ts'

/** Columns that refer to a record of any kind. */
export interface Reference {
  readonly entityType: SQLWrapper
  readonly entityId: SQLWrapper
}

/** The parts of a context that decide which records a caller sees. */
export type Sight = Pick<CrmContext, 'scopeIfAllowed' | 'caller'>

/** Returns the references whose record exists within the caller's sight; of certain kinds only, where they are named. */
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

/** Whether a record of any kind exists within the caller's sight. */
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

/**
 * Refuses the references of a new or changed record that do not exist or that its writer may not see: records, and people of the workspace.
 * References that the record has already may stay. A record above it in a tree is checked where its circles are.
 * @throws ApiError INVALID_REFERENCE
 */
export async function requireReferences(
  db: Executor,
  context: Sight & Pick<CrmContext, 'workspace'> & { readonly seen?: ReadonlySet<string> },
  entityType: string,
  sent: object,
  current: object = {},
): Promise<void> {
  const [values, present] = [sent as Values, current as Values]
  for (const { name, to, isList } of referencesOf(entityType)) {
    const kind = kindOf(to)
    if (to === 'EMPLOYEE') {
      const ids = isList ? ((values[name] ?? []) as readonly string[]) : [freshId(values, present, name)]
      await requireEmployees(db, context.workspace.id, ids, name)
    } else if (kind && to !== entityType && !isList) {
      await requireVisible(db, context, kind, freshId(values, present, name), name)
    }
  }
}

type Values = Readonly<Record<string, unknown>>

function freshId(sent: Values, current: Values, name: string): string | null | undefined {
  return sent[name] === current[name] ? undefined : (sent[name] as string | null | undefined)
}

/** Refuses a reference to a row that the workspace does not have, and keeps an existing row from deletion until the record is written. */
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

import { scopeOf, visible, type Scope } from '@crm/db'
import { narrowest } from '@crm/permissions'
import { and, getTableName, or, sql, type SQL } from 'drizzle-orm'
import { kindsInSight, recordKinds } from '../../kinds/kinds.ts'
import { visibleReferences } from '../../kinds/references.ts'
import { taskKind } from '../../kinds/tasks.ts'
import type { CrmContext } from '../../platform/context.ts'
import { recallCustomEntities } from '../../records/custom-kinds.ts'
import type { RecordKind } from '../../records/owned/kind.ts'

/** How far an erasure reaches beyond the person's own record: to what its caller may see and delete. */
export interface ErasureReach {
  /** Whether that is every record of the workspace; then also what belongs to no kind of record. */
  readonly isWhole: boolean
  /** The part of both rights over a kind of record; null where the caller lacks one. */
  scope(entityType: string): Scope | null
  /** Returns the condition that the caller reaches a row of a table; null where they reach none. */
  within(table: string): SQL | null
}

/** Returns how far the caller of an erasure reaches. */
export async function erasureReach(context: CrmContext): Promise<ErasureReach> {
  const { workspace, caller, db } = context
  const scope = (entityType: string): Scope | null => {
    const [view, remove] = [
      scopeOf(workspace.id, caller, entityType),
      scopeOf(workspace.id, caller, entityType, 'DELETE'),
    ]
    return view && remove ? narrower(view, remove) : null
  }
  const custom = await recallCustomEntities(db, context)
  const all: readonly RecordKind[] = [...Object.values<RecordKind>(recordKinds), ...custom.map(({ kind }) => kind)]
  if (all.every(({ entityType }) => scope(entityType)?.level === 'ALL'))
    return { isWhole: true, scope, within: () => sql`true` }
  const sight = { caller, scopeIfAllowed: scope }
  const aboutRecord = (table: 'comments' | 'timeline'): SQL =>
    visibleReferences(
      sight,
      { entityType: sql.raw(`${table}.entity_type`), entityId: sql.raw(`${table}.entity_id`) },
      kindsInSight({ caller }),
    )
  return {
    isWhole: false,
    scope,
    within: (table) => {
      if (table === 'comments' || table === 'timeline') return aboutRecord(table)
      if (table === 'checklist_items') return ofTask(scope('TASK'))
      const kinds = all.filter((kind) => getTableName(kind.table) === table)
      const parts = kinds.flatMap((kind) => {
        const reached = scope(kind.entityType)
        return reached ? [and(visible(reached, kind.table), kind.base) as SQL] : []
      })
      return or(...parts) ?? null
    },
  }
}

function narrower(one: Scope, other: Scope): Scope {
  return narrowest(one.level, other.level) === one.level ? one : other
}

function ofTask(scope: Scope | null): SQL | null {
  const { table } = taskKind
  return (
    scope && sql`EXISTS (SELECT FROM ${table} WHERE ${visible(scope, table)} AND ${table.id} = checklist_items.task_id)`
  )
}

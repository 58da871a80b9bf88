import { entitiesWith } from '@crm/model'
import { reachesIn, type Reach } from '@crm/permissions'
import { and, eq, sql } from 'drizzle-orm'
import { isAnyOf } from './any-of.ts'
import { readRights } from './rights.ts'
import { recordCounts } from './schema/crm.ts'
import type { Executor } from './transaction.ts'

/** Records of a kind that are somebody's, or a department's. */
interface Held {
  readonly entityType: string
  readonly holderId: string | null
  readonly departmentId: string | null
}

/**
 * Returns the active people who may see records that a team shares, such as contacts and deals, but see none of those that are there:
 * usually their role shows a department, and they have none. Nobody, where there are no such records yet.
 */
export async function findPeopleWithoutSight(db: Executor, workspaceId: string): Promise<readonly string[]> {
  const shared = entitiesWith('shared')
  const { entityType, holderId, departmentId } = recordCounts
  const held: readonly Held[] = await db
    .select({ entityType, holderId, departmentId })
    .from(recordCounts)
    .where(and(eq(recordCounts.workspaceId, workspaceId), isAnyOf(entityType, shared)))
    .groupBy(entityType, holderId, departmentId)
    .having(sql`sum(${recordCounts.n}) > 0`)
  if (held.length === 0) return []
  const rights = await readRights(db, workspaceId)
  const reachOf = reachesIn(rights)
  return rights.people
    .filter(({ isActive, isService }) => isActive && !isService)
    .filter(({ id }) => {
      const reach = reachOf(id)
      const mayView = shared.some((kind) => reach.extents.has(`VIEW_${kind}`))
      return mayView && !held.some((one) => sees(reach, one))
    })
    .map(({ id }) => id)
}

function sees({ holder, extents }: Reach, { entityType, holderId, departmentId }: Held): boolean {
  switch (extents.get(`VIEW_${entityType}`)) {
    case 'ALL':
      return true
    case 'DEPARTMENT_TREE':
      return holderId === holder.id || (departmentId !== null && holder.departmentTree.has(departmentId))
    case 'DEPARTMENT':
      return holderId === holder.id || (departmentId !== null && departmentId === holder.departmentId)
    case 'OWN':
      return holderId === holder.id
    case undefined:
      return false
  }
}

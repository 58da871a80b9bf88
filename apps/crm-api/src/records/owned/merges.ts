import { schema, type Executor, type Transaction } from '@crm/db'
import { and, eq, gt, lt } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import type { Moved } from './merge-moves.ts'
import type { WriteContext } from './write.ts'

const { merges } = schema

/** For how long a merge can be undone. */
const undoableMs = 72 * 60 * 60_000

/** A merge that can still be undone. */
export type Merge = typeof merges.$inferSelect

const since = (at: string): string => new Date(Date.parse(at) - undoableMs).toISOString()

/** Remembers what a merge moved, and forgets merges of long ago. */
export async function rememberMerge(
  tx: Transaction,
  { workspace, caller, at }: WriteContext,
  merge: Pick<Merge, 'id' | 'entityType' | 'survivorId' | 'sourceIds'> & Moved,
): Promise<void> {
  await tx.delete(merges).where(and(eq(merges.workspaceId, workspace.id), lt(merges.createdAt, since(at))))
  await tx.insert(merges).values({ ...merge, workspaceId: workspace.id, actorId: caller.employee.id, createdAt: at })
}

/** Returns a merge by a person from the last 72 hours. */
export async function findMerge(
  db: Executor,
  { workspace, at }: Pick<CrmContext, 'workspace' | 'at'>,
  id: string,
  actorId: string,
): Promise<Merge | undefined> {
  const [found] = await db
    .select()
    .from(merges)
    .where(
      and(
        eq(merges.workspaceId, workspace.id),
        eq(merges.id, id),
        eq(merges.actorId, actorId),
        gt(merges.createdAt, since(at)),
      ),
    )
  return found
}

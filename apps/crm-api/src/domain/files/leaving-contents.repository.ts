import { isAnyOf, schema, type Executor, type Transaction } from '@crm/db'
import { isNotPutOff } from '@crm/jobs'
import { and, asc, eq, lte } from 'drizzle-orm'

const { leavingContents } = schema

/** The time for which a content outlives its row: longer than any backup takes, which copies contents after rows. */
const keptMs = 48 * 60 * 60 * 1000

/** Where the storage keeps a content, and the workspace that it belongs to. */
export interface LeavingContent {
  readonly workspaceId: string
  readonly key: string
}

/** Lets contents leave, in the transaction that deletes their rows. */
export async function leaveContents(tx: Transaction, contents: readonly LeavingContent[], at: string): Promise<void> {
  if (contents.length === 0) return
  const leavesAt = new Date(Date.parse(at) + keptMs).toISOString()
  await tx
    .insert(leavingContents)
    .values(contents.map(({ workspaceId, key }) => ({ workspaceId, key, leavesAt })))
    .onConflictDoNothing()
}

/** Returns contents whose time has come, the earliest first, without those whose removal failed and waits. */
export function selectLeft(db: Executor, work: string, at: string, limit: number): Promise<LeavingContent[]> {
  return db
    .select({ workspaceId: leavingContents.workspaceId, key: leavingContents.key })
    .from(leavingContents)
    .where(
      and(
        lte(leavingContents.leavesAt, at),
        isNotPutOff(work, { workspaceId: leavingContents.workspaceId, row: leavingContents.key }, at),
      ),
    )
    .orderBy(asc(leavingContents.leavesAt))
    .limit(limit)
}

/** Forgets contents of a workspace that are removed. */
export async function forgetContents(db: Executor, workspaceId: string, keys: readonly string[]): Promise<void> {
  await db
    .delete(leavingContents)
    .where(and(eq(leavingContents.workspaceId, workspaceId), isAnyOf(leavingContents.key, keys)))
}

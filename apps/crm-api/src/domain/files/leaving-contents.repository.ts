import { isAnyOf, schema, type Executor, type Transaction } from '@crm/db'
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

/** Returns contents whose time has come, the earliest first. */
export function selectLeft(db: Executor, at: string, limit: number): Promise<LeavingContent[]> {
  return db
    .select({ workspaceId: leavingContents.workspaceId, key: leavingContents.key })
    .from(leavingContents)
    .where(lte(leavingContents.leavesAt, at))
    .orderBy(asc(leavingContents.leavesAt))
    .limit(limit)
}

/** Forgets contents of a workspace that are removed. */
export async function forgetContents(db: Executor, workspaceId: string, keys: readonly string[]): Promise<void> {
  await db
    .delete(leavingContents)
    .where(and(eq(leavingContents.workspaceId, workspaceId), isAnyOf(leavingContents.key, keys)))
}

/** Puts a content that could not be removed behind the others. */
export async function postponeContent(
  db: Executor,
  { workspaceId, key }: LeavingContent,
  until: string,
): Promise<void> {
  await db
    .update(leavingContents)
    .set({ leavesAt: until })
    .where(and(eq(leavingContents.workspaceId, workspaceId), eq(leavingContents.key, key)))
}

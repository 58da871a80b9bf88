import { ledgerTotal, systemScope, type Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import type { Workspace } from '@crm/identity'
import { quotaEntities, quotas, storageQuota, storageUnitBytes, type Quota } from '@crm/permissions'
import { sql } from 'drizzle-orm'

/** Returns the plan limit that counts a kind of record. */
export function quotaOf(entityType: string): Quota | undefined {
  return quotas.find((quota) => quotaEntities[quota] === entityType)
}

/** Returns the number of records of a limited kind in a workspace. */
export async function countUsed(db: Executor, workspaceId: string, quota: Quota): Promise<number> {
  const total = ledgerTotal({ scope: systemScope(workspaceId), entityType: quotaEntities[quota], where: undefined })
  const [row] = await db.select({ used: total }).from(sql`(SELECT 1) AS one`)
  return row?.used ?? 0
}

/**
 * Refuses a creation over the plan limit; with a limit, creations wait for each other so that the limit holds exactly
 * (docs/guide/errors.md).
 */
export async function requireQuota(tx: Executor, workspace: Workspace, quota: Quota, wanted = 1): Promise<void> {
  const limit = workspace.quotas.get(quota)
  if (limit === undefined) return
  await lockQuota(tx, workspace, quota)
  const used = await countUsed(tx, workspace.id, quota)
  if (used + wanted > limit)
    throw new ApiError('QUOTA_EXCEEDED', {
      message: `The plan allows ${limit} ${quota}`,
      details: { quota, used, limit },
    })
}

/** Returns the number of stored bytes of a workspace: its files without deleted ones, its exports, the files of migrations, and the pictures of people. */
export async function countStored(db: Executor, workspaceId: string): Promise<number> {
  const { rows } = await db.execute<{ used: string }>(sql`
    SELECT (SELECT coalesce(sum(size), 0) FROM files WHERE workspace_id = ${workspaceId} AND deleted_at IS NULL)
      + (SELECT coalesce(sum(bytes), 0) FROM exports WHERE workspace_id = ${workspaceId})
      + (SELECT coalesce(sum(bytes), 0) FROM imports WHERE workspace_id = ${workspaceId})
      + (SELECT coalesce(sum(size), 0) FROM employee_pictures WHERE workspace_id = ${workspaceId}) AS used`)
  return Number(rows[0]?.used ?? 0)
}

/** Returns the number of bytes that a workspace may store; undefined without a limit. */
export function storageLimitOf({ quotas: limits }: Pick<Workspace, 'quotas'>): number | undefined {
  const limit = limits.get(storageQuota)
  return limit === undefined ? undefined : limit * storageUnitBytes
}

/**
 * Refuses bytes for which a workspace has no room; with a limit, requests that store bytes wait for each other so that the
 * limit holds exactly.
 */
export async function requireStorage(tx: Executor, workspace: Workspace, bytes: number): Promise<void> {
  const limit = storageLimitOf(workspace)
  if (limit === undefined) return
  await lockQuota(tx, workspace, storageQuota)
  const used = await countStored(tx, workspace.id)
  if (used + bytes > limit)
    throw new ApiError('STORAGE_QUOTA_EXCEEDED', {
      message: 'The workspace has no room for this; delete files, or ask for a larger plan',
      details: { used, limit },
    })
}

async function lockQuota(tx: Executor, workspace: Workspace, quota: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`quota:${workspace.id}:${quota}`}, 0))`)
}

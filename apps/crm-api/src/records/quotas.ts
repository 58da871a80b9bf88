import { ledgerTotal, systemScope, type Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import type { Workspace } from '@crm/identity'
import { quotaEntities, quotas, type Quota } from '@crm/permissions'
import { sql } from 'drizzle-orm'

/** The plan limit that counts a kind of record. */
export function quotaOf(entityType: string): Quota | undefined {
  return quotas.find((quota) => quotaEntities[quota] === entityType)
}

/** How many records of a limited kind a workspace has. */
export async function countUsed(db: Executor, workspaceId: string, quota: Quota): Promise<number> {
  const total = ledgerTotal({ scope: systemScope(workspaceId), entityType: quotaEntities[quota], where: undefined })
  const [row] = await db.select({ used: total }).from(sql`(SELECT 1) AS one`)
  return row?.used ?? 0
}

/** Refuses a creation over the plan limit; with a limit, creations wait for each other so that it holds exactly (docs/guide/errors.md). */
export async function requireQuota(tx: Executor, workspace: Workspace, quota: Quota, wanted = 1): Promise<void> {
  const limit = workspace.quotas.get(quota)
  if (limit === undefined) return
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`quota:${workspace.id}:${quota}`}, 0))`)
  const used = await countUsed(tx, workspace.id, quota)
  if (used + wanted > limit) throw new ApiError('QUOTA_EXCEEDED', { message: `The plan allows ${limit} ${quota}`, details: { quota, used, limit } })
}

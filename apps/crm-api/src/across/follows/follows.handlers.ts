import { follows, followsMax, success } from '@crm/contract'
import { schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, count, eq } from 'drizzle-orm'
import { linkOf, requireSeen } from '../../kinds/in-sight.ts'
import type { RecordLink } from '../../kinds/record-links.ts'
import { implement, type CrmContext } from '../../platform/context.ts'

const { follows: table } = schema

export const implementedFollows = implement(follows, {
  get: async (asked, context) => {
    const link = linkOf(asked)
    await requireSeen(context.db, context, link)
    const found = await context.db.select({ id: table.entityId }).from(table).where(isMine(context, link))
    return success({ following: found.length > 0 })
  },

  follow: async (asked, context) => {
    const link = linkOf(asked)
    await requireSeen(context.db, context, link)
    const { workspaceId, employeeId } = meOf(context)
    await context.transact(async (tx) => {
      const mine = { workspaceId, employeeId }
      const added = await tx
        .insert(table)
        .values({ ...mine, ...link })
        .onConflictDoNothing()
        .returning({ id: table.entityId })
      if (added.length > 0) await requireFew(tx, mine)
    })
    return success({ following: true })
  },

  unfollow: async (asked, context) => {
    const link = linkOf(asked)
    const ended = await context.transact((tx) =>
      tx.delete(table).where(isMine(context, link)).returning({ id: table.entityId }),
    )
    // A record that went out of sight is followed until its follower ends it.
    if (ended.length === 0) await requireSeen(context.db, context, link)
    return success({ following: false })
  },
})

async function requireFew(
  tx: Transaction,
  { workspaceId, employeeId }: { readonly workspaceId: string; readonly employeeId: string },
): Promise<void> {
  const [followed] = await tx
    .select({ n: count() })
    .from(table)
    .where(and(eq(table.workspaceId, workspaceId), eq(table.employeeId, employeeId)))
  const used = (followed?.n ?? 0) - 1
  if (used < followsMax) return
  throw new ApiError('QUOTA_EXCEEDED', {
    message: `You follow ${followsMax} records. Stop following one of them first.`,
    details: { quota: 'followedRecords', used, limit: followsMax },
  })
}

function meOf({ workspace, caller }: CrmContext) {
  return { workspaceId: workspace.id, employeeId: caller.employee.id }
}

function isMine(context: CrmContext, { entityType, entityId }: RecordLink) {
  const { workspaceId, employeeId } = meOf(context)
  return and(
    eq(table.workspaceId, workspaceId),
    eq(table.employeeId, employeeId),
    eq(table.entityType, entityType),
    eq(table.entityId, entityId),
  )
}

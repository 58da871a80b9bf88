import { notificationKinds, notifications, success } from '@crm/contract'
import { isAnyOf, schema } from '@crm/db'
import { and, count, desc, eq, isNull, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'

const { notificationMails, notifications: table } = schema

export const implementedNotifications = implement(notifications, {
  list: async ({ query }, context) => {
    const where = and(isMine(context), query.unread ? isNull(table.readAt) : undefined)
    const [total] = await context.db.select({ n: count() }).from(table).where(where)
    const rows = await context.db
      .select()
      .from(table)
      .where(where)
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf(
      { items: rows.map(({ workspaceId: _workspace, employeeId: _employee, ...row }) => row), total: total?.n ?? 0 },
      query,
    )
  },

  read: async ({ body }, context) =>
    context.transact(async (tx) => {
      const named = body.ids ? isAnyOf(table.id, body.ids) : undefined
      const read = await tx
        .update(table)
        .set({ readAt: context.at })
        .where(and(isMine(context), isNull(table.readAt), named))
        .returning({ id: table.id })
      return success({ updated: read.length })
    }),

  wishes: async (_input, { db, workspace, caller }) => {
    const [wished] = await db
      .select({ kinds: notificationMails.kinds })
      .from(notificationMails)
      .where(and(eq(notificationMails.workspaceId, workspace.id), eq(notificationMails.employeeId, caller.employee.id)))
    // A kind that a later version no longer knows cannot be chosen.
    return success({ mail: notificationKinds.filter((kind) => wished?.kinds.includes(kind)) })
  },

  setWishes: async ({ body }, { workspace, caller, at, transact }) => {
    const mail = notificationKinds.filter((kind) => body.mail.includes(kind))
    await transact((tx) =>
      tx
        .insert(notificationMails)
        .values({ workspaceId: workspace.id, employeeId: caller.employee.id, kinds: mail, since: at })
        .onConflictDoUpdate({
          target: [notificationMails.workspaceId, notificationMails.employeeId],
          set: { kinds: mail, since: at },
        }),
    )
    return success({ mail })
  },
})

function isMine({ workspace, caller }: CrmContext): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.employeeId, caller.employee.id)) as SQL
}

import { notifications, success } from '@crm/contract'
import { isAnyOf, schema } from '@crm/db'
import { and, count, desc, eq, isNull, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'

const { notifications: table } = schema

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
})

function isMine({ workspace, caller }: CrmContext): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.employeeId, caller.employee.id)) as SQL
}

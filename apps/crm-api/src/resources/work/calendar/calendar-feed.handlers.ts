import { calendarFeed, success } from '@crm/contract'
import { schema } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { and, eq, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'

const { calendarFeeds: table } = schema

export const implementedCalendarFeed = implement(calendarFeed, {
  get: async (_input, context) => {
    const [row] = await context.db.select({ createdAt: table.createdAt }).from(table).where(isMine(context))
    return success({ createdAt: row?.createdAt ?? null })
  },

  create: async (_input, context) => {
    const token = newSecret()
    const { workspace, caller, at } = context
    const values = { tokenHash: digest(token), createdAt: at }
    await context.transact(async (tx) => {
      await tx
        .insert(table)
        .values({ ...values, workspaceId: workspace.id, employeeId: caller.employee.id })
        .onConflictDoUpdate({ target: [table.workspaceId, table.employeeId], set: values })
      await trace(tx, context, 'calendar-feed.created')
    })
    // The booking service answers at this address, so that other programs can read the calendar while this API is down.
    return success({ createdAt: at, url: `${workspace.baseUrl}/book/calendar/${token}.ics` })
  },

  delete: async (_input, context) => {
    await context.transact(async (tx) => {
      const gone = await tx.delete(table).where(isMine(context)).returning({ createdAt: table.createdAt })
      if (gone.length > 0) await trace(tx, context, 'calendar-feed.deleted')
    })
    return success({ createdAt: null })
  },
})

function isMine({ workspace, caller }: CrmContext): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.employeeId, caller.employee.id)) as SQL
}

function trace(tx: Parameters<typeof audit>[0], context: CrmContext, action: string): Promise<void> {
  return audit(tx, context, {
    action,
    subjectType: 'EMPLOYEE',
    subjectId: context.caller.employee.id,
    summary: 'Address of the calendar',
  })
}

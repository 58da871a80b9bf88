import { calendarEvents, success } from '@crm/contract'
import { inCalendar, newId, schema, type CalendarTransaction, type Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, asc, count, eq, gt, lt, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { planTimes } from './calendar-events.times.ts'

const { calendarEvents: table } = schema

type EventRow = typeof table.$inferSelect

export const implementedCalendarEvents = implement(calendarEvents, {
  list: async ({ query }, context) => {
    const where = and(
      isMine(context),
      query.from ? gt(table.endAt, query.from.toISOString()) : undefined,
      query.to ? lt(table.startAt, query.to.toISOString()) : undefined,
    )
    const [total] = await context.db.select({ n: count() }).from(table).where(where)
    const rows = await context.db
      .select()
      .from(table)
      .where(where)
      .orderBy(asc(table.startAt), asc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: rows.map(toRecord), total: total?.n ?? 0 }, query)
  },

  get: async ({ params }, context) => success(toRecord(await requireEvent(context.db, context, params.id))),

  create: async ({ body }, context) => {
    const times = planTimes(body)
    return writing(context, async (tx) => {
      const { workspace, caller, at } = context
      const values = {
        title: body.title,
        busy: body.busy,
        ...times,
        workspaceId: workspace.id,
        id: newId(),
        employeeId: caller.employee.id,
        createdById: caller.employee.id,
        createdAt: at,
        updatedAt: at,
      }
      const [row] = await tx.insert(table).values(values).returning()
      return success(toRecord(row as EventRow))
    })
  },

  update: async ({ params, body }, context) =>
    writing(context, async (tx) => {
      const current = await requireOwnMaking(tx, context, params.id)
      const { title, busy } = body
      const [row] = await tx
        .update(table)
        .set({ title, busy, ...planTimes(body, current), updatedAt: context.at })
        .where(isEvent(context, params.id))
        .returning()
      return success(toRecord(row as EventRow))
    }),

  delete: async ({ params }, context) =>
    writing(context, async (tx) => {
      await requireOwnMaking(tx, context, params.id)
      await tx.delete(table).where(isEvent(context, params.id))
      return success({ id: params.id })
    }),
})

/** Runs a write in the calendar; the write and bookings in progress wait for each other. */
function writing<T>(context: CrmContext, work: (tx: CalendarTransaction) => Promise<T>): Promise<T> {
  const mine = { workspaceId: context.workspace.id, employeeId: context.caller.employee.id }
  return context.transact((tx) => inCalendar(context.deps.db, tx, mine, work))
}

function isMine({ workspace, caller }: CrmContext): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.employeeId, caller.employee.id)) as SQL
}

function isEvent(context: CrmContext, id: string): SQL {
  return and(isMine(context), eq(table.id, id)) as SQL
}

async function requireEvent(db: Executor, context: CrmContext, id: string): Promise<EventRow> {
  const [row] = await db.select().from(table).where(isEvent(context, id))
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such event in your calendar' })
  return row
}

async function requireOwnMaking(tx: Executor, context: CrmContext, id: string): Promise<EventRow> {
  const event = await requireEvent(tx, context, id)
  if (event.subscriptionId)
    throw new ApiError('ACCESS_DENIED', { message: 'The event of a subscribed calendar changes there' })
  if (event.bookingId)
    throw new ApiError('ACCESS_DENIED', { message: 'The event of a booking changes with the booking' })
  return event
}

function toRecord({ workspaceId: _workspace, employeeId: _employee, ...row }: EventRow) {
  return row
}

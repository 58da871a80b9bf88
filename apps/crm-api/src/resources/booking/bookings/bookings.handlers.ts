import { isOwnBooking } from '../../../domain/booking/own-bookings.ts'
import { bookings, success } from '@crm/contract'
import { cancelBooking, inCalendar, recordChange, schema, toBookingRecord } from '@crm/db'
import { and, asc, count, desc, eq, gt, lt, ne, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'

const { bookings: table } = schema

export const implementedBookings = implement(bookings, {
  list: async ({ query }, context) => {
    const where = and(
      reachable(context),
      query.status ? eq(table.status, query.status) : undefined,
      query.linkId ? eq(table.linkId, query.linkId) : undefined,
      query.organizerId ? eq(table.organizerId, query.organizerId) : undefined,
      query.from ? gt(table.endAt, query.from.toISOString()) : undefined,
      query.to ? lt(table.startAt, query.to.toISOString()) : undefined,
    )
    const [total] = await context.db.select({ n: count() }).from(table).where(where)
    const inOrder = query.sortOrder === 'asc' ? asc : desc
    const rows = await context.db
      .select()
      .from(table)
      .where(where)
      .orderBy(inOrder(table[query.sortBy ?? 'startAt']), inOrder(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: rows.map(toBookingRecord), total: total?.n ?? 0 }, query)
  },

  cancel: async ({ params }, context) =>
    context.transact(async (tx) => {
      const [found] = await tx
        .select({ organizerId: table.organizerId })
        .from(table)
        .where(and(reachable(context), eq(table.id, params.id)))
      if (!found) throw context.refuse('NOT_FOUND', { message: 'There is no such booking' })
      const { workspace, actor, at } = context
      const calendar = { workspaceId: workspace.id, employeeId: found.organizerId }
      const booking = await inCalendar(context.deps.db, tx, calendar, (inner) =>
        cancelBooking(inner, { workspaceId: workspace.id, id: params.id, actor, at }),
      )
      if (!booking) throw context.refuse('BOOKING_NOT_ACTIVE')
      await recordChange(tx, {
        workspaceId: workspace.id,
        actor,
        at,
        events: (['guest', 'organizer'] as const).map((whom) => ({
          topic: 'mail' as const,
          event: 'booking.mail-cancelled',
          entityType: 'BOOKING',
          entityId: booking.id,
          payload: { bookingId: booking.id, whom },
        })),
      })
      return success(toBookingRecord(booking))
    }),
})

/** Returns the condition for the bookings that the caller sees; never a booking that only holds its slot. */
function reachable(context: CrmContext): SQL {
  return and(isOwnBooking(context), ne(table.status, 'PENDING')) as SQL
}

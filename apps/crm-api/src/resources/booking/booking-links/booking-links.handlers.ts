import { bookingLinks, success } from '@crm/contract'
import { newId, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidReference } from '@crm/errors'
import { and, count, desc, eq, ne, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { withUniqueFields } from '../../../records/unique.ts'
import { refuseUsed } from '../../../records/uses.ts'

const { bookingLinks: table, bookings, employees } = schema
const uniqueFields = { booking_links_slug: 'slug' }
const officeHours = [1, 2, 3, 4, 5].map((day) => ({ day, start: '09:00', end: '17:00' }))

type LinkRow = typeof table.$inferSelect

export const implementedBookingLinks = implement(bookingLinks, {
  list: async ({ query }, { db, workspace }) => {
    const where = and(
      eq(table.workspaceId, workspace.id),
      query.organizerId ? eq(table.organizerId, query.organizerId) : undefined,
      query.isActive === undefined ? undefined : eq(table.isActive, query.isActive),
    )
    const [total] = await db.select({ n: count() }).from(table).where(where)
    const rows = await db
      .select()
      .from(table)
      .where(where)
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: rows.map((row) => toRecord(row, workspace.baseUrl)), total: total?.n ?? 0 }, query)
  },

  get: async ({ params }, context) =>
    success(toRecord(await requireLink(context.db, context, params.id), context.workspace.baseUrl)),

  create: async ({ body }, context) =>
    context.transact(async (tx) => {
      const { workspace, caller, at } = context
      const organizer = await requireOrganizer(tx, context, body.organizerId ?? caller.employee.id)
      const values = {
        ...body,
        organizerId: organizer.id,
        timezone: body.timezone ?? organizer.timezone ?? workspace.timezone,
        weeklyHours: body.weeklyHours ?? officeHours,
        workspaceId: workspace.id,
        id: newId(),
        createdById: caller.employee.id,
        createdAt: at,
        updatedAt: at,
      }
      const [row] = await withUniqueFields(uniqueFields, () => tx.insert(table).values(values).returning())
      if (!row) throw new Error('The booking link was not written')
      await trace(tx, context, 'booking-link.created', row)
      return success(toRecord(row, workspace.baseUrl))
    }),

  update: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      await requireLink(tx, context, params.id)
      if (body.organizerId) await requireOrganizer(tx, context, body.organizerId)
      const [row] = await withUniqueFields(uniqueFields, () =>
        tx
          .update(table)
          .set({ ...body, updatedAt: context.at })
          .where(isLink(context, params.id))
          .returning(),
      )
      if (!row) throw notFound()
      await trace(tx, context, 'booking-link.changed', row)
      return success(toRecord(row, context.workspace.baseUrl))
    }),

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      const row = await requireLink(tx, context, params.id)
      const [used] = await tx
        .select({ n: count() })
        .from(bookings)
        .where(and(eq(bookings.workspaceId, context.workspace.id), eq(bookings.linkId, params.id)))
      const hint = 'The link has been booked; switch it off instead'
      refuseUsed('booking link', [{ entityType: 'BOOKING', count: used?.n ?? 0 }], hint)
      await tx.delete(table).where(isLink(context, params.id))
      await trace(tx, context, 'booking-link.deleted', row)
      return success({ id: params.id })
    }),
})

function isLink({ workspace }: CrmContext, id: string): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.id, id)) as SQL
}

async function requireLink(db: Executor, context: CrmContext, id: string): Promise<LinkRow> {
  const [row] = await db.select().from(table).where(isLink(context, id))
  if (!row) throw notFound()
  return row
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such booking link' })
}

async function requireOrganizer(
  tx: Transaction,
  { workspace }: CrmContext,
  id: string,
): Promise<{ id: string; timezone: string | null }> {
  const [row] = await tx
    .select({ id: employees.id, timezone: employees.timezone })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspace.id), eq(employees.id, id), ne(employees.status, 'TERMINATED')))
  if (!row) throw invalidReference('organizerId')
  return row
}

async function trace(tx: Transaction, context: CrmContext, action: string, { id, slug }: LinkRow): Promise<void> {
  await audit(tx, context, { action, subjectType: 'BOOKING_LINK', subjectId: id, summary: `Booking link ${slug}` })
}

function toRecord({ workspaceId: _workspace, ...row }: LinkRow, baseUrl: string) {
  const dateOverrides = row.dateOverrides.map(({ date, hours }) => ({ date, hours: [...hours] }))
  const questions = row.questions.map((question) => ({ ...question, options: [...question.options] }))
  return { ...row, dateOverrides, questions, url: `${baseUrl}/book/${row.slug}` }
}

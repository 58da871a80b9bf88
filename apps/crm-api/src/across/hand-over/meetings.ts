import type { MeetingFate } from '@crm/contract'
import { cancelBooking, inCalendar, inSavepoint, recordChange, schema, type Transaction } from '@crm/db'
import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import type { BulkResult } from '../../records/owned/bulk.ts'
import { isUpcoming } from './belonging-others.ts'

const { bookings, calendarEvents } = schema

/** The most meetings of one hand-over. */
const meetingsMax = 500

interface Meeting {
  readonly id: string
  readonly startAt: string
  readonly endAt: string
}

/** A meeting that has another organizer now. */
export interface MovedMeeting {
  readonly id: string
  readonly to: string
}

/** Cancels the upcoming meetings of a person, or gives them to those of the others who are free then. */
export async function settleMeetings(
  tx: Transaction,
  context: CrmContext,
  {
    personId,
    toIds,
    meetings,
  }: { readonly personId: string; readonly toIds: readonly string[]; readonly meetings: MeetingFate },
): Promise<{ readonly results: readonly BulkResult[]; readonly moved: readonly MovedMeeting[] }> {
  if (meetings === 'KEEP') return { results: [], moved: [] }
  const upcoming = await tx
    .select({ id: bookings.id, startAt: bookings.startAt, endAt: bookings.endAt })
    .from(bookings)
    .where(isUpcoming(context.workspace.id, personId, context.at))
    .orderBy(asc(bookings.startAt), asc(bookings.id))
    .limit(meetingsMax)
  const results: BulkResult[] = []
  const moved: MovedMeeting[] = []
  for (const [at, meeting] of upcoming.entries()) {
    if (meetings === 'CANCEL') {
      await cancelMeeting(tx, context, personId, meeting.id)
      results.push({ id: meeting.id, status: 'OK' })
      continue
    }
    // The turn goes on from meeting to meeting, so that one person does not get all of them.
    const inTurn = toIds.map((_, step) => toIds[(at + step) % toIds.length] as string)
    const to = await firstFree(tx, context, inTurn, meeting)
    results.push(to === undefined ? busy(meeting.id) : { id: meeting.id, status: 'OK' })
    if (to !== undefined) moved.push({ id: meeting.id, to })
  }
  return { results, moved }
}

const busy = (id: string): BulkResult => ({
  id,
  status: 'ERROR',
  code: 'SLOT_TAKEN',
  message: 'Nobody is free at the time of the meeting',
})

async function cancelMeeting(tx: Transaction, context: CrmContext, personId: string, id: string): Promise<void> {
  const { workspace, actor, at } = context
  const booking = await inCalendar(context.deps.db, tx, { workspaceId: workspace.id, employeeId: personId }, (inner) =>
    cancelBooking(inner, { workspaceId: workspace.id, id, actor, at }),
  )
  if (!booking) return
  await recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    events: [
      {
        topic: 'mail',
        event: 'booking.mail-cancelled',
        entityType: 'BOOKING',
        entityId: id,
        payload: { bookingId: id, whom: 'guest' },
      },
    ],
  })
}

async function firstFree(
  tx: Transaction,
  context: CrmContext,
  people: readonly string[],
  meeting: Meeting,
): Promise<string | undefined> {
  for (const to of people) if (await giveMeeting(tx, context, meeting, to)) return to
  return undefined
}

/** Makes a person the organizer of a meeting if they are free at its time. */
function giveMeeting(tx: Transaction, context: CrmContext, meeting: Meeting, to: string): Promise<boolean> {
  const { workspace, at } = context
  const workspaceId = workspace.id
  return inSavepoint(tx, (inner) =>
    inCalendar(context.deps.db, inner, { workspaceId, employeeId: to }, async (held) => {
      const overlaps = (table: typeof bookings | typeof calendarEvents) =>
        and(eq(table.workspaceId, workspaceId), lt(table.startAt, meeting.endAt), gt(table.endAt, meeting.startAt))
      const [taken] = await held
        .select({ id: bookings.id })
        .from(bookings)
        .where(and(overlaps(bookings), eq(bookings.organizerId, to), sql`${bookings.status} <> 'CANCELLED'`))
        .limit(1)
      const [event] = await held
        .select({ id: calendarEvents.id })
        .from(calendarEvents)
        .where(and(overlaps(calendarEvents), eq(calendarEvents.employeeId, to), calendarEvents.busy))
        .limit(1)
      if (taken || event) return false
      const { rowCount } = await held
        .update(bookings)
        .set({ organizerId: to, updatedAt: at })
        .where(
          and(
            eq(bookings.workspaceId, workspaceId),
            eq(bookings.id, meeting.id),
            eq(bookings.status, 'CONFIRMED'),
            // The guest may have moved it meanwhile.
            eq(bookings.startAt, meeting.startAt),
          ),
        )
      if (rowCount === 0) return false
      await held
        .update(calendarEvents)
        .set({ employeeId: to, updatedAt: at })
        .where(and(eq(calendarEvents.workspaceId, workspaceId), eq(calendarEvents.bookingId, meeting.id)))
      return true
    }),
  )
}

/** Gives meetings back to the person who had them, where they are still to come, unchanged and the person is free. */
export async function moveMeetingsBack(
  tx: Transaction,
  context: CrmContext,
  personId: string,
  moved: readonly MovedMeeting[],
): Promise<number> {
  let back = 0
  for (const { id, to } of moved) {
    const [meeting] = await tx
      .select({ id: bookings.id, startAt: bookings.startAt, endAt: bookings.endAt })
      .from(bookings)
      .where(and(isUpcoming(context.workspace.id, to, context.at), eq(bookings.id, id)))
    if (meeting && (await giveMeeting(tx, context, meeting, personId))) back += 1
  }
  return back
}

import { inCalendar, newId, schema } from '@crm/db'
import { bookingRow, provePeriodicWork, stepsOf, type PlantDue } from '@crm/testkit'
import { and, eq, isNotNull } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { periodicJobs } from '../src/periodic-jobs.ts'
import { berlin, bookingUnderTest } from './booking-under-test.ts'

const service = await bookingUnderTest()
const { db, clock, link } = service
const jobs = periodicJobs(service.depsWith({}))
const tuesday = '2026-06-02'
const later = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

const calendarOf = (summary: string) =>
  [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:1',
    `SUMMARY:${summary}`,
    'DTSTART:20260602T090000Z',
    'DTEND:20260602T100000Z',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

async function book(workspace: Parameters<PlantDue>[0], status: 'PENDING' | 'CONFIRMED'): Promise<string> {
  const { workspaceId, adminUserId: organizerId } = workspace
  const { id: linkId } = await link({}, workspace)
  const id = newId()
  await inCalendar(db, undefined, { workspaceId, employeeId: organizerId }, async (tx) => {
    await tx.insert(schema.bookings).values(
      bookingRow({
        workspaceId,
        id,
        linkId,
        organizerId,
        status,
        startAt: berlin(tuesday, 9),
        endAt: berlin(tuesday, 10),
        inviteeName: 'First',
        inviteeEmail: 'first@guest.test',
        joinUrl: '',
        createdAt: later(-120_000),
      }),
    )
  })
  return id
}

const abandoned: PlantDue = async (workspace) => {
  const id = await book(workspace, 'PENDING')
  const { bookings } = schema
  return async () => (await db.$count(bookings, and(eq(bookings.id, id), eq(bookings.status, 'CANCELLED')))) === 1
}

const mail: PlantDue = async (workspace) => {
  const { workspaceId } = workspace
  const bookingId = await book(workspace, 'CONFIRMED')
  const { bookingMails } = schema
  await db.insert(bookingMails).values({
    workspaceId,
    bookingId,
    change: 'confirmed',
    manageToken: newId(),
    sequence: 0,
    nextAt: later(-1_000),
    createdAt: later(-60_000),
  })
  return async () => (await db.$count(bookingMails, eq(bookingMails.bookingId, bookingId))) === 0
}

const toldByNobody: PlantDue = async (workspace) => {
  const id = await book(workspace, 'CONFIRMED')
  const { bookings } = schema
  return async () => (await db.$count(bookings, and(eq(bookings.id, id), isNotNull(bookings.toldTimes)))) === 1
}

const { calendarSubscriptions } = schema

const subscription: PlantDue = async ({ workspaceId, adminUserId: employeeId }) => {
  const id = newId()
  await db.insert(calendarSubscriptions).values({
    workspaceId,
    id,
    employeeId,
    name: 'Elsewhere',
    url: 'https://x.test/a.ics',
    content: calendarOf('Dentist'),
    revision: 1,
  })
  return async () =>
    (await db.$count(
      calendarSubscriptions,
      and(eq(calendarSubscriptions.id, id), eq(calendarSubscriptions.readRevision, 1)),
    )) === 1
}

describe('the periodic work of the booking service', () => {
  provePeriodicWork({
    atOnce: stepsOf(2_000),
    jobs,
    db,
    ownerUrl: service.database.ownerUrl,
    newWorkspace: () => service.newWorkspace(),
    advance: (ms) => clock.advance(ms),
    due: {
      'abandoned-bookings': [abandoned],
      'due-mails': [mail],
      'moved-times': [toldByNobody],
      calendars: [subscription],
    },
  })
})

it('reads the calendar first that was read the longest ago, so that those that always change starve nobody', async () => {
  const workspace = await service.newWorkspace()
  const ids: string[] = []
  for (const name of ['first', 'second', 'third']) {
    await subscription(workspace)
    const [row] = await db
      .select({ id: calendarSubscriptions.id })
      .from(calendarSubscriptions)
      .where(
        and(eq(calendarSubscriptions.workspaceId, workspace.workspaceId), eq(calendarSubscriptions.name, 'Elsewhere')),
      )
    ids.push(row!.id)
    await db.update(calendarSubscriptions).set({ name }).where(eq(calendarSubscriptions.id, row!.id))
  }
  const readOf = (name: string) =>
    db
      .select({ read: calendarSubscriptions.readRevision })
      .from(calendarSubscriptions)
      .where(and(eq(calendarSubscriptions.workspaceId, workspace.workspaceId), eq(calendarSubscriptions.name, name)))
  // A clock that goes on with each look gives a round time for the first calendars only.
  const look = { now: () => (clock.advance(4_000), new Date(clock.now().getTime())) }
  const [round] = periodicJobs(service.depsWith({ clock: look })).filter(({ name }) => name === 'calendars')
  for (let revision = 2; revision < 12; revision += 1) {
    await db
      .update(calendarSubscriptions)
      .set({ revision, content: calendarOf(`Dentist ${revision}`) })
      .where(eq(calendarSubscriptions.workspaceId, workspace.workspaceId))
    await round?.perform()
  }
  const read = (await Promise.all(['first', 'second', 'third'].map(readOf))).flat().map((row) => row.read)
  expect(Math.min(...read)).toBeGreaterThan(6)
  expect(ids).toHaveLength(3)
})

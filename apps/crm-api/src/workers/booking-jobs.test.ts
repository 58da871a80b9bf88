import { announceBooking, cancelBooking, inCalendar, inTransaction, newId, schema, type BookingRow } from '@crm/db'
import { bookingRow } from '@crm/testkit'
import type { MailMessage } from '@crm/mail'
import { and, asc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../test/harness.ts'
import { jobsUnderTest } from '../../test/jobs.ts'
import { addBookingLink } from '../../test/samples.ts'

const api = await ownApi()
const { db, workspace, call, key } = api
const jobs = await jobsUnderTest(api)
const cookie = await workspace.session()
const linkId = await addBookingLink(api, { slug: 'intro', name: 'Intro call', timezone: 'Europe/Berlin' })

let hour = 0

/** Creates a confirmed booking as the booking service stores it. */
async function booked(guest: Partial<BookingRow>, organizerId = workspace.adminUserId): Promise<BookingRow> {
  const startAt = new Date(Date.UTC(2026, 5, 2) + hour++ * 3_600_000).toISOString()
  return inTransaction(db, undefined, async (tx) => {
    const at = new Date().toISOString()
    const [booking] = await tx
      .insert(schema.bookings)
      .values(
        bookingRow({
          workspaceId: workspace.workspaceId,
          linkId,
          organizerId,
          startAt,
          endAt: startAt.replace(':00:00', ':30:00'),
          inviteeName: 'Zoë van Guest',
          inviteeEmail: `${newId()}@guest.test`,
          inviteeTimezone: 'Asia/Tokyo',
          joinUrl: 'http://x/call/y',
          ...guest,
        }),
      )
      .returning()
    const made = booking as BookingRow
    await tx.insert(schema.calendarEvents).values({
      workspaceId: workspace.workspaceId,
      employeeId: organizerId,
      bookingId: made.id,
      title: 'Intro call',
      startAt,
      endAt: made.endAt,
    })
    await announceBooking(tx, {
      event: 'booking.created',
      booking: made,
      actor: { type: 'EXTERNAL', id: null, name: made.inviteeName, source: 'BOOKING' },
      at,
      linkGuest: true,
    })
    return made
  })
}

async function read(id: string): Promise<BookingRow> {
  const [row] = await db.select().from(schema.bookings).where(eq(schema.bookings.id, id))
  return row as BookingRow
}

async function lead(body: Record<string, unknown>): Promise<string> {
  const answer = await call({ method: 'POST', path: '/api/leads', key, body: { lastName: 'Known', ...body } })
  return answer.body.data.id as string
}

async function contact(values: Partial<typeof schema.contacts.$inferInsert>): Promise<string> {
  const id = newId()
  await db.insert(schema.contacts).values({ workspaceId: workspace.workspaceId, id, lastName: 'Known', ...values })
  return id
}

async function historyOf(entityId: string) {
  return db
    .select()
    .from(schema.timeline)
    .where(eq(schema.timeline.entityId, entityId))
    .orderBy(asc(schema.timeline.id))
}

/** Returns the kinds sorted, because ids of one millisecond have no order. */
function kindsOf(history: readonly { readonly kind: string }[]): string[] {
  return history.map(({ kind }) => kind).toSorted((a, b) => a.localeCompare(b))
}

describe('the guest of a booking', () => {
  it('becomes a new lead from Booking, owned by the organizer, with the note as a comment', async () => {
    const organizer = await workspace.employee()
    const booking = await booked({ inviteePhone: '+49 30 901820', note: 'About prices' }, organizer.id)
    await jobs.settled()
    const { leadId, contactId } = await read(booking.id)
    expect(contactId).toBeNull()
    const { body } = await call({ path: `/api/leads/${leadId}`, key })
    expect(body.data).toMatchObject({
      firstName: 'Zoë van',
      lastName: 'Guest',
      email: booking.inviteeEmail,
      phone: '+4930901820',
      ownerId: organizer.id,
      status: 'NEW',
    })
    const [source] = await db.select().from(schema.leadSources).where(eq(schema.leadSources.id, body.data.sourceId))
    expect(source).toMatchObject({ systemKey: 'booking' })
    const history = await historyOf(leadId ?? '')
    expect(kindsOf(history)).toEqual(['BOOKING_CREATED', 'COMMENT_ADDED', 'CREATED', 'MEETING_SCHEDULED'])
    expect(history.find(({ kind }) => kind === 'BOOKING_CREATED')).toMatchObject({
      source: 'BOOKING',
      actorType: 'EXTERNAL',
      relatedType: 'BOOKING',
      relatedId: booking.id,
      data: { linkName: 'Intro call', startAt: booking.startAt },
    })
    const comments = await call({ path: `/api/crm/comments?entityType=LEAD&entityId=${leadId}`, key })
    expect(comments.body.items).toMatchObject([
      { body: 'About prices', visibility: 'INTERNAL', author: { type: 'EXTERNAL', name: 'Zoë van Guest' } },
    ])
  })

  it('is linked once, however often it is asked for', async () => {
    const booking = await booked({ note: 'Once' })
    await jobs.settled()
    const first = await read(booking.id)
    await db
      .update(schema.outbox)
      .set({ doneAt: null, relayedAt: null })
      .where(and(eq(schema.outbox.entityId, booking.id), eq(schema.outbox.topic, 'job')))
    await jobs.settled()
    expect(await read(booking.id)).toEqual(first)
    expect(await historyOf(first.leadId ?? '')).toHaveLength(4)
  })

  it('that cancels before there is a lead is one, whose history says so', async () => {
    const booking = await booked({})
    await inCalendar(db, undefined, { workspaceId: workspace.workspaceId, employeeId: booking.organizerId }, (tx) =>
      cancelBooking(tx, {
        workspaceId: workspace.workspaceId,
        id: booking.id,
        actor: { type: 'EXTERNAL', id: null, name: 'Zoë', source: 'BOOKING' },
        at: new Date().toISOString(),
      }),
    )
    await jobs.settled()
    const { leadId } = await read(booking.id)
    expect(kindsOf(await historyOf(leadId ?? ''))).toEqual([
      'BOOKING_CREATED',
      'CREATED',
      'MEETING_CANCELLED',
      'MEETING_SCHEDULED',
    ])
  })

  it('keeps what it wrote as text: HTML in the note and the name is nothing else on the record', async () => {
    const [note, inviteeName] = ['<script>alert(1)</script> & "quotes"\n<b>🙂</b>', 'ليلى <i>𠮷</i>']
    const booking = await booked({ note, inviteeName })
    await jobs.settled()
    const { leadId } = await read(booking.id)
    expect((await call({ path: `/api/leads/${leadId}`, key })).body.data).toMatchObject({
      firstName: 'ليلى',
      lastName: '<i>𠮷</i>',
    })
    expect(
      (await call({ path: `/api/crm/comments?entityType=LEAD&entityId=${leadId}`, key })).body.items,
    ).toMatchObject([{ body: note, author: { name: inviteeName } }])
  })

  it('that books twice at once is one lead', async () => {
    const same = { inviteeEmail: `${newId()}@guest.test` }
    const [one, other] = await Promise.all([booked(same), booked({ inviteeEmail: same.inviteeEmail.toUpperCase() })])
    await jobs.settled()
    const found = [await read(one.id), await read(other.id)]
    expect(found[0]?.leadId).toEqual(expect.any(String))
    expect(found[1]?.leadId).toBe(found[0]?.leadId)
  })

  it('is found whether its domain is given in its own script or in ASCII', async () => {
    const local = newId()
    const [one, other] = [
      await booked({ inviteeEmail: `${local}@Bücher.example` }),
      await booked({ inviteeEmail: `${local}@xn--bcher-kva.example` }),
    ]
    await jobs.settled()
    const { leadId } = await read(one.id)
    expect((await read(other.id)).leadId).toBe(leadId)
    const { body } = await call({ path: `/api/leads/${leadId}`, key })
    expect(body.data.email).toBe(`${local}@xn--bcher-kva.example`)
  })

  it('is found by email before phone, and among contacts before leads', async () => {
    const email = `${newId()}@known.test`
    const phone = '+4930901821'
    const byPhone = await contact({ phone })
    const byEmail = await contact({ email: email.toUpperCase(), firstName: 'Mail' })
    await lead({ email })
    const booking = await booked({ inviteeEmail: email, inviteePhone: phone })
    const other = await booked({ inviteePhone: phone })
    await jobs.settled()
    expect(await read(booking.id)).toMatchObject({ contactId: byEmail, leadId: null })
    expect(await read(other.id)).toMatchObject({ contactId: byPhone })
    expect(kindsOf(await historyOf(byEmail))).toEqual(['BOOKING_CREATED', 'MEETING_SCHEDULED', 'UPDATED'])
  })

  it('fills an empty phone of a known lead, only with a number', async () => {
    const email = `${newId()}@known.test`
    const id = await lead({ email })
    const vague = await booked({ inviteeEmail: email, inviteePhone: '030 / 123 (evenings)' })
    await jobs.settled()
    expect((await call({ path: `/api/leads/${id}`, key })).body.data.phone).toBeNull()
    await booked({ inviteeEmail: email, inviteePhone: '\u202a+49 30 ٩٠١٨٢٢\u202c' })
    await jobs.settled()
    expect((await call({ path: `/api/leads/${id}`, key })).body.data.phone).toBe('+4930901822')
    await booked({ inviteeEmail: email, inviteePhone: '+49 30 901823' })
    await jobs.settled()
    expect((await call({ path: `/api/leads/${id}`, key })).body.data.phone).toBe('+4930901822')
    expect(await read(vague.id)).toMatchObject({ leadId: id, inviteePhone: '030 / 123 (evenings)' })
  })

  it('that cannot become a lead is told to the organizer, and not tried for ever', async () => {
    const gone = await workspace.employee({ status: 'TERMINATED' })
    const booking = await booked({}, gone.id)
    await jobs.settled()
    expect(await read(booking.id)).toMatchObject({ leadId: null, contactId: null })
    const told = await db.select().from(schema.notifications).where(eq(schema.notifications.employeeId, gone.id))
    expect(told).toMatchObject([{ kind: 'booking.guest-not-linked', data: { bookingId: booking.id } }])
  })
})

describe('POST /api/settings/bookings/{id}/cancel', () => {
  it('frees the slot, mails the guest a cancellation, and writes the history of their record', async () => {
    const booking = await booked({ inviteeLocale: 'es' })
    await jobs.settled()
    const before = jobs.mails.length
    const answer = await call({ method: 'POST', path: `/api/settings/bookings/${booking.id}/cancel`, cookie })
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, data: { id: booking.id, status: 'CANCELLED', cancelledAt: expect.any(String) } },
    })
    await jobs.settled()
    const byGuest = (one: MailMessage): number => (one.to.address === booking.inviteeEmail ? 0 : 1)
    expect(jobs.mails.slice(before).toSorted((one, other) => byGuest(one) - byGuest(other))).toMatchObject([
      {
        to: { address: booking.inviteeEmail },
        subject: expect.stringMatching(/^Cancelada: Intro call/),
        icalEvent: { method: 'CANCEL', content: expect.stringContaining('SEQUENCE:1') },
      },
      { to: { address: expect.stringContaining('admin@') } },
    ])
    expect(
      await db.select().from(schema.calendarEvents).where(eq(schema.calendarEvents.bookingId, booking.id)),
    ).toEqual([])
    const { leadId } = await read(booking.id)
    expect((await historyOf(leadId ?? '')).at(-1)).toMatchObject({ kind: 'MEETING_CANCELLED', relatedId: booking.id })
    const events = await db
      .select()
      .from(schema.outbox)
      .where(and(eq(schema.outbox.entityId, booking.id), eq(schema.outbox.event, 'booking.cancelled')))
    expect(events).toMatchObject([
      {
        topic: 'change',
        payload: {
          record: { status: 'CANCELLED' },
          changes: [{ field: 'status', from: 'CONFIRMED', to: 'CANCELLED' }],
        },
      },
    ])
  })

  it('is 409 BOOKING_NOT_ACTIVE the second time', async () => {
    const booking = await booked({})
    const path = `/api/settings/bookings/${booking.id}/cancel`
    await call({ method: 'POST', path, cookie })
    expect(await call({ method: 'POST', path, cookie })).toMatchObject({
      status: 409,
      body: { code: 'BOOKING_NOT_ACTIVE' },
    })
  })

  it('is open to the organizer, and to nobody else without MANAGE_BOOKING', async () => {
    const [own, stranger] = [
      await workspace.employee({ grant: { permissions: [] } }),
      await workspace.employee({ grant: { permissions: [] } }),
    ]
    const booking = await booked({}, own.id)
    const path = `/api/settings/bookings/${booking.id}/cancel`
    expect((await call({ method: 'POST', path, cookie: await workspace.session(stranger.id) })).status).toBe(404)
    expect((await call({ method: 'POST', path, cookie: await workspace.session(own.id) })).status).toBe(200)
    expect(
      (await call({ path: '/api/settings/bookings', cookie: await workspace.session(own.id) })).body,
    ).toMatchObject({ total: 1, items: [{ id: booking.id }] })
    expect(
      (await call({ path: '/api/settings/bookings', cookie: await workspace.session(stranger.id) })).body,
    ).toMatchObject({ total: 0 })
  })
})

describe('GET /api/settings/bookings', () => {
  it('lists the latest meeting first, or with sortOrder=asc the next one, and pages go on in that order', async () => {
    const organizer = await workspace.employee()
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) ids.push((await booked({}, organizer.id)).id)
    const path = `/api/settings/bookings?organizerId=${organizer.id}`
    const listed = async (query = ''): Promise<string[]> =>
      (await call({ path: path + query, cookie })).body.items.map(({ id }: BookingRow) => id)
    expect(await listed()).toEqual(ids.toReversed())
    expect(await listed('&sortOrder=asc')).toEqual(ids)
    expect(await listed('&sortBy=startAt&sortOrder=asc&pageSize=2')).toEqual(ids.slice(0, 2))
    expect(await listed('&sortBy=startAt&sortOrder=asc&pageSize=2&page=2')).toEqual(ids.slice(2))
    expect((await call({ path: `${path}&sortBy=note`, cookie })).status).toBe(400)
  })
})

import { newId, schema } from '@crm/db'
import { bookingRow } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { apiUnderTest, type CallAnswer } from '../../../../test/harness.ts'
import { addBookingLink } from '../../../../test/samples.ts'

const { call, workspace, db } = await apiUnderTest()
const cookie = await workspace.session()
const path = '/api/calendar/events'
const morning = { title: 'Dentist', startAt: '2026-06-02T10:00:00+02:00', endAt: '2026-06-02T09:00:00Z' }

const create = (body: Record<string, unknown>, as = cookie): Promise<CallAnswer> =>
  call({ method: 'POST', path, cookie: as, body })
const update = (id: string, body: Record<string, unknown>): Promise<CallAnswer> =>
  call({ method: 'PATCH', path: `${path}/${id}`, cookie, body })

async function bookingEvent(): Promise<string> {
  const [bookingId, id] = [newId(), newId()]
  const { workspaceId, adminUserId } = workspace
  const times = { startAt: '2026-06-03T08:00:00Z', endAt: '2026-06-03T09:00:00Z' }
  const linkId = await addBookingLink({ db, workspace })
  await db.insert(schema.bookings).values(
    bookingRow({
      workspaceId,
      id: bookingId,
      linkId,
      organizerId: adminUserId,
      ...times,
    }),
  )
  await db
    .insert(schema.calendarEvents)
    .values({ workspaceId, id, employeeId: adminUserId, bookingId, title: 'Intro: Zoë', ...times })
  return id
}

describe('201', () => {
  it('creates an event that is busy unless told, in UTC', async () => {
    expect(await create(morning)).toMatchObject({
      status: 201,
      body: {
        data: {
          title: 'Dentist',
          startAt: '2026-06-02T08:00:00.000Z',
          endAt: '2026-06-02T09:00:00.000Z',
          busy: true,
          allDay: false,
          startDate: null,
          endDate: null,
          bookingId: null,
        },
      },
    })
  })

  it('creates an event of whole days, the last one included', async () => {
    expect(
      await create({ title: 'Holiday', allDay: true, startDate: '2026-08-03', endDate: '2026-08-05' }),
    ).toMatchObject({
      status: 201,
      body: {
        data: {
          allDay: true,
          startDate: '2026-08-03',
          endDate: '2026-08-05',
          startAt: '2026-08-03T00:00:00.000Z',
          endAt: '2026-08-06T00:00:00.000Z',
        },
      },
    })
  })
})

describe('200', () => {
  it('lists what lies in a window, earliest first, of one’s own calendar alone', async () => {
    const { id } = await workspace.employee()
    const own = await workspace.session(id)
    await create({ title: 'Late', startAt: '2026-07-02T08:00:00Z', endAt: '2026-07-02T09:00:00Z' }, own)
    await create({ title: 'Early', startAt: '2026-07-01T08:00:00Z', endAt: '2026-07-01T09:00:00Z' }, own)
    const list = await call({ path: `${path}?from=2026-07-01T08:30:00Z&to=2026-07-03`, cookie: own })
    expect(list.body).toMatchObject({ total: 2, items: [{ title: 'Early' }, { title: 'Late' }] })
    expect((await call({ path: `${path}?from=2026-07-01T09:00:00Z&to=2026-07-02`, cookie: own })).body.total).toBe(1)
    expect((await call({ path: `${path}/${list.body.items[0].id}`, cookie })).status).toBe(404)
  })

  it('changes and deletes an event; one kind of time replaces the other', async () => {
    const { id } = (await create(morning)).body.data
    expect(await update(id, { endAt: '2026-06-02T09:30:00Z', busy: false })).toMatchObject({
      status: 200,
      body: { data: { startAt: '2026-06-02T08:00:00.000Z', endAt: '2026-06-02T09:30:00.000Z', busy: false } },
    })
    expect(await update(id, { allDay: true, startDate: '2026-06-02' })).toMatchObject({
      status: 200,
      body: { data: { allDay: true, startDate: '2026-06-02', endDate: '2026-06-02' } },
    })
    expect(await update(id, { title: 'Moved' })).toMatchObject({
      status: 200,
      body: { data: { title: 'Moved', allDay: true } },
    })
    expect((await call({ method: 'DELETE', path: `${path}/${id}`, cookie })).status).toBe(200)
    expect((await call({ path: `${path}/${id}`, cookie })).status).toBe(404)
  })
})

describe('400', () => {
  it.each([
    [{ title: 'x' }, 'startAt'],
    [{ ...morning, endAt: undefined }, 'endAt'],
    [{ ...morning, endAt: morning.startAt }, 'endAt'],
    [{ ...morning, startDate: '2026-06-02' }, 'startDate'],
    [{ ...morning, startAt: '0000-01-01T00:00:00Z' }, 'startAt'],
    [{ title: 'x', allDay: true }, 'startDate'],
    [{ title: 'x', allDay: true, startDate: '2026-06-02', endDate: '2026-06-01' }, 'endDate'],
    [{ ...morning, allDay: true }, 'startAt'],
  ])('VALIDATION_ERROR for %j', async (body, field) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: [field] }] },
    })
  })
})

describe('403', () => {
  it('ACCESS_DENIED for changing the event of a booking here', async () => {
    const id = await bookingEvent()
    expect((await call({ path: `${path}/${id}`, cookie })).status).toBe(200)
    expect(await update(id, { title: 'Mine' })).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
    expect(await call({ method: 'DELETE', path: `${path}/${id}`, cookie })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
  })
})

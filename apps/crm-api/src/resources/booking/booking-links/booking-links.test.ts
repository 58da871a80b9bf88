import { newId, schema } from '@crm/db'
import { bookingRow } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest, type CallAnswer } from '../../../../test/harness.ts'

const { call, workspace, db } = await apiUnderTest()
const cookie = await workspace.session()
const path = '/api/settings/booking-links'

const create = (body: Record<string, unknown> = {}): Promise<CallAnswer> =>
  call({ method: 'POST', path, cookie, body: { slug: `link-${newId().slice(-12)}`, name: 'Intro call', ...body } })
const update = (id: string, body: Record<string, unknown>): Promise<CallAnswer> =>
  call({ method: 'PATCH', path: `${path}/${id}`, cookie, body })

describe('201', () => {
  it('creates a link with office hours in the organizer’s calendar', async () => {
    const { status, body } = await create({ slug: 'Intro.1' })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        slug: 'Intro.1',
        url: `http://${workspace.host}/book/Intro.1`,
        organizerId: workspace.adminUserId,
        durationMin: 30,
        bufferMin: 0,
        timezone: 'UTC',
        weeklyHours: [1, 2, 3, 4, 5].map((day) => ({ day, start: '09:00', end: '17:00' })),
        dateOverrides: [],
        isActive: true,
        showAvatar: true,
        linkGuest: true,
      },
    })
    const [audited] = await db.select().from(schema.auditLog).where(eq(schema.auditLog.subjectId, body.data.id))
    expect(audited).toMatchObject({ action: 'booking-link.created', actorId: workspace.adminUserId })
  })

  it('takes hours over midnight, up to 24:00, and closed days', async () => {
    const hours = {
      weeklyHours: [
        { day: 5, start: '22:00', end: '02:00' },
        { day: 6, start: '00:00', end: '24:00' },
      ],
      dateOverrides: [{ date: '2026-12-24', hours: [] }],
    }
    expect(await create(hours)).toMatchObject({ status: 201, body: { data: hours } })
  })
})

describe('200', () => {
  it('lists, reads, changes and deletes a link', async () => {
    const { id } = (await create()).body.data
    expect(await update(id, { isActive: false, bufferMin: 15, description: '' })).toMatchObject({
      status: 200,
      body: { data: { isActive: false, bufferMin: 15, description: null } },
    })
    expect(await call({ path: `${path}/${id}`, cookie })).toMatchObject({
      status: 200,
      body: { data: { id, isActive: false } },
    })
    expect((await call({ path: `${path}?isActive=false`, cookie })).body).toMatchObject({ total: 1, items: [{ id }] })
    expect(await call({ method: 'DELETE', path: `${path}/${id}`, cookie })).toMatchObject({
      status: 200,
      body: { data: { id } },
    })
    expect((await call({ path: `${path}/${id}`, cookie })).status).toBe(404)
  })
})

describe('400', () => {
  it.each([
    [{ slug: 'manage' }, 'slug'],
    [{ slug: 'Embed.js' }, 'slug'],
    [{ slug: 'openapi.json' }, 'slug'],
    [{ slug: 'a b' }, 'slug'],
    [{ slug: '-x' }, 'slug'],
    [{ name: ' ' }, 'name'],
    [{ timezone: '+02:00' }, 'timezone'],
    [{ durationMin: 0 }, 'durationMin'],
    [{ bufferMin: -1 }, 'bufferMin'],
    [{ weeklyHours: [{ day: 7, start: '09:00', end: '17:00' }] }, 'weeklyHours'],
    [{ weeklyHours: [{ day: 1, start: '9:00', end: '17:00' }] }, 'weeklyHours'],
    [{ weeklyHours: [{ day: 1, start: '24:00', end: '17:00' }] }, 'weeklyHours'],
    [{ dateOverrides: [{ date: '2026-02-30', hours: [] }] }, 'dateOverrides'],
  ])('VALIDATION_ERROR for %j', async (body, field) => {
    const answer = await create(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.issues[0].path[0]).toBe(field)
  })

  it('INVALID_REFERENCE for an organizer who is not here', async () => {
    expect(await create({ organizerId: newId() })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'organizerId' } },
    })
  })
})

describe('409', () => {
  it('NAME_TAKEN for a slug that differs in case only', async () => {
    await create({ slug: 'twice' })
    expect(await create({ slug: 'TWICE' })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'slug' } },
    })
    const { id } = (await create()).body.data
    expect(await update(id, { slug: 'Twice' })).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN' } })
  })

  it('IN_USE for a link that was booked', async () => {
    const { id } = (await create()).body.data
    await db.insert(schema.bookings).values(
      bookingRow({
        workspaceId: workspace.workspaceId,
        linkId: id,
        organizerId: workspace.adminUserId,
        status: 'CANCELLED',
        startAt: '2026-06-02T08:00:00Z',
        endAt: '2026-06-02T09:00:00Z',
      }),
    )
    expect(await call({ method: 'DELETE', path: `${path}/${id}`, cookie })).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', details: { count: 1 } },
    })
  })
})

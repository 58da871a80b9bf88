import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'
import {
  createActivity,
  createCompany,
  createContact,
  createDeal,
  createLead,
  createProject,
  unknownId,
} from '../../../../test/samples.ts'

const api = await ownApi()
const { call, key, workspace } = api
const create = (body: unknown, credential = key) =>
  call({ method: 'POST', path: '/api/activities', key: credential, body })
const patch = (id: string, body: unknown, credential = key) =>
  call({ method: 'PATCH', path: `/api/activities/${id}`, key: credential, body })
const read = (id: string, credential = key) => call({ path: `/api/activities/${id}`, key: credential })
const list = (query: string, credential = key) => call({ path: `/api/activities?${query}`, key: credential })
const historyOf = async (entityType: string, id: string) =>
  (await call({ path: `/api/crm/timeline?entityType=${entityType}&entityId=${id}`, key })).body.items as {
    kind: string
    relatedId: string | null
  }[]
const toldOf = async (entityType: string, id: string, activityId: string) =>
  (await historyOf(entityType, id)).filter(({ relatedId }) => relatedId === activityId).map(({ kind }) => kind)
const lead = (entityId: string) => [{ entityType: 'LEAD', entityId }]
const narrowKey = async (permissions: readonly string[], access: unknown = []) =>
  (
    await workspace.apiKey({
      ownerId: (await workspace.employee({ grant: { permissions, access: access as never } })).id,
    })
  ).key
const tomorrow = new Date(api.clock.now().getTime() + 86_400_000).toISOString()

describe('POST /api/activities', () => {
  it('201: takes everything, and instants with any offset', async () => {
    const { status, body } = await create({
      type: 'MEETING',
      subject: ' Kickoff ',
      body: 'Agenda',
      direction: 'OUT',
      status: 'PLANNED',
      startAt: '2026-06-01T10:00:00+02:00',
      endAt: '2026-06-01T11:00:00+23:30',
      outcome: null,
      participants: [{ name: 'Guest' }],
      tags: ['q'],
    })
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: ['endAt'] }] })
    expect(status).toBe(400)
    const fine = await create({
      type: 'MEETING',
      subject: ' Kickoff ',
      startAt: '2026-06-01T10:00:00+02:00',
      endAt: '2026-06-01T09:00:00Z',
      participants: [{ name: 'Guest' }, { email: 'guest@example.com' }],
      tags: ['q'],
    })
    expect(fine).toMatchObject({
      status: 201,
      body: {
        data: {
          type: 'MEETING',
          subject: 'Kickoff',
          body: null,
          direction: null,
          startAt: '2026-06-01T08:00:00.000Z',
          endAt: '2026-06-01T09:00:00.000Z',
          outcome: null,
          links: [],
          tags: ['q'],
          version: 1,
          ownerId: workspace.adminUserId,
          participants: [
            { name: 'Guest', email: null, entityType: null, entityId: null },
            { email: 'guest@example.com' },
          ],
        },
      },
    })
  })

  it('is done, unless it lies ahead', async () => {
    expect((await create({ type: 'CALL' })).body.data.status).toBe('DONE')
    expect((await create({ type: 'CALL', startAt: tomorrow })).body.data.status).toBe('PLANNED')
    expect((await create({ type: 'CALL', startAt: tomorrow, status: 'CANCELLED' })).body.data.status).toBe('CANCELLED')
  })

  it.each([
    ['CALL', 'CALL_LOGGED'],
    ['NOTE', 'NOTE_ADDED'],
    ['EMAIL', 'EMAIL_SENT'],
    ['MEETING', 'MEETING_SCHEDULED'],
    ['SMS', 'NOTE_ADDED'],
    ['OTHER', 'NOTE_ADDED'],
  ])(
    'shows a %s as %s in the history of every record it hangs on, and what it says to who may see it alone',
    async (type, kind) => {
      const [leadId, dealId, projectId] = await Promise.all([createLead(api), createDeal(api), createProject(api)])
      const { key: blind } = await workspace.apiKey({ scopes: ['VIEW_LEAD', 'VIEW_DEAL', 'VIEW_PROJECT'] })
      const links = [
        ...lead(leadId),
        { entityType: 'DEAL', entityId: dealId },
        { entityType: 'PROJECT', entityId: projectId },
      ]
      const { id } = (await create({ type, subject: 'Secret', links: [...links, ...lead(leadId)] })).body.data
      expect((await read(id)).body.data.links).toEqual([links[1], links[0], links[2]])
      for (const [entityType, entityId] of [
        ['LEAD', leadId],
        ['DEAL', dealId],
        ['PROJECT', projectId],
      ] as const) {
        const entry = (await historyOf(entityType, entityId)).find(({ relatedId }) => relatedId === id)
        expect(entry).toMatchObject({ kind, relatedType: 'ACTIVITY', data: { type, status: 'DONE' } })
        expect(entry).toMatchObject({ links: [{ entityType: 'ACTIVITY', id, title: 'Secret' }] })
        const path = `/api/crm/timeline?entityType=${entityType}&entityId=${entityId}`
        const seen = (await call({ path, key: blind })).body.items as (typeof entry)[]
        expect(seen.find((one) => one?.relatedId === id)).toMatchObject({ kind, links: [], quote: null })
        expect(JSON.stringify(seen)).not.toContain('Secret')
      }
    },
  )

  it('is the last activity of a lead once it is done, and the score follows', async () => {
    const leadId = await createLead(api)
    const before = (await call({ path: `/api/leads/${leadId}`, key })).body.data
    const id = await createActivity(api, { type: 'CALL', startAt: tomorrow, links: lead(leadId) })
    expect((await call({ path: `/api/leads/${leadId}`, key })).body.data.lastActivityAt).toBeNull()
    await patch(id, { status: 'DONE', startAt: '2020-01-01T08:00:00Z' })
    const after = (await call({ path: `/api/leads/${leadId}`, key })).body.data
    expect(after).toMatchObject({ lastActivityAt: '2020-01-01T08:00:00.000Z', version: before.version })
    expect(after.score).toBeLessThan(before.score)
    await createActivity(api, { type: 'CALL', links: lead(leadId) })
    expect((await call({ path: `/api/leads/${leadId}`, key })).body.data).toMatchObject({
      lastActivityAt: api.clock.now().toISOString(),
      score: before.score,
    })
    await createActivity(api, { type: 'CALL', startAt: '2021-01-01T08:00:00Z', links: lead(leadId) })
    expect((await call({ path: `/api/leads/${leadId}`, key })).body.data.lastActivityAt).toBe(
      api.clock.now().toISOString(),
    )
  })

  it('is not the last activity anew when it is only edited', async () => {
    const leadId = await createLead(api)
    const lastOf = async () => (await call({ path: `/api/leads/${leadId}`, key })).body.data.lastActivityAt
    const id = await createActivity(api, { type: 'NOTE', links: lead(leadId) })
    const planned = await createActivity(api, { type: 'CALL', status: 'PLANNED', links: lead(leadId) })
    const first = await lastOf()
    api.clock.advance(60_000)
    await patch(id, { subject: 'Corrected' })
    expect(await lastOf()).toBe(first)
    await patch(planned, { status: 'DONE' })
    expect(await lastOf()).toBe(api.clock.now().toISOString())
  })

  it.each([
    ['no type', { type: undefined }, 'VALIDATION_ERROR'],
    ['an unknown type', { type: 'FAX' }, 'VALIDATION_ERROR'],
    ['an instant without a zone', { startAt: '2026-06-01T10:00:00' }, 'VALIDATION_ERROR'],
    ['the year 0000', { startAt: '0000-06-01T10:00:00Z' }, 'VALIDATION_ERROR'],
    ['a participant who is nobody', { participants: [{}] }, 'VALIDATION_ERROR'],
    ['half a reference', { participants: [{ name: 'A', entityId: unknownId }] }, 'VALIDATION_ERROR'],
    [
      'an unknown contact as participant',
      { participants: [{ entityType: 'CONTACT', entityId: unknownId }] },
      'INVALID_REFERENCE',
    ],
    [
      'an unknown employee as participant',
      { participants: [{ entityType: 'EMPLOYEE', entityId: unknownId }] },
      'INVALID_REFERENCE',
    ],
    ['a link to nothing', { links: [{ entityType: 'LEAD', entityId: unknownId }] }, 'INVALID_REFERENCE'],
    ['a link to an unknown kind', { links: [{ entityType: 'UNICORN', entityId: unknownId }] }, 'INVALID_REFERENCE'],
    ['an unknown owner', { ownerId: unknownId }, 'INVALID_REFERENCE'],
  ])('400 for %s, and nothing is written', async (_what, body, code) => {
    const before = (await list('pageSize=1')).body.total
    expect(await create({ type: 'CALL', ...body })).toMatchObject({ status: 400, body: { code } })
    expect((await list('pageSize=1')).body.total).toBe(before)
  })
})

describe('PATCH /api/activities/{id}', () => {
  it('replaces links: only the new records hear of it', async () => {
    const [one, two] = await Promise.all([createLead(api), createLead(api)])
    const id = await createActivity(api, { type: 'CALL', links: lead(one) })
    expect((await patch(id, { links: [...lead(one), ...lead(two)] })).body.data.links).toHaveLength(2)
    expect(await toldOf('LEAD', one, id)).toEqual(['CALL_LOGGED'])
    expect(await toldOf('LEAD', two, id)).toEqual(['CALL_LOGGED'])
    expect((await call({ path: `/api/leads/${two}`, key })).body.data.lastActivityAt).not.toBeNull()
    expect((await patch(id, { links: [] })).body.data.links).toEqual([])
  })

  it('tells that a meeting was moved or called off, and that something planned was done', async () => {
    const leadId = await createLead(api)
    const meeting = await createActivity(api, { type: 'MEETING', startAt: tomorrow, links: lead(leadId) })
    await patch(meeting, { startAt: new Date(Date.parse(tomorrow) + 3_600_000).toISOString() })
    await patch(meeting, { subject: 'Renamed' })
    await patch(meeting, { status: 'CANCELLED' })
    expect(await toldOf('LEAD', leadId, meeting)).toEqual([
      'MEETING_CANCELLED',
      'MEETING_RESCHEDULED',
      'MEETING_SCHEDULED',
    ])
    const planned = await createActivity(api, { type: 'CALL', startAt: tomorrow, links: lead(leadId) })
    await patch(planned, { status: 'DONE', outcome: 'Agreed' })
    expect(await toldOf('LEAD', leadId, planned)).toEqual(['CALL_LOGGED', 'CALL_LOGGED'])
  })

  it('409 for a stale version, 404 and 403 by the level of UPDATE', async () => {
    const id = await createActivity(api)
    await patch(id, { subject: 'B', version: 1 })
    expect(await patch(id, { subject: 'C', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT' },
    })
    const access = (UPDATE: string) => [{ entityType: 'ACTIVITY', VIEW: 'ALL', UPDATE, DELETE: 'NONE' }]
    expect(
      await patch(id, { subject: 'X' }, await narrowKey(['VIEW_ACTIVITY', 'UPDATE_ACTIVITY'], access('OWN'))),
    ).toMatchObject({ status: 404 })
    expect(
      await patch(id, { subject: 'X' }, await narrowKey(['VIEW_ACTIVITY', 'UPDATE_ACTIVITY'], access('NONE'))),
    ).toMatchObject({ status: 403, body: { code: 'ACCESS_LEVEL_NONE' } })
  })
})

describe('GET /api/activities', async () => {
  const companyId = await createCompany(api)
  const contactId = await createContact(api)
  const links = [{ entityType: 'COMPANY', entityId: companyId }]
  const call1 = await createActivity(api, {
    type: 'CALL',
    subject: 'Café call',
    direction: 'IN',
    startAt: '2025-02-01T10:00:00Z',
    links,
    participants: [
      { name: 'Con', entityType: 'CONTACT', entityId: contactId.toUpperCase() },
      { entityType: 'EMPLOYEE', entityId: workspace.adminUserId },
    ],
  })
  const note = await createActivity(api, { type: 'NOTE', subject: 'A note', links })
  const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id)

  it.each([
    ['', [note, call1]],
    ['&type=CALL', [call1]],
    ['&status=PLANNED', []],
    ['&direction=IN', [call1]],
    ['&startFrom=2025-02-01&startTo=2025-02-01', [call1]],
    ['&search=cafe', [call1]],
    ['&sortBy=subject&sortOrder=asc', [note, call1]],
  ])('lists those of one record%s', async (query, expected) => {
    const answer = await list(`entityType=COMPANY&entityId=${companyId}${query}`)
    expect({ ids: ids(answer), total: answer.body.total, pageSize: answer.body.pageSize }).toEqual({
      ids: expected,
      total: expected.length,
      pageSize: 50,
    })
  })

  it('404 for a record that is not there or out of sight, 400 for half a reference or a field that does not sort', async () => {
    expect(await list(`entityType=COMPANY&entityId=${unknownId}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect(await list(`entityType=COMPANY&entityId=${companyId}`, await narrowKey(['VIEW_ACTIVITY']))).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect(await list(`entityId=${companyId}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY_PARAM', details: { param: 'entityType' } },
    })
    expect(await list('sortBy=secret')).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY_PARAM' } })
    expect((await list('pageSize=500')).body.pageSize).toBe(100)
  })

  it('shows links and the records of participants only as far as the caller sees them', async () => {
    const narrow = await narrowKey(['VIEW_ACTIVITY'])
    const { body } = await read(call1, narrow)
    expect(body.data).toMatchObject({
      links: [],
      participants: [
        { name: 'Con', entityType: null, entityId: null },
        { entityType: 'EMPLOYEE', entityId: workspace.adminUserId },
      ],
    })
    expect(JSON.stringify((await list('search=cafe', narrow)).body)).not.toContain(companyId)
    expect((await read(call1)).body.data).toMatchObject({
      links,
      participants: [{ entityType: 'CONTACT', entityId: contactId }, {}],
    })
  })

  it('keeps the links that a caller does not see when they replace those they do', async () => {
    const leadId = await createLead(api)
    const id = await createActivity(api, { links: [...links, ...lead(leadId)] })
    const narrow = await narrowKey(['VIEW_ACTIVITY', 'UPDATE_ACTIVITY', 'VIEW_LEAD'])
    expect((await patch(id, { links: [] }, narrow)).body.data.links).toEqual([])
    expect((await read(id)).body.data.links).toEqual(links)
    expect(await patch(id, { links }, narrow)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'links' } },
    })
  })

  it('sees its own with level OWN, and nothing with none', async () => {
    const access = (VIEW: string) => [{ entityType: 'ACTIVITY', VIEW, UPDATE: 'NONE', DELETE: 'NONE' }]
    const own = await narrowKey(['VIEW_ACTIVITY', 'CREATE_ACTIVITY'], access('OWN'))
    const { id } = (await create({ type: 'NOTE' }, own)).body.data
    const seen = await list('', own)
    expect({ ids: ids(seen), total: seen.body.total }).toEqual({ ids: [id], total: 1 })
    expect((await read(note, own)).status).toBe(404)
    expect(await list('', await narrowKey(['VIEW_ACTIVITY'], access('NONE')))).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_LEVEL_NONE' },
    })
  })

  it('does not show what was deleted', async () => {
    expect((await call({ method: 'DELETE', path: `/api/activities/${note}`, key })).body).toEqual({
      success: true,
      data: { id: note },
      undoId: expect.any(String),
    })
    expect(
      (await list(`entityType=COMPANY&entityId=${companyId}&type=NOTE`)).body.items.map(({ id }: { id: string }) => id),
    ).not.toContain(note)
    expect((await read(note)).status).toBe(404)
  })
})

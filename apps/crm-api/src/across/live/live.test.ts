import { liveStreamsMax } from '@crm/contract'
import { createDatabase, createPool, newId, schema } from '@crm/db'
import { createLogger } from '@crm/runtime'
import { serviceLog } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { once } from 'node:events'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { ownApi } from '../../../test/harness.ts'
import { openLive, type LiveReader, type LiveRequest } from '../../../test/live-reader.ts'
import { createCompany, createLead } from '../../../test/samples.ts'
import { LiveStreams } from './live.streams.ts'

const api = await ownApi()
const { call, key, workspace, clock, db, epochs } = api
const readers: LiveReader[] = []
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close()
})
const open = async (request: Partial<LiveRequest> = {}): Promise<LiveReader> => {
  const cookie = request.cookie ?? (await workspace.session())
  const reader = await openLive(api, { host: workspace.host, cookie, ...request })
  readers.push(reader)
  return reader
}
const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
  const answer = await call({ method, path, key, ...(body ? { body } : {}) })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data
}
const change = (entityType: string, action: string, id: string) => (event: LiveReader['events'][number]) =>
  event.event === 'change' &&
  event.data.entityType === entityType &&
  event.data.action === action &&
  event.data.ids.includes(id)
const told = (reader: LiveReader, id: string) => reader.events.filter(({ data }) => data.ids?.includes(id))
const seeing = (level: 'OWN' | 'DEPARTMENT', departmentId: string) =>
  workspace.employee({
    grant: { permissions: ['VIEW_LEAD'], access: [{ entityType: 'LEAD', VIEW: level, UPDATE: level, DELETE: level }] },
    departmentId,
  })

describe('a stream', () => {
  it('tells of records that are created, changed, commented on, deleted and restored', async () => {
    const cookie = await workspace.session()
    const reader = await open({ cookie })
    expect(reader).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    })
    const id = await createLead(api, { firstName: 'Live' })
    await reader.until(change('LEAD', 'CREATED', id))
    await send('PATCH', `/api/leads/${id}`, { jobTitle: 'Baker' })
    await reader.until(change('LEAD', 'UPDATED', id))
    const companyId = await createCompany(api, { name: 'Live' })
    await reader.until(change('COMPANY', 'CREATED', companyId))
    await send('POST', '/api/crm/comments', { entityType: 'COMPANY', entityId: companyId, body: 'Seen' })
    await reader.until(change('COMPANY', 'UPDATED', companyId))
    await send('DELETE', `/api/leads/${id}`)
    await reader.until(change('LEAD', 'DELETED', id))
    const path = `/api/settings/deleted-records/${id}/restore`
    await call({ method: 'POST', path, cookie, body: { entityType: 'LEAD' } })
    await reader.until(
      (event) =>
        event.data.action === 'CREATED' && reader.events.indexOf(event) > 0 && told(reader, id).at(-1) === event,
    )
    expect(reader.events.every((event, at, all) => at === 0 || Number(all[at - 1]?.id) <= Number(event.id))).toBe(true)
  })

  it('tells of the chosen kinds alone, and of records of custom entities', async () => {
    const cookie = await workspace.session()
    const body = { key: 'live_boat', labels: { singular: 'Boat', plural: 'Boats' } }
    const made = await call({ method: 'POST', path: '/api/settings/custom-entities', cookie, body })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const reader = await open({ cookie, query: '?types=LIVE_BOAT,DEAL' })
    const leadId = await createLead(api)
    const boat = await call({
      method: 'POST',
      path: '/api/custom-entities/live_boat/records',
      key: (await workspace.apiKey({ scopes: ['CREATE_LIVE_BOAT', 'VIEW_LIVE_BOAT'] })).key,
      body: { title: 'Argo' },
    })
    expect(boat.status, JSON.stringify(boat.body)).toBe(201)
    await reader.until(change('LIVE_BOAT', 'CREATED', boat.body.data.id))
    expect(told(reader, leadId)).toEqual([])
  })

  it('tells everybody of what they may see: a record handed on comes into one view and leaves the other', async () => {
    const [sales, legal] = [await workspace.department('Live sales'), await workspace.department('Live legal')]
    const [one, other] = [await seeing('OWN', sales), await seeing('OWN', legal)]
    const head = await seeing('DEPARTMENT', sales)
    const follow = async (id: string) => open({ cookie: await workspace.session(id) })
    const [ofOne, ofOther, ofHead] = [await follow(one.id), await follow(other.id), await follow(head.id)]
    const id = await createLead(api, { firstName: 'Handed', ownerId: one.id })
    await ofOne.until(change('LEAD', 'CREATED', id))
    await ofHead.until(change('LEAD', 'CREATED', id))
    await send('PATCH', `/api/leads/${id}`, { ownerId: other.id })
    await ofOne.until(change('LEAD', 'DELETED', id))
    await ofHead.until(change('LEAD', 'DELETED', id))
    await ofOther.until(change('LEAD', 'CREATED', id))
    await send('PATCH', `/api/leads/${id}`, { jobTitle: 'Judge' })
    await ofOther.until(change('LEAD', 'UPDATED', id))
    expect(told(ofOne, id).map(({ data }) => data.action)).toEqual(['CREATED', 'DELETED'])
    expect(told(ofOther, id).map(({ data }) => data.action)).toEqual(['CREATED', 'UPDATED'])
  })

  it('tells a person of new notifications, and nobody else', async () => {
    const [one, other] = [await workspace.employee(), await workspace.employee()]
    const follow = async (id: string) => open({ cookie: await workspace.session(id) })
    const [ofOne, ofOther] = [await follow(one.id), await follow(other.id)]
    const ofInbox = ({ event }: LiveReader['events'][number]) => event === 'inbox'
    await createLead(api, { ownerId: one.id })
    await ofOne.until(ofInbox)
    await createLead(api, { ownerId: other.id })
    await ofOther.until(ofInbox)
    expect(ofOne.events.filter(ofInbox)).toHaveLength(1)
  })

  it('tells a new reader of what changed while its page was loading', async () => {
    const other = await open()
    const id = await createLead(api, { firstName: 'Between' })
    await other.until(change('LEAD', 'CREATED', id))
    await (await open()).until(change('LEAD', 'CREATED', id))
  })

  it('goes on from the last event, and says when it cannot', async () => {
    const id = await createLead(api, { firstName: 'Missed' })
    const position = String(clock.now().getTime())
    const resumed = await open({ headers: { 'last-event-id': position } })
    await resumed.until(change('LEAD', 'CREATED', id))
    for (const lost of [String(clock.now().getTime() - 301_000), 'yesterday', ''])
      await (await open({ headers: { 'last-event-id': lost } })).until(({ event }) => event === 'reset')
    expect(resumed.events.map(({ event }) => event)).not.toContain('reset')
  })
})

describe('rights', () => {
  it('count as they are when something changes', async () => {
    const person = await workspace.employee({ roles: ['Administrator'] })
    const reader = await open({ cookie: await workspace.session(person.id) })
    const seen = await createLead(api)
    await reader.until(change('LEAD', 'CREATED', seen))
    await db.delete(schema.employeeRoles).where(eq(schema.employeeRoles.employeeId, person.id))
    await epochs.bump(workspace.workspaceId)
    const witness = await open()
    const hidden = await createLead(api)
    await witness.until(change('LEAD', 'CREATED', hidden))
    const companyId = await createCompany(api)
    await witness.until(change('COMPANY', 'CREATED', companyId))
    expect([...told(reader, hidden), ...told(reader, companyId)]).toEqual([])
  })

  it.each([
    [
      'the session ends',
      async (id: string) => void (await db.delete(schema.sessions).where(eq(schema.sessions.employeeId, id))),
    ],
    [
      'the person is suspended',
      async (id: string) =>
        void (await db.update(schema.employees).set({ status: 'SUSPENDED' }).where(eq(schema.employees.id, id))),
    ],
  ])('end the stream when %s', async (_why, happen) => {
    const person = await workspace.employee({ roles: ['Administrator'] })
    const reader = await open({ cookie: await workspace.session(person.id) })
    await happen(person.id)
    await epochs.bump(workspace.workspaceId)
    const id = await createLead(api)
    await reader.until(({ event }) => event === 'end')
    await reader.ended()
    expect(told(reader, id)).toEqual([])
  })

  it('refuse API keys, unknown kinds and unknown parameters', async () => {
    expect(await call({ path: '/api/events/stream', key })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
    expect(await call({ path: '/api/events/stream' })).toMatchObject({ status: 401 })
    const cookie = await workspace.session()
    expect(await call({ path: '/api/events/stream?types=LAED', cookie })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY_PARAM', details: { suggestions: { LAED: 'LEAD' } } },
    })
    expect(await call({ path: '/api/events/stream?type=LEAD', cookie })).toMatchObject({
      status: 400,
      body: { code: 'UNKNOWN_QUERY_PARAM' },
    })
  })
})

describe('limits', () => {
  it('allow a person five streams, and give a place back when one closes', async () => {
    const person = await workspace.employee({ roles: ['Administrator'] })
    const cookie = await workspace.session(person.id)
    const all = await Promise.all(Array.from({ length: liveStreamsMax.perPerson }, () => open({ cookie })))
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: liveStreamsMax.perPerson }, () => 200))
    const refused = await open({ cookie })
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '5' } })
    expect(JSON.parse(await refused.body())).toMatchObject({ code: 'RATE_LIMITED' })
    all[0]?.close()
    await expect.poll(async () => (await open({ cookie })).status).toBe(200)
  })

  it('HEAD opens none', async () => {
    const cookie = await workspace.session()
    const headers = { host: workspace.host, cookie }
    for (let n = 0; n < 2 * liveStreamsMax.perPerson; n++)
      expect(await api.app.inject({ method: 'HEAD', url: '/api/events/stream', headers })).toMatchObject({
        statusCode: 200,
        body: '',
      })
    expect((await open({ cookie })).status).toBe(200)
  })
})

describe('the streams of a process', () => {
  const pool = createPool({ databaseUrl: api.databaseUrl, max: 2, applicationName: 'test-live' })
  afterAll(() => pool.end())
  const start = () => {
    const logger = createLogger({ name: 'live', level: 'error', destination: serviceLog() })
    const streams = new LiveStreams({ db, pool, epochs, clock, logger })
    const person = (id: string) =>
      ({
        workspace: { id: newId(), modulesOff: new Map() },
        caller: { employee: { id }, credential: { id: newId(), expiresAt: null } },
        types: undefined,
        lastEventId: undefined,
      }) as unknown as Parameters<LiveStreams['open']>[0]
    return { streams, person }
  }

  it('give the place of a stream back that could not go on from its position', async () => {
    const { streams, person } = start()
    const away = createPool({ databaseUrl: api.databaseUrl, max: 1, applicationName: 'test-away' })
    await away.end()
    const logger = createLogger({ name: 'live', level: 'silent' })
    const broken = new LiveStreams({ db: createDatabase(away), pool, epochs, clock, logger })
    const me = person(newId())
    for (let n = 0; n <= liveStreamsMax.perPerson; n++) await expect(broken.open(me)).rejects.toThrow('Failed query')
    await Promise.all([broken.close(), streams.close()])
  })

  it('are five hundred at most, and end with it', async () => {
    const { streams, person } = start()
    const opened = []
    for (let n = 0; n < liveStreamsMax.perProcess; n++) opened.push(await streams.open(person(newId())))
    await expect(streams.open(person(newId()))).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    opened[0]?.destroy()
    await once(opened[0] as NonNullable<(typeof opened)[0]>, 'close')
    const last = await streams.open(person(newId()))
    const ended = once(last.resume(), 'end')
    await streams.close()
    await ended
    await expect(streams.open(person(newId()))).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })
})

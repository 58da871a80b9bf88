import { newId, schema } from '@crm/db'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'
import { tellDueTasks } from '../../workers/tell-due-tasks.ts'

const api = await apiUnderTest()
const { call, key, workspace, db } = api
const path = '/api/settings/notifications'

async function told(texts: readonly string[]) {
  const { id: employeeId } = await workspace.employee({ grant: { permissions: [] } })
  const rows = texts.map((text, at) => ({
    createdAt: `2026-06-0${at + 1}T08:00:00Z`,
    workspaceId: workspace.workspaceId,
    id: newId(),
    employeeId,
    kind: 'booking.mail-failed',
    text,
    data: { bookingId: 'x' },
  }))
  await db.insert(schema.notifications).values(rows)
  return { ids: rows.map(({ id }) => id), cookie: await workspace.session(employeeId) }
}

it('lists one’s own, newest first, and marks the named ones or all as read', async () => {
  const other = await told(['Of somebody else'])
  const { ids, cookie } = await told(['First', 'Second', 'Third'])
  expect((await call({ path, cookie })).body).toMatchObject({
    total: 3,
    items: [{ text: 'Third', readAt: null, data: { bookingId: 'x' } }, { text: 'Second' }, { text: 'First' }],
  })
  expect((await call({ method: 'PATCH', path, cookie, body: { ids: [ids[0], ...other.ids] } })).body.data).toEqual({
    updated: 1,
  })
  expect((await call({ path: `${path}?unread=true`, cookie })).body).toMatchObject({
    total: 2,
    items: [{ text: 'Third' }, { text: 'Second' }],
  })
  expect((await call({ method: 'PATCH', path, cookie, body: { read: true } })).body.data).toEqual({ updated: 2 })
  expect((await call({ path: `${path}?unread=true`, cookie })).body.total).toBe(0)
  expect((await call({ path: `${path}?unread=true`, cookie: other.cookie })).body.total).toBe(1)
})

describe('notifications about records', () => {
  const grant = {
    permissions: ['VIEW_LEAD', 'CREATE_LEAD', 'UPDATE_LEAD', 'VIEW_TASK'],
    access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
  } as const
  const person = async () => {
    const { id } = await workspace.employee({ grant })
    const cookie = await workspace.session(id)
    const inbox = async (query = '') => (await call({ path: `${path}${query}`, cookie })).body
    return { id, cookie, inbox }
  }
  const create = async (at: string, body: object) => (await call({ method: 'POST', path: at, key, body })).body.data.id
  const leadOf = (ownerId: string, lastName = 'King') => create('/api/leads', { lastName, ownerId })
  const comment = (entityId: string, more: object) =>
    create('/api/crm/comments', { entityType: 'LEAD', entityId, body: 'Have a look', ...more })

  it('tell of records that somebody else gave them, many at once in one sentence', async () => {
    const { id: ownerId, cookie, inbox } = await person()
    const first = await leadOf(ownerId, 'Byron')
    expect((await inbox()).items).toMatchObject([
      {
        kind: 'assigned',
        text: 'Ada Admin assigned a lead to you',
        record: { entityType: 'LEAD', id: first, title: 'Byron' },
      },
    ])
    await call({ method: 'POST', path: '/api/leads', cookie, body: { lastName: 'Own', ownerId } })
    expect((await inbox()).total).toBe(1)
    const ids = [await leadOf(workspace.adminUserId), await leadOf(workspace.adminUserId)]
    await call({ method: 'PATCH', path: '/api/leads', key, body: { ids, set: { ownerId } } })
    expect((await inbox()).items[0]).toMatchObject({ text: 'Ada Admin assigned 2 leads to you', record: null })
  })

  it('tell of mentions and replies, only while the record is in sight', async () => {
    const [one, other] = [await person(), await person()]
    const entityId = await leadOf(one.id)
    const parentId = (
      await call({
        method: 'POST',
        path: '/api/crm/comments',
        cookie: one.cookie,
        body: { entityType: 'LEAD', entityId, body: 'Who?' },
      })
    ).body.data.id
    const id = await comment(entityId, { mentions: [one.id, other.id] })
    await comment(entityId, { parentId, body: 'Me' })
    expect((await one.inbox('?unread=true&state=OPEN')).items).toMatchObject([
      { kind: 'reply', text: 'Ada Admin replied to your note', quote: 'Me' },
      { kind: 'mention', text: 'Ada Admin mentioned you in a note', quote: 'Have a look', record: { title: 'King' } },
      { kind: 'assigned' },
    ])
    expect(await other.inbox()).toMatchObject({ total: 0, items: [] })
    const patch = (mentions: string[]) =>
      call({ method: 'PATCH', path: `/api/crm/comments/${id}`, key, body: { mentions } })
    await patch([one.id])
    expect((await one.inbox()).total).toBe(3)
    await call({ method: 'PATCH', path: `/api/leads/${entityId}`, key, body: { ownerId: other.id } })
    expect((await one.inbox()).total).toBe(0)
    expect((await other.inbox()).items.map(({ kind }: { kind: string }) => kind)).toEqual(['assigned', 'mention'])
  })

  it('tell of a due task once for each due date', async () => {
    const { id: assigneeId, inbox } = await person()
    const now = api.clock.now().getTime()
    const due = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
    const lead = await create('/api/leads', { lastName: 'Caller', ownerId: assigneeId })
    const links = [{ entityType: 'LEAD', entityId: lead }]
    const task = await create('/api/tasks', { title: 'Call', assigneeId, ownerId: assigneeId, dueAt: due(-5), links })
    await create('/api/tasks', { title: 'Later', assigneeId, ownerId: assigneeId, dueAt: due(60) })
    const dueOnes = async () =>
      (await inbox()).items
        .filter(({ kind }: { kind: string }) => kind === 'task.due')
        .map(({ record, about }: { record: object; about: unknown }) => ({ ...record, about }))
    await tellDueTasks(api)
    await tellDueTasks(api)
    expect(await dueOnes()).toMatchObject([
      { id: task, title: 'Call', about: [{ entityType: 'LEAD', entityId: lead, title: 'Caller' }] },
    ])
    await call({ method: 'PATCH', path: `/api/tasks/${task}`, key, body: { dueAt: due(-3) } })
    await tellDueTasks(api)
    expect(await dueOnes()).toHaveLength(2)
  })

  it('are put off, finished and taken up again, and switched off by kind', async () => {
    const { id, cookie, inbox } = await person()
    await leadOf(id)
    const [{ id: first }] = (await inbox()).items
    const change = async (body: object) =>
      (await call({ method: 'PATCH', path, cookie, body: { ids: [first], ...body } })).body.data
    const totals = async () =>
      Promise.all(['OPEN', 'SNOOZED', 'DONE'].map(async (state) => (await inbox(`?state=${state}`)).total))
    const until = (minutes: number) => new Date(api.clock.now().getTime() + minutes * 60_000).toISOString()
    expect(await change({ read: true })).toEqual({ updated: 1 })
    expect(await change({ snoozedUntil: until(60) })).toEqual({ updated: 1 })
    expect(await totals()).toEqual([0, 1, 0])
    await change({ snoozedUntil: until(-1) })
    expect(await totals()).toEqual([1, 0, 0])
    expect((await inbox('?unread=true')).total).toBe(1)
    await change({ done: true })
    expect(await totals()).toEqual([0, 0, 1])
    expect((await inbox('?unread=true')).total).toBe(0)
    await change({ done: false, read: false })
    expect(await totals()).toEqual([1, 0, 0])
    const wishes = (body: object) => call({ method: 'PUT', path: `${path}/preferences`, cookie, body })
    expect((await wishes({ mail: [], off: ['assigned'] })).body.data).toEqual({
      mail: [],
      digest: [],
      off: ['assigned'],
    })
    expect((await inbox()).total).toBe(0)
    expect(await wishes({ mail: ['mention'], off: ['mention'] })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['mail'] }] },
    })
    expect((await call({ path: `${path}?state=LOST`, cookie })).body.code).toBe('INVALID_QUERY_PARAM')
    expect((await call({ method: 'PATCH', path, cookie, body: { snoozedUntil: 'soon' } })).status).toBe(400)
  })
})

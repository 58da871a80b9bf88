import { followsMax } from '@crm/contract'
import { newId, schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'

const api = await apiUnderTest()
const { call, key, workspace, db } = api

const grant = {
  permissions: ['VIEW_LEAD', 'CREATE_LEAD', 'UPDATE_LEAD', 'VIEW_COMPANY'],
  access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
} as const

async function person() {
  const { id } = await workspace.employee({ grant })
  const cookie = await workspace.session(id)
  const ask = (method: 'GET' | 'PUT' | 'DELETE', recordId: string, entityType = 'LEAD') =>
    call({ method, path: `/api/me/follows/${entityType}/${recordId}`, cookie })
  const unread = async () =>
    (await call({ path: '/api/settings/notifications?unread=true', cookie })).body.items as {
      readonly id: string
      readonly kind: string
    }[]
  const readAll = () => call({ method: 'PATCH', path: '/api/settings/notifications', cookie, body: {} })
  return { id, cookie, ask, unread, readAll }
}

async function made(path: string, body: object): Promise<string> {
  return (await call({ method: 'POST', path, key, body })).body.data.id
}

const changed = (id: string, body: object) => call({ method: 'PATCH', path: `/api/leads/${id}`, key, body })

/** A person with a lead of their own, of which they have read that it was given to them. */
async function leadOfPerson(lastName = 'King') {
  const someone = await person()
  const id = await made('/api/leads', { lastName, ownerId: someone.id })
  await someone.readAll()
  return { ...someone, leadId: id }
}

describe('following a record', () => {
  it('is begun, told and ended, as often as one likes', async () => {
    const { ask, leadId } = await leadOfPerson()
    const following = async (method: 'GET' | 'PUT' | 'DELETE') => (await ask(method, leadId)).body.data.following
    for (const [method, answer] of [
      ['GET', false],
      ['PUT', true],
      ['PUT', true],
      ['GET', true],
      ['DELETE', false],
      ['DELETE', false],
      ['GET', false],
    ] as const)
      expect(await following(method)).toBe(answer)
  })

  it('is refused for records out of sight, without a session, and beyond the limit', async () => {
    const { id: employeeId, ask, leadId } = await leadOfPerson()
    const foreign = await made('/api/leads', { lastName: 'Foreign' })
    for (const [recordId, entityType] of [
      [foreign, 'LEAD'],
      [newId(), 'LEAD'],
      [leadId, 'DEAL'],
      [leadId, 'NO_SUCH_KIND'],
    ] as const)
      for (const method of ['GET', 'PUT', 'DELETE'] as const)
        expect(await ask(method, recordId, entityType)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await call({ method: 'PUT', path: `/api/me/follows/LEAD/${leadId}` })).toMatchObject({ status: 401 })
    await db.insert(schema.follows).values(
      Array.from({ length: followsMax }, () => ({
        workspaceId: workspace.workspaceId,
        employeeId,
        entityType: 'LEAD',
        entityId: newId(),
      })),
    )
    expect(await ask('PUT', leadId)).toMatchObject({
      body: { code: 'QUOTA_EXCEEDED', details: { quota: 'followedRecords', used: followsMax, limit: followsMax } },
    })
    expect((await ask('GET', leadId)).body.data).toEqual({ following: false })
  })
})

describe('the inbox of a follower', () => {
  it('tells what others do, once until it is read, and nothing of one’s own changes', async () => {
    const { ask, cookie, leadId, unread, readAll } = await leadOfPerson()
    await changed(leadId, { jobTitle: 'Before' })
    await ask('PUT', leadId)
    await call({ method: 'PATCH', path: `/api/leads/${leadId}`, cookie, body: { jobTitle: 'Mine' } })
    expect(await unread()).toEqual([])
    await changed(leadId, { jobTitle: 'Theirs' })
    await made('/api/crm/comments', { entityType: 'LEAD', entityId: leadId, body: 'And a note' })
    expect(await unread()).toMatchObject([
      {
        kind: 'followed',
        text: 'Ada Admin changed something that you follow',
        record: { entityType: 'LEAD', id: leadId, title: 'King' },
        data: { actor: { id: workspace.adminUserId, name: 'Ada Admin' } },
      },
    ])
    await readAll()
    await changed(leadId, { jobTitle: 'Again' })
    expect(await unread()).toMatchObject([{ kind: 'followed' }])
    await readAll()
    await ask('DELETE', leadId)
    await changed(leadId, { jobTitle: 'Unheard' })
    expect(await unread()).toEqual([])
  })

  it('tells a thing once where a more exact sentence says it', async () => {
    const { id, ask, leadId, unread, readAll } = await leadOfPerson()
    await ask('PUT', leadId)
    await made('/api/crm/comments', { entityType: 'LEAD', entityId: leadId, body: 'See', mentions: [id] })
    expect((await unread()).map(({ kind }) => kind)).toEqual(['mention'])
    await readAll()
    await changed(leadId, { ownerId: workspace.adminUserId })
    await changed(leadId, { ownerId: id })
    await readAll()
    await db.update(schema.leads).set({ ownerId: workspace.adminUserId }).where(eq(schema.leads.id, leadId))
    await changed(leadId, { ownerId: id })
    expect((await unread()).map(({ kind }) => kind)).toEqual(['assigned'])
  })

  it('says nothing of records that went out of sight', async () => {
    const { ask, leadId, unread } = await leadOfPerson()
    await ask('PUT', leadId)
    await changed(leadId, { ownerId: workspace.adminUserId })
    await changed(leadId, { jobTitle: 'Secret' })
    expect(await unread()).toEqual([])
    expect(await ask('DELETE', leadId)).toMatchObject({ status: 200, body: { data: { following: false } } })
    expect(await ask('DELETE', leadId)).toMatchObject({ status: 404 })
  })

  it('tells of each record of a change of many', async () => {
    const { id: ownerId, ask, leadId, unread, readAll } = await leadOfPerson()
    const second = await made('/api/leads', { lastName: 'Second', ownerId })
    await readAll()
    for (const id of [leadId, second]) await ask('PUT', id)
    await call({
      method: 'PATCH',
      path: '/api/leads',
      key,
      body: { ids: [leadId, second], set: { temperature: 'HOT' } },
    })
    expect((await unread()).map(({ kind }) => kind)).toEqual(['followed', 'followed'])
  })
})

it('lets the followers of merged records follow the one that stays', async () => {
  const { id: ownerId, ask, leadId, unread, readAll } = await leadOfPerson()
  const survivor = await made('/api/leads', { lastName: 'Survivor', ownerId })
  await ask('PUT', leadId)
  const merge = { method: 'POST', path: `/api/leads/${survivor}/merge`, key, body: { sourceIds: [leadId] } } as const
  expect(await call(merge)).toMatchObject({ status: 200 })
  expect((await ask('GET', survivor)).body.data).toEqual({ following: true })
  await readAll()
  await changed(survivor, { jobTitle: 'Joined' })
  expect(await unread()).toMatchObject([{ kind: 'followed', record: { id: survivor } }])
})

import { unique } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'
import { unknownId } from '../../../../test/samples.ts'

const api = await ownApi()
const { call, workspace } = api
const cookie = await workspace.session()
const channels = '/api/settings/channels'
const conversations = '/api/settings/conversations'

const person = async (...permissions: string[]) => {
  const { id } = await workspace.employee({ grant: { permissions } })
  return { id, cookie: await workspace.session(id) }
}
const post = async (path: string, body: object, as = cookie) => call({ method: 'POST', path, cookie: as, body })
const channel = async (name: string, more: object = {}): Promise<string> =>
  (await post(channels, { name, ...more })).body.data.id
const conversation = async (channelId: string, subject: string, body = 'Hello'): Promise<string> =>
  (await post(conversations, { channelId, subject, body })).body.data.id
const say = (id: string, body: string, as = cookie) => post(`${conversations}/${id}/messages`, { body }, as)
const read = async (path: string, as = cookie) => (await call({ path, cookie: as })).body

describe('channels', () => {
  it('are made, listed by name, renamed and deleted, which the audit log tells', async () => {
    const other = await api.newWorkspace()
    const as = await other.session()
    const send = (method: 'POST' | 'PATCH' | 'DELETE' | 'GET', path: string, body?: object) =>
      call({ method, path, cookie: as, body }, other)
    const { id } = (await send('POST', channels, { name: ' Sales ', topic: 'Deals and offers' })).body.data
    await send('POST', channels, { name: 'announcements' })
    expect(await send('POST', channels, { name: 'SALES' })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'name' } },
    })
    expect((await send('GET', channels)).body).toMatchObject({
      total: 2,
      items: [
        { name: 'announcements', topic: null, conversations: 0 },
        { id, name: 'Sales', topic: 'Deals and offers' },
      ],
    })
    expect((await send('GET', `${channels}?search=offers`)).body.items).toMatchObject([{ id }])
    expect((await send('PATCH', `${channels}/${id}`, { name: 'Deals', topic: null })).body.data).toMatchObject({
      name: 'Deals',
      topic: null,
    })
    expect(await send('PATCH', `${channels}/${id}`, { name: 'Announcements' })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN' },
    })
    await send('POST', conversations, { channelId: id, subject: 'Offer', body: 'Is it out?' })
    expect((await send('GET', `${channels}/${id}`)).body.data.conversations).toBe(1)
    expect(await send('DELETE', `${channels}/${id}`)).toMatchObject({ status: 200, body: { data: { id } } })
    expect((await send('GET', conversations)).body.total).toBe(0)
    expect((await send('GET', `${channels}/${id}`)).status).toBe(404)
    const { items } = (await send('GET', '/api/settings/audit-log')).body
    expect(
      items
        .map(({ action, summary }: { action: string; summary: string }) => [action, summary])
        .filter(([action = '']) => action.startsWith('channel.')),
    ).toEqual([
      ['channel.deleted', 'Channel Deals'],
      ['channel.changed', 'Channel Deals'],
      ['channel.created', 'Channel announcements'],
      ['channel.created', 'Channel Sales'],
    ])
  })

  it.each([
    ['without a name', {}],
    ['with a blank name', { name: ' ' }],
    ['with a long name', { name: 'x'.repeat(101) }],
    ['with a long topic', { name: 'Fine', topic: 'x'.repeat(501) }],
  ])('are refused %s', async (_what, body) => {
    expect(await post(channels, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })
})

describe('rights', () => {
  it('to talk need VIEW_CONVERSATION alone, and to arrange channels MANAGE_WORKSPACE as well', async () => {
    const room = await channel('Rights')
    const talker = await person('VIEW_CONVERSATION')
    const { status, body } = await post(
      conversations,
      { channelId: room, subject: 'Lunch', body: 'Where?' },
      talker.cookie,
    )
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: { startedBy: { id: talker.id }, createdById: talker.id, messages: 1 },
    })
    expect(await say(body.data.id, 'Here', talker.cookie)).toMatchObject({
      status: 201,
      body: { data: { body: 'Here', author: { id: talker.id } } },
    })
    for (const [method, path] of [
      ['POST', channels],
      ['PATCH', `${channels}/${room}`],
      ['DELETE', `${channels}/${room}`],
    ] as const) {
      expect(await call({ method, path, cookie: talker.cookie, body: { name: 'Theirs' } })).toMatchObject({
        status: 403,
        body: { code: 'ACCESS_DENIED' },
      })
    }
    const manager = await person('MANAGE_WORKSPACE')
    expect(await call({ path: channels, cookie: manager.cookie })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
    expect(await say(body.data.id, 'Let me in', manager.cookie)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
  })
})

describe('conversations', () => {
  it('come with the latest message first, by channel or by text', async () => {
    const [first, second] = [await channel('First'), await channel('Second')]
    const older = await conversation(first, 'Zanzibar trip', 'Who goes?')
    const newer = await conversation(first, 'Printer', 'It is out of paper')
    const elsewhere = await conversation(second, 'Zanzibar budget', 'Who pays?')
    api.clock.advance(60_000)
    await say(older, 'I packed the Ćevapčići')
    const ids = async (query: string) =>
      (await read(`${conversations}?${query}`)).items.map(({ id }: { id: string }) => id)
    expect(await ids(`channelId=${first}`)).toEqual([older, newer])
    expect(await ids('search=zanzibar')).toEqual([older, elsewhere])
    expect(await ids('search=cevap')).toEqual([older])
    expect(await ids(`channelId=${unknownId}`)).toEqual([])
    expect((await read(`${conversations}/${older}`)).data).toMatchObject({
      channelId: first,
      channelName: 'First',
      subject: 'Zanzibar trip',
      messages: 2,
    })
  })

  it('name a channel that is there', async () => {
    expect(await post(conversations, { channelId: unknownId, subject: 'Lost', body: 'Hello?' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'channelId' } },
    })
  })
})

describe('messages', () => {
  it('are listed from the latest, page by page', async () => {
    const id = await conversation(await channel('Pages'), 'Counting', 'one')
    for (const body of ['two', 'three', 'four', 'five']) await say(id, body)
    const path = `${conversations}/${id}/messages`
    const bodies = ({ items }: { items: { body: string }[] }) => items.map(({ body }) => body)
    const first = await read(`${path}?limit=2`)
    expect([bodies(first), first.hasMore]).toEqual([['five', 'four'], true])
    const rest = await read(`${path}?limit=3&cursor=${first.nextCursor}`)
    expect([bodies(rest), rest.hasMore, rest.nextCursor]).toEqual([['three', 'two', 'one'], false, null])
    expect(await read(`${path}?cursor=nothing`)).toMatchObject({ code: 'INVALID_QUERY_PARAM' })
  })

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['too long', 'x'.repeat(4001)],
  ])('are not %s', async (_what, body) => {
    const id = await conversation(await channel(`Room ${unique()}`), 'Strict')
    expect(await say(id, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  it('of many people at once all stay, and the conversation knows the latest', async () => {
    const id = await conversation(await channel('Crowd'), 'All at once')
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => say(id, `Message ${n}`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect((await read(`${conversations}/${id}`)).data).toMatchObject({ messages: 21 })
  })
})

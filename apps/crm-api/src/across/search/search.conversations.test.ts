import { expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'

const api = await apiUnderTest()
const { call, workspace, key } = api
const cookie = await workspace.session()
const base = `http://${workspace.host}`

const post = async (path: string, body: object) => (await call({ method: 'POST', path, cookie, body })).body.data
const find = async (q: string, as = key) =>
  (await call({ path: `/api/search?q=${encodeURIComponent(q)}`, key: as })).body.results
const read = (id: string, as = key) => call({ path: `/api/search/${id}`, key: as })

const channel = await post('/api/settings/channels', { name: 'Großkunden', topic: 'Renewals of the large accounts' })
const conversation = await post('/api/settings/conversations', {
  channelId: channel.id,
  subject: 'Négociation Héliodore',
  body: 'They asked for a rebate of twelve per cent.',
})
await post(`/api/settings/conversations/${conversation.id}/messages`, {
  body: `Before we begin: ${'the usual words, '.repeat(10)} and the Kautschuk price is frozen until spring. ${'More of it. '.repeat(20)}`,
})
const inChannel = {
  id: `channel:${channel.id}`,
  type: 'channel',
  title: 'Großkunden',
  snippet: 'Renewals of the large accounts',
  url: `${base}/conversations/channels/${channel.id}`,
}
const inConversation = {
  id: `conversation:${conversation.id}`,
  type: 'conversation',
  title: 'Négociation Héliodore',
  url: `${base}/conversations/${conversation.id}`,
}

it.each(['großkunden', 'GROSSK', 'unden', 'renewals', 'large renew'])(
  'finds a channel by its name and topic: %s',
  async (q) => {
    expect(await find(q)).toMatchObject([inChannel])
  },
)

it.each(['heliodore', 'HÉLIO', 'odore', 'negociation heliodore'])(
  'finds a conversation by its subject: %s',
  async (q) => {
    expect(await find(q)).toMatchObject([{ ...inConversation, snippet: '#Großkunden' }])
  },
)

it.each(['rebate', 'twelve rebate', 'kautschuk', 'autsch', 'KAUTSCHUK frozen'])(
  'finds a conversation by what was said: %s',
  async (q) => {
    expect(await find(q)).toMatchObject([inConversation])
  },
)

it('shows the place of the words in a long message', async () => {
  const [{ snippet }] = await find('kautschuk')
  expect(snippet).toMatch(/^#Großkunden · ….{20,60}Kautschuk price is frozen until spring\..*…$/)
})

it('names a conversation once, however often its words are said', async () => {
  const { id } = await post('/api/settings/conversations', {
    channelId: channel.id,
    subject: 'Quokka',
    body: 'The quokka file',
  })
  for (const n of [1, 2, 3]) await post(`/api/settings/conversations/${id}/messages`, { body: `Quokka ${n}` })
  expect(await find('quokka')).toMatchObject([{ id: `conversation:${id}`, snippet: '#Großkunden · Quokka 3' }])
})

it.each(['%', '_', 'rebate nobody', "'; DROP TABLE channels --"])('finds nothing by %s', async (q) => {
  expect(await find(q)).toEqual([])
})

it('reads a channel with its conversations, and a conversation with all that was said, the first message first', async () => {
  expect((await read(inChannel.id)).body.data).toMatchObject({
    id: inChannel.id,
    url: inChannel.url,
    record: {
      id: channel.id,
      topic: 'Renewals of the large accounts',
      latestConversations: expect.arrayContaining([expect.objectContaining({ id: conversation.id })]),
    },
  })
  const { record } = (await read(inConversation.id)).body.data
  expect(record).toMatchObject({
    id: conversation.id,
    channelName: 'Großkunden',
    messageCount: 2,
    messages: [{ body: 'They asked for a rebate of twelve per cent.', author: { name: expect.any(String) } }, {}],
  })
})

it('shows nothing without VIEW_CONVERSATION, nor to another workspace', async () => {
  const { key: blind } = await workspace.apiKey({ scopes: ['VIEW_LEAD'] })
  const stranger = await api.newWorkspace()
  const { key: strange } = await stranger.apiKey()
  for (const q of ['kautschuk', 'großkunden', 'heliodore']) {
    expect(await find(q, blind)).toEqual([])
    expect((await call({ path: `/api/search?q=${q}`, key: strange }, stranger)).body.results).toEqual([])
  }
  for (const { id } of [inChannel, inConversation]) {
    expect((await read(id, blind)).status).toBe(404)
    expect((await call({ path: `/api/search/${id}`, key: strange }, stranger)).status).toBe(404)
  }
  const { key: sighted } = await workspace.apiKey({ scopes: ['VIEW_CONVERSATION'] })
  expect(await find('kautschuk', sighted)).toMatchObject([inConversation])
})

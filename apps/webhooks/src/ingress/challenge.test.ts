import type { HookOptions } from '@crm/db'
import { describe, expect, it } from 'vitest'
import { challengeAnswer, type Challenging } from './challenge.ts'

const call = (one: Partial<Omit<Challenging, 'body'>> & { readonly data?: unknown }): Challenging => ({
  method: 'POST',
  headers: {},
  query: {},
  body: async () => one.data ?? {},
  ...one,
})
const text = { 'content-type': 'text/plain; charset=utf-8' }
const json = { 'content-type': 'application/json; charset=utf-8' }
type Challenge = NonNullable<HookOptions['challenge']>

const meta: Challenge = {
  in: 'QUERY',
  echo: 'hub.challenge',
  as: 'TEXT',
  require: { name: 'hub.verify_token', equals: 'mine' },
}
const graph: Challenge = { in: 'QUERY', echo: 'validationToken', as: 'TEXT' }
const slack: Challenge = {
  in: 'BODY',
  echo: 'challenge',
  as: 'TEXT',
  require: { name: 'type', equals: 'url_verification' },
}
const monday: Challenge = { in: 'BODY', echo: 'challenge', as: 'JSON' }
const eventGrid: Challenge = { in: 'BODY', echo: '0.data.validationCode', as: 'JSON', name: 'validationResponse' }
const asana: Challenge = { in: 'HEADER', echo: 'X-Hook-Secret', as: 'HEADER' }

describe('the challenge of a sender', () => {
  it.each([
    [
      'Meta',
      meta,
      { method: 'GET', query: { 'hub.mode': 'subscribe', 'hub.challenge': '1158', 'hub.verify_token': 'mine' } },
      text,
      '1158',
    ],
    [
      'Microsoft Graph',
      graph,
      { query: { validationToken: 'Validation: Testing client' } },
      text,
      'Validation: Testing client',
    ],
    ['Slack', slack, { data: { type: 'url_verification', token: 't', challenge: '3eZbrw1a' } }, text, '3eZbrw1a'],
    ['monday.com', monday, { data: { challenge: '3eZbrw1a' } }, json, '{"challenge":"3eZbrw1a"}'],
    [
      'Event Grid',
      eventGrid,
      { data: [{ eventType: 'V', data: { validationCode: '512d38b6' } }] },
      json,
      '{"validationResponse":"512d38b6"}',
    ],
    ['Asana', asana, { headers: { 'x-hook-secret': 'b537' } }, { 'X-Hook-Secret': 'b537' }, ''],
  ] as const)('of %s is given back', async (_, challenge, sent, headers, body) =>
    expect(await challengeAnswer(call(sent), { challenge })).toEqual({ headers, body }),
  )

  it.each([
    ['without the word that it must carry', meta, { query: { 'hub.challenge': '1' } }],
    ['with another word', meta, { query: { 'hub.challenge': '1', 'hub.verify_token': 'yours' } }],
    ['of another type', slack, { data: { type: 'event_callback', challenge: '1' } }],
    ['without itself', graph, { query: {} }],
    ['given twice', graph, { query: { validationToken: ['a', 'b'] } }],
    ['that is empty', graph, { query: { validationToken: '' } }],
    ['that is too long', graph, { query: { validationToken: 'x'.repeat(513) } }],
    ['of two lines', asana, { headers: { 'x-hook-secret': 'a\r\nset-cookie: b' } }],
    ['in another script', graph, { query: { validationToken: 'é' } }],
    ['that is no text', monday, { data: { challenge: 5 } }],
    ['of a body that is a text', monday, { data: 'challenge' }],
    ['of the prototype', { in: 'BODY', echo: 'constructor.name', as: 'TEXT' }, { data: {} }],
    ['by HEAD', graph, { method: 'HEAD', query: { validationToken: 'a' } }],
    ['by OPTIONS', graph, { method: 'OPTIONS', query: { validationToken: 'a' } }],
  ] as const)('%s is none', async (_, challenge, sent) =>
    expect(await challengeAnswer(call(sent as never), { challenge })).toBeUndefined(),
  )

  it('of CloudEvents comes by OPTIONS', async () => {
    const headers = { 'webhook-request-origin': 'eventemitter.example.com' }
    const answer = { 'webhook-allowed-origin': 'eventemitter.example.com', allow: 'POST, OPTIONS' }
    const ask = (options: HookOptions, more = {}, method = 'OPTIONS') =>
      challengeAnswer(call({ method, headers: { ...headers, ...more } }), options)
    expect(await ask({ cloudEvents: true })).toEqual({ headers: answer, body: '' })
    expect(await ask({ cloudEvents: true }, { 'webhook-request-rate': '120' })).toMatchObject({
      headers: { 'webhook-allowed-rate': '*' },
    })
    expect(await ask({})).toBeUndefined()
    expect(await ask({ cloudEvents: true }, {}, 'POST')).toBeUndefined()
    expect(await ask({ cloudEvents: true }, { 'webhook-request-origin': undefined })).toBeUndefined()
  })
})

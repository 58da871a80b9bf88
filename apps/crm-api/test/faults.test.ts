import { createDatabase, createPool, schema } from '@crm/db'
import { connectRedis, createEpochs } from '@crm/redis'
import { createLogger, systemClock } from '@crm/runtime'
import { createStorage } from '@crm/storage'
import { createTestWorkspace, testDatabase, testRedis, asDeployable } from '@crm/testkit'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { createCrmApi } from '../src/app.ts'
import { secrets } from './harness.ts'

const database = await testDatabase()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
const pool = createPool({
  databaseUrl: database.urlFor('crm_api'),
  max: 5,
  applicationName: 'test-api',
  ...asDeployable,
})
const redis = await connectRedis((await testRedis()).url, { role: 'test' })
const log: string[] = []
const logger = createLogger({ name: 'crm-api', level: 'error', destination: { write: (line) => void log.push(line) } })
const app = createCrmApi({
  pool,
  db: createDatabase(pool),
  redis,
  epochs: createEpochs(redis),
  clock: systemClock,
  storage: await createStorage({ directory: tmpdir() }),
  logger,
  secrets,
  trustedProxies: ['loopback'],
  requestsPerMinute: 1_000_000,
})
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
afterAll(async () => {
  await app.close()
  await Promise.all([pool.end(), owner.end(), redis.close()])
})

const workspace = await createTestWorkspace(createDatabase(owner))
const { key } = await workspace.apiKey()
await createDatabase(owner)
  .insert(schema.customFields)
  .values({ workspaceId: workspace.workspaceId, entityType: 'LEAD', key: 'note', label: 'Note', type: 'TEXT' })

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request over a real socket, byte for byte. */
function send({ method = 'POST', path = '/api/leads', body, headers = {} }: Sent): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request(
    {
      host: '127.0.0.1',
      port,
      agent: false,
      method,
      path,
      headers: {
        host: workspace.host,
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    },
    (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text || '{}') as Answer['body'] }),
      )
    },
  )
  sent.on('error', reject)
  sent.end(body)
  return promise
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('an unexpected fault', () => {
  it('answers 500 with an errorId that stands in the log with the cause, and explains nothing', async () => {
    await owner.query('REVOKE SELECT ON comments FROM crm_api')
    const { rows } = await owner.query<{ id: string }>('SELECT gen_random_uuid() AS id')
    const answer = await send({ method: 'GET', path: `/api/crm/comments/${rows[0]?.id}` })
    await owner.query('GRANT SELECT ON comments TO crm_api')
    expect(answer).toEqual({
      status: 500,
      body: { error: 'Internal server error', code: 'INTERNAL_ERROR', errorId: expect.any(String) },
    })
    const lines = log.filter((line) => line.includes(String(answer.body['errorId'])))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('permission denied for table comments')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', route: '/api/crm/comments/:id' })
    expect(lines[0]).not.toContain(key)
    expect((await send({ method: 'GET', path: `/api/crm/comments/${rows[0]?.id}` })).status).toBe(404)
  })
})

describe('a body', () => {
  it('over 1 MB answers 413, with or without its length', async () => {
    const refused = { status: 413, body: { code: 'PAYLOAD_TOO_LARGE', error: expect.any(String) } }
    const body = JSON.stringify({ lastName: 'x'.repeat(1024 * 1024) })
    expect(await send({ body })).toMatchObject(refused)
    expect(await send({ body, headers: { 'transfer-encoding': 'chunked' } })).toMatchObject(refused)
  })

  it.each(['gzip', 'zstd', 'IDENTITY, br', 'utf-8'])('packed as %s answers 415, whatever it holds', async (coding) => {
    const headers = { 'content-encoding': coding }
    expect(await send({ body: '{"lastName":"x"}', headers })).toEqual({
      status: 415,
      body: { code: 'UNSUPPORTED_CONTENT_ENCODING', error: expect.any(String) },
    })
  })

  it.each(['', 'identity', ' Identity , '])('with the coding %j is as it is read', async (coding) => {
    expect(await send({ body: '{', headers: { 'content-encoding': coding } })).toMatchObject({ status: 400 })
  })

  it.each([
    '{',
    '{"lastName":',
    '{"lastName":"x"}}',
    'lastName=x',
    "{'lastName':'x'}",
    '﻿{"lastName":"x"}',
    '{"a":NaN}',
  ])('that is not JSON (%s) answers 400 without a code', async (body) => {
    expect(await send({ body })).toEqual({ status: 400, body: { error: 'Invalid JSON body' } })
  })

  it('of bytes that are not UTF-8 answers 400', async () => {
    const bytes = Buffer.concat([Buffer.from('{"lastName":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')])
    expect((await send({ body: bytes })).status).toBe(400)
    expect((await send({ body: bytes, headers: { 'transfer-encoding': 'chunked' } })).status).toBe(400)
  })

  it.each([
    ['null', 'null'],
    ['an array', '[]'],
    ['a number', '42'],
    ['a text', '"lead"'],
    ['true', 'true'],
    ['100,000 brackets', nested(100_000)],
    ['__proto__', '{"lastName":"x","__proto__":{"isAdmin":true}}'],
    ['constructor', '{"lastName":"x","constructor":{"prototype":{}}}'],
    ['deep custom fields', `{"lastName":"x","customFields":{"a":${nested(100_000)}}}`],
    ['a NUL', String.raw`{"lastName":"a\u0000b"}`],
    ['a NUL in a list', String.raw`{"lastName":"x","tags":["\u0000"]}`],
    ['a NUL as a key', String.raw`{"lastName":"x","customFields":{"\u0000":1}}`],
    ['an object for a text', '{"lastName":{}}'],
    ['a huge number', '{"lastName":"x","stageId":1e400}'],
  ])('of %s answers 400 VALIDATION_ERROR, with an Idempotency-Key too', async (name, body) => {
    expect(await send({ body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: expect.any(Array) },
    })
    expect(await send({ body, headers: { 'idempotency-key': `key of ${name}` } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })

  it.each(['/api/leads/x/convert', '/api/crm/comments', '/api/pipelines'])(
    'of 100,000 brackets answers 400 at %s',
    async (path) => {
      expect((await send({ path, body: nested(100_000) })).status).toBe(400)
      expect(
        (await send({ path, body: `{"entityType":"LEAD","body":${nested(100_000)},"stages":${nested(100_000)}}` }))
          .status,
      ).toBe(400)
    },
  )

  it('with __proto__ among the custom fields changes no prototype', async () => {
    expect(
      (await send({ body: '{"lastName":"x","customFields":{"__proto__":{"isAdmin":true}}}' })).status,
    ).toBeLessThan(500)
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })

  it('keeps half of a surrogate pair from the database', async () => {
    expect((await send({ body: String.raw`{"lastName":"a\ud800b"}` })).status).toBeLessThan(500)
  })
})

describe('an address', () => {
  it.each([
    '/api/leads?search=%00',
    '/api/search?q=%00',
    '/api/search?q=a%00b',
    '/api/leads?cf_note=%00',
    '/api/leads?sortBy=%00',
    '/api/leads?status=%00',
  ])('400 for %s', async (path) => {
    expect(await send({ method: 'GET', path })).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY_PARAM' } })
  })

  it.each([
    '/api/leads/%00',
    '/api/leads/%E0%A4%A',
    '/api/leads?search=%E0%A4%A',
    `/api/leads/${'x'.repeat(600)}`,
    '/api//leads',
    '/api/leads/',
    '/%2e%2e/api/leads',
  ])('never 500 for %s', async (path) => {
    expect((await send({ method: 'GET', path })).status).toBeLessThan(500)
  })

  it.each(['PUT', 'PROPFIND', 'TRACE', 'OPTIONS'])('405 for %s, which nothing answers to', async (method) => {
    expect(await send({ method })).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
  })
})

describe('a header', () => {
  it('that is too long answers 401, or 431 when the server does not read it', async () => {
    expect(await send({ method: 'GET', headers: { authorization: `Bearer sk-${'x'.repeat(8_000)}` } })).toMatchObject({
      status: 401,
      body: { code: 'AUTHENTICATION_ERROR' },
    })
    expect(await send({ method: 'GET', headers: { authorization: `Bearer ${'x'.repeat(32_000)}` } })).toMatchObject({
      status: 431,
      body: { error: expect.any(String) },
    })
  })

  it('Idempotency-Key of 256 characters answers 400', async () => {
    expect(await send({ body: '{"lastName":"x"}', headers: { 'idempotency-key': 'x'.repeat(256) } })).toMatchObject({
      status: 400,
      body: { code: 'IDEMPOTENCY_KEY_INVALID' },
    })
  })
})

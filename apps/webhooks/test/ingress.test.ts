import { createPool } from '@crm/db'
import { hearWakeUps } from '@crm/jobs'
import { headerDigest } from '@crm/secrets'
import { bundleOf, startProcess, startRedisServer, testDatabase, testRedis, eventually } from '@crm/testkit'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeHook, makeWorkspace, type HookOptions, type TestHook, type TestWorkspace } from './workspace.ts'

const mainFile = bundleOf('webhooks', 'main-ingress')
const database = await testDatabase()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 4, applicationName: 'test' })
afterAll(() => owner.end())

let url: string
let redisUrl: string
let workspace: TestWorkspace

beforeAll(async () => {
  redisUrl = (await testRedis()).url
  ;({ url } = await startProcess(mainFile, { DATABASE_URL: database.urlFor('crm_hooks'), REDIS_URL: redisUrl }))
  workspace = await makeWorkspace(owner)
  await makeWorkspace(owner)
})

interface Call {
  readonly method?: string
  readonly headers?: Record<string, string | undefined>
  readonly body?: string | Buffer
  readonly chunked?: boolean
  readonly host?: string
  readonly at?: string
  readonly path?: string
}

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

let nextCaller = 0

/** Makes a call from an address of its own, unless one is given. */
function call(
  hook: TestHook | undefined,
  { method = 'POST', headers = {}, body = '', chunked = false, host = workspace.host, at = url, path }: Call = {},
): Promise<Answer> {
  const caller = `203.0.${Math.floor(nextCaller / 250) % 250}.${(nextCaller++ % 250) + 1}`
  const sent = {
    host,
    'x-forwarded-for': caller,
    ...(hook ? { 'x-api-key': hook.secret } : {}),
    ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
  const present = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${at}${path ?? `/api/hooks/${hook?.path ?? 'x'.repeat(43)}`}`,
      { method, headers: present },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({
            status: response.statusCode ?? 0,
            body:
              text && String(response.headers['content-type']).includes('json') ? (JSON.parse(text) as unknown) : null,
            text,
            headers: response.headers,
          })
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

const hookWith = (options?: HookOptions): Promise<TestHook> => makeHook(owner, workspace, options)

async function runsOf({ workflowId }: TestHook) {
  const { rows } = await owner.query<{
    id: string
    state: string
    epoch: number
    trigger: unknown
    run_as_id: string
    queued: boolean
  }>(
    `SELECT r.id, r.state, r.epoch, r.trigger, r.run_as_id, EXISTS (SELECT FROM outbox o WHERE o.workspace_id = r.workspace_id AND o.id = r.id AND o.topic = 'run' AND o.attempts = r.epoch) AS queued
     FROM workflow_runs r WHERE r.workflow_id = $1 ORDER BY r.id`,
    [workflowId],
  )
  return rows
}

async function refusalsOf({ workflowId }: TestHook) {
  const { rows } = await owner.query<{ reason: string; size_bytes: string | null }>(
    'SELECT reason, size_bytes FROM refused_calls WHERE workflow_id = $1 ORDER BY id',
    [workflowId],
  )
  return rows
}

describe('202', () => {
  it('stores the run, its outbox row and the last request', async () => {
    const hook = await hookWith()
    const answer = await call(hook, {
      body: '{"email":"ada@example.com"}',
      headers: { 'content-type': 'application/json' },
    })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 202, body: { accepted: true } })
    expect(await runsOf(hook)).toEqual([
      {
        id: expect.any(String),
        state: 'QUEUED',
        epoch: 1,
        trigger: { email: 'ada@example.com' },
        run_as_id: workspace.adminUserId,
        queued: true,
      },
    ])
    const { rows } = await owner.query('SELECT last_request FROM webhook_triggers WHERE workflow_id = $1', [
      hook.workflowId,
    ])
    expect(rows[0]).toEqual({
      last_request: {
        method: 'POST',
        contentType: 'application/json',
        sizeBytes: 27,
        body: { email: 'ada@example.com' },
        raw: '{"email":"ada@example.com"}',
        rawEncoding: 'utf8',
      },
    })
  })

  it('wakes those who run it', async () => {
    const woken = vi.fn<() => void>()
    const wakeUps = hearWakeUps(redisUrl, ['run'], woken)
    await eventually(async () => {
      await call(await hookWith())
      expect(woken).toHaveBeenCalled()
    })
    wakeUps.close()
  })

  it.each([
    ['text/plain', '{"a":1}', { a: 1 }],
    ['nonsense; ;;', '{"a":1}', { a: 1 }],
    ['application/json', 'not json', {}],
    ['application/json', '', {}],
    [undefined, '[1,2]', [1, 2]],
    ['application/xml', '"text"', 'text'],
  ])('takes %s with %s', async (contentType, body, trigger) => {
    const hook = await hookWith()
    expect((await call(hook, { body, headers: { 'content-type': contentType } })).status).toBe(202)
    expect((await runsOf(hook))[0]?.trigger).toEqual(trigger)
  })

  it.each([
    ['a damaged gzip', gzipSync('{"a":1}').subarray(0, 15), { 'content-encoding': 'gzip' }],
    ['invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x80, 0x7b]), {}],
    ['32,000 opening brackets', '['.repeat(32_000), {}],
    ['an array nested 30,000 deep', '['.repeat(30_000) + ']'.repeat(30_000), {}],
  ])('takes %s as empty data', async (_, body, headers) => {
    const hook = await hookWith()
    expect((await call(hook, { body, headers })).status).toBe(202)
    expect((await runsOf(hook))[0]?.trigger).toEqual({})
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
    // Some senders name a coding and put none on.
    ['gzip', Buffer.from],
  ] as const)('unpacks a body with Content-Encoding: %s', async (coding, pack) => {
    const hook = await hookWith()
    const body = pack('{"id":9007199254740993}')
    expect((await call(hook, { body, headers: { 'content-encoding': coding } })).status).toBe(202)
    expect((await runsOf(hook))[0]?.trigger).toEqual({ id: '9007199254740993' })
  })

  it('keeps __proto__ as a mere field', async () => {
    const hook = await hookWith()
    await call(hook, { body: '{"__proto__":{"admin":true},"a":1}' })
    const { rows } = await owner.query<{ text: string }>(
      'SELECT trigger::text AS text FROM workflow_runs WHERE workflow_id = $1',
      [hook.workflowId],
    )
    expect(rows).toEqual([{ text: '{"a": 1, "__proto__": {"admin": true}}' }])
  })

  it('keeps the last of many requests that come at once', async () => {
    const hook = await hookWith()
    await Promise.all(Array.from({ length: 30 }, (_, n) => call(hook, { body: `{"n":${n}}` })))
    expect(await runsOf(hook)).toHaveLength(30)
    await eventually(
      async () => {
        const { rows } = await owner.query<{ last: number; newest: boolean }>(
          `SELECT (last_request->'body'->>'n')::int AS last, last_request_at >= (SELECT max(created_at) FROM workflow_runs r WHERE r.workspace_id = t.workspace_id AND r.workflow_id = t.workflow_id) - interval '1 second' AS newest
         FROM webhook_triggers t WHERE workflow_id = $1`,
          [hook.workflowId],
        )
        expect(rows).toEqual([{ last: expect.any(Number), newest: true }])
      },
      { timeout: 30_000 },
    )
    expect((await call(hook, { body: '{"n":"final"}' })).status).toBe(202)
    await eventually(
      async () => {
        const { rows } = await owner.query(
          `SELECT last_request->'body'->>'n' AS n FROM webhook_triggers WHERE workflow_id = $1`,
          [hook.workflowId],
        )
        expect(rows).toEqual([{ n: 'final' }])
      },
      { timeout: 30_000 },
    )
  })

  it('forgets what it remembered the moment the trigger is another', async () => {
    const hook = await hookWith()
    expect((await call(hook)).status).toBe(202)
    await owner.query(`UPDATE webhook_triggers SET method = 'PUT' WHERE workflow_id = $1`, [hook.workflowId])
    expect([(await call(hook)).status, (await call(hook, { method: 'PUT' })).status]).toEqual([405, 202])
    await owner.query(`UPDATE webhook_triggers SET header_auth = '{"name":"x-a","value":"b"}' WHERE workflow_id = $1`, [
      hook.workflowId,
    ])
    expect([
      (await call(hook, { method: 'PUT' })).status,
      (await call(hook, { method: 'PUT', headers: { 'x-a': 'b' } })).status,
    ]).toEqual([401, 202])
    await owner.query('UPDATE webhook_triggers SET is_published = false WHERE workflow_id = $1', [hook.workflowId])
    expect((await call(hook, { method: 'PUT', headers: { 'x-a': 'b' } })).status).toBe(404)
    expect(await runsOf(hook)).toHaveLength(3)
  })

  it('takes exactly 64 KB, also in chunks', async () => {
    const hook = await hookWith()
    const body = Buffer.alloc(65_536, 'x')
    expect((await call(hook, { body })).status).toBe(202)
    expect((await call(hook, { body, chunked: true })).status).toBe(202)
  })

  it.each(['GET', 'PROPFIND', 'DELETE', 'QUERY'])('takes %s when any method is chosen', async (method) => {
    expect((await call(await hookWith({ method: 'ANY' }), { method })).status).toBe(202)
  })

  it('reads the body of a GET', async () => {
    const hook = await hookWith({ method: 'GET' })
    expect((await call(hook, { method: 'GET', body: '{"a":1}' })).status).toBe(202)
    expect((await runsOf(hook))[0]?.trigger).toEqual({ a: 1 })
  })
})

describe('404', () => {
  it('is the same for an unknown path, a wrong secret, no secret, an unpublished workflow and another workspace', async () => {
    const hook = await hookWith()
    const answers = await Promise.all([
      call(undefined),
      call(hook, { headers: { 'x-api-key': 'wrong' } }),
      call(hook, { headers: { 'x-api-key': undefined } }),
      call(await hookWith({ isPublished: false })),
      call(hook, { host: 'unknown.example.com' }),
      call(hook, { headers: { 'x-api-key': 'wrong' }, method: 'DELETE' }),
      call(hook, { path: '/api/hooks' }),
      call(hook, { path: '/api/hooks/%' }),
    ])
    for (const { status, text, headers } of answers)
      expect({ status, text, retry: headers['retry-after'] }).toEqual({
        status: 404,
        text: '{"error":"Not found"}',
        retry: undefined,
      })
    await eventually(async () => expect(await refusalsOf(hook)).toHaveLength(3))
  })
})

describe('401', () => {
  it.each(['value', 'digest'])('wants the header besides the secret, of which the %s is stored', async (kept) => {
    const hook = await hookWith({ headerAuth: { name: 'X-Token', value: 'open sesame' } })
    if (kept === 'digest')
      await owner.query('UPDATE webhook_triggers SET header_auth = $2 WHERE workflow_id = $1', [
        hook.workflowId,
        { name: 'X-Token', digest: headerDigest(hook.workflowId, 'open sesame') },
      ])
    expect(await call(hook)).toMatchObject({ status: 401, body: { error: 'Unauthorized' } })
    expect((await call(hook, { headers: { 'x-token': 'wrong' } })).status).toBe(401)
    expect((await call(hook, { headers: { 'x-token': 'open sesame' } })).status).toBe(202)
  })

  it.each([
    { name: '', value: 'x' },
    { name: 'x-token', value: '' },
  ])('refuses everything while it is configured as %j', async (headerAuth) => {
    const hook = await hookWith({ headerAuth })
    expect((await call(hook, { headers: { 'x-token': '' } })).status).toBe(401)
  })
})

describe('405', () => {
  it.each(['GET', 'PROPFIND', 'PUT', 'TRACE'])('refuses %s after the secret only', async (method) => {
    const hook = await hookWith()
    expect(await call(hook, { method })).toMatchObject({ status: 405, body: { error: 'Method not allowed' } })
    expect((await call(hook, { method, headers: { 'x-api-key': 'wrong' } })).status).toBe(404)
  })
})

describe('a method that only asks', () => {
  it.each(['HEAD', 'OPTIONS', 'TRACE'])('such as %s starts nothing, whatever the trigger takes', async (method) => {
    const hook = await hookWith({ method: 'ANY' })
    expect((await call(hook, { method })).status).toBe(405)
    expect(await runsOf(hook)).toEqual([])
    expect((await call(hook, { method, headers: { 'x-api-key': 'wrong' } })).status).toBe(404)
  })
})

describe('415', () => {
  it('refuses an unknown coding after the secret only, and stores nothing', async () => {
    const hook = await hookWith()
    const headers = { 'content-encoding': 'zstd' }
    expect(await call(hook, { body: '{}', headers })).toMatchObject({
      status: 415,
      text: '{"error":"Unsupported content encoding"}',
    })
    expect((await call(hook, { body: '{}', headers: { ...headers, 'x-api-key': 'wrong' } })).status).toBe(404)
    expect(await runsOf(hook)).toEqual([])
  })
})

describe('413', () => {
  it('refuses a body that becomes too large', async () => {
    const hook = await hookWith()
    const headers = { 'content-encoding': 'gzip' }
    const packed = (bytes: number) => gzipSync(Buffer.alloc(bytes, ' '))
    expect((await call(hook, { body: packed(65_536), headers })).status).toBe(202)
    expect(await call(hook, { body: packed(65_537), headers })).toMatchObject({
      status: 413,
      body: { error: 'Payload too large' },
    })
  })

  it.each([
    ['65,537 bytes', 'x'.repeat(65_537)],
    ['100,000 opening brackets', '['.repeat(100_000)],
  ])('refuses %s, and stores nothing', async (_, body) => {
    const hook = await hookWith()
    for (const chunked of [true, false])
      expect(await call(hook, { body, chunked })).toMatchObject({ status: 413, body: { error: 'Payload too large' } })
    expect(await runsOf(hook)).toEqual([])
  })

  it.each([true, false])('refuses more than 64 KB whatever the path (in chunks: %s)', async (chunked) => {
    const hook = await hookWith()
    const body = Buffer.alloc(300_000, 'x')
    expect(await call(hook, { body, chunked })).toMatchObject({ status: 413, body: { error: 'Payload too large' } })
    expect(await call(undefined, { body, chunked })).toMatchObject({
      status: 413,
      body: { error: 'Payload too large' },
    })
    await eventually(async () =>
      expect(await refusalsOf(hook)).toEqual([
        { reason: 'The body is over 64 KB', size_bytes: chunked ? null : '300000' },
      ]),
    )
    expect(await runsOf(hook)).toEqual([])
  })

  it.each([2 ** 31, 5_000_000_000, 1e18])('notes a call that announces %d bytes', async (length) => {
    const hook = await hookWith()
    const status = await new Promise((resolve, reject) => {
      const headers = {
        host: workspace.host,
        'x-forwarded-for': '203.0.113.77',
        'x-api-key': hook.secret,
        'content-length': BigInt(length).toString(),
      }
      const request = httpRequest(`${url}/api/hooks/${hook.path}`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode)
        request.destroy()
      })
      request.on('error', reject)
      request.flushHeaders()
    })
    expect(status).toBe(413)
    await eventually(async () =>
      expect(await refusalsOf(hook)).toEqual([
        { reason: 'The body is over 64 KB', size_bytes: String(Math.min(length, Number.MAX_SAFE_INTEGER)) },
      ]),
    )
  })
})

describe('a challenge', () => {
  const challenge = { in: 'QUERY', echo: 'hub.challenge', as: 'TEXT' } as const
  const ask = (hook: TestHook, method = 'GET', query = 'hub.challenge=1158') =>
    call(undefined, { method, path: `/api/hooks/${hook.path}?${query}` })

  it('is answered without the secret, whatever the method, and starts nothing', async () => {
    const hook = await hookWith({ options: { challenge } })
    for (const method of ['GET', 'POST']) {
      const { status, text, headers } = await ask(hook, method)
      expect([status, text, headers['content-type']]).toEqual([200, '1158', 'text/plain; charset=utf-8'])
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    expect((await call(hook, { body: '{}' })).status).toBe(202)
    // The trigger is remembered now.
    expect((await ask(hook)).text).toBe('1158')
    expect(await call(hook, { path: `/api/hooks/${hook.path}?hub.challenge=7` })).toMatchObject({
      status: 200,
      text: '7',
    })
    expect(await runsOf(hook)).toHaveLength(1)
  })

  it('is nothing but a call without the secret where the trigger takes none, or is not published', async () => {
    for (const options of [undefined, { options: { challenge }, isPublished: false }])
      expect(await ask(await hookWith(options))).toMatchObject({ status: 404, body: { error: 'Not found' } })
    const hook = await hookWith({ options: { challenge } })
    for (const query of ['', 'hub.challenge=', `hub.challenge=${'x'.repeat(513)}`, 'hub.challenge=%0d%0ax'])
      expect(await ask(hook, 'POST', query)).toMatchObject({ status: 404 })
    expect((await ask(hook, 'HEAD')).status).toBe(404)
  })

  it('of CloudEvents is answered by OPTIONS, which starts nothing', async () => {
    const hook = await hookWith({ method: 'ANY', options: { cloudEvents: true } })
    const headers = { 'webhook-request-origin': 'events.example', 'x-api-key': undefined }
    const answer = await call(hook, { method: 'OPTIONS', headers })
    expect([answer.status, answer.headers['webhook-allowed-origin']]).toEqual([200, 'events.example'])
    expect((await call(hook, { method: 'OPTIONS' })).status).toBe(405)
    expect(await runsOf(hook)).toEqual([])
  })

  it('counts for the address of its sender', async () => {
    const hook = await hookWith({ options: { challenge } })
    const from = { 'x-forwarded-for': '198.18.77.1' }
    const ask = () => call(undefined, { method: 'GET', headers: from, path: `/api/hooks/${hook.path}?hub.challenge=1` })
    const answers = await Promise.all(Array.from({ length: 301 }, ask))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

it('takes a form where the trigger does, with repeated fields as a list', async () => {
  const hook = await hookWith({ options: { accept: 'FORM' } })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await call(hook, { headers, body: 'From=%2B491&Tag=a&Tag=b' })).status).toBe(202)
  const [run] = await runsOf(hook)
  expect(run?.trigger).toEqual({ From: '+491', Tag: ['a', 'b'] })
})

it('answers the path without a slash in the shape of hooks', async () => {
  for (const method of ['GET', 'POST', 'DELETE'])
    expect(await call(undefined, { method, path: '/api/hooks' })).toMatchObject({
      status: 404,
      body: { error: 'Not found' },
    })
})

describe('429', () => {
  it('takes 60 calls a minute for one URL, and counts none without the secret', async () => {
    const hook = await hookWith()
    for (let i = 0; i < 70; i++) await call(hook, { headers: { 'x-api-key': 'wrong' } })
    const answers = await Promise.all(Array.from({ length: 61 }, () => call(hook)))
    const refused = answers.filter(({ status }) => status !== 202)
    expect(refused.map(({ status, body }) => ({ status, body }))).toEqual([
      { status: 429, body: { error: 'Too many requests' } },
    ])
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect(await runsOf(hook)).toHaveLength(60)
  })

  it('takes as many as the workspace has as its own limit', async () => {
    const own = await makeWorkspace(owner)
    await owner.query(`UPDATE workspaces SET limits = '{"hooks.per-minute": 2}' WHERE id = $1`, [own.workspaceId])
    const hook = await makeHook(owner, own)
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) statuses.push((await call(hook, { host: own.host })).status)
    expect(statuses).toEqual([202, 202, 429])
    await expect
      .poll(() => refusalsOf(hook))
      .toEqual([{ reason: 'More than 2 calls in a minute', size_bytes: expect.anything() }])
  })

  it('takes 300 calls a minute from one address over all URLs, and believes only trusted proxies', async () => {
    const from = { headers: { 'x-forwarded-for': '2001:db8:9:9::1' } }
    const sameSite = { headers: { 'x-forwarded-for': '2001:db8:9:9:ffff::7' } }
    const statuses = await Promise.all(
      Array.from({ length: 302 }, (_, i) => call(undefined, i % 2 ? from : sameSite).then(({ status }) => status)),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect((await call(undefined, { headers: { 'x-forwarded-for': '2001:db8:9:9::1, 198.51.100.4' } })).status).toBe(
      404,
    )
  })
})

describe('every other answer', () => {
  it('is { error } too', async () => {
    const raw = await new Promise<string>((resolve) => {
      const { port } = new URL(url)
      let answer = ''
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('close', () => resolve(answer))
    })
    expect(raw).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\n\r\n\{"error":"Bad request"\}$/)
    expect(await call(undefined, { path: '/elsewhere' })).toMatchObject({ status: 404, text: '{"error":"Not found"}' })
  })
})

describe('503', () => {
  it('is the answer when the run cannot be stored, and not when Redis is away', async () => {
    const redis = await startRedisServer()
    const { url: at } = await startProcess(mainFile, {
      DATABASE_URL: database.urlFor('crm_hooks'),
      REDIS_URL: redis.url,
    })
    const hook = await hookWith()
    await redis.kill()
    expect((await call(hook, { at })).status).toBe(202)
    await owner.query('REVOKE INSERT ON outbox FROM crm_hooks')
    expect(await call(hook, { at })).toMatchObject({ status: 503, text: '{"error":"Service unavailable"}' })
    await owner.query('GRANT INSERT ON outbox TO crm_hooks')
    expect((await call(hook, { at })).status).toBe(202)
    expect(await runsOf(hook)).toHaveLength(2)
  })

  it('does without any Redis', async () => {
    const { url: at } = await startProcess(mainFile, { DATABASE_URL: database.urlFor('crm_hooks') })
    const hook = await hookWith()
    const statuses = await Promise.all(
      Array.from({ length: 61 }, () => call(hook, { at }).then(({ status }) => status)),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })
})

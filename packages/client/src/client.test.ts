import { publicContract, settingsContract, type LeadRecord } from '@crm/contract'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { ClientError, createClient, type Bytes } from './index.ts'

interface Received {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

const received: Received[] = []
let answers: (Answer | 'hang up')[] = []

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  received.push({
    line: `${request.method} ${request.url}`,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  })
  const answer = answers.shift() ?? { status: 200, body: { success: true, data: {} } }
  if (answer === 'hang up') return request.socket.destroy()
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
  if (answer.status === 204) return response.end()
  response.end(answer.bytes ?? (typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {})))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => server.close())

const pauses: number[] = []
const wait = async (pauseMs: number): Promise<void> => void pauses.push(pauseMs)
const client = createClient({ contract: publicContract, baseUrl, credential: { apiKey: 'sk-test' }, wait })

beforeEach(() => {
  received.length = 0
  pauses.length = 0
  answers = []
})

const id = '0197b2f0-0000-7000-8000-000000000001'
const failure = async (call: Promise<unknown>): Promise<ClientError> => {
  const error: unknown = await call.catch((cause: unknown) => cause)
  if (!(error instanceof ClientError)) throw new Error('The call did not fail as expected', { cause: error })
  return error
}

describe('a call', () => {
  it('sends path, query, body and credential', async () => {
    await client.leads.list({ query: { page: 2, status: 'NEW', cf_region: 'EU & co' } })
    await client.leads.update({ params: { id }, body: { firstName: 'Ada', lastName: null } })
    expect(received.map(({ line }) => line)).toEqual([
      'GET /api/leads?page=2&status=NEW&cf_region=EU+%26+co',
      `PATCH /api/leads/${id}`,
    ])
    expect(received[1]).toMatchObject({
      body: '{"firstName":"Ada","lastName":null}',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    })
  })

  it('names the version that a change expects', async () => {
    await client.leads.update({ params: { id }, body: { firstName: 'Ada' }, ifMatch: 3 })
    await client.leads.delete({ params: { id }, ifMatch: '"3", "4"' })
    await client.leads.delete({ params: { id } })
    expect(received.map(({ headers }) => headers['if-match'])).toEqual(['"3"', '"3", "4"', undefined])
    expectTypeOf<{ params: { id: string }; ifMatch: number }>().not.toExtend<
      Parameters<typeof client.leads.create>[0]
    >()
  })

  it('gives the body of the answer', async () => {
    answers = [{ status: 201, body: { success: true, data: { id, firstName: 'Ada' } } }]
    const { data } = await client.leads.create({ body: { firstName: 'Ada' } })
    expect(data).toEqual({ id, firstName: 'Ada' })
  })

  it('encodes what fills a path, and never leaves its place', async () => {
    await client.search.read({ params: { id: `lead:${id}` } })
    expect(received[0]?.line).toBe(`GET /api/search/lead%3A${id}`)
    await expect(client.leads.get({ params: { id: '..' } })).rejects.toThrow(TypeError)
  })

  it('carries the cookie of the browser and no key when it is told so', async () => {
    const inits: RequestInit[] = []
    const inBrowser = createClient({
      contract: settingsContract,
      baseUrl,
      credential: 'cookie',
      fetch: (url, init) => (inits.push(init), fetch(url, init)),
    })
    await inBrowser.sessions.logout()
    expect(inits[0]).toMatchObject({ credentials: 'same-origin' })
    expect(received[0]?.headers).not.toHaveProperty('authorization')
  })

  it('sends a file as a form, or in base64', async () => {
    const form = new FormData()
    form.append('file', new Blob(['hello']), 'a.txt')
    await client.files.upload({ form })
    await client.files.upload({ body: { filename: 'a.txt', contentBase64: 'aGVsbG8=' } })
    expect(received.map(({ headers }) => headers['content-type']?.split(';')[0])).toEqual([
      'multipart/form-data',
      'application/json',
    ])
    expect(received[0]?.body).toContain('filename="a.txt"')
  })

  it('asks for fields, names and no empty fields', async () => {
    await client.deals.list({ query: { fields: ['name', 'cf_seats'], expand: ['owner', 'stage'], compact: true } })
    await client.deals.get({ params: { id }, query: { fields: ['amount'] } })
    expect(received.map(({ line }) => decodeURIComponent(line))).toEqual([
      'GET /api/deals?fields=name,cf_seats&expand=owner,stage&compact=true',
      `GET /api/deals/${id}?fields=amount`,
    ])
  })

  it('has the fields in its type that it asked for, and no others', () => {
    interface Named {
      readonly id: string
      readonly name: string
    }
    const params = { id }
    expectTypeOf(() => client.deals.get({ params, query: { fields: ['id', 'name'] } })).returns.resolves.toEqualTypeOf<{
      success: true
      data: { id: string; name: string }
    }>()
    expectTypeOf(() =>
      client.deals.get({ params, query: { fields: ['amount', 'cf_seats'], expand: ['owner'] } }),
    ).returns.resolves.toEqualTypeOf<{
      success: true
      data: { id: string; amount: string | null; customFields: Record<string, unknown>; owner: Named | null }
    }>()
    expectTypeOf(() =>
      client.deals.get({ params, query: { fields: ['name', 'amount', 'tags'], expand: ['stage'], compact: true } }),
    ).returns.resolves.toEqualTypeOf<{
      success: true
      data: { id: string; name: string; amount?: string; tags?: string[]; stage?: string }
    }>()
    expectTypeOf(
      async () => (await client.leads.list({ query: { page: 2, fields: ['email'] } })).items,
    ).returns.resolves.toEqualTypeOf<{ id: string; email: string | null }[]>()
    expectTypeOf(
      async () => (await client.leads.duplicates({ query: { fields: ['email'] } })).items[0]?.leads,
    ).returns.resolves.toEqualTypeOf<{ id: string; email: string | null }[] | undefined>()
    expectTypeOf(
      async () => (await client.leads.list({ query: { expand: ['owner'] } })).items,
    ).returns.resolves.toExtend<readonly (LeadRecord & { owner: Named | null })[]>()
    const known: ('email' | 'phone')[] = ['email']
    expectTypeOf(
      async () => (await client.leads.list({ query: { fields: known } })).items[0]?.email,
    ).returns.resolves.toEqualTypeOf<string | null | undefined>()
  })

  it('refuses by its type what no record has', () => {
    const wrong = [
      // @ts-expect-error There is no such field.
      () => client.deals.list({ query: { fields: ['nmae'] } }),
      // @ts-expect-error A tax id is no id of a record.
      () => client.companies.list({ query: { expand: ['tax'] } }),
      // @ts-expect-error Reference data comes whole.
      () => client.pipelines.list({ query: { fields: ['name'] } }),
    ]
    expect(wrong).toHaveLength(3)
  })

  it('has the types of the contract', () => {
    expectTypeOf(client.leads.get).parameter(0).toHaveProperty('params')
    expectTypeOf(client.me.get).parameter(0).toExtend<object | undefined>()
    expectTypeOf<Awaited<ReturnType<typeof client.leads.get>>>().toEqualTypeOf<{ success: true; data: LeadRecord }>()
    expectTypeOf(async () => {
      const { data } = await client.leads.create({ body: {} })
      return data.mergedIntoId === undefined ? data.version : null
    }).returns.resolves.toEqualTypeOf<number | null>()
    expectTypeOf<{ body: { temperature: 'HOT' } }>().toExtend<NonNullable<Parameters<typeof client.leads.create>[0]>>()
    expectTypeOf<{ body: { temperature: 'MILD' } }>().not.toExtend<
      NonNullable<Parameters<typeof client.leads.create>[0]>
    >()
    expectTypeOf<{ query: { isActive: boolean } }>().toExtend<
      NonNullable<Parameters<typeof client.pipelines.list>[0]>
    >()
    expectTypeOf<{ query: { page: number; cf_region: string } }>().toExtend<
      NonNullable<Parameters<typeof client.leads.list>[0]>
    >()
    expectTypeOf<undefined>().not.toExtend<Parameters<typeof client.leads.get>[0]>()
  })
})

describe('a refusal', () => {
  it('is a ClientError with status, code and body', async () => {
    const body = {
      error: 'The request is not valid',
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['phone'], message: 'x' }],
    }
    answers = [{ status: 400, body }]
    const error = await failure(client.leads.create({ body: { phone: '12' } }))
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', body, message: 'The request is not valid' })
    expect(received).toHaveLength(1)
  })

  it('has the code of the wrapped shape, or none', async () => {
    answers = [
      { status: 409, body: { success: false, error: { code: 'SLOT_TAKEN', message: 'Gone' } } },
      { status: 404, body: '<html>' },
    ]
    expect(await failure(client.me.get())).toMatchObject({ status: 409, code: 'SLOT_TAKEN', message: 'Gone' })
    expect(await failure(client.me.get())).toMatchObject({ status: 404, code: null, body: '<html>' })
  })

  it.each(['OF_NEXT_YEAR', 'toString', ''])('has the code as received, %j, of a newer service too', async (code) => {
    answers = [{ status: 409, body: { error: 'No', code } }]
    expect(await failure(client.me.get())).toMatchObject({ status: 409, code })
    expectTypeOf<ClientError['code']>().toExtend<string | null>()
  })
})

describe('an answer in bytes', () => {
  const notUtf8 = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const as = (contentType: string, bytes: Uint8Array = notUtf8) => ({
    status: 200,
    bytes,
    headers: { 'content-type': contentType },
  })

  it('is the very bytes, whatever they are', async () => {
    answers = [as('application/pdf'), as('image/png'), as('text/plain')]
    const pdf = client.invoices.pdf({ params: { id } })
    expect(await pdf).toEqual(notUtf8)
    expect(await client.files.content({ params: { id } })).toEqual(notUtf8)
    expect(await client.files.content({ params: { id } })).toEqual(notUtf8)
    expectTypeOf(client.invoices.pdf).returns.resolves.toEqualTypeOf<Bytes>()
    expectTypeOf(client.files.content).returns.resolves.toEqualTypeOf<Bytes>()
    expect(await new Blob([await pdf]).arrayBuffer()).toEqual(notUtf8.buffer)
  })

  it.each(['{"a":1}', '', '\u{feff}null', '"text"'])('is bytes of a JSON file too: %j', async (text) => {
    const sent = new TextEncoder().encode(text)
    answers = [as('application/json', sent)]
    expect(await client.files.content({ params: { id } })).toEqual(sent)
  })

  it('is a stream where events come without an end', async () => {
    const settings = createClient({ contract: settingsContract, baseUrl, wait })
    answers = [as('text/event-stream', new TextEncoder().encode('data: 1\n\n'))]
    const stream = await settings.liveChanges.stream()
    expectTypeOf(stream).toEqualTypeOf<ReadableStream<Bytes>>()
    expect(await new Response(stream).text()).toBe('data: 1\n\n')
  })

  it('is refused in another media type than the declared one', async () => {
    answers = [as('text/html', new TextEncoder().encode('<html>Sign in</html>'))]
    expect(await failure(client.invoices.pdf({ params: { id } }))).toMatchObject({
      status: 200,
      code: null,
      body: '<html>Sign in</html>',
      message: 'The answer 200 is not what the service sends',
    })
    expect(received).toHaveLength(1)
  })
})

describe('an answer that is not JSON where JSON is declared', () => {
  it.each(['<html>Sign in to the network</html>', '', '{"items":[', 'OK'])('is an error: %j', async (body) => {
    answers = [{ status: 200, body, headers: { 'content-type': 'text/html' } }]
    expect(await failure(client.leads.list())).toMatchObject({ status: 200, code: null, body })
    answers = [{ status: 201, body }]
    expect(await failure(client.leads.create({ body: {} }))).toMatchObject({ status: 201, body })
    expect(received).toHaveLength(2)
  })

  it('is none where the answer has no body', async () => {
    answers = [{ status: 204 }]
    expect(await client.me.get()).toBeUndefined()
  })
})

describe('another attempt', () => {
  it('is made after Retry-After when the rate was too high, whatever the operation', async () => {
    answers = [{ status: 429, headers: { 'retry-after': '7' } }]
    await client.leads.delete({ params: { id } })
    expect(received).toHaveLength(2)
    expect(pauses).toEqual([7_000])
  })

  it.each([500, 502, 503])('is made after %i to a read, with growing pauses', async (status) => {
    answers = [{ status }, { status }]
    await client.leads.get({ params: { id } })
    expect(pauses).toEqual([250, 500])
  })

  it('is made when the connection broke', async () => {
    answers = ['hang up']
    await client.leads.get({ params: { id } })
    expect(received).toHaveLength(2)
  })

  it('carries the same Idempotency-Key, and a next call another', async () => {
    answers = [{ status: 503 }, 'hang up']
    await client.leads.create({ body: { firstName: 'Ada' } })
    await client.leads.create({ body: { firstName: 'Ada' } })
    const keys = received.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(4)
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(keys[3]).not.toBe(keys[0])
  })

  it('takes the key of the caller', async () => {
    await client.leads.create({ body: {}, idempotencyKey: 'order-7' })
    expect(received[0]?.headers['idempotency-key']).toBe('order-7')
  })

  it('is not made for a change that could happen twice', async () => {
    answers = [{ status: 500, body: { error: 'Internal server error', code: 'INTERNAL_ERROR', errorId: 'e1' } }]
    expect(await failure(client.leads.update({ params: { id }, body: {} }))).toMatchObject({
      status: 500,
      code: 'INTERNAL_ERROR',
    })
    answers = ['hang up']
    expect(await failure(client.leads.delete({ params: { id } }))).toMatchObject({ status: 0, code: null })
    expect(received).toHaveLength(2)
  })

  it('is not made more often than told', async () => {
    const impatient = createClient({ contract: publicContract, baseUrl, retries: 0, wait })
    answers = [{ status: 503 }]
    expect(await failure(impatient.me.get())).toMatchObject({ status: 503 })
    expect(received).toHaveLength(1)
  })

  it('is not made when the caller gave up', async () => {
    const reason = new Error('The page was left')
    await expect(client.me.get({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(received).toHaveLength(0)
  })
})

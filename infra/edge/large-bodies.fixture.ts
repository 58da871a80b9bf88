import { connectRaw, type RawAnswer, type RawClient } from './raw-client.fixture.ts'

const megabyte = Buffer.alloc(1024 * 1024, ' ')

/** A destination of large bodies, and the form of its refusals. */
export interface Place {
  readonly what: string
  readonly service: string
  readonly path: string
  readonly megabytes: number
  readonly headers: readonly string[]
  readonly status: number
  /** The expected members of the answer's body. */
  readonly body: object
}

/** A workspace as the destination of bodies. */
export interface Addressed {
  readonly host: string
  readonly key: string
  readonly hook: { readonly path: string; readonly secret: string }
}

/** Returns every surface, with a credential and without. */
export function placesOf({ key, hook }: Addressed): readonly Place[] {
  const known = [`authorization: Bearer ${key}`]
  const form = ['content-type: multipart/form-data; boundary=xyz']
  const tooLarge = { error: 'The body is too large', code: 'PAYLOAD_TOO_LARGE' }
  const nobody = { code: 'AUTHENTICATION_ERROR' }
  return [
    {
      what: 'a lead',
      service: 'crm-api',
      path: '/api/leads',
      megabytes: 8,
      headers: known,
      status: 413,
      body: tooLarge,
    },
    {
      what: 'a lead of nobody',
      service: 'crm-api',
      path: '/api/leads',
      megabytes: 8,
      headers: [],
      status: 401,
      body: nobody,
    },
    {
      what: 'no operation',
      service: 'crm-api',
      path: '/api/nothing',
      megabytes: 8,
      headers: known,
      status: 404,
      body: { code: 'NOT_FOUND' },
    },
    {
      what: 'a file in JSON',
      service: 'crm-api',
      path: '/api/files/upload',
      megabytes: 40,
      headers: known,
      status: 413,
      body: tooLarge,
    },
    {
      what: 'a file of nobody',
      service: 'crm-api',
      path: '/api/files/upload',
      megabytes: 30,
      headers: form,
      status: 401,
      body: nobody,
    },
    {
      what: 'a booking',
      service: 'booking',
      path: '/api/public/booking/intro',
      megabytes: 8,
      headers: [],
      status: 400,
      body: { success: false, error: { code: 'VALIDATION_ERROR', message: 'The body is too large' } },
    },
    {
      what: 'a hook',
      service: 'webhooks',
      path: `/api/hooks/${hook.path}`,
      megabytes: 8,
      headers: [`x-api-key: ${hook.secret}`],
      status: 413,
      body: { error: 'Payload too large' },
    },
    {
      what: 'a hook of nobody',
      service: 'webhooks',
      path: '/api/hooks/nothing',
      megabytes: 8,
      headers: [],
      status: 413,
      body: { error: 'Payload too large' },
    },
    {
      what: 'a tool call',
      service: 'mcp-gateway',
      path: '/api/mcp',
      megabytes: 20,
      headers: known,
      status: 413,
      body: { jsonrpc: '2.0', id: null, error: { message: 'The body is too large' } },
    },
    {
      what: 'a tool call of nobody',
      service: 'mcp-gateway',
      path: '/api/mcp',
      megabytes: 20,
      headers: [],
      status: 401,
      body: { jsonrpc: '2.0', id: null, error: { data: { code: 'AUTHENTICATION_ERROR', status: 401 } } },
    },
  ]
}

/** The outcome of a large body. */
export interface Refusal {
  readonly answer: RawAnswer
  /** The status of the next request on the connection; undefined where the answer announces that the connection closes. */
  readonly nextStatus?: number
  /** The error of a closed connection, if there was one. */
  readonly error?: string
}

/** Sends an oversized body in one way, and another request behind it. */
export type Send = (client: RawClient, place: Place, host: string) => Promise<Refusal>

const lengthOf = ({ megabytes }: Place): string => `content-length: ${megabytes * megabyte.length}`

function headOf({ path, headers }: Place, host: string, more: readonly string[]): string {
  const type = headers.some((header) => header.startsWith('content-type')) ? [] : ['content-type: application/json']
  return `${[`POST ${path} HTTP/1.1`, `host: ${host}`, ...type, ...headers, ...more].join('\r\n')}\r\n\r\n`
}

async function sendBody(client: RawClient, megabytes: number): Promise<void> {
  for (let n = 0; n < megabytes; n++) await client.send(megabyte)
}

async function sendChunks(client: RawClient, megabytes: number): Promise<void> {
  for (let n = 0; n < megabytes; n++) await client.send(`${megabyte.length.toString(16)}\r\n`, megabyte, '\r\n')
  await client.send('0\r\n\r\n')
}

/** Sends another request on the same connection, unless the answer announces its end. */
async function goOn(client: RawClient, answer: RawAnswer, host: string): Promise<Refusal> {
  if (/\r\nconnection: close/i.test(answer.head)) {
    const error = await client.ended
    return error === undefined ? { answer } : { answer, error }
  }
  await client.send(`GET /api/nothing-here HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  return { answer, nextStatus: (await client.next()).status }
}

/** The ways in which clients send bodies. */
export const sendings: Readonly<Record<string, Send>> = {
  'with its length': async (client, place, host) => {
    await client.send(headOf(place, host, [lengthOf(place)]))
    const [answer] = await Promise.all([client.next(), sendBody(client, place.megabytes)])
    return goOn(client, answer, host)
  },
  'in chunks': async (client, place, host) => {
    await client.send(headOf(place, host, ['transfer-encoding: chunked']))
    const [answer] = await Promise.all([client.next(), sendChunks(client, place.megabytes)])
    return goOn(client, answer, host)
  },
  'with an expectation': async (client, place, host) => {
    await client.send(headOf(place, host, [lengthOf(place), 'expect: 100-continue']))
    const [answer] = await Promise.all([client.next(), sendBody(client, place.megabytes)])
    return goOn(client, answer, host)
  },
  'after its answer has come': async (client, place, host) => {
    await client.send(headOf(place, host, [lengthOf(place)]), megabyte)
    const answer = await client.next()
    await sendBody(client, place.megabytes - 1)
    return goOn(client, answer, host)
  },
  'to its end before an answer is looked for, on a connection that is to be closed': async (client, place, host) => {
    await client.send(headOf(place, host, [lengthOf(place), 'connection: close']))
    await sendBody(client, place.megabytes)
    return goOn(client, await client.next(), host)
  },
}

/** Sends one body on a connection of its own. */
export async function sendTo(port: number, send: Send, place: Place, host: string): Promise<Refusal> {
  const client = connectRaw(port)
  try {
    return await send(client, place, host)
  } finally {
    client.close()
  }
}

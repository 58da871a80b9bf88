import { bookingContract, declaredOperations, possibleCodes, statusOf, type DeclaredOperation } from '@crm/contract'
import { isErrorCode } from '@crm/errors'
import { METHODS } from 'node:http'
import { describe, expect, it } from 'vitest'
import { bookingUnderTest, guest, type Answer, type Call } from './booking-under-test.ts'

const { call, link } = await bookingUnderTest()
const operations = new Map(declaredOperations(bookingContract).map((one) => [one.key, one]))

const always = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
const minutely = { timezone: 'UTC', durationMin: 1, weeklyHours: always }
const firstSlot = Date.parse('2026-06-02T00:00:00Z')
let slotsUsed = 0

/** Returns a slot that no other request has: the database sees a value only when the booking succeeds. */
const nextSlot = (): string => new Date(firstSlot + slotsUsed++ * 60_000).toISOString()

const { slug } = await link(minutely)
const { token } = await booked()

async function booked(): Promise<{ readonly token: string }> {
  const { body } = await call({ method: 'POST', path: slug, body: guest(nextSlot()) })
  return { token: body.data.manageToken as string }
}

/** JSON values that JavaScript, PostgreSQL, a mail header or a calendar trips over. */
const hostileJson = [
  'null',
  'true',
  '-1',
  '0',
  '1e308',
  '1e999',
  '9007199254740993',
  '[]',
  '[null]',
  '{}',
  '{"__proto__":{"a":1}}',
  '{"toString":1}',
  '[[[[[[[[[[]]]]]]]]]]',
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '\u2028',
    '\ufeff',
    '\r\nBcc: a@b.test',
    '%00',
    '%0d%0a',
    '__proto__',
    'constructor',
    "'; DROP TABLE bookings; --",
    '🙂'.repeat(120),
    '🙂'.repeat(1_000),
    'x'.repeat(20_000),
    'e\u0301'.repeat(200),
    '9'.repeat(400),
    '<script>alert(1)</script>',
    '{{name}}',
    '=1+1',
    '../../etc/passwd',
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2026-06-02T24:00:00Z',
    '2026-06-02T23:59:60Z',
    '2026-06-02T00:00:00.0000001Z',
    '2026-06-02T00:00:00z',
    '2026-06-02T00:00:00+00:00',
    '2026-06-02T00:00:00-14:00',
    '2026-06-02',
    '1780000000000',
    'utc',
    'Etc/GMT+14',
    'EST5EDT',
    '+02:00',
    'Europe/Berlin ',
    'europe/berlin',
    'GMT+2',
    'en-US-u-ca-buddhist',
    'de_DE',
    'i-klingon',
    'x-private',
    'zz-ZZ-ZZ',
    'C',
    'a@b',
    '"a b"@c.test',
    'a@[127.0.0.1]',
    'a@b.test,c@d.test',
    'ü@ü.test',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.test`,
    'a@b.test>',
    'mailto:a@b.test',
  ].map((text) => JSON.stringify(text)),
]

const wholeBodies = [
  '',
  ' ',
  'null',
  '[]',
  '"text"',
  '0',
  '{',
  '{"name":',
  '\u0000',
  '{"__proto__":null}',
  '{"a":1,"a":2}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"name":"${'x'.repeat(70_000)}"}`,
]

/** The same values in a query or a path. */
const hostileTexts = [
  '',
  '%00',
  '%ff',
  '%E0%A4%A',
  '%',
  '%2e%2e%2f',
  '%2F',
  '%3F',
  '%F0%9F%99%82',
  '__proto__',
  'constructor',
  '-1',
  '9'.repeat(400),
  'x'.repeat(499),
  'x'.repeat(501),
  'x'.repeat(6_000),
  '2026-06-02T00:00:00%2B00:00',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  "'%20OR%201=1",
  '%0d%0aSet-Cookie:%20a=b',
  '..;',
  '*',
  ':slug',
  '%25',
]

/**
 * Returns the fault of an answer: a server error, another shape than ours, an undeclared code, or an answer that
 * websites cannot read.
 */
function fault({ status, body, headers }: Answer, one: DeclaredOperation): string | undefined {
  if (headers['access-control-allow-origin'] !== '*' || headers['cache-control'] !== 'no-store')
    return `${status} is not open to every website`
  if (status < 300) return body?.success === true && 'data' in body ? undefined : `${status} without data`
  const { code, message } = body?.error ?? {}
  const isWrapped =
    JSON.stringify(Object.keys(body)) === '["success","error"]' &&
    body.success === false &&
    JSON.stringify(Object.keys(body.error)) === '["code","message"]'
  if (!isWrapped || typeof message !== 'string' || message === '' || !isErrorCode(code))
    return `${status} ${JSON.stringify(body)}`
  if (status >= 500 || statusOf(code, one) !== status || !possibleCodes(one).includes(code))
    return `${status} ${code} is not declared`
  return undefined
}

async function faultsOf(key: string, calls: Iterable<Call>): Promise<Record<string, string>> {
  const one = operations.get(key)
  if (!one) throw new Error(`There is no operation ${key}`)
  const faults: Record<string, string> = {}
  for (const request of calls) {
    const problem = fault(await call(request), one)
    if (problem) faults[`${request.path} ${JSON.stringify(request.body ?? '')}`.slice(0, 200)] = problem
  }
  return faults
}

/** Returns a body with one field replaced by JSON that `JSON.stringify` would not write. */
function withField(fields: Readonly<Record<string, unknown>>, name: string, json: string): string {
  const others = Object.entries(fields).filter(([key, value]) => key !== name && value !== undefined)
  return `{${[...others.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`), `${JSON.stringify(name)}:${json}`].join(',')}}`
}

const api = '/api/public/booking/'
const post = (path: string, body: unknown, headers?: Call['headers']): Call => ({
  method: 'POST',
  path: `${api}${path}`,
  body,
  headers,
})

it.each(METHODS.filter((method) => !['GET', 'POST', 'OPTIONS', 'CONNECT', 'HEAD'].includes(method)))(
  '%s is 405 where something is and 404 elsewhere, in the usual shape',
  async (method) => {
    const allowed = { [slug]: 'GET, HEAD, POST', [`manage/${token}`]: 'GET, HEAD', [`manage/${token}/cancel`]: 'POST' }
    for (const [path, allow] of Object.entries({ ...allowed, 'no/such/path': undefined })) {
      const answer = await call({ method: method as 'PUT', path })
      expect([answer.status, answer.headers['allow'], answer.headers['access-control-allow-origin']], path).toEqual([
        allow ? 405 : 404,
        allow,
        '*',
      ])
      expect(answer.body).toEqual({
        success: false,
        error: { code: allow ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND', message: expect.stringMatching(/./) },
      })
    }
  },
)

it('a language that nobody speaks is no reason for a page to fail', async () => {
  const { body } = await call({ method: 'POST', path: slug, body: guest(nextSlot()) })
  const pages = [
    `/book/${slug}`,
    `/book/manage/${body.data.manageToken}`,
    new URL(body.data.joinUrl as string).pathname,
  ]
  const languages = [
    '',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'xx',
    '%00',
    '%ff',
    'de&lang=fr',
    'x'.repeat(6_000),
  ]
  for (const path of pages.flatMap((page) => languages.map((language) => `${page}?lang=${language}`)))
    expect((await call({ path })).status, path).toBe(200)
  for (const language of languages.slice(1, 5)) {
    expect((await call({ path: pages[2] as string, headers: { 'accept-language': language } })).status, language).toBe(
      200,
    )
    expect((await call({ path: `/book/assets/texts/${language}.json` })).status, language).toBe(200)
  }
})

describe('hostile values are answered in the declared way', () => {
  it.each(['name', 'email', 'startAt', 'timezone', 'phone', 'note', 'locale', '__proto__', 'constructor', 'surprise'])(
    'in %s of a new booking',
    async (name) => {
      expect(
        await faultsOf(
          'create',
          hostileJson.map((json) => post(slug, withField(guest(nextSlot()), name, json))),
        ),
      ).toEqual({})
    },
  )

  it.each(['newStartAt', 'timezone', '__proto__', 'surprise'])('in %s of a move', async (name) => {
    expect(
      await faultsOf(
        'reschedule',
        hostileJson.map((json) =>
          post(`manage/${token}/reschedule`, withField({ newStartAt: nextSlot() }, name, json)),
        ),
      ),
    ).toEqual({})
  })

  it('as a whole body, of any type and length', async () => {
    const types = [
      'application/json',
      'text/plain',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      ';',
      '',
      'application/json; charset=utf-16',
      'x'.repeat(200),
    ]
    const sendings = wholeBodies.flatMap((body) => types.map((type) => ({ body, headers: { 'content-type': type } })))
    expect(
      await faultsOf(
        'create',
        sendings.map(({ body, headers }) => post(slug, body, headers)),
      ),
    ).toEqual({})
    expect(
      await faultsOf(
        'reschedule',
        sendings.map(({ body, headers }) => post(`manage/${token}/reschedule`, body, headers)),
      ),
    ).toEqual({})
    expect(
      await faultsOf(
        'cancel',
        sendings.map(({ body, headers }) => post('manage/nobody/cancel', body, headers)),
      ),
    ).toEqual({})
  })

  it('in the window of an availability', async () => {
    const [from, to] = ['from=2026-06-02T00:00:00Z', 'to=2026-06-03T00:00:00Z']
    const queries = [
      ...hostileTexts.flatMap((text) => [
        `from=${text}&${to}`,
        `${from}&to=${text}`,
        `${from}&${to}&surprise=${text}`,
        `${from}&${to}&${text}=1`,
      ]),
      '',
      '?',
      '&&&',
      'from',
      'from&to',
      'from[]=1&to[]=2',
      'from[a]=1',
      `${from}&${from}&${to}`,
      `${to}&${to}&${from}`,
      `${from}&from=x&${to}`,
      `from=x&${from}&${to}`,
      '__proto__[from]=1',
      Array(2_000).fill(from).join('&'),
    ]
    expect(
      await faultsOf(
        'availability',
        queries.map((query) => ({ path: `${api}${slug}/availability?${query}` })),
      ),
    ).toEqual({})
  })

  it.each([
    ['link', (text: string): Call => ({ path: `${api}${text}` })],
    [
      'availability',
      (text: string): Call => ({
        path: `${api}${text}/availability?from=2026-06-02T00:00:00Z&to=2026-06-03T00:00:00Z`,
      }),
    ],
    ['create', (text: string): Call => post(text, guest(nextSlot()))],
    // Without a token the path is the address of a link.
    ['manage', (text: string): Call => ({ path: `${api}manage/${text || '%20'}` })],
    ['reschedule', (text: string): Call => post(`manage/${text}/reschedule`, { newStartAt: nextSlot() })],
    ['cancel', (text: string): Call => ({ method: 'POST', path: `${api}manage/${text}/cancel` })],
  ])('in the path of %s', async (key, request) => {
    expect(await faultsOf(key, hostileTexts.map(request))).toEqual({})
  })
})

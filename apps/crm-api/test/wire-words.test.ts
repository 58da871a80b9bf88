import { publicContract, settingsContract, declaredOperations } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { pathOf } from './samples.ts'

const { app, call, key, workspace } = await apiUnderTest()
const { host } = workspace
const authorization = `Bearer ${key}`
const operations = declaredOperations({ ...publicContract, ...settingsContract })
const methodsOf = (path: string) =>
  operations.filter(({ operation }) => operation.path === path).map(({ operation }) => operation.method)

describe('a short phone', () => {
  it.each([
    ['+123', 'The phone is too short: with its country code it has 5 digits at least'],
    ['+1 (2) 3', 'The phone is too short: with its country code it has 5 digits at least'],
    ['0301234', 'A phone must start with + and the country code'],
    ['+0301234', 'A phone must start with + and the country code'],
    ['+49 30 CALL ME', 'A phone has digits, blanks, brackets, dots and dashes only, after the +'],
  ])('%s is refused for what is wrong with it', async (phone, message) => {
    expect(await call({ method: 'POST', path: '/api/leads', key, body: { companyName: 'ACME', phone } })).toMatchObject(
      { status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path: ['phone'], message }] } },
    )
  })
})

describe('a phone as it is copied or typed elsewhere', () => {
  it.each([
    ['\u202a+49 30 1234567\u202c', '+49301234567'],
    ['＋８１ ３-１２３４-５６７８', '+81312345678'],
    ['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '+966501234567'],
    ['+९१ ९८७६५ ४३२१०', '+919876543210'],
  ])('%s is stored in plain digits', async (phone, number) => {
    const answer = await call({ method: 'POST', path: '/api/leads', key, body: { companyName: 'ACME', phone } })
    expect(answer.body.data.phone).toBe(number)
    const found = await call({ path: `/api/leads?search=${encodeURIComponent(phone)}`, key })
    expect(found.body.items).toMatchObject([{ phone: number }])
  })

  it('and an address that was copied with marks around it is stored without them', async () => {
    const body = { companyName: 'ACME', email: '\u202aada@copied.example\u202c' }
    expect((await call({ method: 'POST', path: '/api/leads', key, body })).body.data.email).toBe('ada@copied.example')
  })
})

describe('an empty JSON body', () => {
  const send = (
    method: 'POST' | 'PATCH' | 'DELETE',
    url: string,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) => app.inject({ method, url, headers: { host, authorization, ...headers } })

  it.each([
    ['POST', '/api/leads'],
    ['POST', '/api/contacts'],
    ['PATCH', '/api/leads'],
    ['DELETE', '/api/leads'],
    ['PATCH', '/api/leads/01890000-0000-7000-8000-000000000000'],
  ] as const)('of %s %s is no valid JSON', async (method, url) => {
    const answer = await send(method, url)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'Invalid JSON body' }])
  })

  it('is none where nothing is asked for', async () => {
    const { body } = await call({ method: 'POST', path: '/api/leads', key, body: { lastName: 'Convertible' } })
    expect((await send('POST', `/api/leads/${body.data.id}/convert`)).statusCode).toBe(200)
    expect((await send('DELETE', `/api/leads/${body.data.id}`)).statusCode).toBe(200)
  })
})

describe('a known path', () => {
  it('answers HEAD as GET, without a body', async () => {
    const url = '/api/leads?pageSize=5'
    const [get, head] = [
      await app.inject({ method: 'GET', url, headers: { host, authorization } }),
      await app.inject({ method: 'HEAD', url, headers: { host, authorization } }),
    ]
    expect(head.statusCode).toBe(200)
    expect(head.body).toBe('')
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
    expect((await app.inject({ method: 'HEAD', url: '/api/leads', headers: { host } })).statusCode).toBe(401)
    expect(
      (
        await app.inject({
          method: 'HEAD',
          url: '/api/leads/01890000-0000-7000-8000-000000000000',
          headers: { host, authorization },
        })
      ).statusCode,
    ).toBe(404)
  })

  const paths = [
    ...new Set(
      operations.filter(({ resource }) => resource.surface === 'public').map(({ operation }) => operation.path),
    ),
  ]
  it.each(paths)('%s answers 405 with Allow to a method that it has not', async (path) => {
    const declared = operations.find(({ operation }) => operation.path === path)
    if (!declared) throw new Error('There is no operation')
    const ids = Object.fromEntries(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '01890000-0000-7000-8000-000000000000']),
    )
    const url = pathOf(declared, ids as Record<string, string>)
    const allowed = new Set(
      paths.filter((other) => new RegExp(`^${other.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url)).flatMap(methodsOf),
    )
    const method = (['PUT', 'DELETE', 'PATCH', 'POST'] as const).find((other) => !allowed.has(other))
    if (!method) return
    const answer = await app.inject({ method, url, headers: { host, authorization } })
    expect([answer.statusCode, answer.json().code], `${method} ${url}`).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(String(answer.headers['allow']).split(', ')).toEqual(
      [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].toSorted(),
    )
  })

  it('answers a browser that asks for another origin with 405, without a credential', async () => {
    const asked = { host, origin: 'https://page.example', 'access-control-request-method': 'PATCH' }
    const answer = await app.inject({ method: 'OPTIONS', url: '/api/leads', headers: asked })
    expect([answer.statusCode, answer.json().code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    const { origin: _origin, 'access-control-request-method': _method, ...plain } = asked
    expect((await app.inject({ method: 'OPTIONS', url: '/api/leads', headers: plain })).statusCode).toBe(401)
  })

  it('is no path with two slashes before it', async () => {
    const answer = await app.inject({ url: '//api/leads', headers: { host, authorization } })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'NOT_FOUND'])
  })

  it('is the same with a slash at its end', async () => {
    const send = (method: 'GET' | 'PUT', url: string) => app.inject({ method, url, headers: { host, authorization } })
    expect([
      (await send('GET', '/api/leads/')).json(),
      (await send('GET', '/api/leads/?pageSize=1')).statusCode,
    ]).toEqual([(await send('GET', '/api/leads')).json(), 200])
    expect((await send('PUT', '/api/leads/')).statusCode).toBe(405)
    expect((await send('GET', '/api/nowhere/')).statusCode).toBe(404)
  })
})

describe('the address of a logo', () => {
  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    '//evil.test/x.png',
    'logo.png',
    'ftp://a.test/x.png',
  ])('is not %s', async (logo) => {
    const cookie = await workspace.session()
    expect(
      await call({ method: 'PATCH', path: '/api/settings/workspace', cookie, body: { brand: { logo } } }),
    ).toMatchObject({ status: 400, body: { issues: [{ path: ['brand', 'logo'] }] } })
    expect(await call({ method: 'PATCH', path: '/api/organization', key, body: { logo } })).toMatchObject({
      status: 400,
      body: { issues: [{ path: ['logo'] }] },
    })
  })

  it.each(['https://cdn.example/logo.png', 'data:image/png;base64,iVBORw0KGgo=', '', null])(
    'may be %s',
    async (logo) => {
      expect(
        (
          await call({
            method: 'PATCH',
            path: '/api/settings/workspace',
            cookie: await workspace.session(),
            body: { brand: { logo } },
          })
        ).status,
      ).toBe(200)
    },
  )
})

it('an address with a domain in another script is kept as it is sent', async () => {
  const { body } = await call({ method: 'POST', path: '/api/leads', key, body: { email: 'zoe@münchen.example' } })
  expect(body.data.email).toBe('zoe@xn--mnchen-3ya.example')
  for (const email of ['zoe@mün chen.example', 'zoe@mün/chen.example', 'zoe@ü', '@münchen.example'])
    expect((await call({ method: 'POST', path: '/api/leads', key, body: { email } })).status).toBe(400)
})

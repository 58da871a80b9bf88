import { schema } from '@crm/db'
import { createTestWorkspace } from '@crm/testkit'
import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'

const api = await ownApi()
const { workspace, clock } = api
const right = 'correct horse battery'

interface Try {
  readonly email: string
  readonly password?: string
  /** The client's address, as the edge sends it. */
  readonly from?: string
  readonly device?: string
  readonly headers?: Readonly<Record<string, string>>
}

const signIn = ({ email, password = 'wrong', from = '192.0.2.1', device, headers }: Try, at = workspace) =>
  api.call(
    {
      method: 'POST',
      path: '/api/auth/login',
      body: { email, password },
      headers: { 'x-forwarded-for': from, ...(device ? { cookie: device } : {}), ...headers },
    },
    at,
  )

const statusOf = async (tried: Try) => (await signIn(tried)).status

async function fail(times: number, of: (n: number) => Try): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < times; n += 1) statuses.push(await statusOf(of(n)))
  return statuses
}

const times = (n: number, status: number): number[] => Array.from({ length: n }, () => status)

/** Signs in and returns the device cookie. */
async function deviceOf(email: string, password = right, from = '198.51.100.1'): Promise<string> {
  const { status, headers } = await signIn({ email, password, from })
  expect(status).toBe(200)
  return deviceIn(headers['set-cookie'])
}

function deviceIn(set: unknown): string {
  return ((set as string[]).find((cookie) => cookie.includes('crm_device=')) as string).split(';')[0] as string
}

it('ten anonymous failures from ten addresses do not block the owner, on a known device or elsewhere', async () => {
  const { email } = await workspace.employee()
  const device = await deviceOf(email)
  expect(await fail(10, (n) => ({ email, from: `203.0.113.${n}` }))).toEqual(times(10, 401))
  expect(await statusOf({ email, password: right, device, from: '203.0.113.1' })).toBe(200)
  expect(await statusOf({ email, password: right, from: '198.51.100.77' })).toBe(200)
})

it('a thousand strangers do not block a known device', async () => {
  const { email } = await workspace.employee()
  const device = await deviceOf(email)
  const strangers = (first: number) =>
    fail(500, (n) => ({ email, from: `10.1.${first + Math.floor(n / 250)}.${n % 250}` }))
  const owner = (known: string) => statusOf({ email, password: right, device: known, from: '198.51.100.2' })
  const [guesses, meanwhile] = await Promise.all([strangers(0), owner(device)])
  expect([new Set(guesses), meanwhile]).toEqual([new Set([401, 429]), 200])
  await fail(50, (n) => ({ email, from: `10.2.0.${n}` }))
  expect(new Set(await strangers(10))).toEqual(new Set([429]))
  expect(await statusOf({ email, password: right, from: '198.51.100.2' })).toBe(429)
  expect(await owner(device)).toBe(200)
})

it('a known device has ten tries of its own', async () => {
  const { email } = await workspace.employee()
  const device = await deviceOf(email)
  expect(await fail(11, () => ({ email, device }))).toEqual([...times(10, 401), 429])
  expect(await statusOf({ email, password: right, from: '198.51.100.3' })).toBe(200)
})

it('one address has ten tries at an account, and more at others', async () => {
  const [{ email }, { email: other }] = [await workspace.employee(), await workspace.employee()]
  expect(await fail(11, () => ({ email, from: '192.0.2.10' }))).toEqual([...times(10, 401), 429])
  expect(await statusOf({ email: other, password: right, from: '192.0.2.10' })).toBe(200)
  expect(await statusOf({ email, password: right, from: '192.0.2.11' })).toBe(200)
})

it('one address has a hundred tries at all accounts, and waits a minute at most', async () => {
  const from = '192.0.2.20'
  expect(await fail(100, (n) => ({ email: `nobody${n}@example.com`, from }))).toEqual(times(100, 401))
  const { email } = await workspace.employee()
  const limited = await signIn({ email, password: right, from })
  expect([limited.status, limited.headers['retry-after']]).toEqual([429, '30'])
  clock.advance(30_000)
  expect(await statusOf({ email, from })).toBe(401)
  clock.advance(59_000)
  expect((await signIn({ email, password: right, from })).headers['retry-after']).toBe('1')
  clock.advance(1_000)
  expect(await statusOf({ email, password: right, from })).toBe(200)
})

it('the wait doubles with every failure, and refused tries neither count nor are looked at', async () => {
  const { email } = await workspace.employee()
  const retryAfter = async () => (await signIn({ email, password: right })).headers['retry-after']
  await fail(10, () => ({ email }))
  expect([await retryAfter(), await retryAfter(), await retryAfter()]).toEqual(['30', '30', '30'])
  clock.advance(30_000)
  expect(await statusOf({ email })).toBe(401)
  expect(await retryAfter()).toBe('60')
  clock.advance(60_000)
  expect(await statusOf({ email })).toBe(401)
  expect(await retryAfter()).toBe('120')
  clock.advance(120_000)
  expect(await statusOf({ email, password: right })).toBe(200)
})

it('success forgives', async () => {
  const { email } = await workspace.employee()
  for (let round = 0; round < 3; round += 1) {
    expect(await fail(9, () => ({ email, from: '192.0.2.30' }))).toEqual(times(9, 401))
    expect(await statusOf({ email, password: right, from: '192.0.2.30' })).toBe(200)
  }
})

it('an account that does not exist is answered alike, to the limit and beyond', async () => {
  const { email } = await workspace.employee()
  const answers = async (of: string, from: string) => {
    const all = []
    for (let n = 0; n < 12; n += 1) {
      const { status, body, headers } = await signIn({ email: of, from })
      all.push({ status, body, retryAfter: headers['retry-after'], cookie: headers['set-cookie'] })
    }
    return all
  }
  expect(await answers('nobody@example.com', '192.0.2.40')).toEqual(await answers(email, '192.0.2.41'))
})

it('tries at the same time do not get past the limit', async () => {
  const { email } = await workspace.employee()
  const statuses = (
    await Promise.all(Array.from({ length: 30 }, () => statusOf({ email, from: '192.0.2.50' })))
  ).toSorted((a, b) => a - b)
  expect(statuses).toEqual([...times(10, 401), ...times(20, 429)])
})

it('addresses are not counted where a proxy that nobody trusts hides them', async () => {
  const headers = { 'x-forwarded-untrusted': '1' }
  const { email } = await workspace.employee()
  expect(await fail(11, () => ({ email, from: '192.0.2.60', headers }))).toEqual(times(11, 401))
  expect(await fail(110, (n) => ({ email: `no${n}@example.com`, from: '192.0.2.60', headers }))).toEqual(
    times(110, 401),
  )
  expect(await statusOf({ email, password: right, from: '192.0.2.60', headers })).toBe(200)
})

it('all clients behind such a proxy have one wide limit, and a known device and other addresses are free of it', async () => {
  const at = await createTestWorkspace(api.db)
  const hidden = { from: '192.0.2.61', headers: { 'x-forwarded-untrusted': '1' } }
  const owner = { email: at.adminEmail, password: right }
  const status = async (tried: Try) => (await signIn(tried, at)).status
  const device = deviceIn((await signIn({ ...owner, from: '198.51.100.1' }, at)).headers['set-cookie'])
  const guess = (n: number) => status({ ...hidden, email: `n${n}@example.com` })
  expect(await guess(0)).toBe(401)
  await api.db
    .update(schema.signInTries)
    .set({ failures: 998 })
    .where(and(eq(schema.signInTries.workspaceId, at.workspaceId), eq(schema.signInTries.failures, 1)))
  expect([await guess(1), await guess(2), await guess(3)]).toEqual([401, 401, 429])
  const limited = await signIn({ ...owner, ...hidden }, at)
  expect([limited.status, limited.headers['retry-after']]).toEqual([429, '30'])
  expect(await status({ ...owner, ...hidden, device })).toBe(200)
  expect(await status({ ...owner, from: hidden.from })).toBe(200)
  expect(await status({ ...owner, ...hidden, from: '192.0.2.62' })).toBe(200)
  clock.advance(30_000)
  expect(await status({ ...owner, ...hidden })).toBe(200)
})

it.each([
  ['auth/reset/request', { email: 'nobody@example.com' }, 20, 200],
  ['auth/passkey/options', undefined, 120, 1_200],
] as const)(
  '%s is counted by address, and more widely behind a proxy that hides its clients',
  async (path, body, few, many) => {
    const at = await createTestWorkspace(api.db)
    const send = async (headers: Readonly<Record<string, string>>) =>
      (await api.call({ method: 'POST', path: `/api/${path}`, ...(body ? { body } : {}), headers }, at)).status
    const refusedAfter = async (headers: Readonly<Record<string, string>>) => {
      let passed = 0
      while (passed <= many && (await send(headers)) < 300) passed += 1
      return passed
    }
    const address = { 'x-forwarded-for': '192.0.2.63' }
    expect(await refusedAfter(address)).toBe(few)
    expect(await refusedAfter({ ...address, 'x-forwarded-untrusted': '1' })).toBe(many)
    expect(await send(address)).toBe(429)
  },
)

it('a device is known to its own account alone, and no more after a new password', async () => {
  const [{ email, id }, { email: other }] = [await workspace.employee(), await workspace.employee()]
  const device = await deviceOf(email)
  const forged = device.replace(/[\w-]$/, (last) => (last === 'A' ? 'B' : 'A'))
  const blocked = async (of: string) => fail(50, (n) => ({ email: of, from: `10.2.${n}.${of.length}` }))
  await blocked(other)
  expect(await statusOf({ email: other, password: right, device })).toBe(429)
  await blocked(email)
  for (const cookie of [forged, 'crm_device=a.b.c', 'crm_device=', device.replace(/\.\d+\./, '.1.')]) {
    expect([cookie, await statusOf({ email, password: right, device: cookie })]).toEqual([cookie, 429])
  }
  expect(await statusOf({ email, password: right, device })).toBe(200)
  const cookie = await workspace.session(id)
  const changed = await api.call({
    method: 'POST',
    path: '/api/auth/password',
    cookie,
    body: { current: right, next: 'another long password' },
  })
  expect(changed.status).toBe(200)
  expect(await statusOf({ email, password: 'another long password', device })).toBe(429)
  expect(
    await statusOf({
      email,
      password: 'another long password',
      device: deviceIn([String(changed.headers['set-cookie'])]),
    }),
  ).toBe(200)
})

it('letters that the database takes for the same give nobody more tries', async () => {
  const { email } = await workspace.employee({ email: `iiiiii@${workspace.host}` })
  // Six letters in two spellings each.
  const spelled = (n: number) => email.replaceAll(/i(?=i*@)/g, (_i, at: number) => ((n >> at) & 1 ? 'I' : 'i'))
  expect(new Set(Array.from({ length: 51 }, (_n, n) => spelled(n))).size).toBe(51)
  const statuses = await fail(51, (n) => ({ email: spelled(n), from: `10.4.${n}.1` }))
  expect(statuses).toEqual([...times(50, 401), 429])
  const stranger = (n: number) => ({ email: `${spelled(n).split('@', 1).join()}@nowhere.example`, from: `10.5.${n}.1` })
  expect(await fail(51, stranger)).toEqual([...times(50, 401), 429])
})

it('strangers cannot use up the tries of somebody who changes their password', async () => {
  const { email, id } = await workspace.employee()
  const cookie = await workspace.session(id)
  await fail(51, (n) => ({ email, from: `10.3.${n}.1` }))
  const change = (current: string) =>
    api.call({ method: 'POST', path: '/api/auth/password', cookie, body: { current, next: 'another long password' } })
  for (let n = 0; n < 10; n += 1) expect((await change('wrong')).status).toBe(401)
  expect((await change(right)).status).toBe(429)
  clock.advance(30_000)
  expect((await change(right)).status).toBe(200)
})

it('what is refused stands in the audit log, the first of those that have to wait as well', async () => {
  const at = await createTestWorkspace(api.db)
  for (let n = 0; n < 12; n += 1)
    await signIn({ email: at.adminEmail, from: '192.0.2.70', headers: { 'user-agent': 'guesser/1' } }, at)
  await signIn({ email: 'nobody@example.com', from: '192.0.2.71' }, at)
  const { items } = (
    await api.call(
      { path: '/api/settings/audit-log?action=session.refused&pageSize=50', cookie: await at.session() },
      at,
    )
  ).body
  expect(items.map(({ data }: { data: { reason: string } }) => data.reason).toSorted()).toEqual([
    ...times(10, 0).map(() => 'PASSWORD'),
    'THROTTLED',
    'UNKNOWN',
  ])
  expect(items.at(-1)).toMatchObject({
    actorType: 'ANONYMOUS',
    actorId: null,
    actorName: at.adminEmail,
    outcome: 'FAILURE',
    subjectId: at.adminUserId,
    address: '192.0.2.70',
    userAgent: 'guesser/1',
  })
  expect(JSON.stringify(items)).not.toContain('wrong')
})

it('on https the browser keeps the device under a name that only this host can set, and comes by https from now on', async () => {
  const at = await createTestWorkspace(api.db, { baseUrl: 'https://crm.example.com' })
  const { headers } = await signIn({ email: at.adminEmail, password: right }, at)
  expect((headers['set-cookie'] as string[])[1]).toMatch(
    /^__Host-crm_device=[\w-]{22}\.\d+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=63072000; Secure$/,
  )
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const [session = ''] = (headers['set-cookie'] as string[]).map((cookie) => cookie.split(';')[0] ?? '')
  expect(session).toMatch(/^__Host-crm_session=[\w-]{43}$/)
  const statusWith = async (cookie: string) => (await api.call({ path: '/api/auth/sessions', cookie }, at)).status
  for (let n = 0; n < 2; n += 1)
    expect([await statusWith(session), await statusWith(session.replace('__Host-', ''))]).toEqual([200, 401])
  const device = deviceIn(headers['set-cookie'])
  for (let n = 0; n < 50; n += 1) await signIn({ email: at.adminEmail, from: `10.4.${n}.1` }, at)
  const tried = async (cookie: string) =>
    (await signIn({ email: at.adminEmail, password: right, device: cookie }, at)).status
  expect([await tried(device.replace('__Host-', '')), await tried(device)]).toEqual([429, 200])
  expect((await api.call({ path: '/api/leads', key: api.key })).headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect((await api.call({ path: '/api/leads', key: api.key })).headers).not.toHaveProperty('strict-transport-security')
})

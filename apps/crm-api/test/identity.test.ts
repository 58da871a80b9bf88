import { newId, schema } from '@crm/db'
import { signRunToken } from '@crm/identity'
import { permissionNames } from '@crm/permissions'
import { testPassword } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi, runTokenSecretPrevious, type ApiUnderTest } from './harness.ts'

const api = await ownApi()
const { call, workspace, db, clock, key } = api
const cookie = await workspace.session()
const settings = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, as = cookie) =>
  call({ method, path: `/api/settings${path}`, body, cookie: as })

describe('API keys', () => {
  it('are shown once, work within their scopes, and describe themselves', async () => {
    const made = await settings('POST', '/api-keys', { name: 'Site', scopes: ['VIEW_LEAD', 'CREATE_LEAD'] })
    expect(made).toMatchObject({ status: 201, body: { data: { name: 'Site', key: expect.stringMatching(/^sk-/) } } })
    const text = made.body.data.key as string
    const listed = await settings('GET', '/api-keys')
    expect(JSON.stringify(listed.body)).not.toContain(text)
    const { body } = await call({ path: '/api/me/scopes', key: text })
    expect(body).toMatchObject({
      class: 'api-key',
      restricted: true,
      requested: ['VIEW_LEAD', 'CREATE_LEAD'],
      effective: ['VIEW_LEAD', 'CREATE_LEAD'],
      missing: [],
      credential: { name: 'Site', prefix: made.body.data.prefix },
    })
    expect(body.allScopes.map(({ name }: { name: string }) => name)).toEqual(permissionNames)
    expect((await call({ method: 'DELETE', path: '/api/leads', key: text, body: { ids: [] } })).status).toBe(403)
  })

  it('end at once when revoked, and when rotated the new one works', async () => {
    const made = (await settings('POST', '/api-keys', { name: 'K', scopes: ['VIEW_LEAD'] })).body.data
    expect((await call({ path: '/api/leads', key: made.key })).status).toBe(200)
    const rotated = (await settings('POST', `/api-keys/${made.id}/rotate`)).body.data
    expect((await call({ path: '/api/leads', key: made.key })).status).toBe(401)
    expect((await call({ path: '/api/leads', key: rotated.key })).status).toBe(200)
    expect((await settings('DELETE', `/api-keys/${rotated.id}`)).status).toBe(200)
    expect(await call({ path: '/api/leads', key: rotated.key })).toMatchObject({
      status: 401,
      body: { code: 'AUTHENTICATION_ERROR' },
    })
    expect((await settings('POST', `/api-keys/${rotated.id}/rotate`)).body.code).toBe('INVALID_TRANSITION')
  })

  it('end when they expire', async () => {
    const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
    const made = (await settings('POST', '/api-keys', { name: 'Brief', scopes: ['VIEW_LEAD'], expiresAt })).body.data
    expect((await call({ path: '/api/leads', key: made.key })).status).toBe(200)
    clock.advance(61_000)
    expect((await call({ path: '/api/leads', key: made.key })).status).toBe(401)
    expect((await settings('POST', '/api-keys', { name: 'Past', scopes: [], expiresAt })).body.code).toBe(
      'VALIDATION_ERROR',
    )
  })

  it('never give more than their owner holds', async () => {
    const { id } = await workspace.employee({ grant: { permissions: ['VIEW_LEAD', 'MANAGE_API_KEYS'] } })
    const theirs = await workspace.session(id)
    expect(await settings('POST', '/api-keys', { name: 'Much', scopes: ['DELETE_LEAD'] }, theirs)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
    expect((await settings('POST', '/api-keys', { name: 'Typo', scopes: ['VIEW_LEEDS'] }, theirs)).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['scopes', 0] }],
    })
    const over = await workspace.apiKey({ ownerId: id, scopes: ['VIEW_LEAD', 'DELETE_LEAD'] })
    expect((await call({ path: '/api/me/scopes', key: over.key })).body).toMatchObject({
      effective: ['VIEW_LEAD'],
      missing: [{ scope: 'DELETE_LEAD', reason: 'OWNER_LACKS' }],
    })
  })

  it('are asked for where none is shown, and refused by name where one is not valid', async () => {
    const challengeOf = async (headers: Record<string, string>) =>
      (await call({ path: '/api/leads', headers })).headers['www-authenticate']
    expect(await challengeOf({})).toBe('Bearer')
    expect(await challengeOf({ authorization: 'Bearer sk-nothing' })).toBe('Bearer error="invalid_token"')
  })

  it.each(['', 'Bearer', 'Bearer nothing', 'Basic c2stYTpi', 'Bearer sk-', `Bearer ${'x'.repeat(5000)}`])(
    'refuses the header %j with 401',
    async (authorization) => {
      expect(await call({ path: '/api/leads', headers: { authorization } })).toMatchObject({
        status: 401,
        body: { code: 'AUTHENTICATION_ERROR' },
      })
    },
  )
})

describe('what an administrator changes counts on the next request', () => {
  it('403 ACCOUNT_DISABLED for the key and session of a suspended or terminated person', async () => {
    const { id } = await workspace.employee()
    const theirs = await workspace.apiKey({ ownerId: id })
    expect((await call({ path: '/api/leads', key: theirs.key })).status).toBe(200)
    for (const status of ['SUSPENDED', 'TERMINATED']) {
      const session = await workspace.session(id)
      await settings('PATCH', `/users/${id}`, { status })
      expect(await call({ path: '/api/leads', key: theirs.key })).toMatchObject({
        status: 403,
        body: { code: 'ACCOUNT_DISABLED' },
      })
      expect(await call({ path: '/api/leads', cookie: session })).toMatchObject({
        status: 403,
        body: { code: 'ACCOUNT_DISABLED' },
      })
      await settings('PATCH', `/users/${id}`, { status: 'ACTIVE' })
      expect((await call({ path: '/api/leads', key: theirs.key })).status).toBe(200)
      expect(await call({ path: '/api/leads', cookie: session })).toMatchObject({
        status: 401,
        body: { code: 'AUTHENTICATION_ERROR' },
      })
    }
  })

  it('the browser of somebody who is disabled signs in somebody else, and signs out', async () => {
    const [{ id }, other] = [await workspace.employee(), await workspace.employee()]
    const cookie = await workspace.session(id)
    await settings('PATCH', `/users/${id}`, { status: 'SUSPENDED' })
    const send = (method: 'GET' | 'POST', path: string, body?: object) =>
      call({ method, path: `/api/auth/${path}`, cookie, body })
    expect((await send('GET', 'providers')).status).toBe(200)
    expect((await send('POST', 'reset/request', { email: other.email })).status).toBe(202)
    expect((await send('POST', 'invitations/look', { token: 'any' })).body.code).toBe('LINK_INVALID')
    expect((await send('GET', 'sso/none/start')).status).toBe(404)
    expect((await send('GET', 'sso/none/start?purpose=link')).status).toBe(401)
    const password = testPassword
    expect((await send('POST', 'login', { email: other.email, password })).body.data.user.id).toBe(other.id)
    expect((await send('GET', 'sessions')).body.code).toBe('ACCOUNT_DISABLED')
    expect((await send('POST', 'logout')).status).toBe(200)
    expect((await send('POST', 'logout')).status).toBe(401)
  })

  it('a role that loses a permission, a module that is switched off', async () => {
    const role = (await settings('POST', '/roles', { name: 'Viewer', permissions: ['VIEW_LEAD'] })).body.data
    const user = (
      await settings('POST', '/users', { email: 'viewer@example.com', password: 'a long password', roleIds: [role.id] })
    ).body.data
    const theirs = await workspace.apiKey({ ownerId: user.id })
    expect((await call({ path: '/api/leads', key: theirs.key })).status).toBe(200)
    await settings('PATCH', `/roles/${role.id}`, { permissions: [] })
    expect((await call({ path: '/api/leads', key: theirs.key })).body.code).toBe('ACCESS_DENIED')
    await settings('PATCH', '/modules/SALES', { enabled: false })
    expect((await call({ path: '/api/leads', key })).body).toMatchObject({
      code: 'MODULE_DISABLED',
      key: 'SALES',
      reason: 'self',
    })
    await settings('PATCH', '/modules/SALES', { enabled: true })
    expect((await call({ path: '/api/leads', key })).status).toBe(200)
  })

  it('503 SCHEMA_OUT_OF_DATE for the public API while the workspace is in maintenance', async () => {
    const { workspaces } = schema
    const set = async (inMaintenance: boolean) => {
      await db.update(workspaces).set({ inMaintenance }).where(eq(workspaces.id, workspace.workspaceId))
      await api.epochs.bump(workspace.workspaceId)
    }
    await set(true)
    expect(await call({ path: '/api/leads', key })).toMatchObject({ status: 503, body: { code: 'SCHEMA_OUT_OF_DATE' } })
    expect((await settings('GET', '/workspace')).status).toBe(200)
    await set(false)
    expect((await call({ path: '/api/leads', key })).status).toBe(200)
  })

  it('keeps an administrator in the workspace, and system roles as they are', async () => {
    expect(await settings('DELETE', `/users/${workspace.adminUserId}`)).toMatchObject({
      status: 409,
      body: { code: 'LAST_ADMINISTRATOR' },
    })
    expect((await settings('PATCH', `/roles/${workspace.roleIds['Member']}`, { permissions: [] })).body.code).toBe(
      'SYSTEM_ROLE',
    )
    expect((await settings('DELETE', `/roles/${workspace.roleIds['Member']}`)).body.code).toBe('SYSTEM_ROLE')
  })
})

describe('the choices of a person', () => {
  const change = (body: unknown, credential: { readonly cookie?: string; readonly key?: string }) =>
    call({ method: 'PATCH', path: '/api/me', body, ...credential })

  it('belong to that person alone, and null leaves one to the workspace', async () => {
    const { id } = await workspace.employee({ grant: { permissions: [] } })
    const theirs = await workspace.session(id)
    const look = { locale: 'ru', timezone: 'Asia/Tokyo', timeFormat: '12h', theme: 'dark', density: 'comfortable' }
    const places = { startPage: '/deals?view=mine', pinned: ['/projects', '/leads?view=all'], unfolded: ['work'] }
    const all = { ...look, ...places, monthlyGoal: '25000' }
    const none = Object.fromEntries(Object.keys(all).map((name) => [name, null]))
    expect((await call({ path: '/api/me', cookie: theirs })).body).toMatchObject(none)
    expect(await change(all, { cookie: theirs })).toMatchObject({ status: 200, body: { data: { id, ...all } } })
    expect((await change({ timezone: null }, { cookie: theirs })).body.data).toMatchObject({ ...all, timezone: null })
    expect((await call({ path: '/api/me', cookie: theirs })).body).toMatchObject({ id, ...all, timezone: null })
    expect((await call({ path: '/api/me', cookie })).body).toMatchObject(none)
  })

  it.each([
    ['locale', 'it'],
    ['locale', 'de-AT'],
    ['timezone', 'Mars/Olympus'],
    ['timeFormat', '24'],
    ['theme', 'blue'],
    ['density', ''],
    ['startPage', 'https://elsewhere.example/'],
    ['startPage', '//elsewhere.example'],
    ['startPage', '/\\elsewhere.example'],
    ['startPage', '/.//elsewhere.example'],
    ['startPage', 'deals'],
    ['startPage', '/two words'],
    ['startPage', `/${'a'.repeat(300)}`],
    ['pinned', '/deals'],
    ['pinned', ['deals']],
    ['pinned', Array.from({ length: 21 }, (_, at) => `/records/${at}`)],
    ['unfolded', ['']],
    ['monthlyGoal', '-1'],
    ['monthlyGoal', 'much'],
    ['email', 'other@crm.example'],
  ])('are refused where %s is %j', async (field, value) => {
    const { status, body } = await change({ [field]: value }, { cookie })
    expect({ status, code: body.code, issues: JSON.stringify(body.issues).includes(field) }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      issues: true,
    })
  })

  it('are changed by a session only: the key of a person or of a service account is refused', async () => {
    const { id } = await workspace.employee({ grant: { permissions: [] } })
    await db.update(schema.employees).set({ kind: 'SERVICE' }).where(eq(schema.employees.id, id))
    for (const credential of [{ key }, await workspace.apiKey({ ownerId: id })])
      expect(await change({ theme: 'dark' }, credential)).toMatchObject({
        status: 403,
        body: { code: 'ACCESS_DENIED' },
      })
    expect((await change({ theme: 'dark' }, {})).status).toBe(401)
  })
})

describe('sessions', () => {
  const login = (password: string, email: string, address: string) =>
    call({
      method: 'POST',
      path: '/api/auth/login',
      body: { email, password },
      headers: { 'x-forwarded-for': address },
    })

  it('sign in, list, change the password, sign out', async () => {
    const { email } = await workspace.employee()
    const { status, headers } = await login('correct horse battery', email.toUpperCase(), '192.0.2.1')
    expect(status).toBe(200)
    expect((headers['set-cookie'] as string[])[0]).toMatch(
      /^crm_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/,
    )
    const sessionOf = (set: unknown): string => ((set as string[])[0] as string).split(';')[0] as string
    const first = sessionOf(headers['set-cookie'])
    const second = sessionOf((await login('correct horse battery', email, '192.0.2.1')).headers['set-cookie'])
    expect((await call({ path: '/api/me/scopes', cookie: first })).body).toMatchObject({
      class: 'session',
      restricted: false,
      requested: null,
    })
    expect((await call({ path: '/api/auth/sessions', cookie: first })).body.data).toHaveLength(2)
    const changed = await call({
      method: 'POST',
      path: '/api/auth/password',
      cookie: first,
      body: { current: 'correct horse battery', next: 'an even longer one' },
    })
    expect(changed).toMatchObject({ status: 200, body: { data: { endedSessions: 1 } } })
    expect((await call({ path: '/api/me', cookie: second })).status).toBe(401)
    expect((await call({ method: 'POST', path: '/api/auth/logout', cookie: first })).status).toBe(200)
    expect((await call({ path: '/api/me', cookie: first })).status).toBe(401)
    expect((await login('an even longer one', email, '192.0.2.1')).status).toBe(200)
  })

  it('end after 14 days without use', async () => {
    const { id } = await workspace.employee()
    const theirs = await workspace.session(id)
    expect((await call({ path: '/api/me', cookie: theirs })).status).toBe(200)
    clock.advance(15 * 24 * 60 * 60 * 1000)
    expect((await call({ path: '/api/me', cookie: theirs })).status).toBe(401)
  })
})

/** An API that allows each credential two requests a minute. */
const limited = await ownApi({ requestsPerMinute: 2 })

it('sessions are counted like keys, each by itself', async () => {
  const [one, other] = [await limited.workspace.session(), await limited.workspace.session()]
  const read = (session: string) => limited.call({ path: '/api/me', cookie: session })
  expect([(await read(one)).status, (await read(one)).status, (await read(other)).status]).toEqual([200, 200, 200])
  expect(await read(one)).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED' },
    headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
  })
})

describe('run tokens', () => {
  const secret = 'a secret of the tests that is long enough'

  /** Creates a run that a worker holds, and the content of its token. */
  async function heldRun({
    leaseMs = 60_000,
    state = 'RUNNING',
    on: { db, workspace } = api,
  }: { leaseMs?: number; state?: 'RUNNING' | 'CANCELLED'; on?: ApiUnderTest } = {}) {
    const { workspaceId, adminUserId: employeeId } = workspace
    const [workflowId, runId] = [newId(), newId()]
    const leaseUntil = new Date(Date.now() + leaseMs).toISOString()
    await db
      .insert(schema.workflows)
      .values({ workspaceId, id: workflowId, name: 'W', trigger: { type: 'MANUAL' }, steps: [], runAsId: employeeId })
    await db
      .insert(schema.workflowVersions)
      .values({ workspaceId, workflowId, version: 1, trigger: { type: 'MANUAL' }, steps: [] })
    await db
      .insert(schema.workflowRuns)
      .values({ workspaceId, id: runId, workflowId, version: 1, runAsId: employeeId, state, epoch: 3, leaseUntil })
    return { workspaceId, employeeId, runId, epoch: 3, depth: 1, expiresAtMs: clock.now().getTime() + 60_000 }
  }
  const statusWith = async (claims: Parameters<typeof signRunToken>[0], headers = {}) =>
    (await call({ path: '/api/leads', key: signRunToken(claims, secret), headers })).status

  it('act as the person, leave WORKFLOW in the history, and open no settings', async () => {
    const token = signRunToken(await heldRun(), secret)
    const made = await call({ method: 'POST', path: '/api/leads', key: token, body: { lastName: 'Run' } })
    expect(made.status).toBe(201)
    expect(
      (await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${made.body.data.id}`, key })).body.items[0]
        .source,
    ).toBe('WORKFLOW')
    expect((await call({ path: '/api/settings/users', key: token })).status).toBe(403)
  })

  it('may be signed by the secret of before', async () => {
    const token = signRunToken(await heldRun(), runTokenSecretPrevious)
    expect((await call({ path: '/api/leads', key: token })).status).toBe(200)
  })

  it('are refused when forged, over, or of another workspace', async () => {
    const other = await api.newWorkspace()
    const claims = await heldRun()
    const forged = signRunToken(claims, 'another secret of the same length at least')
    const over = signRunToken({ ...claims, expiresAtMs: clock.now().getTime() - 1 }, secret)
    for (const token of [forged, over, 'run.x', 'run.eyJ9.AA'])
      expect((await call({ path: '/api/leads', key: token })).status).toBe(401)
    expect((await call({ path: '/api/leads', key: signRunToken(claims, secret) }, other)).status).toBe(401)
  })

  it('of a later version of the service are answered by another process', async () => {
    const claims = { ...(await heldRun()), version: 2 }
    const { status, headers } = await call({ path: '/api/leads', key: signRunToken(claims, secret) })
    expect({ status, retry: Number(headers['retry-after']) > 0 }).toEqual({ status: 503, retry: true })
  })

  it('count only while the run that they name holds the lease that they name, as the person that they name', async () => {
    const claims = await heldRun()
    expect(await statusWith(claims)).toBe(200)
    const { id: another } = await workspace.employee({ roles: ['Administrator'] })
    expect(await statusWith({ ...claims, epoch: 2 })).toBe(401)
    expect(await statusWith({ ...claims, employeeId: another })).toBe(401)
    expect(await statusWith({ ...claims, runId: newId() })).toBe(401)
    expect(await statusWith(await heldRun({ leaseMs: -1_000 }))).toBe(401)
    expect(await statusWith(await heldRun({ state: 'CANCELLED' }))).toBe(401)
  })

  it.each(['x-forwarded-for', 'forwarded', 'via'])(
    'are refused on a request that came through a proxy: %s',
    async (header) => {
      expect(await statusWith(await heldRun(), { [header]: '127.0.0.1' })).toBe(401)
    },
  )

  it('are refused from outside the network of the dispatcher', async () => {
    const claims = await heldRun()
    const from = (remoteAddress: string) =>
      api.app.inject({
        url: '/api/leads',
        remoteAddress,
        headers: { host: workspace.host, authorization: `Bearer ${signRunToken(claims, secret)}` },
      })
    expect((await from('127.0.0.1')).statusCode).toBe(200)
    expect((await from('203.0.113.7')).statusCode).toBe(401)
  })

  it('are counted like keys, each run by itself', async () => {
    const [one, other] = [await heldRun({ on: limited }), await heldRun({ on: limited })]
    const statusOf = async (claims: typeof one) =>
      (await limited.call({ path: '/api/leads', key: signRunToken(claims, secret) })).status
    expect([await statusOf(one), await statusOf(one), await statusOf(one), await statusOf(other)]).toEqual([
      200, 200, 429, 200,
    ])
  })
})

describe('the workspace of a request', () => {
  it('404 for a host that is not registered, 401 before it is told whether a path exists', async () => {
    expect(await call({ path: '/api/leads', key, headers: { host: 'unknown.example' } })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect((await call({ path: '/api/nothing-here' })).status).toBe(401)
    expect(await call({ path: '/api/nothing-here', key })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect((await call({ method: 'PUT', path: '/api/leads', key })).status).toBe(405)
  })
})

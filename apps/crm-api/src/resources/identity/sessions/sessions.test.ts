import { createTestWorkspace, testPassword, unique } from '@crm/testkit'
import { expect, it } from 'vitest'
import { sessionIn } from '../../../../test/cookies.ts'
import { ownApi } from '../../../../test/harness.ts'

const api = await ownApi()
const { call, clock } = api
const hour = 3_600_000

type At = Awaited<ReturnType<typeof createTestWorkspace>>

const signIn = (at: At, email = at.adminEmail) =>
  call(
    {
      method: 'POST',
      path: '/api/auth/login',
      body: { email, password: testPassword },
      headers: { 'user-agent': 'T' },
    },
    at,
  )
const sessionsOf = async (at: At, cookie: string) => (await call({ path: '/api/auth/sessions', cookie }, at)).body.data
const setPolicy = (at: At, cookie: string, body: object) =>
  call({ method: 'PATCH', path: '/api/settings/sign-in', cookie, body }, at)

it('a sign-in without a second step is done, and the session says how it began and when it ends', async () => {
  const at = await api.newWorkspace()
  const answer = await signIn(at)
  expect(answer).toMatchObject({ status: 200, body: { data: { step: 'DONE', user: { email: at.adminEmail } } } })
  const now = clock.now().getTime()
  expect(await sessionsOf(at, sessionIn(answer))).toEqual([
    {
      id: expect.any(String),
      createdAt: clock.now().toISOString(),
      lastUsedAt: clock.now().toISOString(),
      expiresAt: new Date(now + 336 * hour).toISOString(),
      endsAt: new Date(now + 720 * hour).toISOString(),
      method: 'PASSWORD',
      secondFactor: false,
      address: expect.any(String),
      userAgent: 'T',
      isCurrent: true,
    },
  ])
})

it('a shorter life of sessions counts at once, from their beginning, and a longer one too', async () => {
  const at = await api.newWorkspace()
  const [admin, used] = [sessionIn(await signIn(at)), sessionIn(await signIn(at))]
  const status = async (cookie: string) => (await call({ path: '/api/auth/sessions', cookie }, at)).status
  clock.advance(5 * hour)
  expect(await status(used)).toBe(200)
  const fresh = sessionIn(
    await call(
      { method: 'POST', path: '/api/auth/reauthenticate', cookie: admin, body: { password: testPassword } },
      at,
    ),
  )
  expect((await setPolicy(at, fresh, { sessionAbsoluteHours: 5 })).status).toBe(200)
  expect([await status(fresh), await status(used)]).toEqual([401, 401])
  const next = sessionIn(await signIn(at))
  expect((await setPolicy(at, next, { sessionAbsoluteHours: 720, sessionIdleHours: 2 })).status).toBe(200)
  clock.advance(2 * hour - 1_000)
  expect(await status(next)).toBe(200)
  clock.advance(2 * hour)
  expect(await status(next)).toBe(401)
})

it('a session is fresh for a time after the sign-in and after another proof, which changes its cookie', async () => {
  const at = await api.newWorkspace()
  const cookie = sessionIn(await signIn(at))
  const makeRole = async (as: string) =>
    (await call({ method: 'POST', path: '/api/settings/roles', cookie: as, body: { name: `R ${unique()}` } }, at))
      .status
  expect(await makeRole(cookie)).toBe(201)
  clock.advance(hour)
  expect(await makeRole(cookie)).toBe(403)
  const again = (password: string, as = cookie) =>
    call({ method: 'POST', path: '/api/auth/reauthenticate', cookie: as, body: { password } }, at)
  expect(await again('not the password')).toMatchObject({ status: 401, body: { code: 'AUTHENTICATION_ERROR' } })
  const proof = await again(testPassword)
  expect(proof.body.data).toEqual({
    id: expect.any(String),
    freshUntil: new Date(clock.now().getTime() + hour).toISOString(),
  })
  const renewed = sessionIn(proof)
  expect([await makeRole(cookie), await makeRole(renewed)]).toEqual([401, 201])
  expect((await setPolicy(at, renewed, { reauthMinutes: 1 })).status).toBe(200)
  clock.advance(60_000)
  expect(await makeRole(renewed)).toBe(403)
  for (let tries = 0; tries < 10; tries += 1) await again('not the password', renewed)
  expect(await again(testPassword, renewed)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
})

it('fields of a person that open nothing need no fresh session', async () => {
  const at = await api.newWorkspace()
  const { id } = await at.employee()
  const cookie = await at.session(at.adminUserId, new Date(clock.now().getTime() - 2 * hour))
  const change = async (body: object) =>
    (await call({ method: 'PATCH', path: `/api/settings/users/${id}`, cookie, body }, at)).status
  expect([await change({ firstName: 'New' }), await change({ status: 'SUSPENDED' })]).toEqual([200, 403])
})

it('somebody ends their other sessions, and an administrator those of others', async () => {
  const at = await api.newWorkspace()
  const { id, email } = await at.employee()
  const [one, two, three] = [await signIn(at, email), await signIn(at, email), await signIn(at, email)].map(sessionIn)
  const admin = await at.session()
  const path = `/api/settings/users/${id}/sessions`
  const listed = (await call({ path, cookie: admin }, at)).body.data
  expect(listed.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([false, false, false])
  expect((await call({ method: 'DELETE', path: '/api/auth/sessions', cookie: one }, at)).body.data).toEqual({
    endedSessions: 2,
  })
  expect(
    await Promise.all([two, three].map(async (as) => (await call({ path: '/api/leads', cookie: as }, at)).status)),
  ).toEqual([401, 401])
  const [left] = await sessionsOf(at, one as string)
  expect((await call({ method: 'DELETE', path: `${path}/${left.id}`, cookie: admin }, at)).status).toBe(200)
  expect((await call({ path: '/api/leads', cookie: one }, at)).status).toBe(401)
  expect(await call({ method: 'DELETE', path: `${path}/${left.id}`, cookie: admin }, at)).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' },
  })
  await signIn(at, email)
  expect((await call({ method: 'DELETE', path, cookie: admin }, at)).body.data).toEqual({ endedSessions: 1 })
  const { items } = (await call({ path: '/api/settings/audit-log?action=session.ended', cookie: admin }, at)).body
  expect(items.map(({ subjectId, data }: { subjectId: string; data: object }) => [subjectId, data])).toEqual([
    [id, { endedSessions: 1 }],
    [id, { endedSessions: 1 }],
    [id, { endedSessions: 2 }],
  ])
})

it('the rules begin with the usual ones, change field by field, and stand in the audit log', async () => {
  const at = await createTestWorkspace(api.db, { signInPolicy: {} })
  const cookie = await at.session(undefined, clock.now())
  const usual = {
    passwordMinLength: 10,
    typedPasswords: false,
    invitationHours: 168,
    sessionIdleHours: 336,
    sessionAbsoluteHours: 720,
    reauthMinutes: 60,
    secondFactor: 'OPTIONAL',
    secondFactorRoleIds: [],
    enforceSso: false,
    breakGlassUserIds: [],
    keyMaxDays: null,
    auditRetentionDays: null,
  }
  const read = async () => (await call({ path: '/api/settings/sign-in', cookie }, at)).body.data
  expect(await read()).toEqual(usual)
  const member = at.roleIds['Member'] as string
  const rules = { invitationHours: 24, secondFactorRoleIds: [member] }
  expect((await setPolicy(at, cookie, rules)).body.data).toEqual({ ...usual, ...rules })
  expect((await setPolicy(at, cookie, { keyMaxDays: 90 })).body.data).toEqual({ ...usual, ...rules, keyMaxDays: 90 })
  expect(await read()).toEqual({ ...usual, ...rules, keyMaxDays: 90 })
  const { items } = (await call({ path: '/api/settings/audit-log?action=sign-in-policy.changed', cookie }, at)).body
  expect(items[0].changes).toEqual([{ field: 'keyMaxDays', from: null, to: 90 }])
})

it.each([
  ['passwordMinLength', 9],
  ['reauthMinutes', 0],
  ['sessionIdleHours', 0],
  ['sessionAbsoluteHours', 1.5],
  ['invitationHours', 0],
  ['secondFactor', 'NEVER'],
  ['keyMaxDays', 0],
  ['auditRetentionDays', 29],
  ['typedPasswords', 'yes'],
])('the rule %s cannot be %j', async (field, value) => {
  const cookie = await api.workspace.session()
  expect(await setPolicy(api.workspace, cookie, { [field]: value })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', issues: [{ path: [field] }] },
  })
})

it.each(['secondFactorRoleIds', 'breakGlassUserIds'])('%s names what is in the workspace', async (field) => {
  const elsewhere = await api.newWorkspace()
  const foreign = field === 'breakGlassUserIds' ? elsewhere.adminUserId : elsewhere.roleIds['Member']
  const cookie = await api.workspace.session()
  expect(await setPolicy(api.workspace, cookie, { [field]: [foreign] })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REFERENCE', details: { field } },
  })
})

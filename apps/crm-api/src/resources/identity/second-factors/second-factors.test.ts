import { schema } from '@crm/db'
import { createTestWorkspace, testPassword, type TestWorkspace } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { cookieOf, sessionIn } from '../../../../test/cookies.ts'
import { ownApi, type CallAnswer } from '../../../../test/harness.ts'
import { jobsUnderTest } from '../../../../test/jobs.ts'

const api = await ownApi()
const jobs = await jobsUnderTest(api)
const { call, clock, db } = api
const hour = 3_600_000

const post = (at: TestWorkspace, path: string, body?: unknown, cookie?: string) =>
  call({ method: 'POST', path: `/api/auth/${path}`, body, ...(cookie ? { cookie } : {}) }, at)
const signIn = (at: TestWorkspace, email: string, cookie?: string) =>
  post(at, 'login', { email, password: testPassword }, cookie)
const pendingIn = (answer: CallAnswer) => cookieOf(answer, 'crm_pending')
const codeFor = (secret: string, stepsLater = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() + stepsLater * 30_000 })
const mailsTo = (address: string) => jobs.mails.filter(({ to }) => to.address === address).map(({ kind }) => kind)

/** Somebody with an authenticator app and recovery codes. */
async function enrolled(at: TestWorkspace, { roles }: { roles?: string[] } = {}) {
  const { id, email } = await at.employee(roles ? { roles } : {})
  const cookie = await at.session(id, clock.now())
  const { secret, uri } = (await post(at, 'totp', undefined, cookie)).body.data
  const confirmed = await post(at, 'totp/confirm', { code: codeFor(secret) }, cookie)
  expect(confirmed.status).toBe(200)
  clock.advance(90_000)
  return { id, email, cookie, secret, uri, codes: confirmed.body.data.recoveryCodes as string[] }
}

const invalid = { status: 401, body: { code: 'SECOND_FACTOR_INVALID' } }
const expired = { status: 401, body: { code: 'SIGN_IN_EXPIRED' } }

describe('an authenticator app', () => {
  it.each([
    ['Acme: Sales', 'Acme Sales'],
    ['a:b', 'a b'],
    [': Acme :', 'Acme'],
    ['Acme： Sales', 'Acme Sales'],
    ['Acme & Söhne', 'Acme & Söhne'],
  ])('reads the label of a workspace named %j', async (name, issuer) => {
    const at = await api.newWorkspace()
    await db.update(schema.workspaces).set({ name }).where(eq(schema.workspaces.id, at.workspaceId))
    await api.epochs.bump(at.workspaceId)
    const { uri, email } = await enrolled(at)
    const [label = '', more] = new URL(uri).pathname.replace(/^\/+(totp\/)?/, '').split(/:|%3A/i)
    expect([decodeURIComponent(label), decodeURIComponent(more ?? '')]).toEqual([issuer, email])
    expect(new URL(uri).searchParams.get('issuer')).toBe(issuer)
  })

  it('is offered, confirmed and asked for at the next sign-in', async () => {
    const at = await api.newWorkspace()
    const { id, email, cookie, secret, uri, codes } = await enrolled(at)
    expect(uri).toMatch(/^otpauth:\/\/totp\/.*algorithm=SHA1&digits=6&period=30/)
    expect(new Set(codes).size).toBe(10)
    expect(codes[0]).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    const [stored] = await db.select().from(schema.totpFactors).where(eq(schema.totpFactors.employeeId, id))
    expect(JSON.stringify(stored)).not.toContain(secret)
    expect((await call({ path: '/api/auth/factors', cookie }, at)).body.data).toMatchObject({
      totp: { confirmedAt: expect.any(String) },
      passkeys: [],
      recoveryCodesLeft: 10,
    })
    const first = await signIn(at, email, cookie)
    expect(first.body.data).toEqual({ step: 'SECOND_FACTOR', methods: ['TOTP', 'RECOVERY_CODE'] })
    expect(sessionIn(first)).toBe('crm_session=')
    const pending = pendingIn(first)
    for (const path of ['/api/leads', '/api/auth/sessions', '/api/settings/users', '/api/auth/factors'])
      expect((await call({ path, cookie: pending }, at)).status).toBe(401)
    expect(await post(at, 'totp', undefined, pending)).toMatchObject(expired)
    const done = await post(at, 'second-factor', { method: 'TOTP', code: codeFor(secret) }, pending)
    expect(done.body.data).toMatchObject({ step: 'DONE', user: { id } })
    const { data } = (await call({ path: '/api/auth/sessions', cookie: sessionIn(done) }, at)).body
    expect(data.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toMatchObject({
      method: 'PASSWORD',
      secondFactor: true,
    })
    expect(await post(at, 'second-factor', { method: 'TOTP', code: codeFor(secret, 1) }, pending)).toMatchObject(
      expired,
    )
    await jobs.settled()
    expect(mailsTo(email)).toContain('second-factor-changed')
  })

  it('whose secret nobody can open is answered like a wrong code, and recovery codes go on', async () => {
    const at = await api.newWorkspace()
    const { id, email, secret, codes } = await enrolled(at)
    const sealed = { secret: 'sealed:1:9-00000000:AAAA' }
    await db.update(schema.totpFactors).set(sealed).where(eq(schema.totpFactors.employeeId, id))
    const pending = pendingIn(await signIn(at, email))
    expect(await post(at, 'second-factor', { method: 'TOTP', code: codeFor(secret) }, pending)).toMatchObject(invalid)
    const recovered = await post(at, 'second-factor', { method: 'RECOVERY_CODE', code: codes[0] }, pending)
    expect(recovered.body.data).toMatchObject({ step: 'DONE', user: { id } })
  })

  it('takes the codes of the step before and after, each once, and none before the last one', async () => {
    const at = await api.newWorkspace()
    const { email, secret } = await enrolled(at)
    const tryCode = async (stepsLater: number) => {
      const pending = pendingIn(await signIn(at, email))
      return (await post(at, 'second-factor', { method: 'TOTP', code: codeFor(secret, stepsLater) }, pending)).status
    }
    expect([await tryCode(-2), await tryCode(2), await tryCode(-1), await tryCode(-1)]).toEqual([401, 401, 200, 401])
    expect([await tryCode(1), await tryCode(0)]).toEqual([200, 401])
  })

  it('that is not confirmed is not asked for, and a wrong code confirms nothing', async () => {
    const at = await api.newWorkspace()
    const { id, email } = await at.employee()
    const cookie = await at.session(id, clock.now())
    expect(await post(at, 'totp/confirm', { code: '123456' }, cookie)).toMatchObject(invalid)
    const { secret } = (await post(at, 'totp', undefined, cookie)).body.data
    const wrong = codeFor(secret) === '000000' ? '000001' : '000000'
    expect(await post(at, 'totp/confirm', { code: wrong }, cookie)).toMatchObject(invalid)
    expect((await signIn(at, email)).body.data.step).toBe('DONE')
    for (let tries = 2; tries < 10; tries += 1) await post(at, 'totp/confirm', { code: 'x' }, cookie)
    expect(await post(at, 'totp/confirm', { code: codeFor(secret) }, cookie)).toMatchObject({ status: 429 })
  })

  it('replaces an earlier one only once it is confirmed, and is removed by its owner', async () => {
    const at = await api.newWorkspace()
    const { id, email, secret } = await enrolled(at)
    const cookie = await at.session(id, clock.now())
    const next = (await post(at, 'totp', undefined, cookie)).body.data.secret
    const shows = async (code: string) =>
      (await post(at, 'second-factor', { method: 'TOTP', code }, pendingIn(await signIn(at, email)))).status
    expect([await shows(codeFor(next)), await shows(codeFor(secret))]).toEqual([401, 200])
    clock.advance(90_000)
    expect((await post(at, 'totp/confirm', { code: codeFor(next) }, cookie)).status).toBe(200)
    clock.advance(90_000)
    expect([await shows(codeFor(secret)), await shows(codeFor(next))]).toEqual([401, 200])
    const remove = () => call({ method: 'DELETE', path: '/api/auth/totp', cookie }, at)
    expect((await remove()).status).toBe(200)
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect((await signIn(at, email)).body.data.step).toBe('DONE')
    expect((await call({ path: '/api/auth/factors', cookie }, at)).body.data).toEqual({
      totp: null,
      passkeys: [],
      recoveryCodesLeft: 0,
    })
  })
})

describe('recovery codes', () => {
  it('sign in once each, in any spelling, and the person is told', async () => {
    const at = await api.newWorkspace()
    const { email, codes, cookie } = await enrolled(at)
    const shows = async (code: string) =>
      post(at, 'second-factor', { method: 'RECOVERY_CODE', code }, pendingIn(await signIn(at, email)))
    const [one = '', other = ''] = codes
    expect((await shows(one)).body.data.step).toBe('DONE')
    expect(await shows(one)).toMatchObject(invalid)
    expect((await shows(other.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await call({ path: '/api/auth/factors', cookie }, at)).body.data.recoveryCodesLeft).toBe(8)
    await jobs.settled()
    expect(mailsTo(email).filter((kind) => kind === 'recovery-code-used')).toHaveLength(2)
    const { items } = (
      await call({ path: '/api/settings/audit-log?action=second-factor.recovery-used', cookie: await at.session() }, at)
    ).body
    expect(items).toHaveLength(2)
    expect(JSON.stringify(items)).not.toContain(one)
  })

  it('are made anew, which ends the old ones, and stand in for nothing', async () => {
    const at = await api.newWorkspace()
    const { email, codes, cookie } = await enrolled(at)
    const made = await post(at, 'recovery-codes', undefined, cookie)
    expect(made.body.data.recoveryCodes).toHaveLength(10)
    const shows = async (code: string) =>
      (await post(at, 'second-factor', { method: 'RECOVERY_CODE', code }, pendingIn(await signIn(at, email)))).status
    expect([await shows(codes[0] as string), await shows(made.body.data.recoveryCodes[0])]).toEqual([401, 200])
    const { id } = await at.employee()
    expect(await post(at, 'recovery-codes', undefined, await at.session(id, clock.now()))).toMatchObject({
      status: 409,
      body: { code: 'INVALID_TRANSITION' },
    })
  })
})

describe('wrong second factors', () => {
  const wrong = { method: 'RECOVERY_CODE', code: 'AAAA-AAAA-AAAA-AAAA' }

  it('end a sign-in with the fifth, and twenty an hour block strangers but no known device', async () => {
    const at = await api.newWorkspace()
    const { email, secret, codes } = await enrolled(at)
    const known = await post(
      at,
      'second-factor',
      { method: 'RECOVERY_CODE', code: codes[0] },
      pendingIn(await signIn(at, email)),
    )
    const device = cookieOf(known, 'crm_device')
    for (let round = 0; round < 4; round += 1) {
      const pending = pendingIn(await signIn(at, email))
      for (let tries = 1; tries < 5; tries += 1)
        expect(await post(at, 'second-factor', wrong, pending)).toMatchObject(invalid)
      expect(await post(at, 'second-factor', wrong, pending)).toMatchObject(expired)
      expect(await post(at, 'second-factor', wrong, pending)).toMatchObject(expired)
    }
    const right = { method: 'TOTP', code: codeFor(secret) }
    const blocked = await post(at, 'second-factor', right, pendingIn(await signIn(at, email)))
    expect([blocked.status, blocked.headers['retry-after']]).toEqual([429, '3600'])
    const owner = await signIn(at, email, device)
    expect((await post(at, 'second-factor', right, `${pendingIn(owner)}; ${device}`)).status).toBe(200)
    clock.advance(hour)
    const later = { method: 'TOTP', code: codeFor(secret) }
    expect((await post(at, 'second-factor', later, pendingIn(await signIn(at, email)))).status).toBe(200)
  })

  it('have an end on a known device too, and those of one device block no other one', async () => {
    const at = await api.newWorkspace()
    const { email, secret, codes } = await enrolled(at)
    const show = async (body: object, device = '') =>
      post(at, 'second-factor', body, `${pendingIn(await signIn(at, email, device))}; ${device}`)
    const recovery = (code = '') => ({ method: 'RECOVERY_CODE', code })
    const [stolen, other] = [
      cookieOf(await show(recovery(codes[0])), 'crm_device'),
      cookieOf(await show(recovery(codes[1])), 'crm_device'),
    ]
    for (let tries = 0; tries < 20; tries += 1) expect(await show(wrong, stolen)).toMatchObject(invalid)
    const right = () => ({ method: 'TOTP', code: codeFor(secret) })
    const blocked = await show(right(), stolen)
    expect([blocked.status, blocked.headers['retry-after']]).toEqual([429, '3600'])
    expect((await show(right(), other)).status).toBe(200)
    clock.advance(hour)
    expect((await show(right(), stolen)).status).toBe(200)
    // A right one forgives the wrong ones before it.
    for (let tries = 0; tries < 19; tries += 1) expect(await show(wrong, stolen)).toMatchObject(invalid)
    clock.advance(60_000)
    expect((await show(right(), stolen)).status).toBe(200)
  })

  it('at the same moment do not get past the five', async () => {
    const at = await api.newWorkspace()
    const { email } = await enrolled(at)
    const pending = pendingIn(await signIn(at, email))
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(at, 'second-factor', wrong, pending)))
    expect(answers.filter(({ body }) => body.code === 'SECOND_FACTOR_INVALID').length).toBeLessThanOrEqual(4)
    expect(await post(at, 'second-factor', wrong, pending)).toMatchObject(expired)
  })

  it('are refused without a sign-in, after ten minutes, and in a form that is none', async () => {
    const at = await api.newWorkspace()
    const { email, codes } = await enrolled(at)
    expect(await post(at, 'second-factor', wrong, 'crm_pending=forged')).toMatchObject(expired)
    const pending = pendingIn(await signIn(at, email))
    for (const [body, field] of [
      [{ method: 'TOTP' }, 'code'],
      [{ method: 'PASSKEY', code: '1' }, 'response'],
      [{ method: 'SMS', code: '1' }, 'method'],
    ] as const)
      expect((await post(at, 'second-factor', body, pending)).body).toMatchObject({
        code: 'VALIDATION_ERROR',
        issues: [{ path: [field] }],
      })
    clock.advance(10 * 60_000)
    expect(await post(at, 'second-factor', { ...wrong, code: codes[0] }, pending)).toMatchObject(expired)
  })
})

describe('a workspace that requires a second factor', () => {
  it('makes people add one, which gives the session', async () => {
    const at = await createTestWorkspace(api.db, { signInPolicy: { secondFactor: 'REQUIRED' } })
    const { id, email } = await at.employee()
    const first = await signIn(at, email)
    expect(first.body.data).toEqual({ step: 'ENROL', methods: ['TOTP', 'PASSKEY'] })
    const pending = pendingIn(first)
    expect(await post(at, 'second-factor', { method: 'TOTP', code: '000000' }, pending)).toMatchObject(expired)
    expect((await call({ path: '/api/auth/factors', cookie: pending }, at)).body.data.totp).toBeNull()
    const { secret } = (await post(at, 'totp', undefined, pending)).body.data
    expect(await post(at, 'totp/confirm', { code: 'wrong' }, pending)).toMatchObject(invalid)
    const confirmed = await post(at, 'totp/confirm', { code: codeFor(secret) }, pending)
    expect(confirmed.body.data).toMatchObject({ recoveryCodes: expect.any(Array), step: 'DONE', user: { id } })
    const cookie = sessionIn(confirmed)
    expect((await call({ path: '/api/leads', cookie }, at)).status).toBe(200)
    expect(await call({ method: 'DELETE', path: '/api/auth/totp', cookie }, at)).toMatchObject({
      status: 409,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    })
    expect((await call({ path: '/api/auth/factors', cookie }, at)).body.data.totp).not.toBeNull()
  })

  it('may require it of the holders of a role alone', async () => {
    const at = await createTestWorkspace(api.db, { signInPolicy: {} })
    const admin = await at.session(undefined, clock.now())
    await call(
      {
        method: 'PATCH',
        path: '/api/settings/sign-in',
        cookie: admin,
        body: { secondFactorRoleIds: [at.roleIds['Manager']] },
      },
      at,
    )
    const [manager, member] = [await at.employee({ roles: ['Manager'] }), await at.employee()]
    expect((await signIn(at, manager.email)).body.data.step).toBe('ENROL')
    expect((await signIn(at, member.email)).body.data.step).toBe('DONE')
  })
})

describe('somebody who manages people', () => {
  it('resets the second factors of others, which ends their sessions, and not their own', async () => {
    const at = await api.newWorkspace()
    const { id, email, cookie } = await enrolled(at)
    const admin = await at.session(undefined, clock.now())
    const pending = pendingIn(await signIn(at, email))
    const reset = (of: string) =>
      call({ method: 'POST', path: `/api/settings/users/${of}/reset-second-factor`, cookie: admin }, at)
    expect(await reset(id)).toMatchObject({ status: 200, body: { data: { id, endedSessions: 1 } } })
    expect((await call({ path: '/api/leads', cookie }, at)).status).toBe(401)
    expect(await post(at, 'second-factor', { method: 'TOTP', code: '000000' }, pending)).toMatchObject(expired)
    expect((await signIn(at, email)).body.data.step).toBe('DONE')
    expect(await reset(at.adminUserId)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    await jobs.settled()
    expect(mailsTo(email)).toContain('second-factor-reset')
  })
})

it('a second factor makes a session fresh', async () => {
  const at = await api.newWorkspace()
  const { id, secret, codes } = await enrolled(at)
  const cookie = await at.session(id, new Date(clock.now().getTime() - 2 * hour))
  const again = (body: object) => post(at, 'reauthenticate', body, cookie)
  expect(await again({ method: 'TOTP', code: 'wrong' })).toMatchObject(invalid)
  for (const body of [{}, { password: 'a', code: 'b', method: 'TOTP' }, { code: '1' }])
    expect((await again(body)).body.code).toBe('VALIDATION_ERROR')
  const renewed = sessionIn(await again({ method: 'TOTP', code: codeFor(secret) }))
  expect((await post(at, 'totp', undefined, renewed)).status).toBe(200)
  expect((await post(at, 'reauthenticate', { method: 'RECOVERY_CODE', code: codes[0] }, renewed)).status).toBe(200)
})

it('a sign-in from another device is told to the person', async () => {
  const at = await api.newWorkspace()
  const { email } = await at.employee()
  const device = cookieOf(await signIn(at, email), 'crm_device')
  await signIn(at, email, device)
  await jobs.settled()
  expect(mailsTo(email)).toEqual([])
  await signIn(at, email)
  await jobs.settled()
  expect(mailsTo(email)).toEqual(['new-device'])
})

import { schema } from '@crm/db'
import type { MailMessage } from '@crm/mail'
import { createTestWorkspace, lockWaiters, testPassword, type TestWorkspace, unique } from '@crm/testkit'
import { and, eq } from 'drizzle-orm'
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mailerTo } from '@crm/testkit/mailer'
import { sessionIn } from '../../../../test/cookies.ts'
import { ownApi, type CallAnswer } from '../../../../test/harness.ts'
import { jobsUnderTest } from '../../../../test/jobs.ts'

const dir = mkdtempSync(join(tmpdir(), 'crm-breached-'))
afterAll(() => rmSync(dir, { recursive: true }))
const breached = 'once upon a midnight dreary'
const breachedPasswordsFile = join(dir, 'breached.txt')
writeFileSync(breachedPasswordsFile, `${hash('sha1', breached, 'hex').toUpperCase()}:3\n`)

const unreachable = 'nobody@unreachable.test'
const sent: MailMessage[] = []
const mailer = mailerTo((message) => {
  if (message.to.address === unreachable) throw new Error('There is no such mailbox')
  sent.push(message)
})
const api = await ownApi({ breachedPasswordsFile, mailer })
const jobs = await jobsUnderTest(api)
const { call, clock, db } = api
const good = 'seven green umbrellas'
const hour = 3_600_000

interface Inviting {
  readonly at: TestWorkspace
  readonly cookie: string
}

async function inviting(): Promise<Inviting> {
  const at = await createTestWorkspace(api.db, { signInPolicy: {} })
  return { at, cookie: await at.session(undefined, clock.now()) }
}

const post = (at: TestWorkspace, path: string, body: unknown, cookie?: string) =>
  call({ method: 'POST', path, body, ...(cookie ? { cookie } : {}) }, at)
const invite = ({ at, cookie }: Inviting, body: object = {}) =>
  post(at, '/api/settings/invitations', { email: `new${unique()}@acme.test`, roleIds: [], ...body }, cookie)
const look = (at: TestWorkspace, token: string) => post(at, '/api/auth/invitations/look', { token })
const accept = (at: TestWorkspace, token: string, body: object = {}) =>
  post(at, '/api/auth/invitations/accept', { token, password: good, ...body })

const tokenIn = (message: MailMessage | undefined, page: string): string =>
  new RegExp(`http://[^ ]+/${page}#([\\w-]{43})`).exec(message?.text ?? '')?.[1] ?? 'no token'
const mailTo = (mails: MailMessage[], address: string) => mails.findLast(({ to }) => to.address === address)
const lastLink = (email: string) => tokenIn(mailTo(sent, email), 'invite')
const dead = { status: 404, body: { error: 'The link is no longer valid', code: 'LINK_INVALID' } }
const expectDead = async (at: TestWorkspace, token: string) => {
  expect(await look(at, token)).toMatchObject(dead)
  expect(await accept(at, token)).toMatchObject(dead)
}

describe('an invitation', () => {
  it('is mailed, looked at as often as somebody likes, accepted once, and signs in', async () => {
    const world = await inviting()
    const { at, cookie } = world
    // Nobody knows the language of the invited person, so the mail is in that of the inviter.
    await call({ method: 'PATCH', path: '/api/me', cookie, body: { locale: 'fr' } }, at)
    const email = 'grace@acme.test'
    const member = at.roleIds['Member'] as string
    const made = await invite(world, { email, firstName: 'Grace', roleIds: [member] })
    expect(made).toMatchObject({
      status: 201,
      body: {
        data: {
          email,
          firstName: 'Grace',
          lastName: null,
          roleIds: [member],
          invitedById: at.adminUserId,
          status: 'PENDING',
          emailSent: true,
          expiresAt: new Date(clock.now().getTime() + 168 * hour).toISOString(),
        },
      },
    })
    expect(mailTo(sent, email)).toMatchObject({
      kind: 'invitation',
      subject: expect.stringMatching(/^Ada Admin vous invite/),
    })
    const token = lastLink(email)
    expect(JSON.stringify(await db.select().from(schema.invitations))).not.toContain(token)
    for (let times = 0; times < 2; times += 1)
      expect((await look(at, token)).body.data).toEqual({
        email,
        workspaceName: `Workspace ${at.slug}`,
        invitedByName: 'Ada Admin',
        expiresAt: made.body.data.expiresAt,
      })
    const accepted = await accept(at, token, { lastName: 'Hopper' })
    expect(accepted).toMatchObject({
      status: 200,
      body: { data: { step: 'DONE', user: { email, name: 'Grace Hopper', roleIds: [member] } } },
    })
    const [session] = (await call({ path: '/api/auth/sessions', cookie: sessionIn(accepted) }, at)).body.data
    expect(session.method).toBe('INVITATION')
    await expectDead(at, token)
    const { data } = (await call({ path: `/api/settings/invitations/${made.body.data.id}`, cookie }, at)).body
    expect(data.status).toBe('ACCEPTED')
    expect((await post(at, '/api/auth/login', { email, password: good })).body.data.user.id).toBe(
      accepted.body.data.user.id,
    )
    const { items } = (await call({ path: '/api/settings/audit-log', cookie }, at)).body
    expect(items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['invitation.sent', 'user.created', 'invitation.accepted', 'session.started']),
    )
  })

  it('whose mail fails says so and can be sent again, which ends the old link; five times a day', async () => {
    const world = await inviting()
    const { at, cookie } = world
    expect((await invite(world, { email: unreachable })).body.data).toMatchObject({
      emailSent: false,
      status: 'PENDING',
    })
    const { id, email } = (await invite(world)).body.data
    const first = lastLink(email)
    const resend = () => post(at, `/api/settings/invitations/${id}/resend`, undefined, cookie)
    expect(await resend()).toMatchObject({ status: 200, body: { data: { emailSent: true, status: 'PENDING' } } })
    await expectDead(at, first)
    expect((await look(at, lastLink(email))).status).toBe(200)
    for (let times = 2; times <= 5; times += 1) expect((await resend()).status).toBe(200)
    const limited = await resend()
    expect([limited.status, limited.body.code, limited.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '86400'])
    expect((await accept(at, lastLink(email))).status).toBe(200)
    clock.advance(25 * hour)
    expect(await resend()).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
  })

  it('is not sent again beside a newer one, or to somebody who has an account by now', async () => {
    const world = await inviting()
    const { at } = world
    const policy = { method: 'PATCH', path: '/api/settings/sign-in', cookie: world.cookie } as const
    expect((await call({ ...policy, body: { invitationHours: 1 } }, at)).status).toBe(200)
    const old = (await invite(world)).body.data as { id: string; email: string }
    clock.advance(2 * hour)
    const now = { ...world, cookie: await at.session(undefined, clock.now()) }
    const resend = (id: string) => post(at, `/api/settings/invitations/${id}/resend`, undefined, now.cookie)
    const newer = (await invite(now, { email: old.email.toUpperCase() })).body.data as { id: string }
    expect(await resend(old.id)).toMatchObject({ status: 409, body: { code: 'INVITATION_PENDING' } })
    clock.advance(2 * hour)
    const later = await at.session(undefined, clock.now())
    const again = (id: string) => post(at, `/api/settings/invitations/${id}/resend`, undefined, later)
    // Both are over; of two that are sent again at the same moment one is.
    const both = await Promise.all([again(old.id), again(newer.id)])
    expect(new Set(both.map(({ status, body }) => body.code ?? status))).toEqual(new Set([200, 'INVITATION_PENDING']))
    const [sentId, other] = both[0]?.status === 200 ? [old.id, newer.id] : [newer.id, old.id]
    await at.employee({ email: old.email })
    for (const id of [sentId, other])
      expect(await again(id)).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN', details: { field: 'email' } } })
  })

  it('is refused for people who have an account or an open invitation', async () => {
    const world = await inviting()
    const { email } = (await invite(world)).body.data
    expect(await invite(world, { email: email.toUpperCase() })).toMatchObject({
      status: 409,
      body: { code: 'INVITATION_PENDING' },
    })
    expect(await invite(world, { email: world.at.adminEmail })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'email' } },
    })
    const elsewhere = await api.newWorkspace()
    for (const [field, value] of [
      ['roleIds', [elsewhere.roleIds['Member']]],
      ['managerId', elsewhere.adminUserId],
      ['departmentId', await elsewhere.department('There')],
    ] as const)
      expect((await invite(world, { [field]: value })).body).toMatchObject({
        code: 'INVALID_REFERENCE',
        details: { field },
      })
  })

  it('that expired can be made anew or sent again; the lists tell them apart', async () => {
    const world = await inviting()
    const { at } = world
    const [one, other] = [(await invite(world)).body.data, (await invite(world)).body.data]
    clock.advance(168 * hour)
    const fresh = { at, cookie: await at.session(undefined, clock.now()) }
    await expectDead(at, lastLink(one.email))
    const listed = async (status: string) =>
      (await call({ path: `/api/settings/invitations?status=${status}`, cookie: fresh.cookie }, at)).body
    expect(await listed('EXPIRED')).toMatchObject({ total: 2, items: [{ status: 'EXPIRED' }, { status: 'EXPIRED' }] })
    expect((await invite(fresh, { email: one.email })).status).toBe(201)
    expect(
      (await post(at, `/api/settings/invitations/${other.id}/resend`, undefined, fresh.cookie)).body.data.status,
    ).toBe('PENDING')
    expect([(await listed('EXPIRED')).total, (await listed('PENDING')).total]).toEqual([1, 2])
    expect((await look(at, lastLink(other.email))).status).toBe(200)
  })

  it('that was cancelled is dead', async () => {
    const world = await inviting()
    const { at, cookie } = world
    const { id, email } = (await invite(world)).body.data
    expect((await call({ method: 'DELETE', path: `/api/settings/invitations/${id}`, cookie }, at)).status).toBe(200)
    await expectDead(at, lastLink(email))
    expect((await invite(world, { email })).status).toBe(201)
    await accept(at, lastLink(email))
    const { items } = (await call({ path: '/api/settings/invitations?status=ACCEPTED', cookie }, at)).body
    const cancelled = await call({ method: 'DELETE', path: `/api/settings/invitations/${items[0].id}`, cookie }, at)
    expect(cancelled).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
  })

  it.each([
    ['was suspended', (_role: string) => ({ status: 'SUSPENDED' })],
    ['may no longer manage people', (_role: string) => ({ roleIds: [] })],
    ['has less than they would give', (role: string) => ({ roleIds: [role] })],
  ])('is dead once its inviter %s', async (_why, change) => {
    const { at, cookie } = await inviting()
    const leads = { permissions: ['MANAGE_USERS', 'VIEW_LEAD', 'DELETE_LEAD'] }
    const { id } = await at.employee({ grant: leads })
    const given = await roleOf(at, cookie, ['DELETE_LEAD'])
    const fewer = await roleOf(at, cookie, ['MANAGE_USERS', 'VIEW_LEAD'])
    const made = await invite({ at, cookie: await at.session(id, clock.now()) }, { roleIds: [given] })
    expect(made.status).toBe(201)
    const token = lastLink(made.body.data.email)
    expect((await look(at, token)).status).toBe(200)
    expect(
      (await call({ method: 'PATCH', path: `/api/settings/users/${id}`, cookie, body: change(fewer) }, at)).status,
    ).toBe(200)
    await expectDead(at, token)
  })

  it('is dead once its address or its role is gone, and makes no account twice at the same moment', async () => {
    const world = await inviting()
    const { at, cookie } = world
    const role = await roleOf(at, cookie, ['VIEW_LEAD'])
    const { email } = (await invite(world, { roleIds: [role] })).body.data
    await call({ method: 'DELETE', path: `/api/settings/roles/${role}`, cookie }, at)
    expect(await accept(at, lastLink(email))).toMatchObject(dead)
    const { email: taken } = (await invite(world)).body.data
    await at.employee({ email: taken.toUpperCase() })
    expect(await accept(at, lastLink(taken))).toMatchObject(dead)
    const { email: raced } = (await invite(world)).body.data
    const answers = await Promise.all([1, 2, 3].map(() => accept(at, lastLink(raced))))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  })

  it('belongs to its workspace', async () => {
    const world = await inviting()
    const { email } = (await invite(world)).body.data
    await expectDead(await api.newWorkspace(), lastLink(email))
    await expectDead(world.at, 'forged')
  })

  it('needs a sign-in of the last hour', async () => {
    const { at } = await inviting()
    const stale = await at.session(undefined, new Date(clock.now().getTime() - 2 * hour))
    expect(await invite({ at, cookie: stale })).toMatchObject({
      status: 403,
      body: { code: 'REAUTHENTICATION_REQUIRED' },
    })
  })
})

async function roleOf(at: TestWorkspace, cookie: string, permissions: readonly string[]): Promise<string> {
  const made = await post(at, '/api/settings/roles', { name: `Role ${unique()}`, permissions }, cookie)
  return made.body.data.id as string
}

describe('a password', () => {
  const codes = ({ body }: CallAnswer) => body.issues.map(({ code }: { code: string }) => code)

  it('is refused with every reason, wherever it is chosen', async () => {
    const { at, cookie } = await inviting()
    const { email } = (await invite({ at, cookie }, { email: 'hopper@acme.test', firstName: 'Grace' })).body.data
    const token = lastLink(email)
    const refusedAs = async (password: string) => {
      const answer = await accept(at, token, { password })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      })
      return codes(answer)
    }
    expect(await refusedAs('grace')).toEqual(['TOO_SHORT', 'TOO_COMMON', 'CONTAINS_IDENTITY'])
    expect(await refusedAs('password123456')).toEqual(['TOO_COMMON'])
    expect(await refusedAs('a hopper under the bed')).toEqual(['CONTAINS_IDENTITY'])
    expect(await refusedAs(breached)).toEqual(['BREACHED'])
    expect(await refusedAs('x'.repeat(201))).toEqual([expect.any(String)])
    const own = await post(at, '/api/auth/password', { current: testPassword, next: breached }, cookie)
    expect([own.status, own.body.issues]).toEqual([
      400,
      [{ path: ['next'], code: 'BREACHED', message: expect.any(String) }],
    ])
  })

  it('has as many characters as the workspace says', async () => {
    const at = await createTestWorkspace(api.db, { signInPolicy: { passwordMinLength: 25 } })
    const cookie = await at.session(undefined, clock.now())
    const change = (next: string) => post(at, '/api/auth/password', { current: testPassword, next }, cookie)
    const short = await change(good)
    expect(short.body.issues).toEqual([
      { path: ['next'], code: 'TOO_SHORT', message: 'A password has at least 25 characters' },
    ])
    expect((await change(`${good} in the rain`)).status).toBe(200)
  })

  it('is typed for others only where the workspace allows it; without one somebody cannot sign in', async () => {
    const { at, cookie } = await inviting()
    const create = (body: object) =>
      post(at, '/api/settings/users', { email: `u${unique()}@acme.test`, ...body }, cookie)
    expect(await create({ password: good })).toMatchObject({ status: 403, body: { code: 'TYPED_PASSWORDS_OFF' } })
    const { id, email } = (await create({})).body.data
    expect((await post(at, '/api/auth/login', { email, password: '' })).body.code).toBe('AUTHENTICATION_ERROR')
    const patch = (body: object) => call({ method: 'PATCH', path: `/api/settings/users/${id}`, cookie, body }, at)
    expect(await patch({ password: good })).toMatchObject({ status: 403, body: { code: 'TYPED_PASSWORDS_OFF' } })
    await call({ method: 'PATCH', path: '/api/settings/sign-in', cookie, body: { typedPasswords: true } }, at)
    expect(codes(await patch({ password: email }))).toContain('CONTAINS_IDENTITY')
    expect((await patch({ password: good })).status).toBe(200)
    expect((await post(at, '/api/auth/login', { email, password: good })).status).toBe(200)
    await jobs.settled()
    expect(mailTo(jobs.mails, email)).toMatchObject({ kind: 'password-changed', subject: 'Your password was changed' })

    const theirs = await at.session(id)
    await call({ method: 'PATCH', path: '/api/me', cookie: theirs, body: { locale: 'de', timezone: 'Asia/Tokyo' } }, at)
    expect((await patch({ email: email.toUpperCase() })).status).toBe(200)
    expect((await patch({ email: 'other@acme.test' })).status).toBe(200)
    await jobs.settled()
    const told = jobs.mails.filter(({ kind }) => kind === 'email-changed')
    expect(told).toMatchObject([
      { to: { address: email.toUpperCase() }, subject: 'Ihre E-Mail-Adresse wurde geändert' },
    ])
    expect(told[0]?.text).toContain('(Asia/Tokyo)')
    const { items } = (await call({ path: '/api/settings/audit-log?action=password.typed', cookie }, at)).body
    expect(items).toMatchObject([{ subjectId: id, actorId: at.adminUserId }])
    const typed = (await create({ password: good })).body.data
    const after = (await call({ path: '/api/settings/audit-log?action=password.typed', cookie }, at)).body
    expect(after.items).toMatchObject([{ subjectId: typed.id, actorId: at.adminUserId }, { subjectId: id }])
  })
})

describe('a reset', () => {
  const ask = (at: TestWorkspace, email: string, from = `10.9.${Number(unique()) % 250}.7`) =>
    call({ method: 'POST', path: '/api/auth/reset/request', body: { email }, headers: { 'x-forwarded-for': from } }, at)
  const reset = (at: TestWorkspace, token: string, body: object = {}) =>
    post(at, '/api/auth/reset', { token, password: good, ...body })
  const linkOf = async (at: TestWorkspace, email: string): Promise<string> => {
    expect(await ask(at, email)).toMatchObject({ status: 202, body: { success: true, data: {} } })
    await jobs.settled()
    return tokenIn(mailTo(jobs.mails, email), 'reset')
  }

  it('by a link works once, ends sessions and other links, and signs in', async () => {
    const at = await api.newWorkspace()
    const { id, email } = await at.employee()
    const [old, key] = [
      await at.session(id, clock.now()),
      (await at.apiKey({ ownerId: id, scopes: ['VIEW_LEAD'] })).key,
    ]
    const [earlier, token] = [
      await linkOf(at, email.toUpperCase()).then(() => linkOf(at, email)),
      await linkOf(at, email),
    ]
    expect(mailTo(jobs.mails, email)).toMatchObject({ kind: 'password-reset', to: { address: email } })
    expect(JSON.stringify(await db.select().from(schema.outbox))).not.toContain(token)
    expect((await reset(at, token, { password: 'short' })).body.issues[0].code).toBe('TOO_SHORT')
    const done = await reset(at, token)
    expect(done).toMatchObject({ status: 200, body: { data: { step: 'DONE', user: { id } } } })
    const statusOf = async (call_: object) => (await call({ path: '/api/leads', ...call_ }, at)).status
    expect([
      await statusOf({ cookie: old }),
      await statusOf({ key }),
      await statusOf({ cookie: sessionIn(done) }),
    ]).toEqual([401, 200, 200])
    for (const dead_ of [token, earlier, 'forged']) expect(await reset(at, dead_)).toMatchObject(dead)
    expect((await post(at, '/api/auth/login', { email, password: testPassword })).status).toBe(401)
    expect((await post(at, '/api/auth/login', { email, password: good })).status).toBe(200)
    await jobs.settled()
    expect(jobs.mails.filter(({ to }) => to.address === email).map(({ kind }) => kind)).toContain('password-changed')
  })

  it('ends the keys too where that is asked for', async () => {
    const at = await api.newWorkspace()
    const { id, email } = await at.employee()
    const { key } = await at.apiKey({ ownerId: id, scopes: ['VIEW_LEAD'] })
    await reset(at, await linkOf(at, email), { endConnections: true })
    expect((await call({ path: '/api/leads', key }, at)).status).toBe(401)
  })

  it('is dead after half an hour, after a new password, and for people who may not sign in', async () => {
    const at = await api.newWorkspace()
    const { id, email } = await at.employee()
    const late = await linkOf(at, email)
    clock.advance(30 * 60_000)
    expect(await reset(at, late)).toMatchObject(dead)
    const overtaken = await linkOf(at, email)
    const changed = await post(
      at,
      '/api/auth/password',
      { current: testPassword, next: good },
      await at.session(id, clock.now()),
    )
    expect(changed.status).toBe(200)
    expect(await reset(at, overtaken)).toMatchObject(dead)
    const suspended = await linkOf(at, email)
    await db.update(schema.employees).set({ status: 'SUSPENDED' }).where(eq(schema.employees.id, id))
    expect(await reset(at, suspended)).toMatchObject(dead)
  })

  it('is dead once the account has another address, whoever changes it', async () => {
    const at = await api.newWorkspace()
    const cookie = await at.session(undefined, clock.now())
    const { id, email } = await at.employee()
    const change = async (address: string) =>
      (await call({ method: 'PATCH', path: `/api/settings/users/${id}`, cookie, body: { email: address } }, at)).status
    const first = await linkOf(at, email)
    expect(await change('new@acme.test')).toBe(200)
    expect(await reset(at, first)).toMatchObject(dead)
    const second = await linkOf(at, 'new@acme.test')
    expect(await change('NEW@acme.test')).toBe(200)
    expect((await reset(at, second)).status).toBe(200)
  })

  it('is never sent to an address that the account leaves at that moment', async () => {
    const at = await api.newWorkspace()
    const { id, email } = await at.employee()
    await ask(at, email)
    let sending: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      const isThem = eq(schema.employees.id, id)
      await tx
        .update(schema.employees)
        .set({ email: `moved-${email}` })
        .where(isThem)
      sending = jobs.settled()
      await expect.poll(() => lockWaiters(db), { timeout: 30_000 }).toHaveLength(1)
    })
    await sending
    const links = jobs.mails.filter(({ kind, to }) => kind === 'password-reset' && to.address.endsWith(email))
    expect(links.map(({ to }) => to.address)).toEqual([`moved-${email}`])
  })

  it('that is asked for 100 times is mailed three times an hour, and unknown addresses are answered alike', async () => {
    const at = await api.newWorkspace()
    const { email } = await at.employee()
    const answers = []
    for (let n = 0; n < 100; n += 1) answers.push(await ask(at, email, `10.8.${n}.1`))
    const unknown = await ask(at, 'nobody@acme.test')
    expect(new Set([...answers, unknown].map(({ status, body }) => JSON.stringify({ status, body }))).size).toBe(1)
    await jobs.settled()
    expect(jobs.mails.filter(({ to }) => to.address === email)).toHaveLength(3)
    expect(jobs.mails.filter(({ to }) => to.address === 'nobody@acme.test')).toEqual([])
    const statuses = []
    for (let n = 0; n < 21; n += 1) statuses.push((await ask(at, `n${n}@acme.test`, '10.7.1.1')).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 202), 429])
  })

  it('is sent by somebody who manages people, and says so', async () => {
    const at = await api.newWorkspace()
    const { id, email } = await at.employee()
    const cookie = await at.session()
    const send = (of: string) => post(at, `/api/settings/users/${of}/send-reset`, undefined, cookie)
    expect(await send(id)).toMatchObject({ status: 202, body: { data: { id } } })
    await jobs.settled()
    expect((await reset(at, tokenIn(mailTo(jobs.mails, email), 'reset'))).status).toBe(200)
    const [entry] = await db
      .select()
      .from(schema.auditLog)
      .where(and(eq(schema.auditLog.subjectId, id), eq(schema.auditLog.action, 'password.reset-requested')))
    expect(entry?.actorId).toBe(at.adminUserId)
    await db.update(schema.employees).set({ status: 'TERMINATED' }).where(eq(schema.employees.id, id))
    expect(await send(id)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
  })
})

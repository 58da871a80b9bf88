import { createDatabase, createPool, newId, schema } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { asDeployable, startDns, testPassword, type TestWorkspace } from '@crm/testkit'
import { startIdentityProvider, type ForgedClaims, type Forge } from '@crm/testkit/identity-provider'
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, describe, expect, it } from 'vitest'
import { ownApi, type Call, type CallAnswer } from '../../../../test/harness.ts'
import { deleteOldTries } from '../../../domain/sign-in/sign-in-tries.repository.ts'
import { deleteOldStates } from '../../../domain/sso/states.repository.ts'
import { jobsUnderTest } from '../../../../test/jobs.ts'

const dns = await startDns()
const api = await ownApi({
  outboundAllowCidrs: ['127.0.0.0/8'],
  dnsServers: [dns.address],
})
const { db, clock, logger } = api
const jobs = await jobsUnderTest(api)
const workspaces = await Promise.all([api.newWorkspace(), api.newWorkspace()])
const slugs = ['corp', 'partner']
const redirects = workspaces.flatMap(({ host }) => slugs.map((slug) => `http://${host}/api/auth/sso/${slug}/callback`))
const backTo = workspaces.map(({ host }) => `http://${host}/sign-in`)
const corp = await startIdentityProvider(redirects, backTo)
const partner = await startIdentityProvider(redirects, backTo)
afterAll(async () => {
  await Promise.all([corp.close(), partner.close()])
  await dns.close()
})

const [workspace, elsewhere] = workspaces
const { workspaceId } = workspace
const admin = await workspace.session()
const settings = (method: Call['method'], path: string, body?: unknown) =>
  api.call({ method, path: `/api/settings/${path}`, cookie: admin, body }, workspace)
await db
  .insert(schema.domains)
  .values({ workspaceId, domain: 'corp.example', challenge: 'x', verifiedAt: new Date().toISOString() })

/** A provider as the settings take it. */
const providerBody = (more: object = {}) => ({
  slug: 'corp',
  name: 'Corporate',
  issuer: corp.issuer,
  ...corp.client,
  domains: ['corp.example'],
  provisioning: 'JIT',
  ...more,
})
const { id: providerId } = (await settings('POST', 'identity-providers', providerBody())).body.data as { id: string }
const change = async (body: object) => {
  const answer = await settings('PATCH', `identity-providers/${providerId}`, body)
  expect(answer.status).toBe(200)
}

/** A browser with the cookies of the API. */
function browser(session?: string, at: TestWorkspace = workspace) {
  const jar = new Map<string, string>(session ? [session.split('=', 2) as [string, string]] : [])
  const visit = async (
    path: string,
    method: Call['method'] = 'GET',
    body?: unknown,
  ): Promise<CallAnswer & { readonly place: string }> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await api.call({ path, method, body, ...(cookie ? { cookie } : {}) }, at)
    const set = answer.headers['set-cookie']
    for (const line of (Array.isArray(set) ? set : set ? [set] : []) as string[]) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (line.includes('Max-Age=0')) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return { ...answer, place: String(answer.headers['location']) }
  }
  const start = (query = '', slug = 'corp') => visit(`/api/auth/sso/${slug}/start${query}`)
  /** Goes to the provider and back. */
  const through = async (subject: string, { query = '' } = {}) => {
    const { place } = await start(query)
    const back = await corp.signIn(place, subject)
    return visit(`${back.pathname}${back.search}`)
  }
  const me = async () => (await visit('/api/me')).body
  return { jar, visit, start, through, me }
}

/** A person at the provider, with a subject of their own. */
const member = (claims: object = {}, subject = newId()) => {
  corp.people.set(subject, { email: `${subject}@corp.example`, email_verified: true, given_name: 'Grace', ...claims })
  return subject
}

const failed = (code: string) => ({ status: 302, place: `/sign-in?error=${code}` })

describe('a sign-in', () => {
  it('goes there and back with PKCE, makes the account, and finds it again', async () => {
    const subject = member({ family_name: 'Hopper' })
    const first = browser()
    const { place } = await first.start('?next=/leads?page=2')
    const asked = new URL(place).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'crm',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      redirect_uri: redirects[0],
      state: expect.any(String),
      nonce: expect.any(String),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(first.jar.get('crm_sso')).toBeDefined()
    const back = await corp.signIn(place, subject)
    expect(back.searchParams.get('iss')).toBe(corp.issuer)
    expect(await first.visit(`${back.pathname}${back.search}`)).toMatchObject({ status: 302, place: '/leads?page=2' })
    expect(await first.me()).toMatchObject({ email: `${subject}@corp.example`, name: 'Grace Hopper' })
    const again = browser()
    await again.through(subject)
    expect((await again.me()).id).toBe((await first.me()).id)
    const sessions = (await again.visit('/api/auth/sessions')).body.data
    expect(sessions).toMatchObject([{ method: 'SSO' }, { method: 'SSO' }])
    // The session of a provider ends after its own hours.
    const { createdAt, endsAt } = sessions[0]
    expect(Date.parse(endsAt) - Date.parse(createdAt)).toBe(24 * 3_600_000)
  })

  it('works for each of several that began in one browser, once', async () => {
    const visitor = browser()
    const [one, two] = [member(), member()]
    const begun = [await visitor.start(), await visitor.start('?next=/deals')]
    const backs = [await corp.signIn(begun[0]!.place, one), await corp.signIn(begun[1]!.place, two)]
    const come = ({ pathname, search }: URL) => visitor.visit(`${pathname}${search}`)
    expect([(await come(backs[1]!)).place, (await come(backs[0]!)).place]).toEqual(['/deals', '/'])
    for (const back of backs) expect(await come(back)).toMatchObject(failed('SSO_STATE_INVALID'))
  })

  it('needs nothing of the provider but its token, once the account is linked', async () => {
    const subject = member()
    await browser().through(subject)
    corp.away.add('/me')
    corp.forge = async ({ email: _email, given_name: _name, ...claims }, { sign }) => sign(claims)
    try {
      const again = browser()
      expect(await again.through(subject)).toMatchObject({ status: 302, place: '/' })
      expect(await again.me()).toMatchObject({ email: `${subject}@corp.example` })
      // Somebody who has to be found needs the facts.
      expect(await browser().through(member())).toMatchObject(failed('SSO_REFUSED'))
    } finally {
      corp.away.clear()
      corp.forge = null
    }
  })

  it('is offered by the list of ways', async () => {
    expect((await browser().visit('/api/auth/providers')).body.data).toEqual({
      password: true,
      providers: [{ slug: 'corp', name: 'Corporate' }],
      workspaceName: expect.any(String),
    })
  })

  it.each([
    '//evil.example',
    '/.//evil.example',
    '/%2e//evil.example',
    'https://evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'leads',
  ])('never leaves the workspace for %s', async (next) => {
    const visitor = browser()
    expect((await visitor.through(member(), { query: `?next=${encodeURIComponent(next)}` })).place).toBe('/')
  })

  it('belongs to the browser that began it, and works once', async () => {
    const [one, other] = [browser(), browser()]
    const { place } = await one.start()
    await other.start()
    const back = await corp.signIn(place, member())
    const path = `${back.pathname}${back.search}`
    expect(await other.visit(path)).toMatchObject(failed('SSO_STATE_INVALID'))
    expect(await browser().visit(path)).toMatchObject(failed('SSO_STATE_INVALID'))
    expect((await one.visit(path)).place).toBe('/')
    expect(await one.visit(path)).toMatchObject(failed('SSO_STATE_INVALID'))
    expect(await one.visit('/api/auth/sso/corp/callback')).toMatchObject(failed('SSO_STATE_INVALID'))
  })

  it('is over after ten minutes', async () => {
    const late = browser()
    const { place } = await late.start()
    const back = await corp.signIn(place, member())
    await db.update(schema.ssoStates).set({ expiresAt: new Date(0).toISOString() })
    expect(await late.visit(`${back.pathname}${back.search}`)).toMatchObject(failed('SSO_STATE_INVALID'))
  })

  it('that the person refuses ends at the sign-in page', async () => {
    const visitor = browser()
    const back = await corp.refuse((await visitor.start()).place)
    expect(await visitor.visit(`${back.pathname}${back.search}`)).toMatchObject(failed('SSO_REFUSED'))
  })

  it('is not answered by another issuer', async () => {
    const visitor = browser()
    const back = await corp.signIn((await visitor.start()).place, member())
    back.searchParams.set('iss', partner.issuer)
    expect(await visitor.visit(`${back.pathname}${back.search}`)).toMatchObject(failed('SSO_TOKEN_INVALID'))
  })

  it('at a provider that nobody has is no page', async () => {
    expect((await browser().start('', 'nobody')).status).toBe(404)
  })
})

const seconds = () => Math.floor(Date.now() / 1_000)
const changed =
  (more: (claims: ForgedClaims) => ForgedClaims): Forge =>
  (claims, { sign }) =>
    sign({ ...claims, ...more(claims) })

describe('an ID token', () => {
  it.each<[string, Forge]>([
    ['with another nonce', changed(() => ({ nonce: 'another' }))],
    ['without a nonce', changed(() => ({ nonce: undefined }))],
    ['for another client', changed(() => ({ aud: 'another' }))],
    ['for several clients and another party', changed(() => ({ aud: ['crm', 'b'], azp: 'b' }))],
    ['from another issuer', changed(() => ({ iss: 'https://elsewhere.example' }))],
    ['that is over', changed(() => ({ exp: seconds() - 120, iat: seconds() - 600 }))],
    ['that is not signed', async (claims, { unsigned }) => unsigned(claims)],
    [
      'signed with the secret of the client (HS256)',
      (claims, { signWith }) => signWith(new TextEncoder().encode(corp.client.clientSecret), claims),
    ],
    [
      'with a broken signature',
      async (claims, { sign }) => {
        const token = await sign(claims)
        const [head, body, signature] = token.split('.') as [string, string, string]
        return `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
      },
    ],
    ['that is none', async () => 'nothing'],
  ])('%s is refused, and nobody is made', async (_what, forge) => {
    const subject = member()
    corp.forge = forge
    try {
      const visitor = browser()
      expect(await visitor.through(subject)).toMatchObject(failed('SSO_TOKEN_INVALID'))
      expect(visitor.jar.has('crm_session')).toBe(false)
    } finally {
      corp.forge = null
    }
    const { employees } = schema
    expect(
      await db
        .select()
        .from(employees)
        .where(eq(employees.email, `${subject}@corp.example`)),
    ).toEqual([])
  })

  it('of a new key is taken as soon as the provider signs with it', async () => {
    await browser().through(member())
    await corp.rotateKeys()
    expect((await browser().through(member())).place).toBe('/')
  })
})

describe('an account', () => {
  it('is found by a verified address of a proved domain, and by nothing less', async () => {
    const { id, email } = await workspace.employee({ email: `ada${newId().slice(-6)}@corp.example` })
    for (const [claims, code] of [
      [{ email, email_verified: false }, 'SSO_EMAIL_UNVERIFIED'],
      [{ email, email_verified: undefined }, 'SSO_EMAIL_UNVERIFIED'],
      [{ email: undefined }, 'SSO_EMAIL_UNVERIFIED'],
      [{ email: 'ada@else.example' }, 'SSO_NOT_PROVISIONED'],
    ] as const)
      expect(await browser().through(member(claims))).toMatchObject(failed(code))
    const subject = member({ email: email.toUpperCase() })
    const visitor = browser()
    await visitor.through(subject)
    expect((await visitor.me()).id).toBe(id)
    // Another account with the same address is somebody else.
    expect(await browser().through(member({ email }))).toMatchObject(failed('SSO_LINK_CONFLICT'))
    // The account moves to another address: it stays the same person.
    corp.people.set(subject, { email: `moved${newId()}@corp.example`, email_verified: true })
    const moved = browser()
    await moved.through(subject)
    expect((await moved.me()).id).toBe(id)
  })

  it('is found by an address and a word about it that stand in one document', async () => {
    const { id, email } = await workspace.employee({ email: `${newId()}@corp.example` })
    const come = async (inToken: object, elsewhere: object) => {
      const subject = member(elsewhere)
      corp.forge = changed(() => ({ email: undefined, email_verified: undefined, ...inToken }))
      try {
        const visitor = browser()
        const { place } = await visitor.through(subject)
        return { place, subject, me: await visitor.me() }
      } finally {
        corp.forge = null
      }
    }
    const unverified = { place: failed('SSO_EMAIL_UNVERIFIED').place }
    expect(await come({ email_verified: true }, { email, email_verified: false })).toMatchObject(unverified)
    expect(await come({ email_verified: true }, { email, email_verified: undefined })).toMatchObject(unverified)
    expect(await come({ email }, { email: undefined, email_verified: true })).toMatchObject(unverified)
    expect(await come({ email, email_verified: false }, { email })).toMatchObject(unverified)
    const other = await come({ email }, {})
    expect(other).toMatchObject({ place: '/', me: { email: `${other.subject}@corp.example` } })
    const denied = { email, email_verified: undefined }
    await change({ trustEmail: true })
    expect(await come({ email_verified: false }, denied)).toMatchObject(unverified)
    await change({ trustEmail: false })
    expect(await come({}, { email })).toMatchObject({ place: '/', me: { id } })
  })

  it.each([
    ['true', true],
    [null, true],
    ['false', false],
    ['yes', false],
    [1, false],
  ])('is not verified by %j, which is a word of a trusted provider: %s', async (word, isTrusted) => {
    expect(await browser().through(member({ email_verified: word }))).toMatchObject(failed('SSO_EMAIL_UNVERIFIED'))
    await change({ trustEmail: true })
    const trusted = await browser().through(member({ email_verified: word }))
    expect(trusted).toMatchObject(isTrusted ? { place: '/' } : failed('SSO_EMAIL_UNVERIFIED'))
    await change({ trustEmail: false })
  })

  it('counts as verified where the provider is trusted, unless it says otherwise', async () => {
    await change({ trustEmail: true })
    expect((await browser().through(member({ email_verified: undefined }))).place).toBe('/')
    expect(await browser().through(member({ email_verified: false }))).toMatchObject(failed('SSO_EMAIL_UNVERIFIED'))
    await change({ trustEmail: false })
  })

  it.each([
    'z@evil.example@corp.example',
    '<img src=x>@corp.example',
    '@corp.example',
    'ada <ada@corp.example>',
    'ada@else.example,b@corp.example',
    'ada..b@corp.example',
    'a\r\nbcc: b@corp.example',
  ])('is not made with %j for an address', async (email) => {
    await change({ provisioning: 'JIT' })
    expect(await browser().through(member({ email }))).toMatchObject(failed('SSO_EMAIL_INVALID'))
  })

  it('is made, linked or neither, as the provider says', async () => {
    const known = async () => member({ email: (await workspace.employee({ email: `k${newId()}@corp.example` })).email })
    await change({ provisioning: 'LINK' })
    expect(await browser().through(member())).toMatchObject(failed('SSO_NOT_PROVISIONED'))
    expect((await browser().through(await known())).place).toBe('/')
    await change({ provisioning: 'OFF' })
    expect(await browser().through(await known())).toMatchObject(failed('SSO_NOT_PROVISIONED'))
    await change({ provisioning: 'JIT' })
  })

  it('of somebody who is disabled, of a program or of the emergency access is not taken over', async () => {
    const { auditLog } = schema
    for (const status of ['SUSPENDED', 'TERMINATED'] as const) {
      const gone = await workspace.employee({ status, email: `${newId()}@corp.example` })
      expect(await browser().through(member({ email: gone.email }))).toMatchObject(failed('ACCOUNT_DISABLED'))
      const written = await db.select().from(auditLog).where(eq(auditLog.subjectId, gone.id))
      expect(written).toMatchObject([{ action: 'session.refused', data: { reason: 'DISABLED' } }])
    }
    const { id, email } = await workspace.employee({ email: `${newId()}@corp.example` })
    await settings('PATCH', 'sign-in', { breakGlassUserIds: [id] })
    expect(await browser().through(member({ email }))).toMatchObject(failed('SSO_NOT_PROVISIONED'))
    await settings('PATCH', 'sign-in', { breakGlassUserIds: [] })
    const subject = member()
    await browser().through(subject)
    await db
      .update(schema.employees)
      .set({ status: 'SUSPENDED' })
      .where(eq(schema.employees.email, `${subject}@corp.example`))
    expect(await browser().through(subject)).toMatchObject(failed('ACCOUNT_DISABLED'))
  })

  describe('with groups', () => {
    const rolesOfPerson = async (subject: string) => {
      const visitor = browser()
      await visitor.through(subject)
      const { id } = await visitor.me()
      const rows = await db
        .select({ id: schema.providerRoles.roleId })
        .from(schema.providerRoles)
        .where(eq(schema.providerRoles.employeeId, id))
      return { id: String(id), roleIds: rows.map((row) => row.id) }
    }
    it.each<[string, object, object]>([
      ['groups', { groups: ['Sales'] }, { groups: ['Other'] }],
      // Keycloak nests roles; a claim of that very name comes first.
      ['groups.roles', { groups: { roles: ['Sales'] } }, { groups: { roles: [] } }],
    ])('under %s they follow, and stay while it is not told', async (groupsClaim, told, others) => {
      const [role] = await db
        .select({ id: schema.roles.id })
        .from(schema.roles)
        .where(eq(schema.roles.workspaceId, workspaceId))
        .limit(1)
      const roleId = role!.id
      await change({ groupsClaim, groupMapping: [{ group: 'Sales', roleIds: [roleId] }] })
      const subject = member(told)
      const tell = (claims: object) => {
        const { groups: _groups, ...rest } = corp.people.get(subject) as Record<string, unknown>
        corp.people.set(subject, { ...rest, ...claims })
      }
      const { id } = await rolesOfPerson(subject)
      expect((await rolesOfPerson(subject)).roleIds).toEqual([roleId])
      // OpenID Connect Core, section 5.6.2: more groups than fit into a token are named as kept elsewhere.
      for (const silence of [{}, { groups: null }]) {
        tell(silence)
        expect((await rolesOfPerson(subject)).roleIds, JSON.stringify(silence)).toEqual([roleId])
      }
      const entries = await db
        .select({ summary: schema.auditLog.summary })
        .from(schema.auditLog)
        .where(and(eq(schema.auditLog.subjectId, id), eq(schema.auditLog.action, 'user.groups-missing')))
      expect(entries).toHaveLength(2)
      // The person and each administrator, once, although it happened twice.
      const notices = await db
        .select({ to: schema.notifications.employeeId, text: schema.notifications.text })
        .from(schema.notifications)
        .where(sql`kind = 'sign-in.groups-missing' AND data->>'personId' = ${id}`)
      expect(notices.filter(({ to }) => to === id)).toMatchObject([{ text: expect.stringContaining('your groups') }])
      const toOthers = notices.filter(({ to }) => to !== id).map(({ to }) => to)
      expect(toOthers).toContain(workspace.adminUserId)
      expect(new Set(toOthers).size).toBe(toOthers.length)
      tell(others)
      expect((await rolesOfPerson(subject)).roleIds).toEqual([])
      await change({ groupsClaim: null, groupMapping: [] })
    })
  })

  it('is the same one however the final slash of the issuer was typed', async () => {
    const subject = member()
    const before = browser()
    await before.through(subject)
    // As a version before this one stored it.
    await db
      .update(schema.identityProviders)
      .set({ issuer: `${corp.issuer}/` })
      .where(eq(schema.identityProviders.id, providerId))
    await db
      .update(schema.identities)
      .set({ issuer: `${corp.issuer}/` })
      .where(eq(schema.identities.subject, subject))
    const after = browser()
    await after.through(subject)
    expect((await after.me()).id).toBe((await before.me()).id)
    await change({ issuer: `${corp.issuer}/` })
    expect((await settings('GET', `identity-providers/${providerId}`)).body.data.issuer).toBe(corp.issuer)
    const again = browser()
    await again.through(subject)
    expect((await again.me()).id).toBe((await before.me()).id)
  })

  it('gets the roles and the department of its groups, and loses them with the groups', async () => {
    const { Member, Manager } = workspace.roleIds as { Member: string; Manager: string }
    const departmentId = await workspace.department('Sales')
    await change({
      groupsClaim: 'groups',
      defaultRoleIds: [Member],
      groupMapping: [{ group: 'managers', roleIds: [Manager], departmentId }],
    })
    const subject = member({ groups: ['managers', 'others'] })
    const visitor = browser()
    await visitor.through(subject)
    const me = await visitor.me()
    expect(new Set(me.roleIds)).toEqual(new Set([Member, Manager]))
    expect(me.departmentId).toBe(departmentId)
    corp.people.set(subject, { ...corp.people.get(subject), groups: ['others'] })
    await visitor.through(subject)
    expect(await visitor.me()).toMatchObject({ roleIds: [Member], departmentId: null })
    const moves = await db
      .select({ changes: schema.auditLog.changes, actorId: schema.auditLog.actorId })
      .from(schema.auditLog)
      .where(and(eq(schema.auditLog.subjectId, me.id), eq(schema.auditLog.action, 'user.changed')))
      .orderBy(schema.auditLog.at, schema.auditLog.id)
    expect(moves).toEqual([
      { actorId: me.id, changes: [{ field: 'departmentId', from: null, to: departmentId }] },
      { actorId: me.id, changes: [{ field: 'departmentId', from: departmentId, to: null }] },
    ])
    await change({ groupsClaim: null, defaultRoleIds: [], groupMapping: [] })
  })

  it('keeps the department that somebody chose by hand, and leaves that of a provider which is deleted', async () => {
    const [departmentId, other] = [await workspace.department('Given'), await workspace.department('Chosen')]
    const rules = { groupsClaim: 'groups', groupMapping: [{ group: 'given', roleIds: [], departmentId }] }
    const body = providerBody({ slug: 'partner', issuer: partner.issuer, ...partner.client, ...rules })
    const { id: provider } = (await settings('POST', 'identity-providers', body)).body.data as { id: string }
    const visitors = [browser(), browser(), browser()]
    const subjects = visitors.map(() => newId())
    const come = async (groups: readonly string[]) => {
      for (const [at, one] of visitors.entries()) {
        const facts = { email: `${subjects[at]}@corp.example`, email_verified: true, groups }
        partner.people.set(subjects[at]!, facts)
        const back = await partner.signIn((await one.start('', 'partner')).place, subjects[at]!)
        expect((await one.visit(`${back.pathname}${back.search}`)).place).toBe('/')
      }
    }
    const places = async () => Promise.all(visitors.map(async (one) => (await one.me()).departmentId as string | null))
    await come(['given'])
    expect(await places()).toEqual([departmentId, departmentId, departmentId])
    const [first, second] = await Promise.all(visitors.map(async (one) => (await one.me()).id as string))
    await settings('PATCH', `users/${first}`, { departmentId: other })
    await come([])
    expect(await places()).toEqual([other, null, null])
    // By hand into the very department that groups give: nobody leaves it with them.
    await settings('PATCH', `users/${second}`, { departmentId })
    await come([])
    expect(await places()).toEqual([other, departmentId, null])
    await come(['given'])
    await settings('PATCH', `users/${second}`, { departmentId: other })
    expect((await settings('DELETE', `identity-providers/${provider}`)).status).toBe(200)
    expect(await places()).toEqual([null, other, null])
  })

  it('keeps its roles as the last administrator, and the audit log says why', async () => {
    const asAdmin = { method: 'POST', cookie: await elsewhere.session() } as const
    await db.insert(schema.domains).values({
      workspaceId: elsewhere.workspaceId,
      domain: 'else.example',
      challenge: 'x',
      verifiedAt: clock.now().toISOString(),
    })
    const administrator = elsewhere.roleIds['Administrator'] as string
    const body = providerBody({
      domains: ['else.example'],
      groupsClaim: 'groups',
      groupMapping: [{ group: 'admins', roleIds: [administrator] }],
    })
    const path = '/api/settings/identity-providers'
    expect((await api.call({ ...asAdmin, path, body }, elsewhere)).status).toBe(201)
    const subject = member({ email: `last${newId()}@else.example`, groups: ['admins'] })
    const visitor = browser(undefined, elsewhere)
    await visitor.through(subject)
    const { id, roleIds } = await visitor.me()
    expect(roleIds).toEqual([administrator])
    const { auditLog, employees } = schema
    await db.update(employees).set({ status: 'SUSPENDED' }).where(eq(employees.id, elsewhere.adminUserId))
    corp.people.set(subject, { ...corp.people.get(subject), groups: [] })
    expect((await visitor.through(subject)).place).toBe('/')
    expect((await visitor.me()).roleIds).toEqual([administrator])
    await db.update(employees).set({ status: 'ACTIVE' }).where(eq(employees.id, elsewhere.adminUserId))
    await visitor.through(subject)
    expect((await visitor.me()).roleIds).toEqual([])
    const lines = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, id), eq(auditLog.action, 'user.roles-changed')))
      .orderBy(auditLog.id)
    const roles = (from: string[], to: string[]) => ({ changes: [{ field: 'roleIds', from, to }] })
    expect(lines).toMatchObject([
      { outcome: 'SUCCESS', actorId: id, ...roles([], [administrator]) },
      { outcome: 'FAILURE', actorId: id, changes: [], data: { reason: 'LAST_ADMINISTRATOR' } },
      { outcome: 'SUCCESS', ...roles([administrator], []) },
    ])
  })

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a mail', { 'sec-fetch-site': 'none' }],
    ['another site without https', { referer: 'http://evil.example/' }],
    ['a site that hides itself', {}],
    ['a site that names something else', { referer: 'about:blank' }],
  ] as const)('403 ORIGIN_REFUSED: is not linked or confirmed because %s says so', async (_what, headers) => {
    const cookie = await workspace.session((await workspace.employee()).id)
    for (const purpose of ['link', 'reauth']) {
      const path = `/api/auth/sso/corp/start?purpose=${purpose}`
      const answer = await api.call({ path, headers: { cookie, ...headers } }, workspace)
      expect(answer).toMatchObject({ status: 403, body: { code: 'ORIGIN_REFUSED' } })
    }
    expect(
      (await api.call({ path: '/api/auth/sso/corp/start', headers: { cookie, ...headers } }, workspace)).status,
    ).toBe(302)
  })

  it.each<Readonly<Record<string, string>>>([
    { 'sec-fetch-site': 'same-origin' },
    { referer: `http://${workspace.host}/settings/security` },
  ])('is linked from a page of the workspace: %o', async (headers) => {
    const cookie = await workspace.session((await workspace.employee()).id)
    const path = '/api/auth/sso/corp/start?purpose=link'
    expect((await api.call({ path, headers: { cookie, ...headers } }, workspace)).status).toBe(302)
  })

  it('is linked by its owner, who is told by mail, listed and unlinked', async () => {
    const { id, email: owner } = await workspace.employee()
    const mine = browser(await workspace.session(id))
    const subject = member()
    expect((await mine.through(subject, { query: '?purpose=link&next=/settings/security' })).place).toBe(
      '/settings/security',
    )
    const { data } = (await mine.visit('/api/auth/identities')).body
    const email = `${subject}@corp.example`
    expect(data).toMatchObject([{ issuer: corp.issuer, providerName: 'Corporate', slug: 'corp', email }])
    await jobs.settled()
    const told = jobs.mails.filter(({ kind, to }) => kind === 'identity-linked' && to.address === owner)
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining(email)])
    const stranger = await workspace.employee()
    const other = browser(await workspace.session(stranger.id))
    expect(await other.through(subject, { query: '?purpose=link' })).toMatchObject(failed('SSO_LINK_CONFLICT'))
    expect(
      await db
        .select({ outcome: schema.auditLog.outcome, data: schema.auditLog.data })
        .from(schema.auditLog)
        .where(and(eq(schema.auditLog.subjectId, stranger.id), eq(schema.auditLog.action, 'identity.refused'))),
    ).toEqual([{ outcome: 'FAILURE', data: { reason: 'SSO_LINK_CONFLICT' } }])
    const visitor = browser()
    await visitor.through(subject)
    expect((await visitor.me()).id).toBe(id)
    expect((await mine.visit(`/api/auth/identities/${data[0].id}`, 'DELETE')).status).toBe(200)
    expect((await mine.visit(`/api/auth/identities/${data[0].id}`, 'DELETE')).status).toBe(404)
    for (const purpose of ['link', 'reauth']) expect((await browser().start(`?purpose=${purpose}`)).status).toBe(401)
  })
})

describe('a second factor', () => {
  const step = async (claims: object) => (await browser().through(member(claims))).place
  it('is asked for, unless the provider has asked or is trusted to', async () => {
    await settings('PATCH', 'sign-in', { secondFactor: 'REQUIRED' })
    expect(await step({})).toBe('/sign-in?step=ENROL&next=%2F')
    corp.forge = changed(() => ({ amr: ['pwd', 'mfa'] }))
    expect(await step({})).toBe('/')
    corp.forge = null
    await change({ assumesSecondFactor: true })
    expect(await step({})).toBe('/')
    await change({ assumesSecondFactor: false })
    await settings('PATCH', 'sign-in', { secondFactor: 'OPTIONAL' })
  })
})

describe('an answer that nobody asked for', () => {
  it('does not fill the audit log, and keeps no real refusal out of it', async () => {
    const at = await api.newWorkspace()
    const { auditLog } = schema
    const written = async () => {
      const lines = await db.select().from(auditLog).where(eq(auditLog.workspaceId, at.workspaceId))
      return lines.filter(({ action }) => action === 'session.refused').map(({ data }) => data['reason'])
    }
    const answerFrom = async (address: string) => {
      const { status, headers } = await api.call(
        { path: '/api/auth/sso/corp/callback?state=x&code=y', headers: { 'x-forwarded-for': address } },
        at,
      )
      expect({ status, place: headers['location'] }).toEqual(failed('SSO_STATE_INVALID'))
    }
    for (let n = 0; n < 25; n += 1) await answerFrom('192.0.2.1')
    expect(await written()).toHaveLength(20)
    for (let n = 0; n < 200; n += 1) await answerFrom(`198.51.100.${n}`)
    expect(await written()).toHaveLength(200)
    await api.call({ method: 'POST', path: '/api/auth/login', body: { email: at.adminEmail, password: 'wrong' } }, at)
    expect((await written()).filter((reason) => reason === 'PASSWORD')).toHaveLength(1)
  })
})

describe('a start', () => {
  it('429 RATE_LIMITED: is counted by address', async () => {
    const startFrom = (address: string) =>
      api.call({ path: '/api/auth/sso/nobody/start', headers: { 'x-forwarded-for': address } }, workspace)
    for (let n = 0; n < 300; n += 1) expect((await startFrom('192.0.2.1')).status).toBe(404)
    const refused = await startFrom('192.0.2.1')
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await startFrom('192.0.2.2')).status).toBe(404)
  })
})

it('two providers at once keep their people apart', async () => {
  await settings('POST', 'identity-providers', {
    ...providerBody({ slug: 'partner', name: 'Partner', issuer: partner.issuer, domains: [] }),
  })
  const subject = member()
  partner.people.set(subject, { email: `${subject}@corp.example`, email_verified: true })
  const [one, two] = [browser(), browser()]
  const [atCorp, atPartner] = [await one.start(), await two.start('', 'partner')]
  const [backOne, backTwo] = [await corp.signIn(atCorp.place, subject), await partner.signIn(atPartner.place, subject)]
  expect((await one.visit(`${backOne.pathname}${backOne.search}`)).place).toBe('/')
  // The same subject of another issuer is another account, whose address is of no domain of that provider.
  expect(await two.visit(`${backTwo.pathname}${backTwo.search}`)).toMatchObject(failed('SSO_NOT_PROVISIONED'))
  // An answer of one provider does not fit the address of the other.
  const mixed = browser()
  const back = await corp.signIn((await mixed.start()).place, subject)
  expect(await mixed.visit(`/api/auth/sso/partner/callback${back.search}`)).toMatchObject(failed('SSO_STATE_INVALID'))
})

it('proving who one is once more needs a new sign-in there, of the linked account', async () => {
  const subject = member()
  const mine = browser()
  await mine.through(subject)
  const before = mine.jar.get('crm_session')
  expect((await mine.through(subject, { query: '?purpose=reauth&next=/settings/keys' })).place).toBe('/settings/keys')
  expect(mine.jar.get('crm_session')).not.toBe(before)
  expect((await mine.visit('/api/me')).status).toBe(200)
  expect(await mine.through(member(), { query: '?purpose=reauth' })).toMatchObject(failed('SSO_LINK_CONFLICT'))
  corp.forge = changed(() => ({ auth_time: seconds() - 3_600 }))
  expect(await mine.through(subject, { query: '?purpose=reauth' })).toMatchObject(failed('SSO_TOKEN_INVALID'))
  corp.forge = null
})

it('signing out leads to the provider where it wants that', async () => {
  await change({ rpLogout: true })
  const mine = browser()
  await mine.through(member())
  const { redirectTo } = (await mine.visit('/api/auth/logout', 'POST')).body.data
  const place = new URL(redirectTo)
  expect(place.origin).toBe(corp.issuer)
  expect(place.searchParams.get('post_logout_redirect_uri')).toBe(backTo[0])
  expect(place.searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  const page = await fetch(place)
  expect(page.status).toBe(200)
  expect((await mine.visit('/api/me')).status).toBe(401)
  const [kept] = await db.select().from(schema.ssoSessions).where(eq(schema.ssoSessions.workspaceId, workspaceId))
  expect(kept?.idToken).toMatch(/^sealed:/)
  await change({ rpLogout: false })
  const other = browser()
  await other.through(member())
  expect((await other.visit('/api/auth/logout', 'POST')).body.data.redirectTo).toBeNull()
})

it('signing out leads to the provider after a second factor, too', async () => {
  await change({ rpLogout: true })
  await settings('PATCH', 'sign-in', { secondFactor: 'REQUIRED' })
  const subject = member()
  const mine = browser()
  const leave = async () => (await mine.visit('/api/auth/logout', 'POST')).body.data.redirectTo as string
  expect((await mine.through(subject)).place).toContain('step=ENROL')
  const { secret } = (await mine.visit('/api/auth/totp', 'POST')).body.data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })
  const { recoveryCodes } = (await mine.visit('/api/auth/totp/confirm', 'POST', { code })).body.data
  expect(new URL(await leave()).origin).toBe(corp.issuer)
  expect((await mine.through(subject)).place).toContain('step=SECOND_FACTOR')
  const shown = { method: 'RECOVERY_CODE', code: recoveryCodes[0] }
  expect((await mine.visit('/api/auth/second-factor', 'POST', shown)).body.data.step).toBe('DONE')
  expect(new URL(await leave()).searchParams.get('id_token_hint')).toBeTruthy()
  await settings('PATCH', 'sign-in', { secondFactor: 'OPTIONAL' })
  await change({ rpLogout: false })
})

it('is forgotten with a person who is erased: no token of theirs stays, and those of others do', async () => {
  await change({ rpLogout: true })
  const subject = member()
  const [staying, leaving, waiting, other] = [browser(), browser(), browser(), browser()]
  for (const one of [staying, leaving]) await one.through(subject)
  const { id, email } = await staying.me()
  await leaving.visit('/api/auth/logout', 'POST')
  await other.through(member())
  await settings('PATCH', 'sign-in', { secondFactor: 'REQUIRED' })
  expect((await waiting.through(subject)).place).toContain('step=ENROL')
  const { ssoSessions } = schema
  const kept = () => db.$count(ssoSessions, eq(ssoSessions.workspaceId, workspaceId))
  const inUse = async () => {
    const { sessions } = schema
    const ofOthers = and(eq(sessions.workspaceId, workspaceId), isNotNull(sessions.ssoId), ne(sessions.employeeId, id))
    return db.$count(sessions, ofOthers)
  }
  expect(await kept()).toBeGreaterThanOrEqual(4)
  expect((await settings('DELETE', `users/${id}`)).status).toBe(200)
  // A token is not kept for somebody who may not sign in.
  const before = await kept()
  expect(await browser().through(subject)).toMatchObject(failed('ACCOUNT_DISABLED'))
  expect(await kept()).toBe(before)
  const body = { subject: { type: 'EMPLOYEE', id }, confirm: email }
  expect((await settings('POST', 'privacy/erasures', body)).body.data.erased).toMatchObject({ sso_sessions: 2 })
  expect(await kept()).toBe(await inUse())
  expect((await other.visit('/api/auth/logout', 'POST')).body.data.redirectTo).toContain('id_token_hint')
  await settings('PATCH', 'sign-in', { secondFactor: 'OPTIONAL' })
  await change({ rpLogout: false })
})

describe('a role and a department that rules name', () => {
  const inUse = (count: number) => ({ status: 409, body: { code: 'IN_USE', details: { count } } })
  const newRole = async () => {
    const { body } = await settings('POST', 'roles', { name: `Role ${newId()}`, permissions: [] })
    return body.data.id as string
  }

  it('409 IN_USE: stay as long as a provider or the policy names them', async () => {
    const departmentId = await workspace.department('Mapped')
    const [mapped, usual, strict] = [await newRole(), await newRole(), await newRole()]
    await change({ defaultRoleIds: [usual], groupMapping: [{ group: 'a', roleIds: [mapped, usual], departmentId }] })
    await settings('PATCH', 'sign-in', { secondFactorRoleIds: [strict] })
    const removeDepartment = () =>
      api.call({ method: 'DELETE', path: `/api/departments/${departmentId}`, cookie: admin }, workspace)
    for (const id of [mapped, usual, strict]) expect(await settings('DELETE', `roles/${id}`)).toMatchObject(inUse(1))
    expect(await removeDepartment()).toMatchObject(inUse(1))
    await change({ defaultRoleIds: [], groupMapping: [] })
    await settings('PATCH', 'sign-in', { secondFactorRoleIds: [] })
    for (const id of [mapped, usual, strict]) expect((await settings('DELETE', `roles/${id}`)).status).toBe(200)
    expect((await removeDepartment()).status).toBe(200)
  })
})

describe('the settings of a provider', () => {
  it('never show the secret, which is sealed', async () => {
    const { body } = await settings('GET', `identity-providers/${providerId}`)
    expect(body.data).toMatchObject({ hasSecret: true, authMethod: 'client_secret_basic', sessionHours: 24 })
    expect(JSON.stringify(body)).not.toContain(corp.client.clientSecret)
    const { identityProviders } = schema
    const [row] = await db.select().from(identityProviders).where(eq(identityProviders.id, providerId))
    expect(row?.clientSecret).toMatch(/^sealed:/)
  })

  it.each([
    ['an issuer that nobody answers for', { issuer: 'http://127.0.0.1:9' }, 'ISSUER_UNREACHABLE'],
    ['an issuer beyond the allowed networks', { issuer: 'http://169.254.169.254' }, 'ISSUER_UNREACHABLE'],
    ['an issuer that is called otherwise', { issuer: corp.issuer.replace('127.0.0.1', '127.0.0.2') }, null],
    ['an issuer with another path', { issuer: `${corp.issuer}/tenant` }, 'ISSUER_UNREACHABLE'],
    ['a slug that is taken', {}, 'NAME_TAKEN'],
    ['a role that nobody knows', { slug: 'x', defaultRoleIds: [newId()] }, 'INVALID_REFERENCE'],
    [
      'a department that nobody knows',
      { slug: 'x', groupMapping: [{ group: 'a', roleIds: [], departmentId: newId() }] },
      'INVALID_REFERENCE',
    ],
    [
      'a way that needs a secret, and none',
      { slug: 'x', clientSecret: null, authMethod: 'client_secret_post' },
      'VALIDATION_ERROR',
    ],
  ])('are refused with %s', async (_what, wrong, code) => {
    const { status, body } = await settings('POST', 'identity-providers', providerBody(wrong))
    expect(status).toBeGreaterThanOrEqual(400)
    if (code) expect(body.code).toBe(code)
  })

  it('send a kept secret to no other issuer', async () => {
    const body = providerBody({ slug: 'moving' })
    const { id } = (await settings('POST', 'identity-providers', body)).body.data as { id: string }
    const move = (more: object) => settings('PATCH', `identity-providers/${id}`, { issuer: partner.issuer, ...more })
    for (const more of [{}, { isActive: false }, { authMethod: 'none' }, { clientId: 'mine' }])
      expect(await move(more)).toMatchObject({ status: 400, body: { issues: [{ path: ['clientSecret'] }] } })
    expect((await settings('GET', `identity-providers/${id}`)).body.data.issuer).toBe(corp.issuer)
    expect((await move({ clientSecret: partner.client.clientSecret })).status).toBe(200)
    expect((await settings('PATCH', `identity-providers/${id}`, { issuer: partner.issuer, name: 'Same' })).status).toBe(
      200,
    )
    await settings('DELETE', `identity-providers/${id}`)
  })

  it.each([
    ['end_session_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', 'data:text/html,x'],
    ['token_endpoint', 'file:///etc/passwd'],
    ['userinfo_endpoint', 'relative'],
    ['end_session_endpoint', 7],
  ])('are refused with %s: %j', async (name, address) => {
    const { createServer: createHttp } = await import('node:http')
    const odd = createHttp((request, response) => {
      response.setHeader('content-type', 'application/json')
      const issuer = `http://${request.headers.host}`
      const good = { issuer, authorization_endpoint: issuer, token_endpoint: issuer, jwks_uri: issuer }
      response.end(JSON.stringify({ ...good, [name]: address }))
    })
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(odd.address() as { port: number }).port}`
    const { body } = await settings('POST', 'identity-providers', providerBody({ slug: 'odd', issuer }))
    expect(body.code).toBe('ISSUER_UNREACHABLE')
    await new Promise<void>((resolve) => odd.close(() => resolve()))
  })

  it('are refused with metadata of another issuer', async () => {
    const { createServer: createHttp } = await import('node:http')
    const liar = createHttp((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          issuer: corp.issuer,
          authorization_endpoint: corp.issuer,
          token_endpoint: corp.issuer,
          jwks_uri: corp.issuer,
        }),
      )
    })
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(liar.address() as { port: number }).port}`
    expect((await settings('POST', 'identity-providers', providerBody({ slug: 'liar', issuer }))).body).toMatchObject({
      code: 'ISSUER_MISMATCH',
      error: `The identity provider calls itself ${corp.issuer}; enter exactly that`,
    })
    await new Promise<void>((resolve) => liar.close(() => resolve()))
  })

  it('belong to people who may do everything that others may', async () => {
    const { id } = await workspace.employee({ grant: { permissions: ['MANAGE_WORKSPACE'] } })
    const cookie = await workspace.session(id)
    for (const [path, body] of [
      ['identity-providers', providerBody({ slug: 'mine' })],
      ['domains', { domain: 'mine.example' }],
    ] as const)
      expect(await api.call({ method: 'POST', path: `/api/settings/${path}`, cookie, body }, workspace)).toMatchObject({
        status: 403,
        body: { code: 'ACCESS_DENIED' },
      })
  })
})

describe('a domain', () => {
  const inOther = async (method: Call['method'], path: string, body?: unknown) =>
    api.call({ method, path: `/api/settings/domains${path}`, cookie: await elsewhere.session(), body }, elsewhere)

  it('is proved by a record in DNS, by one workspace', async () => {
    const made = (await settings('POST', 'domains', { domain: 'Proof.Example' })).body.data
    expect(made).toMatchObject({
      domain: 'proof.example',
      status: 'PENDING',
      record: { type: 'TXT', name: '_crm-challenge.proof.example', value: expect.stringMatching(/^crm-domain=/) },
    })
    const verify = () => settings('POST', `domains/${made.id}/verify`)
    expect(await verify()).toMatchObject({ status: 409, body: { code: 'DOMAIN_NOT_VERIFIED' } })
    dns.texts.set(made.record.name, 'crm-domain=another')
    expect((await verify()).body.code).toBe('DOMAIN_NOT_VERIFIED')
    dns.texts.set(made.record.name, made.record.value)
    expect((await verify()).body.data).toMatchObject({ status: 'VERIFIED', verifiedAt: expect.any(String) })
    const theirs = (await inOther('POST', '', { domain: 'proof.example' })).body.data
    dns.texts.set(theirs.record.name, theirs.record.value)
    expect(await inOther('POST', `/${theirs.id}/verify`)).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN' } })
    expect((await settings('DELETE', `domains/${made.id}`)).status).toBe(200)
    expect((await inOther('POST', `/${theirs.id}/verify`)).body.data.status).toBe('VERIFIED')
    expect((await settings('POST', `domains/${made.id}/verify`)).status).toBe(404)
    const { auditLog } = schema
    const lines = await db
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(and(eq(auditLog.workspaceId, workspaceId), eq(auditLog.subjectId, made.id)))
      .orderBy(auditLog.at, auditLog.id)
    expect(lines.map(({ action }) => action)).toEqual(['domain.created', 'domain.changed', 'domain.deleted'])
  })

  it('is taken once, and is a domain', async () => {
    expect((await settings('POST', 'domains', { domain: 'corp.example' })).body.code).toBe('NAME_TAKEN')
    for (const domain of ['localhost', '127.0.0.1', 'a b.example', 'x.example/path', ''])
      expect((await settings('POST', 'domains', { domain })).body.code).toBe('VALIDATION_ERROR')
  })
})

describe('an enforced provider', () => {
  const login = (email: string, password = testPassword) =>
    api.call({ method: 'POST', path: '/api/auth/login', body: { email, password } }, workspace)

  it('leaves a way in for an administrator with a second factor, and no other', async () => {
    const keeper = await workspace.employee({ roles: ['Administrator'] })
    const enforce = (breakGlassUserIds: string[]) =>
      settings('PATCH', 'sign-in', { enforceSso: true, breakGlassUserIds })
    const manager = await workspace.employee({ roles: ['Manager'] })
    for (const ids of [[], [manager.id], [keeper.id]])
      expect(await enforce(ids)).toMatchObject({ status: 409, body: { code: 'BREAK_GLASS_REQUIRED' } })
    const confirmedAt = clock.now().toISOString()
    const second = await workspace.employee()
    await db
      .insert(schema.totpFactors)
      .values({ workspaceId, employeeId: keeper.id, secret: 'x', confirmedAt, createdAt: confirmedAt })
    expect((await enforce([keeper.id, second.id])).status).toBe(200)
    expect((await browser().visit('/api/auth/providers')).body.data.password).toBe(false)
    const refused = { status: 403, body: { code: 'SSO_REQUIRED' } }
    for (const [email, password] of [
      [manager.email, testPassword],
      [manager.email, 'a wrong password'],
      ['nobody@corp.example', 'a wrong password'],
      [keeper.email, 'a wrong password'],
    ] as const)
      expect(await login(email, password)).toMatchObject(refused)
    for (const [path, body] of [
      ['/api/auth/invitations/accept', { token: 'any', password: 'a good long password' }],
      ['/api/auth/reset', { token: 'any', password: 'a good long password' }],
    ] as const)
      expect(await api.call({ method: 'POST', path, body }, workspace)).toMatchObject(refused)
    expect(await login(keeper.email)).toMatchObject({ status: 200, body: { data: { step: 'SECOND_FACTOR' } } })
    expect((await browser().through(member())).place).toBe('/')
    const { auditLog } = schema
    const used = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.workspaceId, workspaceId), eq(auditLog.action, 'break-glass.used')))
    expect(used).toMatchObject([{ actorId: keeper.id, subjectId: keeper.id, outcome: 'SUCCESS' }])
    await jobs.settled()
    const told = jobs.mails.filter(({ kind }) => kind === 'break-glass-used').map(({ to }) => to.address)
    expect(told.toSorted()).toEqual([keeper.email, second.email].toSorted())
    await settings('PATCH', 'sign-in', { enforceSso: false, breakGlassUserIds: [] })
    expect((await login(manager.email)).status).toBe(200)
  })
})

describe('an enforced provider tells nobody', () => {
  it('which passwords are right: they are counted like wrong ones, and written down', async () => {
    const at = await api.newWorkspace()
    const cookie = await at.session()
    const keeper = await at.employee({ roles: ['Administrator'] })
    const [first, second] = [await at.employee(), await at.employee()]
    const confirmedAt = clock.now().toISOString()
    await db
      .insert(schema.totpFactors)
      .values({ workspaceId: at.workspaceId, employeeId: keeper.id, secret: 'x', confirmedAt, createdAt: confirmedAt })
    const invited = newSecret()
    const digested = { invited: digest(invited), reset: digest(invited) }
    const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
    const named = { email: 'new@corp.example', roleIds: [], invitedById: at.adminUserId, tokenHash: digested.invited }
    await db.insert(schema.invitations).values({ workspaceId: at.workspaceId, id: newId(), ...named, expiresAt })
    await db
      .insert(schema.passwordResets)
      .values({ workspaceId: at.workspaceId, tokenHash: digested.reset, employeeId: second.id, expiresAt })
    const rule = { enforceSso: true, breakGlassUserIds: [keeper.id] }
    const enforced = await api.call({ method: 'PATCH', path: '/api/settings/sign-in', cookie, body: rule }, at)
    expect(enforced.status).toBe(200)
    const post = (path: string, body: object) => api.call({ method: 'POST', path: `/api/auth/${path}`, body }, at)
    const login = (email: string, password: string) => post('login', { email, password })
    const codesOf = async (passwords: readonly string[], email: string) => {
      const codes: string[] = []
      for (const password of passwords) codes.push((await login(email, password)).body.code as string)
      return codes
    }
    const tries = [...Array.from({ length: 9 }, () => 'wrong'), testPassword, testPassword]
    const wrong = tries.map(() => 'wrong')
    const expected = [...Array.from({ length: 10 }, () => 'SSO_REQUIRED'), 'RATE_LIMITED']
    expect([await codesOf(tries, first.email), await codesOf(wrong, second.email)]).toEqual([expected, expected])
    const password = 'a wholly different sentence 47'
    for (const [path, token] of [
      ['invitations/accept', invited],
      ['invitations/accept', 'no such link'],
      ['reset', invited],
      ['reset', 'no such link'],
    ] as const)
      expect(await post(path, { token, password })).toMatchObject({ status: 403, body: { code: 'SSO_REQUIRED' } })
    const { items } = (
      await api.call({ path: '/api/settings/audit-log?action=session.refused&pageSize=100', cookie }, at)
    ).body
    const reasonsOf = (name: string) =>
      Object.entries(
        Object.groupBy(
          (items as { actorName: string; data: { reason: string } }[]).filter(({ actorName }) => actorName === name),
          ({ data }) => data.reason,
        ),
      ).map(([reason, all]) => [reason, all?.length])
    expect(Object.fromEntries(reasonsOf(first.email))).toEqual({ PASSWORD: 9, SSO: 1, THROTTLED: 1 })
    expect(Object.fromEntries(reasonsOf(second.email))).toEqual({ PASSWORD: 10, SSO: 1, THROTTLED: 1 })
    expect(Object.fromEntries(reasonsOf('new@corp.example'))).toEqual({ SSO: 1 })
  })
})

describe('a lost SECRETS_KEY', () => {
  const unreadable = 'sealed:1:9-00000000:AAAA'

  it('keeps nobody signed in, and answers a way through a provider on the sign-in page', async () => {
    const { identityProviders, ssoSessions } = schema
    await change({ rpLogout: true })
    const subject = member()
    const visitor = browser()
    expect((await visitor.through(subject)).place).toBe('/')
    await db.update(ssoSessions).set({ idToken: unreadable }).where(eq(ssoSessions.workspaceId, workspaceId))
    const left = await visitor.visit('/api/auth/logout', 'POST')
    expect(left).toMatchObject({ status: 200, body: { data: { redirectTo: expect.stringContaining(corp.issuer) } } })
    expect((await visitor.visit('/api/me')).status).toBe(401)
    const ofProvider = eq(identityProviders.id, providerId)
    const [kept] = await db.select().from(identityProviders).where(ofProvider)
    await db.update(identityProviders).set({ clientSecret: unreadable }).where(ofProvider)
    expect(await browser().through(subject)).toMatchObject(failed('SSO_REFUSED'))
    await db.update(identityProviders).set({ clientSecret: kept!.clientSecret }).where(ofProvider)
    await change({ rpLogout: false })
    expect((await browser().through(subject)).place).toBe('/')
  })
})

it('leaves nothing of what was begun and never ended', async () => {
  const pool = createPool({
    databaseUrl: api.databaseUrl,
    max: 1,
    applicationName: 'test-old-sign-ins',
    ...asDeployable,
  })
  try {
    const { pendingSignIns, passkeyChallenges, passwordResets, signInTries, ssoStates } = schema
    const employeeId = workspace.adminUserId
    const hash = () => Buffer.from(newId())
    const ago = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000).toISOString()
    const insert = async (expiresAt: string, dayLater: string) => {
      const state = {
        providerId,
        browserHash: hash(),
        nonce: 'n',
        verifier: 'v',
        purpose: 'sign-in',
        next: '/',
      } as const
      await db
        .insert(pendingSignIns)
        .values({ workspaceId, tokenHash: hash(), employeeId, step: 'ENROL', method: 'SSO', expiresAt })
      await db
        .insert(passkeyChallenges)
        .values({ workspaceId, challenge: newId(), employeeId, purpose: 'ADD', expiresAt })
      await db.insert(passwordResets).values({ workspaceId, tokenHash: hash(), employeeId, expiresAt: dayLater })
      await db.insert(signInTries).values({ workspaceId, key: newId(), endsAt: expiresAt })
      await db.insert(ssoStates).values({ ...state, workspaceId, stateHash: hash(), expiresAt })
    }
    const tables = [pendingSignIns, passkeyChallenges, passwordResets, signInTries, ssoStates]
    const counts = () => Promise.all(tables.map((table) => db.$count(table, eq(table.workspaceId, workspaceId))))
    for (const table of tables) await db.delete(table).where(eq(table.workspaceId, workspaceId))
    await insert(ago(0.1), ago(25))
    await insert(ago(-0.1), ago(23))
    expect(await counts()).toEqual([2, 2, 2, 2, 2])
    await deleteOldTries({ db: createDatabase(pool), clock, logger })
    await deleteOldStates({ db: createDatabase(pool), clock, logger })
    expect(await counts()).toEqual([1, 1, 1, 1, 1])
  } finally {
    await pool.end()
  }
})

it('is written to the audit log, also when it is refused', async () => {
  expect(clock.now()).toBeInstanceOf(Date)
  const { auditLog } = schema
  const lines = await db
    .selectDistinct({ action: auditLog.action })
    .from(auditLog)
    .where(eq(auditLog.workspaceId, workspaceId))
  expect(lines.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'identity-provider.created',
      'identity-provider.changed',
      'identity.linked',
      'identity.unlinked',
      'user.provisioned',
      'session.started',
      'session.refused',
      'session.reauthenticated',
    ]),
  )
})

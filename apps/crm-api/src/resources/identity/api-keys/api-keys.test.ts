import { createDatabase, createPool, schema } from '@crm/db'
import { asDeployable, eventually } from '@crm/testkit'
import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'
import { jobsUnderTest } from '../../../../test/jobs.ts'
import { tellExpiringKeys } from '../../../workers/tell-expiring-keys.ts'

const api = await ownApi()
const { call, workspace, db, clock, logger } = api
const jobs = await jobsUnderTest(api)
const { workspaceId } = workspace
const cookie = await workspace.session()
const path = '/api/settings/api-keys'

const create = (body: object) =>
  call({ method: 'POST', path, cookie, body: { name: 'Website', scopes: ['VIEW_LEAD', 'CREATE_LEAD'], ...body } })
const roleId = async (name: string) => {
  const { items } = (await call({ path: '/api/settings/roles', cookie })).body
  return (items as { id: string; name: string }[]).find((role) => role.name === name)?.id as string
}
const service = async (role = 'Administrator', as = cookie) => {
  const body = { kind: 'SERVICE', name: 'Nightly sync', roleIds: [await roleId(role)] }
  return (await call({ method: 'POST', path: '/api/settings/users', cookie: as, body })).body.data
}
const leads = (key: string, address?: string) =>
  call({ path: '/api/leads', key, ...(address ? { headers: { 'x-forwarded-for': address } } : {}) })

describe('a permission without any record', () => {
  const access = [{ entityType: 'LEAD', VIEW: 'NONE', UPDATE: 'NONE', DELETE: 'NONE' }] as const
  const person = (grant: Parameters<typeof workspace.employee>[0]) => workspace.employee(grant)

  it('can be given to a key of one’s own, which then reads nothing; one that is not held cannot', async () => {
    const ada = await person({ grant: { permissions: ['MANAGE_API_KEYS', 'VIEW_LEAD', 'UPDATE_LEAD'], access } })
    const give = async (scopes: readonly string[], ownerId = ada.id) =>
      call({ method: 'POST', path, cookie: await workspace.session(ada.id), body: { name: 'Own', scopes, ownerId } })
    const { status, body } = await give(['VIEW_LEAD', 'UPDATE_LEAD'])
    expect(status).toBe(201)
    expect(await leads(body.data.key)).toMatchObject({ status: 403, body: { code: 'ACCESS_LEVEL_NONE' } })
    expect(await give(['VIEW_LEAD', 'CREATE_LEAD'])).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
    const mightier = await person({ grant: { permissions: ['VIEW_LEAD'], access: [] } })
    expect(await give(['VIEW_LEAD'], mightier.id)).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
  })
})

describe('the list of keys', () => {
  it('is searched by the name, the first letters and the owner, and leaves out what is over', async () => {
    const { id: owner } = await workspace.employee({ roles: ['Member'] })
    await call({
      method: 'PATCH',
      path: `/api/settings/users/${owner}`,
      cookie,
      body: { firstName: 'Zoë', lastName: 'Quill' },
    })
    const made = async (body: object) => (await create(body)).body.data as { id: string; prefix: string }
    const hers = await made({ name: 'Ledger bridge', ownerId: owner })
    const gone = await made({ name: 'Ledger archive' })
    await call({ method: 'DELETE', path: `${path}/${gone.id}`, cookie })
    const found = async (query: object) => {
      const { body } = await call({ path: `${path}?${new URLSearchParams({ ...query })}`, cookie })
      return { total: body.total, ids: (body.items as { id: string }[]).map(({ id }) => id) }
    }
    expect(await found({ search: 'zoe quill' })).toEqual({ total: 1, ids: [hers.id] })
    expect(await found({ search: hers.prefix })).toEqual({ total: 1, ids: [hers.id] })
    expect(await found({ search: 'ledger' })).toEqual({ total: 2, ids: [gone.id, hers.id] })
    expect(await found({ search: 'ledger', isActive: 'true' })).toEqual({ total: 1, ids: [hers.id] })
    expect(await found({ search: 'ledger', isActive: 'false' })).toEqual({ total: 1, ids: [gone.id] })
    expect(await found({ search: 'no such key' })).toEqual({ total: 0, ids: [] })
  })
})

describe('a service account', () => {
  it('has a name and roles, and never signs in', async () => {
    const made = await service('Member')
    expect(made).toMatchObject({ kind: 'SERVICE', name: 'Nightly sync', status: 'ACTIVE' })
    const { status } = await call({
      method: 'POST',
      path: '/api/auth/login',
      body: { email: made.email, password: 'a long password' },
    })
    expect(status).toBe(401)
  })

  it.each([
    ['an address', { email: 'a@b.example' }, 'email'],
    ['a password', { password: 'a long password' }, 'password'],
    ['a manager', { managerId: workspace.adminUserId }, 'managerId'],
    ['no name', { name: undefined }, 'name'],
  ])('is refused with %s', async (_what, wrong, field) => {
    const body = { kind: 'SERVICE', name: 'Sync', ...wrong }
    expect(await call({ method: 'POST', path: '/api/settings/users', cookie, body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: [field] }] },
    })
  })

  it('keeps its name, and gets no password later', async () => {
    const { id } = await service()
    const change = (body: object) => call({ method: 'PATCH', path: `/api/settings/users/${id}`, cookie, body })
    expect((await change({ name: 'Hourly sync' })).body.data.name).toBe('Hourly sync')
    for (const field of ['email', 'password'])
      expect(await change({ [field]: 'someone@example.com' })).toMatchObject({
        status: 400,
        body: { issues: [{ path: [field] }] },
      })
    expect(
      await call({
        method: 'PATCH',
        path: `/api/settings/users/${workspace.adminUserId}`,
        cookie,
        body: { name: 'Ada' },
      }),
    ).toMatchObject({ status: 400, body: { issues: [{ path: ['name'] }] } })
  })

  it('does not count as the administrator who stays', async () => {
    await service('Administrator')
    expect(
      await call({ method: 'DELETE', path: `/api/settings/users/${workspace.adminUserId}`, cookie }),
    ).toMatchObject({ status: 409, body: { code: 'LAST_ADMINISTRATOR' } })
  })

  it('owns keys that outlive the person who made them', async () => {
    const owner = await service()
    const maker = await workspace.employee({ roles: ['Administrator'] })
    const { body } = await call({
      method: 'POST',
      path,
      cookie: await workspace.session(maker.id),
      body: { name: 'Sync', scopes: ['VIEW_LEAD'], ownerId: owner.id },
    })
    await call({ method: 'DELETE', path: `/api/settings/users/${maker.id}`, cookie })
    expect((await leads(body.data.key)).status).toBe(200)
  })
})

describe('a key', () => {
  it('has an owner of the workspace who is active', async () => {
    const gone = await workspace.employee({ status: 'TERMINATED' })
    for (const ownerId of [gone.id, '01890000-0000-7000-8000-000000000000'])
      expect(await create({ ownerId })).toMatchObject({ status: 400, body: { code: 'INVALID_REFERENCE' } })
  })

  it('works only from its addresses; the first try from elsewhere is written down', async () => {
    const { body } = await create({ allowedCidrs: ['192.0.2.0/24', '2001:db8::/32'] })
    const { id, key, allowedCidrs } = body.data
    expect(allowedCidrs).toEqual(['192.0.2.0/24', '2001:db8::/32'])
    for (const address of ['192.0.2.9', '2001:db8::1']) expect((await leads(key, address)).status).toBe(200)
    for (const address of ['192.0.3.9', '2001:db9::1', '192.0.3.9'])
      expect(await leads(key, address)).toMatchObject({ status: 403, body: { code: 'ADDRESS_NOT_ALLOWED' } })
    const { auditLog } = schema
    const lines = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.workspaceId, workspaceId), eq(auditLog.action, 'api-key.refused')))
      .orderBy(auditLog.id)
    expect(lines.map(({ subjectId, address, outcome }) => [subjectId, address, outcome])).toEqual([
      [id, '192.0.3.9', 'FAILURE'],
      [id, '2001:db9::1', 'FAILURE'],
    ])
  })

  it.each(['everywhere', '10.0.0.0/33', '300.1.1.1', '::/129'])('does not take %s for a block', async (block) => {
    expect(await create({ allowedCidrs: ['10.0.0.0/8', block] })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['allowedCidrs', 1] }] },
    })
  })

  it('shows where it was used last', async () => {
    const { body } = await create({})
    await leads(body.data.key, '198.51.100.7')
    await eventually(async () =>
      expect((await call({ path: `${path}/${body.data.id}`, cookie })).body.data).toMatchObject({
        lastUsedAddress: '198.51.100.7',
        lastUsedAt: expect.any(String),
      }),
    )
  })

  it('is dead at once without an overlap', async () => {
    const first = (await create({})).body.data
    await call({ method: 'POST', path: `${path}/${first.id}/rotate`, cookie })
    expect((await leads(first.key)).status).toBe(401)
  })

  it('lives no longer than the workspace allows, and neither does its successor', async () => {
    const endless = (await create({})).body.data
    const policy = (keyMaxDays: number | null) =>
      call({ method: 'PATCH', path: '/api/settings/sign-in', cookie, body: { keyMaxDays } })
    await policy(30)
    const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString()
    for (const expiresAt of [null, inDays(31)])
      expect(await create({ expiresAt })).toMatchObject({ status: 400, body: { issues: [{ path: ['expiresAt'] }] } })
    expect((await create({ expiresAt: inDays(29) })).status).toBe(201)
    const rotated = await call({ method: 'POST', path: `${path}/${endless.id}/rotate`, cookie })
    expect(rotated.body.data.expiresAt).toBe(inDays(30))
    await policy(null)
  })

  it('works beside its successor for the overlap, and keeps its limits', async () => {
    const first = (await create({ allowedCidrs: ['127.0.0.0/8'] })).body.data
    const rotated = await call({
      method: 'POST',
      path: `${path}/${first.id}/rotate`,
      cookie,
      body: { overlapHours: 2 },
    })
    expect(rotated).toMatchObject({ status: 201, body: { data: { allowedCidrs: ['127.0.0.0/8'], expiresAt: null } } })
    expect([(await leads(first.key)).status, (await leads(rotated.body.data.key)).status]).toEqual([200, 200])
    clock.advance(2 * 3_600_000)
    expect([(await leads(first.key)).status, (await leads(rotated.body.data.key)).status]).toEqual([401, 200])
  })
})

describe('the end of a key', () => {
  const pool = createPool({
    databaseUrl: api.databaseUrl,
    max: 1,
    applicationName: 'test-expiring-keys',
    ...asDeployable,
  })
  afterAll(() => pool.end())
  const tell = async () => {
    await tellExpiringKeys({ db: createDatabase(pool), clock, logger })
    await jobs.settled()
    const told = jobs.mails.splice(0).filter(({ kind }) => kind === 'key-expiring')
    // Keys of other tests have other names.
    const ours = told.flatMap(({ to, text }) => (/Key \w+/.exec(text) ?? []).map((name) => `${name} to ${to.address}`))
    return ours.toSorted()
  }
  const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString()
  const day = 86_400_000

  it('is mailed once to its owner a week before, and never of a key that is revoked', async () => {
    await tell()
    const owner = await workspace.employee()
    const maker = await workspace.employee({ roles: ['Administrator'] })
    const as = await workspace.session(maker.id)
    const account = await service('Member', as)
    const make = async (name: string, body: object) => {
      const made = await call({ method: 'POST', path, cookie: as, body: { name, scopes: ['VIEW_LEAD'], ...body } })
      expect(made.status).toBe(201)
      return made.body.data.id as string
    }
    const expiresAt = inDays(30)
    await make('Key endless', { ownerId: owner.id, expiresAt: null })
    await make('Key later', { ownerId: owner.id, expiresAt: inDays(60) })
    const own = await make('Key own', { ownerId: owner.id, expiresAt })
    await make('Key program', { ownerId: account.id, expiresAt })
    const token = { name: 'Key directory', ownerId: account.id, expiresAt }
    expect((await call({ method: 'POST', path: '/api/settings/scim-tokens', cookie: as, body: token })).status).toBe(
      201,
    )
    const revoked = await make('Key revoked', { ownerId: owner.id, expiresAt })
    expect((await call({ method: 'DELETE', path: `${path}/${revoked}`, cookie: as })).status).toBe(200)
    expect(await tell()).toEqual([])
    clock.advance(23 * day + 1_000)
    expect(await tell()).toEqual([
      `Key directory to ${maker.email}`,
      `Key own to ${owner.email}`,
      `Key program to ${maker.email}`,
    ])
    expect(await tell()).toEqual([])
    // Another end is told again.
    await db
      .update(schema.apiKeys)
      .set({ expiresAt: inDays(6) })
      .where(eq(schema.apiKeys.id, own))
    expect(await tell()).toEqual([`Key own to ${owner.email}`])
    expect(await tell()).toEqual([])
  })
})

import { lockRights, newId, schema } from '@crm/db'
import { permissionNames } from '@crm/permissions'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi, type CallAnswer } from './harness.ts'
import { leadsAt, newWorld, type Person, type World } from './reach.attacks.ts'

const api = await ownApi()
const { db } = api

/** Sends requests that all arrive before the first of them changes anything. */
async function atOnce(world: World, ...requests: readonly (() => Promise<CallAnswer>)[]): Promise<CallAnswer[]> {
  let answers: Promise<CallAnswer[]> | undefined
  await db.transaction(async (tx) => {
    await lockRights(tx, world.workspace.workspaceId)
    answers = Promise.all(requests.map((request) => request()))
    await expect.poll(waiting).toBe(requests.length)
  })
  return (await answers) ?? []
}

async function waiting(): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
  return rows[0]?.n ?? 0
}

/** Creates a person with all rights, through a role of their own that can be changed. */
async function bossOf(world: World): Promise<Person> {
  const { id, email } = await world.workspace.employee({ grant: { permissions: permissionNames } })
  const [held] = await db.select().from(schema.employeeRoles).where(eq(schema.employeeRoles.employeeId, id))
  return { id, email, cookie: await world.workspace.session(id), roleId: held?.roleId ?? '' }
}

/** Creates a world whose only active administrator is this person. */
async function withOneBoss(): Promise<{ world: World; boss: Person }> {
  const world = await newWorld(api)
  const boss = await bossOf(world)
  const { items } = (await world.as(boss, 'GET', '/api/settings/users')).body
  for (const { id } of items as { id: string }[])
    if (id !== boss.id) await world.as(boss, 'DELETE', `/api/settings/users/${id}`)
  return { world, boss }
}

const codes = (answers: readonly CallAnswer[]) =>
  answers.map(({ status, body }) => String(body.code ?? status)).toSorted()

describe('one active administrator stays', () => {
  it.each([
    ['roles', { roleIds: [] }],
    ['status', { status: 'TERMINATED' }],
  ])('when two of them take each other’s %s at the same moment', async (_what, change) => {
    const { world, boss } = await withOneBoss()
    const second = await bossOf(world)
    const take = (from: Person, by: Person) => () => world.as(by, 'PATCH', `/api/settings/users/${from.id}`, change)
    expect(codes(await atOnce(world, take(boss, second), take(second, boss)))).toEqual(['200', 'LAST_ADMINISTRATOR'])
  })

  it('when two of them delete each other at the same moment', async () => {
    const { world, boss } = await withOneBoss()
    const second = await bossOf(world)
    const end = (whom: Person, by: Person) => () => world.as(by, 'DELETE', `/api/settings/users/${whom.id}`)
    expect(codes(await atOnce(world, end(boss, second), end(second, boss)))).toEqual(['200', 'LAST_ADMINISTRATOR'])
  })

  it('when the last one changes what makes them one', async () => {
    const { world, boss } = await withOneBoss()
    const tries = [
      world.as(boss, 'PATCH', `/api/settings/users/${boss.id}`, { status: 'SUSPENDED' }),
      world.as(boss, 'PATCH', `/api/settings/users/${boss.id}`, { roleIds: [world.workspace.roleIds['Member']] }),
      world.as(boss, 'DELETE', `/api/settings/users/${boss.id}`),
      world.as(boss, 'PATCH', `/api/settings/roles/${boss.roleId}`, { permissions: ['MANAGE_ROLES', 'MANAGE_USERS'] }),
      world.as(boss, 'PATCH', `/api/settings/roles/${boss.roleId}`, { access: leadsAt('OWN') }),
    ]
    expect(codes(await Promise.all(tries))).toEqual(tries.map(() => 'LAST_ADMINISTRATOR'))
    expect((await world.as(boss, 'GET', '/api/settings/users')).status).toBe(200)
  })
})

describe('two changes at the same moment', () => {
  it('together give nobody what neither of their makers holds', async () => {
    const world = await newWorld(api)
    const [mine, other] = [await world.workspace.department('Mine'), await world.workspace.department('Other')]
    const manager = await world.person({ permissions: ['MANAGE_USERS'], leads: 'DEPARTMENT', departmentId: mine })
    const boss = await bossOf(world)
    const role = (
      await world.as('admin', 'POST', '/api/settings/roles', {
        name: 'Department',
        permissions: ['VIEW_LEAD'],
        access: leadsAt('DEPARTMENT'),
      })
    ).body.data.id as string
    const { id } = await world.workspace.employee({ grant: { permissions: [] }, departmentId: mine })
    await atOnce(
      world,
      () => world.as(manager, 'PATCH', `/api/settings/users/${id}`, { roleIds: [role] }),
      () => world.as(boss, 'PATCH', `/api/settings/users/${manager.id}`, { departmentId: other }),
    )
    // In either order, the manager's change was judged by the rights at its time.
    const granted = (await world.as('admin', 'GET', `/api/settings/users/${id}`)).body.data
    const moved = (await world.as('admin', 'GET', `/api/settings/users/${manager.id}`)).body.data
    expect(moved.departmentId).toBe(other)
    if (granted.roleIds.includes(role))
      expect((await world.as(manager, 'PATCH', `/api/settings/users/${id}`, { roleIds: [] })).body.code).toBe(
        'ACCESS_DENIED',
      )
  })

  it('leave no key that works to somebody who is terminated while it is rotated', async () => {
    const world = await newWorld(api)
    const owner = await world.person({ leads: 'ALL' })
    const key = await world.workspace.apiKey({ ownerId: owner.id, scopes: ['VIEW_LEAD'] })
    const boss = await bossOf(world)
    const [rotated] = await atOnce(
      world,
      () => world.as(boss, 'POST', `/api/settings/api-keys/${key.id}/rotate`),
      () => world.as('admin', 'DELETE', `/api/settings/users/${owner.id}`),
    )
    const keys = [key.key, ...(rotated?.status === 201 ? [rotated.body.data.key as string] : [])]
    for (const one of keys)
      expect((await api.call({ path: '/api/leads', key: one }, world.workspace)).status).not.toBe(200)
    expect(
      (await world.as(boss, 'POST', `/api/settings/api-keys/${rotated?.body.data?.id ?? key.id}/rotate`)).body.code,
    ).toBe('INVALID_TRANSITION')
  })
})

describe('within one’s own reach', () => {
  it('whoever manages users gives a role at OWN to others, in any department', async () => {
    const world = await newWorld(api)
    const me = await world.person({ permissions: ['MANAGE_USERS'] })
    const role = (
      await world.as('admin', 'POST', '/api/settings/roles', {
        name: 'Own',
        permissions: ['VIEW_LEAD'],
        access: leadsAt('OWN'),
      })
    ).body.data.id as string
    const made = await world.as(me, 'POST', '/api/settings/users', {
      email: `${newId()}@new.example`,
      password: 'a long password',
      roleIds: [role],
      departmentId: await world.workspace.department('Far'),
    })
    expect(made.status).toBe(201)
  })

  it('whoever manages users changes the names of everybody', async () => {
    const world = await newWorld(api)
    const me = await world.person({ permissions: ['MANAGE_USERS'] })
    expect(
      (
        await world.as(me, 'PATCH', `/api/settings/users/${world.admin}`, {
          firstName: 'Augusta',
          timezone: 'Europe/London',
        })
      ).status,
    ).toBe(200)
  })

  it('whoever reaches a tree moves a department within it, and takes and gives rights within it', async () => {
    const world = await newWorld(api)
    const top = await world.workspace.department('Top')
    const [a, b] = [await world.workspace.department('A', top), await world.workspace.department('B', top)]
    const me = await world.person({
      permissions: ['VIEW_DEPARTMENT', 'UPDATE_DEPARTMENT', 'MANAGE_USERS'],
      leads: 'DEPARTMENT_TREE',
      departmentId: top,
    })
    const below = await world.person({ leads: 'DEPARTMENT_TREE', departmentId: a })
    expect((await world.as(me, 'PATCH', `/api/departments/${b}`, { parentId: a })).status).toBe(200)
    expect((await world.as(me, 'PATCH', `/api/settings/users/${below.id}`, { roleIds: [] })).status).toBe(200)
  })

  it('whoever manages custom entities declares one, though administrators hold its permissions at once', async () => {
    const world = await newWorld(api)
    const me = await world.person({ permissions: ['MANAGE_CUSTOM_FIELDS'] })
    const made = await world.as(me, 'POST', '/api/settings/custom-entities', {
      key: 'boat',
      labels: { singular: 'Boat', plural: 'Boats' },
    })
    expect(made.status).toBe(201)
    expect((await world.as(me, 'DELETE', `/api/settings/custom-entities/${made.body.data.id}`)).status).toBe(200)
  })

  it('everybody works with their own workflows, rules and keys', async () => {
    const world = await newWorld(api)
    const me = await world.person({ permissions: ['MANAGE_WORKFLOWS', 'MANAGE_API_KEYS'] })
    const workflow = (
      await world.as(me, 'POST', '/api/settings/workflows', { name: 'Mine', trigger: { type: 'MANUAL' } })
    ).body.data.id as string
    expect((await world.as(me, 'POST', `/api/settings/workflows/${workflow}/publish`)).status).toBe(200)
    expect((await world.as(me, 'POST', `/api/settings/workflows/${workflow}/run`, {})).status).toBeLessThan(300)
    const key = (await world.as(me, 'POST', '/api/settings/api-keys', { name: 'Mine', scopes: ['VIEW_LEAD'] })).body
      .data.id as string
    const rotated = (await world.as(me, 'POST', `/api/settings/api-keys/${key}/rotate`)).body.data.id as string
    expect((await world.as(me, 'DELETE', `/api/settings/api-keys/${rotated}`)).status).toBe(200)
  })
})

describe('bad input', () => {
  it('400 for a role with a level for a kind that there is not', async () => {
    const world = await newWorld(api)
    const role = {
      name: 'Odd',
      permissions: ['VIEW_LEAD'],
      access: [{ entityType: 'MOON', VIEW: 'ALL', UPDATE: 'ALL', DELETE: 'ALL' }],
    }
    expect((await world.as('admin', 'POST', '/api/settings/roles', role)).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['access', 0, 'entityType'] }],
    })
  })

  it('409 for departments in a circle; who stands in one signs in all the same', async () => {
    const world = await newWorld(api)
    const a = await world.workspace.department('A')
    const b = await world.workspace.department('B', a)
    expect((await world.as('admin', 'PATCH', `/api/departments/${a}`, { parentId: b })).body.code).toBe('PARENT_CYCLE')
    const me = await world.person({ leads: 'DEPARTMENT_TREE', departmentId: a })
    await db.update(schema.departments).set({ parentId: b }).where(eq(schema.departments.id, a))
    await api.epochs.bump(world.workspace.workspaceId)
    expect(
      (
        await api.call(
          { method: 'POST', path: '/api/auth/login', body: { email: me.email, password: 'correct horse battery' } },
          world.workspace,
        )
      ).status,
    ).toBe(200)
    expect((await world.as(me, 'GET', '/api/leads')).status).toBe(200)
    expect((await world.as('admin', 'PATCH', `/api/settings/users/${me.id}`, { departmentId: b })).status).toBe(200)
  })

  it('404 for what there is not, whoever asks', async () => {
    const world = await newWorld(api)
    const me = await world.person({
      permissions: ['MANAGE_USERS', 'MANAGE_ROLES', 'MANAGE_API_KEYS', 'MANAGE_WORKFLOWS'],
    })
    const tries = [
      world.as(me, 'PATCH', `/api/settings/users/${newId()}`, { status: 'ACTIVE' }),
      world.as(me, 'PATCH', `/api/settings/roles/${newId()}`, { access: [] }),
      world.as(me, 'POST', `/api/settings/api-keys/${newId()}/rotate`),
      world.as(me, 'POST', `/api/settings/workflows/${newId()}/publish`),
    ]
    expect(codes(await Promise.all(tries))).toEqual(tries.map(() => 'NOT_FOUND'))
  })
})

describe('a password that an administrator gives', () => {
  async function connected() {
    const world = await newWorld(api)
    const person = await world.person({ leads: 'ALL' })
    const { key } = await world.workspace.apiKey({ ownerId: person.id, scopes: ['VIEW_LEAD'] })
    const clientId = newId()
    const { workspaceId } = world.workspace
    await db
      .insert(schema.oauthClients)
      .values({ workspaceId, id: clientId, name: 'Chat', redirectUris: ['https://client.example/cb'] })
    await db.insert(schema.oauthGrants).values({ workspaceId, clientId, employeeId: person.id, scopes: ['VIEW_LEAD'] })
    const live = async () => {
      const grants = await db.select().from(schema.oauthGrants).where(eq(schema.oauthGrants.clientId, clientId))
      return {
        key: (await api.call({ path: '/api/leads', key }, world.workspace)).status,
        session: (await world.as(person, 'GET', '/api/me')).status,
        grants: grants.filter(({ revokedAt }) => revokedAt === null).length,
      }
    }
    expect(await live()).toEqual({ key: 200, session: 200, grants: 1 })
    const reset = (body: object) =>
      world.as('admin', 'PATCH', `/api/settings/users/${person.id}`, { password: 'another long password', ...body })
    return { live, reset }
  }

  it('ends sessions, API keys and connected clients', async () => {
    const { live, reset } = await connected()
    expect((await reset({})).status).toBe(200)
    expect(await live()).toEqual({ key: 401, session: 401, grants: 0 })
  })

  it('leaves keys and clients alive when that is asked for', async () => {
    const { live, reset } = await connected()
    expect((await reset({ endConnections: false })).status).toBe(200)
    expect(await live()).toEqual({ key: 200, session: 401, grants: 1 })
  })
})

describe('the audit log', () => {
  it('names actor, address, user agent, before and after of a change of rights', async () => {
    const world = await newWorld(api)
    const person = await world.person({})
    const headers = { 'user-agent': 'Browser of the tests', 'x-forwarded-for': '192.0.2.77' }
    const change = (path: string, body: object) =>
      api.call({ method: 'PATCH', path, body, cookie: cookie, headers }, world.workspace)
    const cookie = await world.workspace.session()
    await change(`/api/settings/users/${person.id}`, {
      roleIds: [],
      status: 'SUSPENDED',
      password: 'another long password',
    })
    await change(`/api/settings/roles/${person.roleId}`, { access: leadsAt('ALL') })
    const { items } = (await world.as('admin', 'GET', '/api/settings/audit-log')).body
    const origin = {
      actorId: world.admin,
      actorName: 'Ada Admin',
      address: '192.0.2.77',
      userAgent: 'Browser of the tests',
    }
    expect(items[0]).toMatchObject({
      ...origin,
      action: 'role.changed',
      changes: [{ field: 'access', from: leadsAt('OWN'), to: leadsAt('ALL') }],
    })
    expect(items[1]).toMatchObject({
      ...origin,
      action: 'user.suspended',
      changes: [{ field: 'status', from: 'ACTIVE', to: 'SUSPENDED' }],
    })
    expect(items[2]).toMatchObject({
      ...origin,
      action: 'user.roles-changed',
      changes: [{ field: 'roleIds', from: [person.roleId], to: [] }],
    })
    expect(JSON.stringify(items)).not.toContain('another long password')
  })
})

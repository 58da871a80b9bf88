import { newId, schema } from '@crm/db'
import { digest, keyPrefix, newSecret, scimTokenPrefix } from '@crm/identity'
import type { TestWorkspace } from '@crm/testkit'
import type { AccessLevel, AccessRule } from '@crm/permissions'
import { eq } from 'drizzle-orm'
import { exportKey } from '@crm/storage'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ApiUnderTest, Call, CallAnswer } from './harness.ts'

/** An action that a person with ordinary rights tries, and that must be refused. */
export interface Attack {
  /** The guarantee that holds against the attack, as a sentence. */
  readonly guarantee: string
  /** The only check of reach that refuses it. */
  readonly stoppedBy: string
  readonly attempt: (world: World) => Promise<CallAnswer>
}

/** A workspace of its own with two administrators, and functions that add to it. */
export interface World {
  readonly api: ApiUnderTest
  readonly workspace: TestWorkspace
  readonly admin: string
  /** Creates a person with these permissions; leads at this level. */
  person(options: {
    readonly permissions?: readonly string[]
    readonly leads?: AccessLevel
    readonly departmentId?: string
  }): Promise<Person>
  /** Sends a request in a person's session, or with the token of a directory. */
  as(
    who: Pick<Person, 'cookie'> | { readonly key: string } | 'admin',
    method: Call['method'],
    path: string,
    body?: unknown,
  ): Promise<CallAnswer>
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly cookie: string
  readonly roleId: string
}

/** Returns the same level for every action on leads. */
export const leadsAt = (level: AccessLevel): AccessRule[] => [
  { entityType: 'LEAD', VIEW: level, UPDATE: level, DELETE: level },
]

/** Makes a world for one attack. */
export async function newWorld(api: ApiUnderTest): Promise<World> {
  const workspace = await api.newWorkspace()
  await workspace.employee({ roles: ['Administrator'] })
  const admin = await workspace.session()
  const as: World['as'] = (who, method, path, body) => {
    const credential = who === 'admin' ? { cookie: admin } : 'key' in who ? { key: who.key } : { cookie: who.cookie }
    return api.call({ method, path, body, ...credential }, workspace)
  }
  const person: World['person'] = async ({ permissions = [], leads = 'OWN', departmentId }) => {
    const { id, email } = await workspace.employee({
      grant: { permissions: ['VIEW_LEAD', ...permissions], access: leadsAt(leads) },
      departmentId,
    })
    const [held] = await api.db.select().from(schema.employeeRoles).where(eq(schema.employeeRoles.employeeId, id))
    return { id, email, cookie: await workspace.session(id), roleId: held?.roleId ?? '' }
  }
  return { api, workspace, admin: workspace.adminUserId, person, as }
}

const made = async (answer: Promise<CallAnswer>): Promise<string> => {
  const { status, body } = await answer
  if (status !== 201) throw new Error(`Expected something to be made: ${JSON.stringify(body)}`)
  return body.data.id as string
}

const roleAt = (world: World, leads: AccessLevel) =>
  made(
    world.as('admin', 'POST', '/api/settings/roles', {
      name: `Leads ${leads} ${newId()}`,
      permissions: ['VIEW_LEAD'],
      access: leadsAt(leads),
    }),
  )

/** Makes a service account that sees leads at this level. */
const serviceAt = async (world: World, leads: AccessLevel) =>
  made(
    world.as('admin', 'POST', '/api/settings/users', {
      kind: 'SERVICE',
      name: 'Directory',
      roleIds: [await roleAt(world, leads)],
    }),
  )

const settler = (world: World) => world.person({ permissions: ['MANAGE_WORKSPACE'] })

async function domainOf({ api, workspace: { workspaceId } }: World): Promise<string> {
  const id = newId()
  const verifiedAt = new Date().toISOString()
  await api.db.insert(schema.domains).values({ workspaceId, id, domain: `${id}.example`, challenge: 'x', verifiedAt })
  return id
}

async function providerOf({ api, workspace: { workspaceId } }: World): Promise<string> {
  const id = newId()
  const facts = { name: 'Corporate', issuer: 'https://id.example', clientId: 'crm', authMethod: 'none' as const }
  await api.db.insert(schema.identityProviders).values({ workspaceId, id, slug: 'corp', scopes: [], ...facts })
  return id
}

/** Runs a server that describes itself as an OpenID provider. */
async function withIssuer<T>(work: (issuer: string) => Promise<T>): Promise<T> {
  const server = createServer((_request, response) => {
    const { port } = server.address() as AddressInfo
    const issuer = `http://127.0.0.1:${port}`
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ issuer, authorization_endpoint: issuer, token_endpoint: issuer, jwks_uri: `${issuer}/keys` }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

/** Makes a group of a directory, whose members get rights. */
async function groupOf(
  world: World,
  members: readonly string[],
  {
    name,
    ...rights
  }: { readonly name?: string; readonly roleIds?: readonly string[]; readonly departmentId?: string } = {},
): Promise<string> {
  const { api, workspace } = world
  const { workspaceId } = workspace
  const groupId = newId()
  const displayName = name ?? `Group ${groupId}`
  await api.db.insert(schema.scimGroups).values({ workspaceId, id: groupId, displayName })
  for (const employeeId of members)
    await api.db.insert(schema.scimGroupMembers).values({ workspaceId, groupId, employeeId })
  if (Object.keys(rights).length === 0) return groupId
  const mapped = await world.as('admin', 'PATCH', `/api/settings/scim-groups/${groupId}`, rights)
  if (mapped.status !== 200) throw new Error(`The group got no rights: ${JSON.stringify(mapped.body)}`)
  return groupId
}

/** Makes the token of a directory that manages people and sees leads at this level. */
export async function directoryOf(
  { api, workspace }: World,
  { leads = 'OWN', departmentId }: { readonly leads?: AccessLevel; readonly departmentId?: string } = {},
): Promise<{ readonly key: string; readonly ownerId: string }> {
  const { workspaceId } = workspace
  const { id: ownerId } = await workspace.employee({
    grant: { permissions: ['VIEW_LEAD', 'MANAGE_USERS'], access: leadsAt(leads) },
    departmentId,
  })
  await api.db.update(schema.employees).set({ kind: 'SERVICE' }).where(eq(schema.employees.id, ownerId))
  const key = newSecret(scimTokenPrefix)
  await api.db
    .insert(schema.scimTokens)
    .values({ workspaceId, id: newId(), name: 'Directory', prefix: keyPrefix(key), tokenHash: digest(key), ownerId })
  return { key, ownerId }
}

const scimPath = '/api/scim/v2'
const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const operations = (...Operations: readonly object[]) => ({ Operations })

/** Makes a directory in a department, and somebody there who sees no more than it does. */
async function neighbours(
  world: World,
): Promise<{ readonly me: { readonly key: string }; readonly other: Person; readonly mine: string }> {
  const mine = await world.workspace.department('Mine')
  await world.workspace.department('Other')
  const me = await directoryOf(world, { leads: 'DEPARTMENT', departmentId: mine })
  return { me, mine, other: await world.person({ leads: 'DEPARTMENT', departmentId: mine }) }
}

/** Makes a group whose only member sees all leads because of it. */
async function mightyGroup(world: World): Promise<{ readonly group: string; readonly member: Person }> {
  const member = await world.person({})
  const group = await groupOf(world, [member.id], { name: 'Mighty', roleIds: [await roleAt(world, 'ALL')] })
  return { member, group }
}

const terminate = ({ api }: World, id: string) =>
  api.db.update(schema.employees).set({ status: 'TERMINATED' }).where(eq(schema.employees.id, id))

const steps = [{ key: 'find', type: 'FIND_RECORDS', entityType: 'LEAD' }]
const workflowOf = (world: World, who: Person | 'admin', trigger: object = { type: 'MANUAL' }) =>
  made(world.as(who, 'POST', '/api/settings/workflows', { name: `Workflow ${newId()}`, trigger, steps }))

async function publishedWorkflow(world: World, trigger?: object): Promise<string> {
  const id = await workflowOf(world, 'admin', trigger)
  await world.as('admin', 'POST', `/api/settings/workflows/${id}/publish`)
  return id
}

async function runOf(world: World, state: 'FAILED' | 'WAITING'): Promise<string> {
  const workflowId = await publishedWorkflow(world)
  const [run] = await world.api.db
    .insert(schema.workflowRuns)
    .values({ workspaceId: world.workspace.workspaceId, workflowId, version: 1, runAsId: world.admin, state })
    .returning()
  return run?.id ?? ''
}

/** Nothing answers at this address: the tests only see whether it is requested. */
export const deadAddress = 'http://127.0.0.1:9/hook'
/** Returns a rule that would report new leads. */
export const ruleOf = (world: World, who: Person | 'admin' = 'admin') =>
  made(
    world.as(who, 'POST', '/api/settings/automation-rules', {
      name: 'Rule',
      trigger: { event: 'lead.created', conditions: [] },
      actions: [{ type: 'WEBHOOK', url: deadAddress, method: 'POST', headers: {}, bodyTemplate: null }],
    }),
  )

async function deliveryOf(world: World, ruleId: string | null): Promise<string> {
  const request = { method: 'POST', url: deadAddress, headers: {}, body: '{}' }
  const [row] = await world.api.db
    .insert(schema.deliveries)
    .values({ workspaceId: world.workspace.workspaceId, ruleId, request, state: 'FAILED' })
    .returning()
  return row?.id ?? ''
}

/** Creates a run that waited while its rule was paused. */
async function skippedRunOf(world: World, ruleId: string): Promise<string> {
  const skipped = { ruleId, actions: [], event: 'lead.created' }
  const [row] = await world.api.db
    .insert(schema.ruleRuns)
    .values({
      workspaceId: world.workspace.workspaceId,
      ruleId,
      eventId: newId(),
      event: 'lead.created',
      state: 'SKIPPED',
      skipped,
    })
    .returning()
  return row?.id ?? ''
}

/** Returns a change that a key of the administrator has proposed. */
async function proposalOf({ api: { db }, workspace, admin }: World): Promise<string> {
  const { workspaceId } = workspace
  const id = newId()
  const { id: credentialId } = await workspace.apiKey()
  await db.insert(schema.proposals).values({
    workspaceId,
    id,
    employeeId: admin,
    credentialClass: 'api-key',
    credentialId,
    viaType: 'API_KEY',
    viaId: credentialId,
    viaName: 'Agent',
    operation: 'leads.create',
    request: { method: 'POST', url: '/api/leads', body: { lastName: 'Proposed' } },
    changes: [],
    versions: {},
    expiresAt: '2100-01-01T00:00:00.000Z',
  })
  return id
}

/** Returns a session of a key of the administrator. */
async function agentSessionOf({ api: { db }, workspace: { workspaceId }, admin }: World): Promise<string> {
  const id = newId()
  const now = new Date().toISOString()
  await db.insert(schema.agentSessions).values({
    workspaceId,
    id,
    employeeId: admin,
    viaType: 'API_KEY',
    viaId: newId(),
    viaName: 'Agent',
    startedAt: now,
    lastAt: now,
  })
  return id
}

async function connectionOf(world: World, employeeId: string): Promise<string> {
  const { workspaceId } = world.workspace
  const clientId = newId()
  await world.api.db
    .insert(schema.oauthClients)
    .values({ workspaceId, id: clientId, name: 'Chat', redirectUris: ['https://client.example/cb'] })
  const grantId = newId()
  const scopes = ['VIEW_LEAD']
  await world.api.db.insert(schema.oauthGrants).values({ workspaceId, id: grantId, clientId, employeeId, scopes })
  const token = { workspaceId, grantId, kind: 'access' as const, tokenHash: Buffer.from(grantId) }
  await world.api.db.insert(schema.oauthTokens).values({ ...token, expiresAt: '2100-01-01T00:00:00.000Z' })
  return clientId
}

/** Creates a person who manages automation and sees their own leads. */
export const automator = (world: World) => world.person({ permissions: ['MANAGE_WORKFLOWS'] })
const userManager = (world: World, leads: AccessLevel = 'OWN', departmentId?: string) =>
  world.person({ permissions: ['MANAGE_USERS'], leads, departmentId })
const usersPath = '/api/settings/users'

/** Attacks by a directory whose token leaked, in the plain form and in forms that are read differently elsewhere. */
function directoryAttacks(): readonly Attack[] {
  const revivals: readonly (readonly [string, (email: string) => object])[] = [
    ['its userName', (userName) => ({ userName })],
    ['an address alone', (value) => ({ emails: [{ value, type: 'work' }] })],
    ['an address as a text', (emails) => ({ emails })],
    ['the whole name of the attribute', (email) => ({ [`${coreUser}:userName`]: email })],
    ['the attribute in capitals', (email) => ({ USERNAME: ` ${email.toUpperCase()} ` })],
    ['the attributes below their schema', (userName) => ({ [coreUser]: { userName } })],
  ]
  const removals: readonly (readonly [string, (id: string) => object])[] = [
    ['by id', (id) => ({ op: 'remove', path: `members[value eq "${id}"]` })],
    ['by an id with an escape', (id) => ({ op: 'remove', path: `members[value eq "${id.replace('-', '\\u002d')}"]` })],
    ['by the beginning of an id', (id) => ({ op: 'remove', path: `members[value sw "${id.slice(0, 34)}"]` })],
    ['by name', () => ({ op: 'remove', path: 'members[display sw "Pat"]' })],
    ['by what they are not', () => ({ op: 'remove', path: 'members[not (value eq "x")]' })],
    ['all together', () => ({ OP: 'Remove', PATH: 'MEMBERS' })],
    ['as a value', (id) => ({ op: 'remove', path: 'members', value: [{ value: id.toUpperCase() }] })],
    ['by a replacement', () => ({ op: 'replace', path: 'members', value: [] })],
    ['by a replacement without a path', () => ({ op: 'replace', value: { members: [] } })],
  ]
  return [
    ...revivals.map(([form, body]): Attack => ({
      guarantee: `a directory brings back nobody who sees more than it does, by ${form}`,
      stoppedBy: 'scim.users.create takes',
      attempt: async (world) => {
        const [me, left] = [await directoryOf(world), await world.person({ leads: 'ALL' })]
        await terminate(world, left.id)
        return world.as(me, 'POST', `${scimPath}/Users`, body(left.email))
      },
    })),
    {
      guarantee: 'a directory brings nobody back into a department outside of its own',
      stoppedBy: 'scim.users.create gives',
      attempt: async (world) => {
        const { me, other } = await neighbours(world)
        await terminate(world, other.id)
        const body = { userName: other.email, [enterprise]: { department: 'Other' } }
        return world.as(me, 'POST', `${scimPath}/Users`, body)
      },
    },
    {
      guarantee: 'a directory replaces nobody with somebody in a department outside of its own',
      stoppedBy: 'scim.users.replace gives',
      attempt: async (world) => {
        const { me, other } = await neighbours(world)
        const body = { userName: other.email, [enterprise]: { department: 'Other' } }
        return world.as(me, 'PUT', `${scimPath}/Users/${other.id}`, body)
      },
    },
    {
      guarantee: 'a directory moves nobody into a department outside of its own',
      stoppedBy: 'scim.users.change gives',
      attempt: async (world) => {
        const { me, other } = await neighbours(world)
        const move = { op: 'replace', path: `${enterprise}:department`, value: 'Other' }
        return world.as(me, 'PATCH', `${scimPath}/Users/${other.id}`, operations(move))
      },
    },
    ...(
      [
        ['replace', 'PUT', (email) => ({ userName: email })],
        ['change', 'PATCH', () => operations({ op: 'replace', path: 'active', value: false })],
        ['change', 'PATCH', () => operations({ op: 'replace', value: { emails: [{ value: 'me@mine.example' }] } })],
        ['delete', 'DELETE', () => undefined],
      ] as const satisfies readonly (readonly [string, Call['method'], (email: string) => unknown])[]
    ).map(([operation, method, body]): Attack => ({
      guarantee: `a directory does not ${operation} somebody who sees more than it does (${method} ${JSON.stringify(body('x'))})`,
      stoppedBy: `scim.users.${operation} takes`,
      attempt: async (world) => {
        const [me, other] = [await directoryOf(world), await world.person({ leads: 'ALL' })]
        return world.as(me, method, `${scimPath}/Users/${other.id.toUpperCase()}`, body(other.email))
      },
    })),
    ...removals.map(([form, operation]): Attack => ({
      guarantee: `a directory takes no rights of a group from somebody who sees more than it does, ${form}`,
      stoppedBy: 'scim.groups.change takes',
      attempt: async (world) => {
        const [me, { group, member }] = [await directoryOf(world), await mightyGroup(world)]
        return world.as(me, 'PATCH', `${scimPath}/Groups/${group}`, operations(operation(member.id)))
      },
    })),
    {
      guarantee: 'a directory replaces no group so that somebody who sees more loses its rights',
      stoppedBy: 'scim.groups.replace takes',
      attempt: async (world) => {
        const [me, { group }] = [await directoryOf(world), await mightyGroup(world)]
        return world.as(me, 'PUT', `${scimPath}/Groups/${group}`, { displayName: 'Mighty' })
      },
    },
    {
      guarantee: 'a directory deletes no group of somebody who sees more than it does',
      stoppedBy: 'scim.groups.delete takes',
      attempt: async (world) => {
        const [me, { id }] = [await directoryOf(world), await world.person({ leads: 'ALL' })]
        const group = await groupOf(world, [id], { roleIds: [await roleAt(world, 'OWN')] })
        return world.as(me, 'DELETE', `${scimPath}/Groups/${group}`)
      },
    },
    ...(
      [
        ['change', 'PATCH', (id) => operations({ op: 'add', path: 'members', value: [{ value: id }] })],
        ['change', 'PATCH', (id) => operations({ op: 'add', value: { members: { value: id } } })],
        ['replace', 'PUT', (id) => ({ displayName: 'Wide', members: [{ value: id }] })],
      ] as const satisfies readonly (readonly [string, Call['method'], (id: string) => unknown])[]
    ).map(([operation, method, body]): Attack => ({
      guarantee: `a directory gives nobody a role above its own through a group (${method} ${JSON.stringify(body('x'))})`,
      stoppedBy: `scim.groups.${operation} gives`,
      attempt: async (world) => {
        const group = await groupOf(world, [], { name: 'Wide', roleIds: [await roleAt(world, 'ALL')] })
        const { id } = await world.workspace.employee({ grant: { permissions: [] } })
        return world.as(await directoryOf(world), method, `${scimPath}/Groups/${group}`, body(id))
      },
    })),
    ...(
      [
        ['delete', 'DELETE', undefined],
        ['change', 'PATCH', operations({ op: 'replace', path: 'displayName', value: 'Z' })],
      ] as const satisfies readonly (readonly [string, Call['method'], unknown])[]
    ).map(([operation, method, body]): Attack => ({
      guarantee: `a directory does not ${operation} a group so that its members get to a department outside of its own`,
      stoppedBy: `scim.groups.${operation} gives`,
      attempt: async (world) => {
        const { me, mine, other } = await neighbours(world)
        const place = await world.workspace.department('Far')
        const group = await groupOf(world, [other.id], { name: 'A', departmentId: mine })
        await groupOf(world, [other.id], { name: 'B', departmentId: place })
        return world.as(me, method, `${scimPath}/Groups/${group}`, body)
      },
    })),
  ]
}

/** All attacks that succeeded once with ordinary accounts, and similar ones. */
export const attacks: readonly Attack[] = [
  {
    guarantee: 'whoever manages roles does not widen the levels of their own role',
    stoppedBy: 'settings.roles.update gives',
    attempt: async (world) => {
      const me = await world.person({ permissions: ['MANAGE_ROLES'] })
      return world.as(me, 'PATCH', `/api/settings/roles/${me.roleId}`, { access: [] })
    },
  },
  {
    guarantee: 'whoever manages roles does not add a permission to a role that they lack themselves',
    stoppedBy: 'settings.roles.update gives',
    attempt: async (world) => {
      const [me, other] = [await world.person({ permissions: ['MANAGE_ROLES'] }), await world.person({})]
      return world.as(me, 'PATCH', `/api/settings/roles/${other.roleId}`, { permissions: ['VIEW_LEAD', 'DELETE_LEAD'] })
    },
  },
  {
    guarantee: 'a role that nobody holds yet grants no more than its maker holds',
    stoppedBy: 'settings.roles.create gives',
    attempt: async (world) =>
      world.as(await world.person({ permissions: ['MANAGE_ROLES'] }), 'POST', '/api/settings/roles', {
        name: 'Wide',
        permissions: ['VIEW_LEAD'],
      }),
  },
  ...(
    [
      ['NONE', 'OWN'],
      ['OWN', 'DEPARTMENT'],
      ['DEPARTMENT', 'DEPARTMENT_TREE'],
      ['DEPARTMENT_TREE', 'ALL'],
    ] as const
  ).map(([mine, above]): Attack => ({
    guarantee: `whoever sees leads at ${mine} makes no role that sees them at ${above}`,
    stoppedBy: 'settings.roles.create gives',
    attempt: async (world) => {
      const me = await world.person({
        permissions: ['MANAGE_ROLES'],
        leads: mine,
        departmentId: await world.workspace.department('Mine'),
      })
      return world.as(me, 'POST', '/api/settings/roles', {
        name: 'A step above',
        permissions: ['VIEW_LEAD'],
        access: leadsAt(above),
      })
    },
  })),
  {
    guarantee: 'a role that grants more than one holds keeps its permissions',
    stoppedBy: 'settings.roles.update takes',
    attempt: async (world) => {
      const [me, mightier] = [
        await world.person({ permissions: ['MANAGE_ROLES'] }),
        await world.person({ permissions: ['DELETE_LEAD'], leads: 'ALL' }),
      ]
      return world.as(me, 'PATCH', `/api/settings/roles/${mightier.roleId}`, { permissions: [] })
    },
  },
  {
    guarantee: 'a role that grants more than one holds is not deleted, though nobody has it',
    stoppedBy: 'settings.roles.delete takes',
    attempt: async (world) =>
      world.as(
        await world.person({ permissions: ['MANAGE_ROLES'] }),
        'DELETE',
        `/api/settings/roles/${await roleAt(world, 'ALL')}`,
      ),
  },
  {
    guarantee: 'whoever manages users makes nobody who sees more than they do',
    stoppedBy: 'settings.users.create gives',
    attempt: async (world) =>
      world.as(await userManager(world), 'POST', usersPath, {
        email: `${newId()}@new.example`,
        password: 'a long password',
        roleIds: [await roleAt(world, 'ALL')],
      }),
  },
  {
    guarantee: 'whoever manages users does not give themselves a role with the same permissions at a wider level',
    stoppedBy: 'settings.users.update gives',
    attempt: async (world) => {
      const me = await userManager(world)
      return world.as(me, 'PATCH', `${usersPath}/${me.id}`, { roleIds: [me.roleId, await roleAt(world, 'ALL')] })
    },
  },
  {
    guarantee: 'whoever manages users gives nobody else a role at a wider level',
    stoppedBy: 'settings.users.update gives',
    attempt: async (world) => {
      const { id } = await world.workspace.employee({ grant: { permissions: [] } })
      return world.as(await userManager(world), 'PATCH', `${usersPath}/${id}`, {
        roleIds: [await roleAt(world, 'DEPARTMENT')],
        departmentId: await world.workspace.department('Any'),
      })
    },
  },
  {
    guarantee: 'whoever manages users does not move themselves into another department',
    stoppedBy: 'settings.users.update gives',
    attempt: async (world) => {
      const [mine, other] = [await world.workspace.department('Mine'), await world.workspace.department('Other')]
      const me = await userManager(world, 'DEPARTMENT', mine)
      return world.as(me, 'PATCH', `${usersPath}/${me.id}`, { departmentId: other })
    },
  },
  ...(['password', 'email', 'status', 'roleIds'] as const).map((field): Attack => ({
    guarantee: `whoever manages users does not change the ${field === 'roleIds' ? 'roles' : field} of an administrator`,
    stoppedBy: 'settings.users.update takes',
    attempt: async (world) => {
      const change = {
        password: 'another long password',
        email: `${newId()}@mine.example`,
        status: 'TERMINATED',
        roleIds: [],
      }
      return world.as(await userManager(world), 'PATCH', `${usersPath}/${world.admin}`, { [field]: change[field] })
    },
  })),
  {
    guarantee: 'whoever manages users does not reset the password of somebody who sees more leads',
    stoppedBy: 'settings.users.update takes',
    attempt: async (world) => {
      const [me, other] = [await userManager(world), await world.person({ leads: 'ALL' })]
      return world.as(me, 'PATCH', `${usersPath}/${other.id}`, { password: 'another long password' })
    },
  },
  {
    guarantee: 'whoever sees their own leads alone does not take over somebody else who does: their leads are others',
    stoppedBy: 'settings.users.update takes',
    attempt: async (world) => {
      const [me, other] = [await userManager(world), await world.person({})]
      return world.as(me, 'PATCH', `${usersPath}/${other.id}`, { password: 'another long password' })
    },
  },
  {
    guarantee: 'whoever manages users does not terminate an administrator',
    stoppedBy: 'settings.users.delete takes',
    attempt: async (world) => world.as(await userManager(world), 'DELETE', `${usersPath}/${world.admin}`),
  },
  {
    guarantee: 'whoever manages users does not count what belongs to an administrator',
    stoppedBy: 'settings.users.handOver.belongings actsAs',
    attempt: async (world) => world.as(await userManager(world), 'GET', `${usersPath}/${world.admin}/belongings`),
  },
  {
    guarantee: 'whoever manages users does not take what belongs to an administrator',
    stoppedBy: 'settings.users.handOver.run takes',
    attempt: async (world) => {
      const me = await userManager(world)
      return world.as(me, 'POST', `${usersPath}/${world.admin}/hand-over`, { toId: me.id })
    },
  },
  {
    guarantee: 'whoever manages users does not see from where an administrator signed in',
    stoppedBy: 'settings.users.sessions.list actsAs',
    attempt: async (world) => world.as(await userManager(world), 'GET', `${usersPath}/${world.admin}/sessions`),
  },
  {
    guarantee: 'whoever manages users does not sign an administrator out',
    stoppedBy: 'settings.users.sessions.deleteAll takes',
    attempt: async (world) => world.as(await userManager(world), 'DELETE', `${usersPath}/${world.admin}/sessions`),
  },
  {
    guarantee: 'whoever manages users does not end one session of an administrator',
    stoppedBy: 'settings.users.sessions.delete takes',
    attempt: async (world) => {
      const { body } = await world.as('admin', 'GET', '/api/auth/sessions')
      return world.as(await userManager(world), 'DELETE', `${usersPath}/${world.admin}/sessions/${body.data[0].id}`)
    },
  },
  {
    guarantee: 'whoever manages the workspace, and may not do all that others may, sets no rules for signing in',
    stoppedBy: 'settings.signIn.update actsAs',
    attempt: async (world) => {
      const me = await world.person({ permissions: ['MANAGE_WORKSPACE'] })
      return world.as(me, 'PATCH', '/api/settings/sign-in', { typedPasswords: true })
    },
  },
  {
    guarantee: 'whoever manages the workspace, and may not do all that others may, sends its audit log nowhere',
    stoppedBy: 'settings.auditStream.update actsAs',
    attempt: async (world) => {
      const me = await world.person({ permissions: ['MANAGE_WORKSPACE'] })
      return world.as(me, 'PATCH', '/api/settings/audit-stream', { url: 'https://elsewhere.example/' })
    },
  },
  {
    guarantee:
      'whoever manages the workspace, and may not do all that others may, removes no demo with the records of others',
    stoppedBy: 'settings.demo.remove actsAs',
    attempt: async (world) => {
      const { body } = await world.as('admin', 'GET', '/api/settings/demo')
      const me = await world.person({ permissions: ['MANAGE_WORKSPACE'] })
      return world.as(me, 'DELETE', '/api/settings/demo', { name: body.data.name })
    },
  },
  {
    guarantee: 'whoever manages users does not collect the data of an administrator',
    stoppedBy: 'settings.privacy.export actsAs',
    attempt: async (world) =>
      world.as(await userManager(world), 'POST', '/api/settings/privacy/exports', {
        subject: { type: 'EMPLOYEE', id: world.workspace.adminUserId },
      }),
  },
  {
    guarantee: 'collected data of a person is not downloaded once they reach further',
    stoppedBy: 'settings.privacy.file actsAs',
    attempt: async (world) => {
      const { api, workspace } = world
      const { workspaceId } = workspace
      const [me, other] = [
        await userManager(world, 'DEPARTMENT', await workspace.department('Mine')),
        await world.person({ leads: 'ALL' }),
      ]
      const subject = { type: 'EMPLOYEE', id: other.id }
      const key = { workspaceId, id: newId() }
      const mine = { ...key, employeeId: me.id }
      await api.db
        .insert(schema.jobs)
        .values({ ...mine, kind: 'privacy.export', total: 1, state: 'DONE', payload: { subject } })
      await api.db.insert(schema.exports).values({ ...mine, entityType: 'PERSON_DATA', state: 'DONE' })
      const text = JSON.stringify({ subject, at: '', data: {} })
      await api.storage.write(exportKey(key), Readable.from([Buffer.from(text)]))
      return world.as(me, 'GET', `/api/settings/privacy/exports/${key.id}/file`)
    },
  },
  {
    guarantee: 'whoever manages users does not erase a former administrator',
    stoppedBy: 'settings.privacy.erase actsAs',
    attempt: async (world) => {
      const { id, email } = await world.workspace.employee({ roles: ['Administrator'], status: 'TERMINATED' })
      return world.as(await userManager(world), 'POST', '/api/settings/privacy/erasures', {
        subject: { type: 'EMPLOYEE', id },
        confirm: email,
      })
    },
  },
  {
    guarantee: 'whoever manages users does not invite somebody with rights that they lack themselves',
    stoppedBy: 'settings.invitations.create gives',
    attempt: async (world) =>
      world.as(await userManager(world), 'POST', '/api/settings/invitations', {
        email: `friend${newId()}@example.com`,
        roleIds: [await roleAt(world, 'ALL')],
      }),
  },
  {
    guarantee: 'whoever manages users does not send an invitation of an administrator again, to stand for it',
    stoppedBy: 'settings.invitations.resend gives',
    attempt: async (world) => {
      const id = await made(
        world.as('admin', 'POST', '/api/settings/invitations', {
          email: `friend${newId()}@example.com`,
          roleIds: [world.workspace.roleIds['Administrator']],
        }),
      )
      return world.as(await userManager(world), 'POST', `/api/settings/invitations/${id}/resend`)
    },
  },
  {
    guarantee: 'whoever manages users does not start a new password for an administrator',
    stoppedBy: 'settings.users.signIn.sendReset actsAs',
    attempt: async (world) => world.as(await userManager(world), 'POST', `${usersPath}/${world.admin}/send-reset`),
  },
  {
    guarantee: 'whoever manages users does not remove the second factors of an administrator',
    stoppedBy: 'settings.users.signIn.resetSecondFactor takes',
    attempt: async (world) =>
      world.as(await userManager(world), 'POST', `${usersPath}/${world.admin}/reset-second-factor`),
  },
  {
    guarantee: 'a department outside is not put below one’s own',
    stoppedBy: 'departments.update gives',
    attempt: async (world) => {
      const [mine, foreign] = [await world.workspace.department('Mine'), await world.workspace.department('Foreign')]
      const me = await world.person({
        permissions: ['VIEW_DEPARTMENT', 'UPDATE_DEPARTMENT'],
        leads: 'DEPARTMENT_TREE',
        departmentId: mine,
      })
      return world.as(me, 'PATCH', `/api/departments/${foreign}`, { parentId: mine })
    },
  },
  {
    guarantee: 'a department is not taken out of the tree of somebody who sees more',
    stoppedBy: 'departments.update takes',
    attempt: async (world) => {
      const [mine, theirs] = [await world.workspace.department('Mine'), await world.workspace.department('Theirs')]
      const below = await world.workspace.department('Below theirs', theirs)
      await world.person({ leads: 'DEPARTMENT_TREE', departmentId: theirs })
      const me = await world.person({
        permissions: ['VIEW_DEPARTMENT', 'UPDATE_DEPARTMENT'],
        leads: 'DEPARTMENT_TREE',
        departmentId: mine,
      })
      return world.as(me, 'PATCH', `/api/departments/${below}`, { parentId: null })
    },
  },
  {
    guarantee: 'a key gets no scope that its maker lacks',
    stoppedBy: 'settings.apiKeys.create gives',
    attempt: async (world) =>
      world.as(await world.person({ permissions: ['MANAGE_API_KEYS'] }), 'POST', '/api/settings/api-keys', {
        name: 'Wide',
        scopes: ['VIEW_LEAD', 'DELETE_LEAD'],
      }),
  },
  {
    guarantee: 'nobody makes a key with the reach of a service account that reaches further',
    stoppedBy: 'settings.apiKeys.create takes',
    attempt: async (world) => {
      const ownerId = await made(
        world.as('admin', 'POST', usersPath, { kind: 'SERVICE', name: 'Sync', roleIds: [await roleAt(world, 'ALL')] }),
      )
      return world.as(await world.person({ permissions: ['MANAGE_API_KEYS'] }), 'POST', '/api/settings/api-keys', {
        name: 'Borrowed',
        scopes: ['VIEW_LEAD'],
        ownerId,
      })
    },
  },
  {
    guarantee:
      'an administrator’s key is not rotated into the hands of somebody with the same permissions at a lower level',
    stoppedBy: 'settings.apiKeys.rotate takes',
    attempt: async (world) => {
      const { id } = await world.workspace.apiKey({ scopes: ['VIEW_LEAD'] })
      return world.as(
        await world.person({ permissions: ['MANAGE_API_KEYS'] }),
        'POST',
        `/api/settings/api-keys/${id}/rotate`,
      )
    },
  },
  {
    guarantee: 'an administrator’s key is not revoked by somebody below',
    stoppedBy: 'settings.apiKeys.delete takes',
    attempt: async (world) => {
      const { id } = await world.workspace.apiKey({ scopes: ['VIEW_LEAD'] })
      return world.as(
        await world.person({ permissions: ['MANAGE_API_KEYS'] }),
        'DELETE',
        `/api/settings/api-keys/${id}`,
      )
    },
  },
  ...(
    [
      ['domains.create', 'POST', () => 'domains', { domain: 'mine.example' }],
      ['domains.verify', 'POST', async (world) => `domains/${await domainOf(world)}/verify`, undefined],
      ['domains.delete', 'DELETE', async (world) => `domains/${await domainOf(world)}`, undefined],
      [
        'identityProviders.update',
        'PATCH',
        async (world) => `identity-providers/${await providerOf(world)}`,
        { isActive: false },
      ],
      [
        'identityProviders.delete',
        'DELETE',
        async (world) => `identity-providers/${await providerOf(world)}`,
        undefined,
      ],
    ] as const satisfies readonly (readonly [
      string,
      Call['method'],
      (world: World) => string | Promise<string>,
      unknown,
    ])[]
  ).map(([operation, method, path, body]): Attack => ({
    guarantee: `whoever sets up the workspace does not decide how an administrator signs in (${operation})`,
    stoppedBy: `settings.${operation} actsAs`,
    attempt: async (world) => world.as(await settler(world), method, `/api/settings/${await path(world)}`, body),
  })),
  {
    guarantee: 'whoever sets up the workspace adds no provider that could sign in as an administrator',
    stoppedBy: 'settings.identityProviders.create actsAs',
    attempt: async (world) => {
      const me = await settler(world)
      return withIssuer((issuer) =>
        world.as(me, 'POST', '/api/settings/identity-providers', {
          slug: 'mine',
          name: 'Mine',
          issuer,
          clientId: 'crm',
        }),
      )
    },
  },
  {
    guarantee: 'nobody makes a token for a directory with the reach of a service account that reaches further',
    stoppedBy: 'settings.scimTokens.create takes',
    attempt: async (world) =>
      world.as(await userManager(world), 'POST', '/api/settings/scim-tokens', {
        name: 'Borrowed',
        ownerId: await serviceAt(world, 'ALL'),
      }),
  },
  {
    guarantee: 'the token of a directory that reaches further is not ended by somebody below',
    stoppedBy: 'settings.scimTokens.delete takes',
    attempt: async (world) => {
      const token = { name: 'Directory', ownerId: await serviceAt(world, 'ALL') }
      const id = await made(world.as('admin', 'POST', '/api/settings/scim-tokens', token))
      return world.as(await userManager(world), 'DELETE', `/api/settings/scim-tokens/${id}`)
    },
  },
  {
    guarantee: 'nobody gives the members of a group a right that they lack themselves',
    stoppedBy: 'settings.scimGroups.update gives',
    attempt: async (world) => {
      const { api, workspace } = world
      const { workspaceId } = workspace
      const key = { workspaceId, id: newId(), key: 'vehicle' }
      await api.db.insert(schema.customEntities).values({ ...key, labels: { singular: 'Vehicle', plural: 'Vehicles' } })
      const wide = { workspaceId, id: newId(), name: 'Drivers', permissions: ['VIEW_VEHICLE'] }
      await api.db.insert(schema.roles).values(wide)
      const group = await groupOf(world, [(await world.person({})).id])
      return world.as('admin', 'PATCH', `/api/settings/scim-groups/${group}`, { roleIds: [wide.id] })
    },
  },
  {
    guarantee: 'nobody takes the roles of a group from somebody who sees more',
    stoppedBy: 'settings.scimGroups.update takes',
    attempt: async (world) => {
      const { group } = await mightyGroup(world)
      const me = await world.person({ permissions: ['MANAGE_ROLES'] })
      return world.as(me, 'PATCH', `/api/settings/scim-groups/${group}`, { roleIds: [] })
    },
  },
  {
    guarantee: 'whoever manages roles makes no administrators of the later members of an empty group',
    stoppedBy: 'settings.scimGroups.update takes',
    attempt: async (world) => {
      const me = await world.person({ permissions: ['MANAGE_ROLES'] })
      const group = await groupOf(world, [])
      const roleIds = [world.workspace.roleIds['Administrator']]
      return world.as(me, 'PATCH', `/api/settings/scim-groups/${group}`, { roleIds })
    },
  },
  ...directoryAttacks(),
  {
    guarantee: 'an administrator’s connection is not ended by somebody below',
    stoppedBy: 'settings.connections.delete takes',
    attempt: async (world) => {
      const clientId = await connectionOf(world, world.admin)
      return world.as(
        await world.person({ permissions: ['MANAGE_API_KEYS'] }),
        'DELETE',
        `/api/settings/connections/${clientId}?employeeId=${world.admin}`,
      )
    },
  },
  {
    guarantee: 'an administrator’s connection is not let loose by somebody below',
    stoppedBy: 'settings.connections.update takes',
    attempt: async (world) => {
      const clientId = await connectionOf(world, world.admin)
      return world.as(
        await world.person({ permissions: ['MANAGE_API_KEYS'] }),
        'PATCH',
        `/api/settings/connections/${clientId}?employeeId=${world.admin}`,
        { writes: 'DIRECT' },
      )
    },
  },
  {
    guarantee: 'an administrator’s key is not let loose by somebody below',
    stoppedBy: 'settings.apiKeys.update takes',
    attempt: async (world) => {
      const { id } = await world.workspace.apiKey({ scopes: ['VIEW_LEAD'] })
      return world.as(
        await world.person({ permissions: ['MANAGE_API_KEYS'] }),
        'PATCH',
        `/api/settings/api-keys/${id}`,
        { writes: 'DIRECT' },
      )
    },
  },
  {
    guarantee: 'what an administrator’s agent did is not undone by somebody below',
    stoppedBy: 'settings.agentSessions.undo takes',
    attempt: async (world) =>
      world.as(
        await world.person({ permissions: ['MANAGE_API_KEYS'] }),
        'POST',
        `/api/settings/agent-sessions/${await agentSessionOf(world)}/undo`,
      ),
  },
  ...(['approve', 'reject', 'decide'] as const).map((verb): Attack => ({
    guarantee: `what an administrator’s agent proposes is not decided by somebody below (${verb})`,
    stoppedBy: `settings.proposals.${verb} actsAs`,
    attempt: async (world) => {
      const id = await proposalOf(world)
      const me = await world.person({ permissions: ['VIEW_LEAD'] })
      return verb === 'decide'
        ? world.as(me, 'POST', '/api/settings/proposals/bulk', { ids: [id], decision: 'REJECT' })
        : world.as(me, 'POST', `/api/settings/proposals/${id}/${verb}`)
    },
  })),
  {
    guarantee: 'a workflow that runs as somebody mightier is not edited',
    stoppedBy: 'settings.workflows.update actsAs',
    attempt: async (world) => {
      const id = await workflowOf(world, 'admin')
      return world.as(await automator(world), 'PATCH', `/api/settings/workflows/${id}`, { steps: [] })
    },
  },
  {
    guarantee: 'a workflow that runs as somebody mightier is not published',
    stoppedBy: 'settings.workflows.publish actsAs',
    attempt: async (world) => {
      const id = await workflowOf(world, 'admin')
      return world.as(await automator(world), 'POST', `/api/settings/workflows/${id}/publish`)
    },
  },
  {
    guarantee: 'a workflow that runs as somebody mightier is not run',
    stoppedBy: 'settings.workflows.run actsAs',
    attempt: async (world) => {
      const id = await publishedWorkflow(world)
      return world.as(await automator(world), 'POST', `/api/settings/workflows/${id}/run`, {})
    },
  },
  {
    guarantee: 'a workflow that runs as somebody mightier gets no new secret',
    stoppedBy: 'settings.workflows.regenerateSecret actsAs',
    attempt: async (world) => {
      const id = await publishedWorkflow(world, { type: 'WEBHOOK' })
      return world.as(await automator(world), 'POST', `/api/settings/workflows/${id}/regenerate-secret`)
    },
  },
  {
    guarantee: 'a workflow that runs as somebody mightier is not stopped',
    stoppedBy: 'settings.workflows.unpublish takes',
    attempt: async (world) => {
      const id = await publishedWorkflow(world)
      return world.as(await automator(world), 'POST', `/api/settings/workflows/${id}/unpublish`)
    },
  },
  {
    guarantee: 'a workflow that runs as somebody mightier is not deleted',
    stoppedBy: 'settings.workflows.delete takes',
    attempt: async (world) => {
      const id = await workflowOf(world, 'admin')
      return world.as(await automator(world), 'DELETE', `/api/settings/workflows/${id}`)
    },
  },
  {
    guarantee: 'a run as somebody mightier is not retried',
    stoppedBy: 'settings.workflowRuns.retry actsAs',
    attempt: async (world) => {
      const id = await runOf(world, 'FAILED')
      return world.as(await automator(world), 'POST', `/api/settings/workflow-runs/${id}/retry`)
    },
  },
  {
    guarantee: 'a run as somebody mightier is not cancelled',
    stoppedBy: 'settings.workflowRuns.cancel takes',
    attempt: async (world) => {
      const id = await runOf(world, 'WAITING')
      return world.as(await automator(world), 'POST', `/api/settings/workflow-runs/${id}/cancel`)
    },
  },
  {
    guarantee: 'a rule of somebody mightier is not turned to one’s own address',
    stoppedBy: 'settings.automationRules.update actsAs',
    attempt: async (world) => {
      const id = await ruleOf(world)
      return world.as(await automator(world), 'PATCH', `/api/settings/automation-rules/${id}`, {
        actions: [{ type: 'WEBHOOK', url: 'http://127.0.0.1:9/mine', method: 'POST', headers: {}, bodyTemplate: null }],
      })
    },
  },
  {
    guarantee: 'the conditions of a rule of somebody mightier are no oracle',
    stoppedBy: 'settings.automationRules.update actsAs',
    attempt: async (world) => {
      const id = await ruleOf(world)
      return world.as(await automator(world), 'PATCH', `/api/settings/automation-rules/${id}`, {
        trigger: { event: 'lead.created', conditions: [{ field: 'data.email', op: 'CONTAINS', value: 'a' }] },
      })
    },
  },
  {
    guarantee: 'a rule of somebody mightier is not switched on',
    stoppedBy: 'settings.automationRules.update actsAs',
    attempt: async (world) => {
      const id = await ruleOf(world)
      return world.as(await automator(world), 'PATCH', `/api/settings/automation-rules/${id}`, { isActive: true })
    },
  },
  {
    guarantee: 'a rule of somebody mightier sends nothing for a test',
    stoppedBy: 'settings.automationRules.test actsAs',
    attempt: async (world) => {
      const id = await ruleOf(world)
      return world.as(await automator(world), 'POST', `/api/settings/automation-rules/${id}/test`, {})
    },
  },
  {
    guarantee: 'a rule of somebody mightier is not deleted',
    stoppedBy: 'settings.automationRules.delete takes',
    attempt: async (world) => {
      const id = await ruleOf(world)
      return world.as(await automator(world), 'DELETE', `/api/settings/automation-rules/${id}`)
    },
  },
  {
    guarantee: 'a skipped run of somebody mightier’s rule is not replayed',
    stoppedBy: 'settings.automationRules.replayRun actsAs',
    attempt: async (world) => {
      const ruleId = await ruleOf(world)
      return world.as(
        await automator(world),
        'POST',
        `/api/settings/automation-rules/${ruleId}/runs/${await skippedRunOf(world, ruleId)}/replay`,
      )
    },
  },
  {
    guarantee: 'a request that somebody mightier sent is not sent again',
    stoppedBy: 'settings.deliveries.redeliver actsAs',
    attempt: async (world) => {
      const id = await deliveryOf(world, await ruleOf(world))
      return world.as(await automator(world), 'POST', `/api/settings/deliveries/${id}/redeliver`)
    },
  },
  {
    guarantee: 'a request of nobody who is known is sent again by administrators alone',
    stoppedBy: 'settings.deliveries.redeliver actsAs',
    attempt: async (world) => {
      const id = await deliveryOf(world, null)
      return world.as(await automator(world), 'POST', `/api/settings/deliveries/${id}/redeliver`)
    },
  },
]

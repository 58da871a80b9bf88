import { declaredOperations, publicContract, settingsContract, type DeclaredOperation } from '@crm/contract'
import { newId, readWayIn, schema } from '@crm/db'
import { permissionNames } from '@crm/permissions'
import { and, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownApi, type CallAnswer } from './harness.ts'
import { deadAddress, directoryOf, newWorld, type World } from './reach.attacks.ts'
import { Ref, someRequests, type WalkRequest } from './rights.requests.ts'
import { pathOf, resolve, type Pool } from './rights.walk.ts'
import { anyDirectoryRequest, written, type DirectoryRequest } from './scim.documents.ts'

const api = await ownApi({ outboundAllowCidrs: ['127.0.0.1/32'] })
const { db } = api

/** People are changed in the settings; elsewhere hardly. */
const samplesOf = ({ resource }: DeclaredOperation): number => (resource.surface === 'settings' ? 4 : 1)
const directorySamples = 40

/** Where the only person who can repair the workspace has their rights from. */
const sources = ['hand', 'a group of a directory', 'an identity provider', 'the emergency access'] as const
type Source = (typeof sources)[number]

/** A workspace that one person alone can repair. */
interface Frail {
  readonly world: World
  readonly pool: Pool
  readonly person: { readonly id: string; readonly email: string }
  readonly groups: readonly string[]
  /** The sessions of that person, and of an administrator beside them where that is not enough. */
  readonly actors: readonly { readonly cookie: string }[]
  readonly directory: { readonly key: string }
}

const changing = declaredOperations({ ...settingsContract, ...publicContract }).filter(
  ({ operation }) => operation.method !== 'GET' && operation.access !== 'open' && !operation.upload,
)

describe.each(sources)('a workspace that one person can repair, with rights by %s', (source) => {
  const timeout = 300_000
  it('stays so, whatever administrators and directories send', { timeout }, async () => {
    let frail = await frailWorld(source)
    const refused: Record<string, Set<string>> = { LAST_ADMINISTRATOR: new Set(), BREAK_GLASS_REQUIRED: new Set() }
    let accepted = 0
    const look = async (id: string, { status, body }: CallAnswer, what: unknown) => {
      const code = String(body?.code ?? (status === 409 ? body?.detail : ''))
      if (status >= 500) throw new Error(`${id} broke: ${JSON.stringify([what, body])}`)
      for (const [known, ids] of Object.entries(refused)) if (code === known || code === sentences[known]) ids.add(id)
      if (status >= 300) return
      accepted += 1
      expect(await readWayIn(db, frail.world.workspace.workspaceId), `${id} ${JSON.stringify(what)}`).toEqual(safe)
      if (await isOther(frail)) frail = await frailWorld(source)
    }
    for (const declared of changing)
      for (const request of someRequests(declared, samplesOf(declared)).flatMap((one, n) =>
        n === 0 ? ofEach(one, frail.pool) : [one],
      ))
        for (const at of frail.actors.keys()) {
          const { method } = declared.operation
          const [path, body] = sentTo(declared, request, frail.pool)
          const answer = await frail.world.as(frail.actors[at]!, method, path, body)
          if (answer.status === 401) frail = await frailWorld(source)
          else await look(declared.id, answer, { path, body })
        }
    for (const request of [...plain, ...fc.sample(anyDirectoryRequest, { numRuns: directorySamples, seed: 1 })]) {
      const people = Array.from({ length: 7 }, () => frail.person)
      const [path, body] = written({ ...request, target: 0 }, people, frail.groups)
      const id = `${request.method} ${request.kind}`
      await look(id, await frail.world.as(frail.directory, request.method, path, body), body)
    }
    expect(accepted).toBeGreaterThan(0)
    for (const [code, ids] of Object.entries(expected[source]))
      expect([...refused[code]!].toSorted()).toEqual(ids.toSorted())
  })
})

const onPerson = { target: 0, isLoud: false, kind: 'Users' } as const
const plain: readonly DirectoryRequest[] = [
  {
    ...onPerson,
    method: 'PATCH',
    body: {
      members: [
        [
          'Operations',
          [
            {
              members: [
                ['op', 'replace'],
                ['path', 'active'],
                ['value', false],
              ],
            },
          ],
        ],
      ],
    },
  },
  { ...onPerson, method: 'DELETE', body: undefined },
]

const safe = { hasAdministrator: true, hasEmergencyAccess: true }
const sentences: Readonly<Record<string, string>> = {
  LAST_ADMINISTRATOR: 'The workspace needs an active administrator',
}
/** What would have taken the way in: without these refusals the sweep would prove nothing. */
const byHand = ['settings.roles.update', 'settings.users.delete', 'settings.users.update']
const byDirectory = ['DELETE Users', 'PATCH Users', 'PUT Users']
const byGroup = ['DELETE Groups', 'PATCH Groups', 'PUT Groups', 'settings.scimGroups.update']
const expected: Readonly<Record<Source, Readonly<Record<string, readonly string[]>>>> = {
  hand: { LAST_ADMINISTRATOR: [...byHand, ...byDirectory] },
  'a group of a directory': { LAST_ADMINISTRATOR: [...byHand, ...byDirectory, ...byGroup] },
  'an identity provider': {
    LAST_ADMINISTRATOR: [...byHand, ...byDirectory, 'settings.identityProviders.delete'],
  },
  'the emergency access': {
    BREAK_GLASS_REQUIRED: [
      ...byHand,
      'auth.factors.removePasskey',
      'settings.signIn.update',
      'settings.users.signIn.resetSecondFactor',
    ],
  },
}

function sentTo(
  { operation }: DeclaredOperation,
  { params, body }: { readonly params: object; readonly body: unknown },
  pool: Pool,
): [string, unknown] {
  return [pathOf(operation.path, resolve(params, pool) as object), resolve(body, pool)]
}

/** Returns a request with the id of each object of its kind. */
function ofEach(request: WalkRequest, pool: Pool): readonly WalkRequest[] {
  const { id } = request.params
  if (!(id instanceof Ref)) return [request]
  return pool[id.thing].map((_one, n) => ({ ...request, params: { ...request.params, id: new Ref(id.thing, n) } }))
}

/** Whether the person has other rights now, or the workspace other people, so that a later request would prove nothing. */
async function isOther({ world, pool }: Frail): Promise<boolean> {
  const { workspaceId } = world.workspace
  const [person] = await db
    .select({
      status: schema.employees.status,
      roles: sql<number>`(SELECT count(*)::int FROM employee_roles r WHERE r.workspace_id = ${workspaceId} AND r.employee_id = ${schema.employees.id})`,
    })
    .from(schema.employees)
    .where(and(eq(schema.employees.workspaceId, workspaceId), eq(schema.employees.id, pool.user[0]!)))
  const [role] = await db.select().from(schema.roles).where(eq(schema.roles.id, pool.role[0]!))
  const people = await db
    .select({ id: schema.employees.id })
    .from(schema.employees)
    .where(eq(schema.employees.workspaceId, world.workspace.workspaceId))
  const isSame =
    person?.status === 'ACTIVE' && person.roles === 1 && role?.permissions.length === permissionNames.length
  return !isSame || people.length !== pool.user.length + 1
}

async function frailWorld(source: Source): Promise<Frail> {
  const world = await newWorld(api)
  const { workspace } = world
  const { workspaceId } = workspace
  const isEmergency = source === 'the emergency access'
  const person = await workspace.employee({ grant: { permissions: permissionNames } })
  const { id } = person
  const [held] = await db.select().from(schema.employeeRoles).where(eq(schema.employeeRoles.employeeId, id))
  const roleId = held!.roleId
  const department = await workspace.department('Some')
  const directory = await directoryOf(world)
  const byHand = source === 'hand' || isEmergency
  await db.update(schema.employeeRoles).set({ byHand }).where(eq(schema.employeeRoles.employeeId, id))
  const [group, plain, provider, passkey] = [newId(), newId(), newId(), newId()]
  await db.insert(schema.scimGroups).values([
    { workspaceId, id: group, displayName: 'Administrators' },
    { workspaceId, id: plain, displayName: 'Everybody' },
  ])
  const facts = { name: 'Corporate', issuer: 'https://id.example', clientId: 'crm', authMethod: 'none' as const }
  await db.insert(schema.identityProviders).values({ workspaceId, id: provider, slug: 'corp', scopes: [], ...facts })
  if (source === 'a group of a directory') {
    await db.insert(schema.scimGroupRoles).values({ workspaceId, groupId: group, roleId })
    await db.insert(schema.scimGroupMembers).values({ workspaceId, groupId: group, employeeId: id })
  }
  if (source === 'an identity provider')
    await db.insert(schema.providerRoles).values({ workspaceId, providerId: provider, employeeId: id, roleId })
  const others = await db
    .select({ id: schema.employees.id })
    .from(schema.employees)
    .where(eq(schema.employees.workspaceId, workspaceId))
  // The service account of the directory may do everything and is no person who could repair anything.
  await db.insert(schema.employeeRoles).values({ workspaceId, employeeId: directory.ownerId, roleId })
  for (const other of others)
    if (![id, directory.ownerId].includes(other.id) && !(isEmergency && other.id === world.admin))
      await db.delete(schema.employees).where(eq(schema.employees.id, other.id))
  const actors = [{ cookie: await workspace.session(id) }]
  if (isEmergency) {
    actors.push({ cookie: await workspace.session(world.admin) })
    const publicKey = Buffer.from('key')
    const key = { workspaceId, id: passkey, employeeId: id, name: 'Phone', credentialId: passkey, publicKey }
    await db.insert(schema.passkeys).values(key)
    const policy = JSON.stringify({ enforceSso: true, breakGlassUserIds: [id] })
    await db
      .update(schema.workspaces)
      .set({ signInPolicy: sql`${schema.workspaces.signInPolicy} || ${policy}::jsonb` })
      .where(eq(schema.workspaces.id, workspaceId))
  }
  await api.epochs.bump(workspaceId)
  expect(await readWayIn(db, workspaceId)).toEqual(safe)
  const none: string[] = []
  const pool: Pool = {
    role: [roleId],
    user: [id, ...(isEmergency ? [world.admin] : [])],
    department: [department],
    key: none,
    client: none,
    workflow: none,
    run: none,
    rule: none,
    delivery: none,
    import: none,
    export: none,
    address: [deadAddress],
    record: [provider, group, passkey],
  }
  return { world, pool, person, groups: [group, plain], actors, directory }
}

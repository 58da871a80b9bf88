import { newId, readRights, schema } from '@crm/db'
import {
  covers,
  entityTypes,
  permissionNames,
  reachIn,
  type AccessLevel,
  type AccessRule,
  type Reach,
  type Rights,
} from '@crm/permissions'
import { testPassword } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { inject, type ApiUnderTest } from './harness.ts'
import { deadAddress, newWorld, type World } from './reach.attacks.ts'
import { importOf } from './reach.peeks.ts'
import { operationOf, Ref, thingOf, type Thing, type WalkRequest } from './rights.requests.ts'

/** A text in every record that the walker may not see, and nowhere else. */
export const marker = 'zzmarker'

/** A text in a record of the walker's own, which is out of sight as soon as the right to see it is withdrawn. */
export const ownMarker = 'zzown'

/** The rights with which a person begins a walk. */
export interface WalkerRights {
  readonly permissions: readonly string[]
  readonly access: readonly AccessRule[]
  readonly hasDepartment: boolean
}

/** Never ALL: with these levels, records of others in other departments are out of sight. */
const narrowLevel = fc.constantFrom<AccessLevel>('NONE', 'OWN', 'DEPARTMENT', 'DEPARTMENT_TREE')

export const anyRights: fc.Arbitrary<WalkerRights> = fc.record({
  permissions: fc
    .tuple(
      fc.subarray(
        ['MANAGE_USERS', 'MANAGE_ROLES', 'MANAGE_API_KEYS', 'MANAGE_WORKFLOWS', 'UPDATE_DEPARTMENT', 'VIEW_DEPARTMENT'],
        { minLength: 1 },
      ),
      fc.subarray([...permissionNames]),
    )
    .map(([managing, others]) => [...new Set([...managing, ...others])]),
  access: fc
    .tuple(
      ...entityTypes.map((entityType) =>
        fc.record({ entityType: fc.constant(entityType), VIEW: narrowLevel, UPDATE: narrowLevel, DELETE: narrowLevel }),
      ),
    )
    .map((rules) =>
      rules.map((rule) =>
        rule.entityType === 'DEPARTMENT' ? ({ ...rule, VIEW: 'ALL', UPDATE: 'ALL' } as const) : rule,
      ),
    ),
  hasDepartment: fc.boolean(),
})

const plantedLists = ['leads', 'contacts', 'companies', 'deals', 'tasks', 'projects', 'activities'] as const

/** Walks through requests, and throws with all of them as soon as one of them gains a right or a record. */
export async function walk(
  api: ApiUnderTest,
  rights: WalkerRights,
  requests: readonly WalkRequest[],
  background?: Background,
): Promise<Tally> {
  const walker = await newWalker(api, rights, background)
  await walker.look()
  for (const request of requests) {
    const answer = await walker.go(request)
    if (answer.status < 300 && operationOf(request).operation.method !== 'GET') await walker.look()
  }
  await walker.look(plantedLists)
  await walker.lookBehind()
  await walker.loseSight()
  await walker.look(plantedLists)
  await walker.lookBehind()
  return walker.tally
}

/** The background work of the API, and its output to other systems. */
export interface Background {
  /** The target address of a walker's automation. */
  readonly address: string
  /** The target address of the boss's automation; its content is meant for the boss. */
  readonly bossAddress: string
  readonly bossMail: string
  /** Resolves when all queued work of a workspace is done. */
  settle(workspaceId: string): Promise<void>
  /** Returns every request and mail since the last call, except those to the boss, as one text each. */
  takeSent(): readonly string[]
}

/** The number of sent and accepted requests, and the results of background work that were read. */
export interface Tally {
  sent: number
  accepted: number
  /** Requests and mails that left the installation. */
  left: number
  /** Runs, deliveries and files that were read. */
  read: number
}

async function newWalker(
  api: ApiUnderTest,
  { permissions, access, hasDepartment }: WalkerRights,
  background?: Background,
) {
  const world = await newWorld(api)
  const { workspace } = world
  const mine = await workspace.department('Mine')
  await workspace.department('Below mine', mine)
  const { id } = await workspace.employee({
    grant: { permissions, access },
    departmentId: hasDepartment ? mine : undefined,
  })
  const { pool, boss, own } = await planted(world, id, background)
  const before = await readRights(api.db, workspace.workspaceId)
  const start = reachIn(before, id)
  const steps: string[] = []
  const credentials: Credential[] = [{ name: 'walker', cookie: await workspace.session(id) }]
  const tally: Tally = { sent: 0, accepted: 0, left: 0, read: 0 }
  let outOfSight = [marker]

  const fail = (what: string): never => {
    throw new Error(`${what}\nwith ${permissions.join(', ')}\n${JSON.stringify(access)}\nafter\n${steps.join('\n')}`)
  }

  const send = async (credential: Credential, method: Method, path: string, body?: unknown): Promise<WalkAnswer> => {
    const {
      headers,
      statusCode: status,
      body: text,
    } = await inject(api.app, {
      method,
      url: path,
      headers: { host: workspace.host, 'content-type': 'application/json', ...headersOf(credential, workspace.host) },
      payload: body === undefined ? undefined : JSON.stringify(body),
    })
    if (credential !== boss && outOfSight.some((one) => text.includes(one)))
      fail(`${credential.name} was shown what is out of sight: ${method} ${path} → ${text.slice(0, 600)}`)
    if (status >= 500) fail(`${method} ${path} broke: ${text}`)
    const isJson = String(headers['content-type']).startsWith('application/json')
    return { status, body: isJson ? (JSON.parse(text) as WalkAnswer['body']) : {} }
  }

  /** Runs all requested background work, and checks the output to other systems. */
  const settle = async (): Promise<void> => {
    if (!background) return
    await background.settle(workspace.workspaceId)
    const sent = background.takeSent()
    tally.left += sent.length
    for (const text of sent)
      if (outOfSight.some((one) => text.includes(one))) fail(`what is out of sight was sent: ${text.slice(0, 600)}`)
  }
  await settle()

  return {
    tally,
    go: async (request: WalkRequest): Promise<WalkAnswer> => {
      const { by, params, query, body } = request
      const operation = operationOf(request)
      const credential = by === 'boss' ? boss : (credentials[by % credentials.length] as Credential)
      const { method } = operation.operation
      const resolved = resolve(body, pool)
      const path =
        pathOf(operation.operation.path, resolve(params, pool) as object) + queryOf(resolve(query, pool) as object)
      steps.push(`${credential.name}: ${method} ${path} ${resolved === undefined ? '' : JSON.stringify(resolved)}`)
      const answer = await send(credential, method, path, resolved)
      steps.push(`  → ${answer.status} ${answer.body.code ?? ''}`)
      tally.sent += 1
      if (answer.status < 300 && method !== 'GET') await settle()
      if (answer.status < 300 && by !== 'boss') {
        tally.accepted += 1
        learn(
          operation.operation.method === 'POST' && !operation.operation.path.includes('{')
            ? thingOf(operation)
            : undefined,
          answer,
          pool,
          credentials,
        )
        if (operation.resource.name === 'settings.users') await enter(world, answer, resolved, credentials)
      }
      return answer
    },
    /** Checks everything that is visible with all gained credentials, and the rights themselves. */
    look: async (lists: readonly string[] = ['leads', 'tasks']): Promise<void> => {
      for (const credential of credentials) {
        for (const list of lists) await send(credential, 'GET', `/api/${list}?pageSize=100`)
        for (const hidden of outOfSight) await send(credential, 'GET', `/api/search?q=${hidden.slice(0, 5)}`)
      }
      const now = await readRights(api.db, workspace.workspaceId)
      if (!covers(start, amongKnown(reachIn(now, id), before))) fail('the walker reaches more than before')
    },
    /**
     * Withdraws the right to see anything from everybody but the boss; they may continue their other actions. Waiting work,
     * stored data and later changes must not reveal the record that they saw before.
     */
    loseSight: async (): Promise<void> => {
      await settle()
      const bossDoes = async (method: Method, path: string, body: object): Promise<WalkAnswer> => {
        const answer = await send(boss, method, path, body)
        if (answer.status >= 300) fail(`the walker took the rights of the boss: ${JSON.stringify(answer)}`)
        return answer
      }
      const blind = await bossDoes('POST', '/api/settings/roles', {
        name: `Blind ${newId()}`,
        permissions,
        access: entityTypes.map((entityType) => ({ entityType, VIEW: 'NONE', UPDATE: 'NONE', DELETE: 'NONE' })),
      })
      const people = await api.db
        .select({ id: schema.employees.id })
        .from(schema.employees)
        .where(eq(schema.employees.workspaceId, workspace.workspaceId))
      for (const person of people)
        if (person.id !== boss.id)
          await bossDoes('PATCH', `/api/settings/users/${person.id}`, { roleIds: [blind.body.data?.['id']] })
      steps.push('the right to see anything is withdrawn')
      outOfSight = [marker, ownMarker]
      await bossDoes('PATCH', `/api/leads/${own}`, { description: 'Changed' })
      await settle()
    },
    /** Checks the logs of background work, and its files. */
    lookBehind: async (): Promise<void> => {
      if (!background) return
      await settle()
      for (const credential of credentials) {
        const read = async (path: string): Promise<WalkAnswer> => {
          const answer = await send(credential, 'GET', `/api/settings/${path}`)
          if (answer.status === 200) tally.read += 1
          return answer
        }
        const listed = async (path: string): Promise<readonly string[]> =>
          ((await read(`${path}?pageSize=100`)).body.items ?? []).map((item) => item.id)
        const known = [...pool.run, ...pool.delivery]
        for (const run of new Set([...(await listed('workflow-runs')), ...known])) await read(`workflow-runs/${run}`)
        for (const delivery of new Set([...(await listed('deliveries')), ...known]))
          await read(`deliveries/${delivery}`)
        for (const rule of pool.rule) await read(`automation-rules/${rule}/runs`)
        for (const one of pool.export) await read(`exports/${one}/file`)
        for (const one of pool.import) await read(`imports/${one}/errors.csv`)
        await read('notifications')
      }
    },
  }
}

interface WalkAnswer {
  readonly status: number
  readonly body: {
    readonly code?: string
    readonly issues?: unknown
    readonly data?: Readonly<Record<string, unknown>>
    readonly items?: readonly { readonly id: string }[]
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

function headersOf({ cookie, key }: Credential, host: string): Record<string, string> {
  return { ...(cookie ? { cookie, origin: `http://${host}` } : {}), ...(key ? { authorization: `Bearer ${key}` } : {}) }
}

interface Credential {
  readonly name: string
  readonly cookie?: string
  readonly key?: string
}

/** Removes departments that were created later, because they are empty. */
function amongKnown(reach: Reach, { departments }: Rights): Reach {
  const known = new Set(departments.map(({ id }) => id))
  return { ...reach, holder: { ...reach.holder, departmentTree: reach.holder.departmentTree.intersection(known) } }
}

/** The objects of a world, by what references to them stand for. */
export type Pool = Record<Thing, string[]>

/** Creates people with more and with other rights, with their records and their automation. */
async function planted(
  world: World,
  walkerId: string,
  background?: Background,
): Promise<{ readonly pool: Pool; readonly boss: Credential & { readonly id: string }; readonly own: string }> {
  const { api, workspace } = world
  const { db } = api
  const { workspaceId } = workspace
  const far = await workspace.department('Far')
  const boss = await workspace.employee({ roles: ['Administrator'], departmentId: far })
  const colleague = await workspace.employee({ roles: ['Member'], departmentId: far })
  await workspace.employee({ grant: { permissions: ['VIEW_LEAD', 'VIEW_TASK', 'VIEW_CONTACT'] }, departmentId: far })
  await workspace.employee({ roles: ['Member'] })
  await workspace.employee({ grant: { permissions: [] } })
  const records: string[] = []
  const cookie = await workspace.session(boss.id)
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await api.call({ method: 'POST', path, body, cookie }, workspace)
    if (answer.status !== 201) throw new Error(`Nothing was planted at ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data.id as string
  }
  for (const ownerId of [boss.id, colleague.id]) {
    records.push(
      await made('/api/leads', { lastName: marker, email: `${newId()}@planted.example`, description: marker, ownerId }),
      await made('/api/tasks', { title: marker, ownerId }),
    )
  }
  records.push(
    await made('/api/contacts', { lastName: marker }),
    await made('/api/companies', { name: marker }),
    await made('/api/deals', { name: marker }),
    await made('/api/projects', { name: marker }),
    await made('/api/activities', { type: 'CALL', subject: marker }),
    await made('/api/crm/comments', { entityType: 'LEAD', entityId: records[0], body: marker }),
  )
  const own = await made('/api/leads', { lastName: ownMarker, description: ownMarker, ownerId: walkerId })
  const settings = (path: string, body: object) => made(`/api/settings/${path}`, body)
  const workflow = await settings('workflows', {
    name: 'Find',
    trigger: { type: 'MANUAL' },
    steps: [{ key: 'find', type: 'FIND_RECORDS', entityType: 'LEAD' }],
  })
  await api.call({ method: 'POST', path: `/api/settings/workflows/${workflow}/publish`, cookie }, workspace)
  const run = newId()
  await db.insert(schema.workflowRuns).values({
    workspaceId,
    id: run,
    workflowId: workflow,
    version: 1,
    runAsId: boss.id,
    state: 'FAILED',
    trigger: { name: marker },
    subjectType: 'LEAD',
    subjectId: records[0],
  })
  const rule = await settings('automation-rules', {
    name: 'Tell',
    isActive: background !== undefined,
    trigger: { event: 'lead.created' },
    actions: [{ type: 'WEBHOOK', url: background?.bossAddress ?? deadAddress }],
  })
  const delivery = newId()
  await db.insert(schema.deliveries).values({
    workspaceId,
    id: delivery,
    ruleId: rule,
    request: { method: 'POST', url: deadAddress, headers: {}, body: JSON.stringify({ name: marker }) },
    state: 'FAILED',
    subjectType: 'LEAD',
    subjectId: records[0],
  })
  const workflows = [workflow]
  if (background) {
    const mail = {
      key: 'mail',
      type: 'SEND_EMAIL',
      to: background.bossMail,
      subject: 'A lead',
      body: '{{trigger.data.lastName}}',
    }
    const hearing = await settings('workflows', {
      name: 'Hear',
      trigger: { type: 'EVENT', event: 'lead.created' },
      steps: [mail],
    })
    await api.call({ method: 'POST', path: `/api/settings/workflows/${hearing}/publish`, cookie }, workspace)
    workflows.push(hearing)
  }
  const imported = await importOf(world, boss.id, marker)
  const client = newId()
  await db
    .insert(schema.oauthClients)
    .values({ workspaceId, id: client, name: 'Chat', redirectUris: ['https://client.example/cb'] })
  await db
    .insert(schema.oauthGrants)
    .values({ workspaceId, clientId: client, employeeId: boss.id, scopes: ['VIEW_LEAD'] })
  const key = await workspace.apiKey({ ownerId: boss.id, scopes: ['VIEW_LEAD', 'VIEW_TASK'] })
  const idsOf = async (table: typeof schema.employees | typeof schema.roles | typeof schema.departments) =>
    (await db.select({ id: table.id }).from(table).where(eq(table.workspaceId, workspaceId))).map((row) => row.id)
  const pool: Pool = {
    role: await idsOf(schema.roles),
    user: await idsOf(schema.employees),
    department: await idsOf(schema.departments),
    key: [key.id],
    client: [client],
    workflow: workflows,
    run: [run],
    rule: [rule],
    delivery: [delivery],
    import: [imported],
    export: [],
    address: [background?.address ?? deadAddress],
    record: records,
  }
  return { pool, boss: { id: boss.id, name: 'boss', cookie }, own }
}

/** Replaces references in a value by ids. */
export function resolve(value: unknown, pool: Pool): unknown {
  if (value instanceof Ref) return pool[value.thing].at(value.n % Math.max(1, pool[value.thing].length)) ?? newId()
  if (Array.isArray(value)) return [...new Set(value.map((one) => resolve(one, pool)))]
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner, pool)]))
}

/** Returns a path with its parameters. */
export function pathOf(path: string, params: object): string {
  return Object.entries(params).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  )
}

function queryOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}

/** Stores the results of an answer: the id of a new object, and the text of a key. */
function learn(thing: Thing | undefined, { body }: WalkAnswer, pool: Pool, credentials: Credential[]): void {
  const data = body.data ?? {}
  const { id, key } = data
  if (thing && typeof id === 'string') pool[thing].push(id)
  if (typeof key === 'string' && key.startsWith('sk-')) credentials.push({ name: `key ${credentials.length}`, key })
}

/** Signs in as a person whose password is known now. */
async function enter(
  { api, workspace }: World,
  { body }: WalkAnswer,
  sent: unknown,
  credentials: Credential[],
): Promise<void> {
  if (typeof sent !== 'object' || sent === null || !('password' in sent)) return
  const email = String(body.data?.['email'])
  const answer = await api.call(
    { method: 'POST', path: '/api/auth/login', body: { email, password: testPassword } },
    workspace,
  )
  const cookie = String(answer.headers['set-cookie']).split(';')[0]
  if (answer.status === 200) credentials.push({ name: `session of ${email}`, cookie })
}

import { seed, stepsOf } from '@crm/testkit'
import { declaredOperations, publicContract, type DeclaredOperation } from '@crm/contract'
import { accessLevels, entityTypes, permissionNames } from '@crm/permissions'
import { createRandom, type Random } from '@crm/runtime'
import { coreMode, isRunnable, shortBody, shortened, toolCatalogue, type Tool } from '@crm/tools'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { callDirectly, callRpc, toldBy, type Answer, type ToolAnswer, type Way } from './both-ways.ts'
import { everydayPhrasings } from './everyday-phrasings.ts'
import { startInstallation } from './installation.ts'
import { sampleOf } from './samples.ts'

const credentials = stepsOf(12)

const { workspace, gateways, apis } = await startInstallation()
const catalogue = toolCatalogue(publicContract)
const core = coreMode(catalogue.tools)
const operationOf = new Map(declaredOperations(publicContract).map((declared) => [declared.title, declared]))
const declaredOf = ({ route: { method, path } }: Tool): DeclaredOperation => {
  const declared = operationOf.get(`${method} ${path}`)
  if (!declared) throw new Error(`There is no operation ${method} ${path}`)
  return declared
}

const byApi = (key: string): Way => ({ url: apis[0].url, host: workspace.host, key })
const byGateway = (key: string): Way => ({ url: gateways[0].url, host: workspace.host, key })

type Fields = Readonly<Record<string, unknown>>

/** Sends a message to the tool server at an address that narrows it. */
const send = (key: string, narrowing: string, method: string, params?: Fields): Promise<ToolAnswer> =>
  callRpc(byGateway(key), method, params, `?${narrowing}`)
const inCore = (key: string, name: string, args: Fields = {}, narrowing = 'mode=core'): Promise<ToolAnswer> =>
  send(key, narrowing, 'tools/call', { name, arguments: args })
const listed = async (key: string, narrowing = 'mode=core') => {
  const { result } = await send(key, narrowing, 'tools/list')
  return (result as unknown as { tools: readonly { name: string; annotations: { readOnlyHint: boolean } }[] }).tools
}
const namesIn = async (key: string, narrowing?: string) => (await listed(key, narrowing)).map(({ name }) => name)
const create = async (path: string, body: object): Promise<{ id: string }> => {
  const made = await callDirectly({ method: 'POST', path: path as '/x' }, { params: {}, query: {}, body }, byApi(admin))
  if (made.status >= 300) throw new Error(JSON.stringify(made.body))
  return (made.body as { data: { id: string } }).data
}
const dataOf = (answer: Answer) => (answer.body as { data: Fields }).data

const admin = (await workspace.apiKey()).key
let lead: { id: string }
let company: { id: string }
let deal: { id: string }

beforeAll(async () => {
  lead = await create('/api/leads', { firstName: 'Grace', lastName: 'Hopper', companyName: 'Navy', temperature: 'HOT' })
  company = await create('/api/companies', { name: 'Acme' })
  deal = await create('/api/deals', { name: 'Fleet', amount: '1200', companyId: company.id })
  await create('/api/tasks', { title: 'Call back', links: [{ entityType: 'DEAL', entityId: deal.id }] })
  await create('/api/contacts', { firstName: 'Ada', companyId: company.id })
})

describe('the list', () => {
  it('has the tools that the exact permission allows, and those that find others', async () => {
    const { key } = await workspace.apiKey({ scopes: ['VIEW_LEAD', 'UPDATE_DEAL'] })
    expect(await namesIn(key)).toEqual([
      'search',
      'fetch',
      'describe_workspace',
      'search_tools',
      'execute_tool',
      'leads_list',
      'leads_summary',
      'deals_update',
      ...(catalogue.find('feed_list') ? ['feed_list'] : []),
    ])
    expect(await namesIn((await workspace.apiKey({ scopes: [] })).key)).toEqual([])
  })

  it('is narrowed by readonly and toolsets, and what calls others reads then', async () => {
    const tools = await listed(admin, 'mode=core&readonly')
    expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true)
    expect(tools.map(({ name }) => name)).toContain('execute_tool')
    expect(await namesIn(admin, 'mode=core&toolsets=leads&readonly=yes')).toEqual([
      'describe_workspace',
      'search_tools',
      'execute_tool',
      'leads_list',
      'leads_summary',
    ])
  })

  it('of the full mode is narrowed to the exact permission by runnable', async () => {
    const { key } = await workspace.apiKey({ scopes: ['VIEW_LEAD'] })
    expect(await namesIn(key, '')).toContain('leads_create')
    const names = await namesIn(key, 'runnable=true')
    expect(names).toContain('leads_list')
    expect(names).not.toContain('leads_create')
    expect(names).toEqual(
      catalogue.tools.filter((tool) => isRunnable(tool, new Set(['VIEW_LEAD']))).map(({ name }) => name),
    )
    expect(await namesIn(key, 'runnable=no')).toContain('leads_create')
  })

  it.each(['mode=cor', 'mode=', 'mode=core&mode=tiny', 'mode=core&toolsets=leeds'])(
    'is refused for ?%s, as every call, naming what there is',
    async (narrowing) => {
      for (const method of ['tools/list', 'tools/call'])
        expect(await send(admin, narrowing, method, { name: 'leads_list' })).toMatchObject({
          error: { code: -32602, message: expect.stringMatching(/there are (full, core|search, leads)/) },
        })
    },
  )
})

describe('a call', () => {
  it('answers short rows with names, and all of a record that is read alone', async () => {
    const { body } = toldBy(await inCore(admin, 'leads_list', { search: 'hopper' }))
    expect(body).toMatchObject({
      total: 1,
      items: [
        {
          id: lead.id,
          firstName: 'Grace',
          companyName: 'Navy',
          status: 'NEW',
          temperature: 'HOT',
          owner: 'Ada Admin',
          stage: expect.any(String),
        },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('createdAt')
    const read = toldBy(
      await inCore(admin, 'execute_tool', { name: 'leads_get', arguments: { id: `lead:${lead.id}` } }),
    )
    expect(dataOf(read)).toMatchObject({ id: lead.id, owner: 'Ada Admin', createdAt: expect.any(String) })
    expect(dataOf(read)).not.toHaveProperty('email')
  })

  it('is as the client wants it where it says so', async () => {
    const { body } = toldBy(await inCore(admin, 'leads_list', { fields: ['score', 'email'], compact: false }))
    expect(body).toMatchObject({ items: [{ id: lead.id, score: expect.any(Number), email: null }] })
  })

  it('of a change answers what tells the record and what was sent', async () => {
    const updated = toldBy(
      await inCore(admin, 'deals_update', { id: `deal:${deal.id}`, amount: 1300, probability: 30 }),
    )
    expect(dataOf(updated)).toEqual({
      id: deal.id,
      name: 'Fleet',
      status: 'OPEN',
      amount: '1300.00',
      currency: 'EUR',
      probability: 30,
    })
    const made = toldBy(
      await inCore(admin, 'tasks_create', { title: 'T', links: [{ entityType: 'Deal', entityId: `deal:${deal.id}` }] }),
    )
    expect(dataOf(made)).toEqual({
      id: expect.any(String),
      number: expect.any(Number),
      title: 'T',
      type: 'TODO',
      status: 'TODO',
      links: [{ entityType: 'DEAL', entityId: deal.id }],
    })
  })

  it('of any other tool goes through execute_tool, by all its rules', async () => {
    const { key } = await workspace.apiKey({ scopes: ['VIEW_LEAD'] })
    expect(await inCore(key, 'execute_tool', { name: 'leads_delete', arguments: { id: lead.id } })).toMatchObject({
      httpStatus: 403,
      error: { code: -32003, data: { code: 'ACCESS_DENIED' } },
    })
    expect(await inCore(admin, 'leads_delete', { id: lead.id })).toMatchObject({
      error: { code: -32602, data: { suggestions: ['execute_tool'] } },
    })
    expect(await inCore(admin, 'lead_list')).toMatchObject({
      error: { code: -32602, data: { suggestions: ['leads_list', expect.any(String), expect.any(String)] } },
    })
    const wrong = { name: 'leads_gte', arguments: {} }
    expect(await inCore(admin, 'execute_tool', wrong)).toMatchObject({
      error: { code: -32602, data: { suggestions: ['leads_get', expect.any(String), expect.any(String)] } },
    })
    const asText = { name: 'companies_get', arguments: JSON.stringify({ id: company.id }) }
    expect(dataOf(toldBy(await inCore(admin, 'execute_tool', asText)))).toMatchObject({ name: 'Acme' })
  })

  it.each([
    {},
    { name: 7 },
    { name: 'leads_get', arguments: 'x' },
    { name: 'leads_get', arguments: [] },
    { nmae: 'leads_get' },
  ])('of execute_tool with %j is refused in a way that a model can act on', async (args) => {
    expect(toldBy(await inCore(admin, 'execute_tool', args))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: expect.any(Array) },
    })
  })

  it('with readonly reads and does nothing else, through execute_tool too', async () => {
    for (const narrowing of ['mode=core&readonly', 'mode=core&readonly=1', 'mode=core&read_only=on']) {
      const args = { name: 'leads_update', arguments: { id: lead.id, firstName: 'Nobody' } }
      expect(await inCore(admin, 'execute_tool', args, narrowing)).toMatchObject({ error: { code: -32602 } })
      const read = { name: 'leads_get', arguments: { id: lead.id } }
      expect(toldBy(await inCore(admin, 'execute_tool', read, narrowing))).toMatchObject({ status: 200 })
    }
    expect(await inCore(admin, 'execute_tool', { name: 'deals_list' }, 'mode=core&toolsets=leads')).toMatchObject({
      error: { code: -32602 },
    })
  })
})

describe('a letter', () => {
  const name = 'activities_send_email'
  const letter = {
    to: ['ada@acme.example'],
    cc: [],
    subject: 'Hello',
    message: 'A letter of an agent',
    links: [],
    fileIds: [],
  }

  it('is in the list of no mode', async () => {
    const narrowings = [
      '',
      'mode=core',
      'runnable=true',
      'toolsets=activities',
      'mode=core&toolsets=activities',
      'mode=full',
    ]
    for (const narrowing of narrowings) {
      const names = await namesIn(admin, narrowing)
      expect(names.length).toBeGreaterThan(0)
      expect(names.filter((one) => /mail|letter/.test(one))).toEqual([])
    }
    const names = await namesIn(admin, '')
    expect(names).toEqual(expect.arrayContaining(['invoices_send', 'quotes_send', 'activities_create']))
  })

  it.each(['send an email', 'write a letter to a contact', 'mail ada@acme.example', 'POST /api/emails', name])(
    'is not found by search_tools: %s',
    async (query) => {
      const { result } = await inCore(admin, 'search_tools', { query, limit: 10 })
      expect(JSON.stringify(result)).not.toMatch(/api\/emails|send_email/)
    },
  )

  it.each([name, 'activities_sendEmail', 'activities.sendEmail', 'emails_send', 'POST /api/emails'])(
    'is sent by no mode: %s',
    async (tool) => {
      const isRefused = { error: { code: -32602 } }
      expect(await inCore(admin, 'execute_tool', { name: tool, arguments: letter })).toMatchObject(isRefused)
      expect(await inCore(admin, tool, letter)).toMatchObject(isRefused)
      expect(await inCore(admin, tool, letter, '')).toMatchObject(isRefused)
      const { result } = await inCore(admin, 'activities_list', { type: 'EMAIL' }, '')
      expect(JSON.stringify(result)).not.toContain(letter.message)
    },
  )
})

describe('search_tools', () => {
  const search = async (key: string, args: Fields, narrowing?: string) =>
    toldBy(await inCore(key, 'search_tools', args, narrowing)).body as {
      tools: readonly { name: string }[]
      elsewhere: readonly { topic: string; url: string }[]
    }

  it('finds what the caller may run', async () => {
    const { key } = await workspace.apiKey({ scopes: ['VIEW_LEAD'] })
    const names = (await search(key, { query: 'duplicate leads' })).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['leads_duplicates', 'leads_duplicates_of']))
    expect(names).not.toContain('leads_merge')
    const all = (await search(admin, { query: 'merge leads' })).tools.map(({ name }) => name)
    expect(all).toContain('leads_merge')
    const reading = await search(admin, { query: 'merge leads' }, 'mode=core&readonly')
    expect(reading.tools.map(({ name }) => name)).not.toContain('leads_merge')
  })

  it.each(Object.entries(everydayPhrasings))(
    'finds what people mean in %s, nine times of ten',
    async (_, phrasings) => {
      const { key } = await workspace.apiKey()
      const found = await Promise.all(
        phrasings.map(async ([query, ...wanted]) => ({
          query,
          isFound: (await search(key, { query })).tools.some(({ name }) => wanted.includes(name)),
        })),
      )
      const missed = found.filter(({ isFound }) => !isFound).map(({ query }) => query)
      expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(phrasings.length / 10)
    },
  )

  it('tells where in the console a workflow is made', async () => {
    expect(await search(admin, { query: 'make a workflow' })).toEqual({
      tools: [],
      elsewhere: [{ topic: expect.stringContaining('workflows'), url: expect.stringMatching(/^http.*\/automation$/) }],
    })
  })

  it.each([
    {},
    { query: '' },
    { query: 'x'.repeat(300) },
    { query: 'lead', limit: 0 },
    { query: 'lead', limit: 'many' },
    { qurey: 'lead' },
  ])('refuses %j', async (args) => {
    expect(toldBy(await inCore(admin, 'search_tools', args))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
  })

  it('needs a valid credential', async () => {
    expect(await inCore('sk-nobody', 'search_tools', { query: 'lead' })).toMatchObject({ httpStatus: 401 })
  })
})

describe(`every core tool under random credentials (seed ${seed})`, () => {
  const departments: string[] = []
  beforeAll(async () => {
    departments.push(await workspace.department('Top'))
    departments.push(await workspace.department('Below', departments[0]))
    const { id: other } = await workspace.employee({ departmentId: departments[1] })
    const { key: theirs } = await workspace.apiKey({ ownerId: other })
    for (const path of ['leads', 'companies', 'contacts', 'deals', 'tasks', 'activities'])
      await callDirectly(
        { method: 'POST', path: `/api/${path}` },
        sampleOf(declaredOf(catalogue.find(`${path}_create`) as Tool).operation, 'theirs'),
        byApi(theirs),
      )
  })

  /** Makes a person with random rights, and a key of theirs with random scopes. */
  async function newCredential(random: Random): Promise<string> {
    const some = (share: number) => permissionNames.filter(() => random.chance(share))
    const access = entityTypes.flatMap((entityType) =>
      random.chance(0.6)
        ? [
            {
              entityType,
              VIEW: random.pick(accessLevels),
              UPDATE: random.pick(accessLevels),
              DELETE: random.pick(accessLevels),
            },
          ]
        : [],
    )
    const { id } = await workspace.employee({
      grant: { permissions: some(random.next()), access },
      departmentId: random.chance(0.7) ? random.pick(departments) : undefined,
    })
    return (
      await workspace.apiKey({ ownerId: id, scopes: random.chance(0.3) ? [...permissionNames] : some(random.next()) })
    ).key
  }

  /** Returns the arguments of a read, or of a change that nobody could make. */
  const argumentsOf = ({ route, name }: Tool): Fields => {
    if (name === 'search') return { query: 'a' }
    if (name === 'fetch') return { id: `lead:${lead.id}` }
    if (route.method === 'GET') return {}
    return { ...(route.path.includes('{id}') ? { id: randomUUID() } : {}), ownerId: 'nobody' }
  }

  const without = (fields: Fields, left: string): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => name !== left))

  const withoutTimes = (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body ?? null).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'at')) as unknown

  it.each(Array.from({ length: credentials }, (_, at) => at))(
    'answers what the API answers: credential %i',
    async (at) => {
      const key = await newCredential(createRandom(seed * 1_000 + at))
      const me = await callDirectly(
        { method: 'GET', path: '/api/me/scopes' },
        { params: {}, query: {}, body: undefined },
        byApi(key),
      )
      const effective = new Set((me.body as { effective: string[] }).effective)
      const tools = core.tools.filter(({ tool }) => (tool ? isRunnable(tool, effective) : effective.size > 0))
      expect(await namesIn(key)).toEqual(tools.map(({ name }) => name))
      for (const { name, tool } of core.tools) {
        if (!tool) continue
        const args = argumentsOf(tool)
        const isChange = tool.route.method !== 'GET'
        const asked = shortened(args, tool.short)
        const { id, ...members } = args
        const direct = await callDirectly(
          declaredOf(tool).operation,
          {
            params: { id },
            query: isChange ? {} : name === 'search' ? { q: args['query'] } : without(asked, 'id'),
            body: isChange ? members : undefined,
          },
          byApi(key),
        )
        const told = toldBy(await inCore(key, name, args))
        const where = `${name} ${JSON.stringify(args)}`
        expect(direct.status, where).toBeLessThan(500)
        const isOk = direct.status < 400
        const expected =
          isOk && tool.reshape
            ? tool.reshape(direct.body)
            : isOk
              ? shortBody(direct.body, isChange, Object.keys(args))
              : direct.body
        expect({ where, status: told.status, body: withoutTimes(told.body) }).toEqual({
          where,
          status: isOk ? 200 : direct.status,
          body: withoutTimes(expected),
        })
      }
    },
  )
})

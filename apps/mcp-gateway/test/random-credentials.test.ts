import { seed, stepsOf } from '@crm/testkit'
import { declaredOperations, publicContract, type DeclaredOperation } from '@crm/contract'
import { accessLevels, entityTypes, permissionNames } from '@crm/permissions'
import { createRandom, type Random } from '@crm/runtime'
import { toolCatalogue, type Tool } from '@crm/tools'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { callDirectly, callRpc, callTool, executeTool, toldBy, type Way } from './both-ways.ts'
import { startInstallation } from './installation.ts'
import { sampleOf, type Sample } from './samples.ts'

const credentials = stepsOf(20)

const { workspace, gateways, apis } = await startInstallation()
const catalogue = toolCatalogue(publicContract)
const operationOf = new Map(declaredOperations(publicContract).map((declared) => [declared.title, declared]))
const table = catalogue.tools.flatMap((tool): [Tool, DeclaredOperation][] => {
  const declared = operationOf.get(`${tool.route.method} ${tool.route.path}`)
  return declared ? [[tool, declared]] : []
})

const byApi = (key: string): Way => ({ url: apis[0].url, host: workspace.host, key })
const byGateway = (key: string): Way => ({ url: gateways[0].url, host: workspace.host, key })

/** The ids of existing records, by the path of their list. */
const known = new Map<string, readonly string[]>()
const departments: string[] = []
const vehicle = ['VIEW', 'CREATE', 'UPDATE', 'DELETE'].map((action) => `${action}_VEHICLE`)

beforeAll(async () => {
  departments.push(await workspace.department('Top'))
  departments.push(await workspace.department('Below', departments[0]))
  const { key } = await workspace.apiKey()
  const fields = [{ key: 'seats', label: 'Seats', type: 'NUMBER' }]
  const declaration = { key: 'vehicle', labels: { singular: 'Vehicle', plural: 'Vehicles' }, fields }
  const made = await callDirectly(
    { method: 'POST', path: '/api/custom-entities' },
    { params: {}, query: {}, body: declaration },
    byApi(key),
  )
  if (made.status !== 201) throw new Error(`The type was not made: ${JSON.stringify(made.body)}`)
  const { id: other } = await workspace.employee({ departmentId: departments[1] })
  const { key: theirs } = await workspace.apiKey({ ownerId: other })
  for (const by of [key, theirs]) {
    for (const { operation } of operationOf.values()) {
      if (operation.method === 'POST' && !operation.path.includes('{') && operation.body)
        await callDirectly(operation, sampleOf(operation, `planted-${by === key ? 'one' : 'two'}`), byApi(by))
    }
  }
  for (const { operation } of operationOf.values()) {
    if (operation.method !== 'GET' || operation.path.includes('{')) continue
    const { body } = await callDirectly(operation, { params: {}, query: {}, body: undefined }, byApi(key))
    const { items, data } = (body ?? {}) as { readonly items?: unknown; readonly data?: unknown }
    const records = (Array.isArray(items) ? items : Array.isArray(data) ? data : []) as readonly {
      readonly id?: string
    }[]
    known.set(operation.path, records.flatMap(({ id }) => id ?? []).slice(0, 20))
  }
})

it('has records to read', () => expect(known.get('/api/leads')?.length).toBeGreaterThan(1))

/** Makes a person with random rights, and a key of theirs with random scopes. */
async function newCredential(random: Random): Promise<string> {
  const some = (names: readonly string[], share: number) => names.filter(() => random.chance(share))
  const all = [...permissionNames, ...vehicle]
  const permissions = some(all, random.next())
  const access = some([...entityTypes, 'VEHICLE'], 0.6).map((entityType) => ({
    entityType,
    VIEW: random.pick(accessLevels),
    UPDATE: random.pick(accessLevels),
    DELETE: random.pick(accessLevels),
  }))
  const { id } = await workspace.employee({
    grant: { permissions, access },
    departmentId: random.chance(0.7) ? random.pick(departments) : undefined,
  })
  return (await workspace.apiKey({ ownerId: id, scopes: random.chance(0.3) ? all : some(all, random.next()) })).key
}

/** Returns arguments that change nothing: reads of existing and missing records, and writes that nobody could do. */
function harmlessSample(tool: Tool, { operation }: DeclaredOperation, random: Random): Sample {
  const { params, query, body } = sampleOf(operation, 'planted')
  const isRead = operation.method === 'GET'
  const filled = Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (name === 'key') return [name, isRead ? random.pick(['vehicle', 'bicycle']) : 'bicycle']
      const ids = known.get(operation.path.slice(0, operation.path.indexOf(`/{${name}}`))) ?? []
      if (isRead && ids.length > 0 && random.chance(0.8)) return [name, random.pick(ids)]
      return [name, typeof value === 'string' && value.includes(':') ? value : randomUUID()]
    }),
  )
  return {
    params: filled,
    query: isRead ? query : {},
    body:
      body === undefined
        ? undefined
        : refusedBody(
            operation,
            Object.keys(tool.inputSchema['properties'] ?? {}).filter(
              (name) => !(name in params) && !(name in (operation.query?.shape ?? {})),
            ),
          ),
  }
}

/**
 * Returns a body with a field of a kind that the operation does not take; an empty one when it takes no field, because
 * the record is missing anyway.
 */
function refusedBody(
  { body, path }: DeclaredOperation['operation'],
  names: readonly string[],
): Record<string, unknown> {
  const bodies = names.map((name) => ({ [name]: { nobodyTakesThis: true } }))
  const refused = bodies.find((one) => body?.safeParse(one).success === false)
  if (refused !== undefined) return refused
  if (path.includes('{')) return {}
  throw new Error(`Every body is good for ${path}`)
}

/** Removes times, which pass, and texts of PDFs, which differ. */
function comparable(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body ?? null)
      .replaceAll(/"JVBERi0[^"]*"/g, '"a PDF"')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'at')
      .replaceAll(/"(errorId|score)":[^,}]*/g, '"$1":0'),
  ) as unknown
}

it('asks no key for more than it has a minute: two requests for each tool', () =>
  expect(table.length * 2 + 2).toBeLessThan(600))

describe(`every tool under random credentials (seed ${seed})`, () => {
  it.each(Array.from({ length: credentials }, (_, at) => at))(
    'answers what the direct call answers, through execute_tool too, and offers nothing else: credential %i',
    async (at) => {
      const random = createRandom(seed * 1_000 + at)
      const key = await newCredential(random)
      const { body: me } = await callDirectly(
        { method: 'GET', path: '/api/me/scopes' },
        { params: {}, query: {}, body: undefined },
        byApi(key),
      )
      const offered = catalogue.offeredTo(new Set((me as { effective: string[] }).effective)).map(({ name }) => name)
      const listed = (await callRpc(byGateway(key), 'tools/list', {})) as unknown as {
        result: { tools: readonly { name: string }[] }
      }
      expect(listed.result.tools.map(({ name }) => name)).toEqual(offered)
      const isExecuted = at % 2 === 1
      for (const [tool, declared] of table) {
        const sample = harmlessSample(tool, declared, random)
        const [direct, tooled] = await Promise.all([
          callDirectly(declared.operation, sample, byApi(key)),
          (isExecuted ? executeTool : callTool)(tool, sample, byGateway(key)),
        ])
        const told = toldBy(tooled)
        const isReshaped = (tool.reshape !== undefined || isExecuted) && direct.status < 400
        const where = `${tool.name} ${JSON.stringify(sample)}`
        expect(direct.status, where).toBeLessThan(500)
        expect({ where, status: told.status, body: isReshaped ? null : comparable(told.body) }).toEqual({
          where,
          status: direct.status < 400 ? 200 : direct.status,
          body: isReshaped ? null : comparable(direct.body),
        })
        if (declared.operation.method !== 'GET') expect(direct.status, where).toBeGreaterThanOrEqual(400)
      }
    },
  )
})

import {
  declaredOperations,
  namedPermissions,
  publicContract,
  type DeclaredOperation,
  type Operation,
} from '@crm/contract'
import { createTestWorkspace, type TestWorkspace } from '@crm/testkit'
import { httpRequestOf, toolCatalogue, type Tool, type ToolArguments } from '@crm/tools'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { argumentsOf, callDirectly, callRpc, callTool, toldBy, type Answer, type Way } from './both-ways.ts'
import { corrected, malformedCalls, withMore } from './malformed.ts'
import { startInstallation } from './installation.ts'
import { sampleOf, type Sample } from './samples.ts'

const { db, redis, workspace, gateways, apis } = await startInstallation()
const catalogue = toolCatalogue(publicContract)
const toolOf = new Map(catalogue.tools.map((tool) => [`${tool.route.method} ${tool.route.path}`, tool]))

/** Every operation with its tool: operations that make records come first, so that the others find some. */
const table = declaredOperations(publicContract)
  .flatMap((declared): [string, DeclaredOperation, Tool][] => {
    const tool = toolOf.get(declared.title)
    return tool ? [[tool.name, declared, tool]] : []
  })
  .toSorted(([, a], [, b]) => rank(a) - rank(b))

function rank({ operation: { method } }: DeclaredOperation): number {
  return ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'].indexOf(method)
}

const operationsBy = (wanted: string): ReadonlyMap<string, Operation> =>
  new Map(
    declaredOperations(publicContract)
      .filter(({ operation: { method } }) => method === wanted)
      .map(({ operation }) => [operation.path, operation]),
  )
const listOf = operationsBy('GET')
const creationOf = operationsBy('POST')

/** One of two workspaces with the same history: one is called directly, the other through tools. */
interface Side {
  readonly at: TestWorkspace
  /** The key for the calls that are compared, and for nothing else. */
  readonly key: { readonly id: string; readonly key: string }
  /** Returns a key for the preparations of a call; there are so many keys that no limit is reached. */
  preparing(): string
  readonly withoutRights: string
}

async function newSide(at: TestWorkspace): Promise<Side> {
  const others = await Promise.all(Array.from({ length: 20 }, () => at.apiKey()))
  let used = 0
  return {
    at,
    key: await at.apiKey(),
    preparing: () => others[used++ % others.length]?.key ?? '',
    withoutRights: (await at.apiKey({ scopes: ['VIEW_AUDIT_LOG'] })).key,
  }
}

const direct = await newSide(workspace)
const throughTools = await newSide(await createTestWorkspace(db))

/** The ways to call a side directly and through tools. */
const byApi = ({ at: { host } }: Side, key: string): Way => ({ url: apis[0].url, host, key })
const byGateway = ({ at: { host } }: Side, key: string): Way => ({ url: gateways[0].url, host, key })

/** Removes everything that differs between two workspaces by nature: ids, times, their own names, and secrets. */
function comparable(body: unknown, { at: { slug } }: Side): unknown {
  const text = JSON.stringify(body)
    .replaceAll(/"url":"http:\/\/[^/"]+/g, '"url":"http://host')
    .replaceAll(slug, 'slug')
    // Each document names its own workspace and moment, and its text is compressed, so only its kind can be compared.
    .replaceAll(/"JVBERi0[^"]*"/g, '"a PDF"')
    .replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'at')
    // Time passes between the two calls.
    .replaceAll(/"(\w*[sS]econds)":\d+/g, '"$1":"some"')
    .replaceAll(/[\w-]{40,}/g, 'secret')
    .replaceAll(/"prefix":"[^"]*"/g, '"prefix":"of a key"')
    .replaceAll(/"source":"(?:API|MCP)"/g, '"source":"as it was called"')
  return JSON.parse(text) as unknown
}

/** A mark in every text that the table invents. */
const mark = 'of-the-table'

/** Returns a record of a list, by preference one that the table made; undefined when there is none. */
async function existingId(side: Side, listPath: string, params: Sample['params']): Promise<string | undefined> {
  const list = listOf.get(listPath)
  if (!list) return undefined
  const { body } = await callDirectly(list, { params, query: {}, body: undefined }, byApi(side, side.preparing()))
  const { items, data } = body as { readonly items?: readonly { readonly id: string }[]; readonly data?: unknown }
  const records = items ?? (Array.isArray(data) ? (data as { readonly id: string }[]) : [])
  return (records.find((record) => JSON.stringify(record).includes(mark)) ?? records[0])?.id
}

/** Returns a record made just for one call; undefined when it cannot be made. */
async function freshId(
  side: Side,
  listPath: string,
  params: Sample['params'],
  text: string,
): Promise<string | undefined> {
  const create = creationOf.get(listPath)
  if (!create) return undefined
  const { body } = await callDirectly(
    create,
    { ...sampleOf(create, `${text}-made`), params },
    byApi(side, side.preparing()),
  )
  return (body as { readonly data?: { readonly id?: string } }).data?.id
}

/** Fills a path with records: each is looked up in the list before it, or created when the call uses it up. */
async function paramsFor({ path, method }: Operation, side: Side, text: string): Promise<Sample['params']> {
  const found: Record<string, string> = {}
  const places = [...path.matchAll(/\{(\w+)\}/g)]
  for (const [at, [placeholder, name = '']] of places.entries()) {
    const listPath = path.slice(0, path.indexOf(`/${placeholder}`))
    const isUsedUp = at === places.length - 1 && (method === 'POST' || method === 'DELETE')
    const id =
      (isUsedUp ? await freshId(side, listPath, found, text) : undefined) ?? (await existingId(side, listPath, found))
    if (id === undefined) break
    found[name] = id
  }
  return found
}

async function newSample({ operation }: DeclaredOperation, side: Side, text: string): Promise<Sample> {
  const { params, query, body } = sampleOf(operation, text)
  const leadId = await existingId(side, '/api/leads', {})
  const withLead = <T>(given: T): T =>
    leadId !== undefined && given !== null && typeof given === 'object' && 'entityId' in given
      ? { ...given, entityId: leadId }
      : given
  return {
    params: { ...params, ...(await paramsFor(operation, side, text)) },
    query: withLead(query),
    body: withLead(body),
  }
}

/** Counts the history entries of a workspace that came directly and through tools. */
async function historyOf({ at }: Side): Promise<Readonly<Record<'api' | 'mcp', number>>> {
  const { rows } = await db.execute<{ api: number; mcp: number }>(
    sql`SELECT (count(*) FILTER (WHERE source = 'API'))::int AS api, (count(*) FILTER (WHERE source = 'MCP'))::int AS mcp FROM timeline WHERE workspace_id = ${at.workspaceId}`,
  )
  return rows[0] ?? { api: 0, mcp: 0 }
}

/** Runs some work and returns how much history it made. */
async function watched<T>(
  side: Side,
  work: () => Promise<T>,
): Promise<{ readonly outcome: T; readonly api: number; readonly mcp: number }> {
  const before = await historyOf(side)
  const outcome = await work()
  const after = await historyOf(side)
  return { outcome, api: after.api - before.api, mcp: after.mcp - before.mcp }
}

const deniedCodes: readonly unknown[] = ['ACCESS_DENIED', 'ACCESS_LEVEL_NONE', 'ACCOUNT_DISABLED']

/** The calls with the keys of both sides, those of second tries too. */
const calls = { direct: 0, throughTools: 0 }

/** Returns the names under which the requests of a side are counted. */
const countsOf = ({ key: { id } }: Side): Promise<string[]> => redis.keys(`limit.*${id}*`)

// A slow machine needs more than the minute after which a count is forgotten.
beforeEach(async () => {
  const names = await Promise.all([direct, throughTools].map(countsOf))
  await Promise.all(names.flat().map((name) => redis.persist(name)))
})

describe.each(table)('%s', (name, declared, tool) => {
  const { operation } = declared

  it('answers what the direct call answers, and leaves the same history, as of a tool', async () => {
    const text = `${name}-${mark}`
    const [sample, sampleOfTool] = [
      await newSample(declared, direct, text),
      await newSample(declared, throughTools, text),
    ]
    calls.direct++
    const called = await watched(direct, () => callDirectly(operation, sample, byApi(direct, direct.key.key)))
    calls.throughTools++
    const tooled = await watched(throughTools, () =>
      callTool(tool, sampleOfTool, byGateway(throughTools, throughTools.key.key)),
    )
    const expected = called.outcome
    const told = toldBy(tooled.outcome)
    expect(expected.status).not.toBe(500)
    const isReshaped = tool.reshape !== undefined && expected.status < 400
    expect(comparable({ status: told.status, body: isReshaped ? null : told.body }, throughTools)).toEqual(
      comparable(
        { status: expected.status < 400 ? 200 : expected.status, body: isReshaped ? null : expected.body },
        direct,
      ),
    )
    const isDenied =
      expected.status === 403 && deniedCodes.includes((expected.body as { readonly code?: unknown }).code)
    expect(tooled.outcome.httpStatus).toBe(isDenied ? 403 : 200)
    expect({ api: tooled.api, mcp: tooled.mcp }).toEqual({ api: 0, mcp: called.api })
  })

  it('needs the permissions that the direct call needs', async () => {
    const sample = sampleOf(operation, 'refused')
    const expected = await callDirectly(operation, sample, byApi(throughTools, throughTools.withoutRights))
    const answer = await callTool(tool, sample, byGateway(throughTools, throughTools.withoutRights))
    if (namedPermissions(operation.access).length > 0) expect(expected.status).toBe(403)
    if (expected.status === 403)
      expect(answer).toMatchObject({
        httpStatus: 403,
        error: { code: -32003, data: { ...(expected.body as object), status: 403 } },
      })
    else expect(toldBy(answer).status).toBe(expected.status < 400 ? 200 : expected.status)
  })
})

/** Returns the request of a tool call, with one spelling for each time and each id. */
function requestOf(tool: Tool, args: ToolArguments): unknown {
  const { query, ...request } = httpRequestOf(tool, args)
  const text = JSON.stringify({ ...request, query: Object.fromEntries(query) })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, (moment) => new Date(moment).toISOString())
    .replaceAll(/(?:%20| )*([\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12})(?:%20| )*/g, (_, id: string) => id.toLowerCase())
  return JSON.parse(text)
}

/** Calls a tool with arguments as they are. */
async function callWith(tool: Tool, args: ToolArguments): Promise<Answer> {
  const way = byGateway(throughTools, throughTools.preparing())
  return toldBy(await callRpc(way, 'tools/call', { name: tool.name, arguments: args }))
}

describe('calls that are written wrongly', () => {
  const wanted = 300
  const used = new Map<string, number>()
  const uses = (fault: string) => used.get(fault) ?? 0

  /** Returns the arguments of a call that would succeed. */
  const newArguments = async (declared: DeclaredOperation, tool: Tool, text: string) =>
    withMore(tool, argumentsOf(tool, await newSample(declared, throughTools, text)))

  it('succeed as they are meant, or name what would', { timeout: 120_000 }, async () => {
    const outcomes: { fault: string; tool: string; first: boolean; second: boolean }[] = []
    for (let round = 0; outcomes.length < wanted && round < 4; round++)
      for (const [name, declared, tool] of table) {
        if (outcomes.length >= wanted) break
        const meant = await newArguments(declared, tool, `${name}-wrong-${round}-${mark}`)
        const [call] = malformedCalls(tool, meant).toSorted((a, b) => uses(a.fault) - uses(b.fault))
        if (!call) continue
        const first = await callWith(tool, call.args)
        const better = first.status < 400 ? null : corrected(call.args, first.body)
        const second = better ? await callWith(tool, better) : first
        // A call that would be refused as it is meant says nothing.
        if (second.status >= 400 && (await callWith(tool, meant)).status >= 400) continue
        if (first.status < 400)
          expect(requestOf(tool, call.args), `${call.fault} of ${name}`).toEqual(requestOf(tool, meant))
        used.set(call.fault, uses(call.fault) + 1)
        outcomes.push({
          fault: call.fault,
          tool: name,
          first: first.status < 400,
          second: second.status < 400,
        })
      }
    const share = (which: 'first' | 'second') => outcomes.filter((one) => one[which]).length / outcomes.length
    const missed = outcomes.filter(({ second }) => !second).map(({ fault, tool }) => `${tool}: ${fault}`)
    expect(outcomes).toHaveLength(wanted)
    expect(share('first')).toBeGreaterThanOrEqual(0.6)
    expect(share('second'), missed.join('; ')).toBeGreaterThanOrEqual(0.9)
  })
})

describe('all of them together', () => {
  it('left history as of tools', async () => {
    expect((await historyOf(throughTools)).mcp).toBeGreaterThan(3)
  })

  it('counted as one request each', async () => {
    const counted = async (side: Side) => Number(await redis.get((await countsOf(side))[0] ?? ''))
    expect({ direct: await counted(direct), throughTools: await counted(throughTools) }).toEqual(calls)
    expect(calls.direct).toBeGreaterThanOrEqual(table.length)
  })
})

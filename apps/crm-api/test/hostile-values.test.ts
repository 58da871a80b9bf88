import {
  customFieldTypes,
  declaredOperations,
  possibleCodes,
  publicContract,
  settingsContract,
  type DeclaredOperation,
} from '@crm/contract'
import { schema } from '@crm/db'
import { errorCodes, isErrorCode } from '@crm/errors'
import { describe, expect, it } from 'vitest'
import { apiUnderTest, type Call, type CallAnswer } from './harness.ts'
import { hostileTexts, hostileValues, inheritedNames, placesIn } from './hostile-values.ts'
import { createBodies, pathOf, requiredQueries } from './samples.ts'
import { bodyOf, targetOf } from './targets.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const cookie = await workspace.session()
const operations = [...declaredOperations(publicContract), ...declaredOperations(settingsContract)]
const named = (some: readonly DeclaredOperation[]): [string, DeclaredOperation][] =>
  some.map((one) => [`${one.title} (${one.id})`, one])

/**
 * Returns the defect of an answer to hostile input: a fault, a wrong shape, or a code that the operation does not declare;
 * undefined without one.
 */
function fault(one: DeclaredOperation, { status, body }: CallAnswer): string | undefined {
  if (status < 300 || status === one.operation.reply.status) return undefined
  if (status === 400 && JSON.stringify(body) === '{"error":"Invalid JSON body"}') return undefined
  const code: unknown = body?.code
  if (status >= 500 || typeof body?.error !== 'string' || typeof code !== 'string' || !isErrorCode(code))
    return `${status} ${JSON.stringify(body)}`
  if (errorCodes[code].status !== status || !possibleCodes(one).includes(code))
    return `${status} ${code} is not declared`
  if (code === 'VALIDATION_ERROR' && !areIssues(body.issues)) return `no issues: ${JSON.stringify(body)}`
  if (code === 'INVALID_QUERY_PARAM' && !(body.details?.param && body.details.message))
    return `no parameter: ${JSON.stringify(body)}`
  if (code === 'INVALID_REFERENCE' && !body.details?.field) return `no field: ${JSON.stringify(body)}`
  return undefined
}

function areIssues(issues: unknown): boolean {
  return (
    Array.isArray(issues) &&
    issues.length > 0 &&
    issues.every(
      ({ path, message }: { path: unknown; message: unknown }) => Array.isArray(path) && typeof message === 'string',
    )
  )
}

/** Sends requests to an operation and collects the defects of the answers, by the sent value. */
function faultFinder(one: DeclaredOperation) {
  const credential =
    one.resource.surface === 'settings' || one.resource.name === 'customEntities.records' ? { cookie } : { key }
  const faults: Record<string, string> = {}
  const send = async (what: string, request: Call): Promise<CallAnswer> => {
    const answer = await call({ method: one.operation.method, ...credential, ...request })
    const problem = fault(one, answer)
    if (problem) faults[what.slice(0, 100)] = problem
    return answer
  }
  return { faults, send }
}

const callsAtOnce = 8

/** Returns the defects of the answers to independent calls. */
async function faultsOf(
  one: DeclaredOperation,
  calls: readonly (readonly [string, Call])[],
): Promise<Record<string, string>> {
  const { faults, send } = faultFinder(one)
  await mapInGroups(calls, ([what, request]) => send(what, request))
  return faults
}

/** Makes several calls at once and returns their results in order. */
async function mapInGroups<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += callsAtOnce)
    results.push(...(await Promise.all(items.slice(from, from + callsAtOnce).map(call))))
  return results
}

describe.each(named(operations.filter(({ operation }) => operation.body)))('%s', (_title, one) => {
  it('answers hostile values in its body in the declared way', async () => {
    const path = pathOf(one, await targetOf(api, one))
    const { faults, send } = faultFinder(one)
    for (const body of ['null', '[]', '"text"', '0']) await send(body, { path, body })
    let body = await bodyOf(api, one.id)
    for (const { name, put } of placesIn(one.operation.body as never)) {
      const sendValue = (value: unknown) =>
        send(`${name}: ${JSON.stringify(value)}`, { path, body: { ...body, ...(put(value) as object) } })
      const answers = await mapInGroups(hostileValues, sendValue)
      if (answers.every(({ status }) => status >= 300)) continue
      // A successful call may use up the record that it names, so every other value that was read meets a new one.
      for (const [at, { status, body: answer }] of answers.entries()) {
        if (status < 300 || answer?.code === 'VALIDATION_ERROR') continue
        body = await bodyOf(api, one.id)
        await sendValue(hostileValues[at])
      }
      body = await bodyOf(api, one.id)
    }
    expect(faults).toEqual({})
  })
})

describe.each(named(operations.filter(({ operation }) => operation.query)))('%s', (_title, one) => {
  it('answers hostile values in its query in the declared way', async () => {
    const path = pathOf(one, await targetOf(api, one))
    const required = requiredQueries[one.id] ?? ''
    const calls = Object.keys(one.operation.query?.shape ?? {}).flatMap((param): [string, Call][] => [
      ...hostileTexts.map((text): [string, Call] => [
        `${param}=${text}`,
        { path: `${path}?${withParam(required, param, text)}` },
      ]),
      [`${param} in odd ways`, { path: `${path}?${param}[]=1&${param}[a]=2&__proto__=1&${param}&${required}` }],
    ])
    expect(await faultsOf(one, calls)).toEqual({})
  })
})

function withParam(query: string, name: string, value: string): string {
  const params = new URLSearchParams(query)
  params.set(name, value)
  return params.toString()
}

describe.each(named(operations.filter(({ operation }) => operation.path.includes('{'))))('%s', (_title, one) => {
  it('answers hostile values in its path in the declared way', async () => {
    const target = await targetOf(api, one)
    const body = one.operation.body ? await bodyOf(api, one.id) : undefined
    const params = [...one.operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const calls = params.flatMap((param) =>
      hostileTexts
        .filter(Boolean)
        .map((text): [string, Call] => [
          `${param}: ${text}`,
          { path: pathOf(one, { ...target, [param]: encodeURIComponent(text.slice(0, 400)) }), body },
        ]),
    )
    expect(await faultsOf(one, calls)).toEqual({})
  })
})

describe.each([
  ['LEAD', 'leads'],
  ['CONTACT', 'contacts'],
  ['COMPANY', 'companies'],
  ['DEAL', 'deals'],
] as const)('custom fields of a %s', (entityType, resource) => {
  const operation = (name: string) => operations.find(({ id }) => id === `${resource}.${name}`) as DeclaredOperation
  const fieldOf = (type: string) => `of${type.replace('_', '').toLowerCase()}`

  it('of every type answer hostile values and filters in the declared way', async () => {
    const options = [{ value: 'a', label: 'A' }]
    await api.db.insert(schema.customFields).values(
      customFieldTypes.map((type) => ({
        workspaceId: workspace.workspaceId,
        entityType,
        key: fieldOf(type),
        label: type,
        type,
        options: type.endsWith('SELECT') ? options : [],
      })),
    )
    const path = operation('list').operation.path
    const base = await createBodies[`${resource}.create`]?.(api)
    const writes = customFieldTypes.flatMap((type) =>
      hostileValues.map((value): [string, Call] => [
        `${type}: ${JSON.stringify(value)}`,
        { path, body: { ...base, customFields: { [fieldOf(type)]: value } } },
      ]),
    )
    expect(await faultsOf(operation('create'), writes)).toEqual({})
    const params = customFieldTypes.flatMap((type) =>
      ['', 'Min', 'Max', 'From', 'To'].map((suffix) => `cf_${fieldOf(type)}${suffix}`),
    )
    const filters = params.flatMap((param) => hostileTexts.map((text) => [param, text] as const))
    expect(
      await faultsOf(
        operation('list'),
        filters.map(([param, text]) => [`${param}=${text}`, { path: `${path}?${withParam('', param, text)}` }]),
      ),
    ).toEqual({})
    const bulk = filters
      .filter(([, text]) => text === '0000-01-01')
      .map(([param, text]): [string, Call] => [
        `${param}: ${text}`,
        { path, body: { filter: { [param]: text }, dryRun: true, set: {} } },
      ])
    expect(await faultsOf(operation('bulkUpdate'), bulk)).toEqual({})
    // The values stored above must not break the lists for other callers.
    const usual: [string, Call][] = customFieldTypes.map((type) => [
      type,
      {
        path: `${path}?sortBy=cf_${fieldOf(type)}&cf_ofdateFrom=2026-01-01&cf_ofdatetimeTo=2026-01-01&cf_ofnumberMin=0`,
      },
    ])
    expect(await faultsOf(operation('list'), usual)).toEqual({})
  })
})

/** The forms in which a name stands in the parameters that hold names. */
const formsOfNames: Readonly<Record<string, readonly string[]>> = {
  fields: ['$'],
  expand: ['$'],
  sort: ['$', '$:asc', 'sum:$:desc'],
  groupBy: ['$', '$:day', 'status,$'],
  measures: ['sum:$', 'max:$', 'weighted:$', '$', '$:amount'],
}
const holdNames = operations.filter(({ operation: { query } }) =>
  Object.keys(formsOfNames).some((param) => Object.hasOwn(query?.shape ?? {}, param)),
)

describe.each(named(holdNames))('%s', (_title, one) => {
  it('knows no name that every object inherits', async () => {
    const path = pathOf(one, await targetOf(api, one))
    const params = Object.entries(formsOfNames).filter(([param]) =>
      Object.hasOwn(one.operation.query?.shape ?? {}, param),
    )
    const calls = params.flatMap(([param, forms]) =>
      forms.flatMap((form) => inheritedNames.map((name) => [param, form.replace('$', name)] as const)),
    )
    const { send } = faultFinder(one)
    const taken = await mapInGroups(calls, async ([param, text]) => {
      const query = withParam(requiredQueries[one.id] ?? '', param, text)
      const { status } = await send(text, { path: `${path}?${query}` })
      return status === 400 ? [] : [`${param}=${text}: ${status}`]
    })
    expect(taken.flat()).toEqual([])
  })
})

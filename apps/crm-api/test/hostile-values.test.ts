import {
  customFieldTypes,
  declaredOperations,
  plainCalendar,
  possibleCodes,
  publicContract,
  settingsContract,
  type DeclaredOperation,
} from '@crm/contract'
import { schema } from '@crm/db'
import { ApiError, errorCodes, isErrorCode, toApiAnswer } from '@crm/errors'
import { parseJson, refusalOf } from '@crm/http'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { customFieldConditions, customFieldParamNames } from '../src/records/custom-field-filters.ts'
import { checkCustomFields } from '../src/records/custom-field-values.ts'
import { ownApi, type Call, type CallAnswer } from './harness.ts'
import {
  filled,
  Hostile,
  hostileTexts,
  hostileValues,
  inheritedNames,
  placesIn,
  shareRequests,
  type Sending,
  type Shared,
} from './hostile-values.ts'
import { createBodies, paramsOf, pathOf, requiredQueries } from './samples.ts'
import { bodyOf, targetOf } from './targets.ts'

const api = await ownApi()
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

/** The way of hostile values into the requests to an operation. */
interface Way {
  readonly sendings: readonly Sending[]
  /** Returns the error with which a part ends before it reaches the handler; undefined when it gets there. */
  refusal(part: Part): unknown
  call(part: Part): Call
  /** Makes the records that the calls name anew: a successful call may use them up. */
  renew?(): Promise<void>
  /** Whether a refusal names every wrong value, so that one request can hold several. */
  readonly namesAll?: boolean
}

type Part = Readonly<Record<string, unknown>>

/** The requests that this file may send, beside those that make records for them. */
const requestsMax = 8_500
let requests = 0

/** Sends requests to an operation and collects the defects of the answers, by the sent value. */
function faultFinder(one: DeclaredOperation) {
  const credential =
    one.resource.surface === 'settings' || one.resource.name === 'customEntities.records' ? { cookie } : { key }
  const faults: Record<string, string> = {}
  const note = (what: string, problem: string | undefined): void => {
    if (problem) faults[what.slice(0, 200)] = problem
  }
  const answerTo = (request: Call): Promise<CallAnswer> => {
    requests++
    return call({ method: one.operation.method, ...credential, ...request })
  }
  const send = async (what: string, request: Call): Promise<CallAnswer> => {
    const answer = await answerTo(request)
    note(what, fault(one, answer))
    return answer
  }

  /** Judges each value in the process, and sends those that are not refused, and one refused value of each place. */
  const explore = async (way: Way): Promise<void> => {
    const judged = (part: unknown) => way.refusal(filled(part) as Part)
    const accepted: Sending[] = []
    const refused = new Map<string, Sending[]>()
    for (const sending of way.sendings) {
      const refusal = judged(sending.part)
      if (refusal === undefined) accepted.push(sending)
      else {
        note(nameOf(sending), fault(one, asAnswer(refusal)))
        refused.set(sending.place, [...(refused.get(sending.place) ?? []), sending])
      }
    }
    const sample = [...refused.values()].map((ofPlace, at) => ofPlace[at % ofPlace.length] as Sending)
    await mapInGroups(
      shareRequests(sample, () => way.namesAll === true),
      (shared) => sendRefused(way, shared),
    )
    await sendAccepted(
      way,
      shareRequests(accepted, (part) => judged(part) === undefined),
    )
  }

  /** The service refuses what is refused in the process, in the same words. */
  const sendRefused = async (way: Way, shared: Shared): Promise<void> => {
    const part = filled(shared.part) as Part
    const expected = asAnswer(way.refusal(part))
    const answer = await send(namesOf(shared), way.call(part))
    const [said, judged] = [answer, expected].map(({ status, body }) => `${status} ${JSON.stringify(body)}`)
    if (said !== judged) note(namesOf(shared), `${said} instead of ${judged}`)
  }

  const sendAccepted = async (way: Way, requestsToSend: readonly Shared[]): Promise<void> => {
    const sendFresh = async (part: unknown): Promise<CallAnswer> => {
      const answer = await answerTo(way.call(filled(part) as Part))
      if (answer.status < 300) await way.renew?.()
      return answer
    }
    if (requestsToSend.length === 0) return
    const usual = await sendFresh({})
    note('no hostile value', fault(one, usual))
    const together: [string, string][] = []
    const pending = [...requestsToSend]
    for (let shared = pending.pop(); shared; shared = pending.pop()) {
      const answer = await sendFresh(shared.part)
      const problem = fault(one, answer)
      if (problem && shared.sendings.length > 1) together.push([namesOf(shared), problem])
      else note(namesOf(shared), problem)
      const left = problem ? shared.sendings : unansweredOf(shared, answer, usual)
      // What the refusal does not name is sent again, in smaller groups where it names nothing.
      const isSmaller = left.length < shared.sendings.length
      if (isSmaller || left.length > 1)
        pending.push(...(isSmaller ? [left] : halves(left)).flatMap((some) => shareRequests(some, () => true)))
    }
    // Values that break only together.
    if (Object.keys(faults).length === 0) for (const [what, problem] of together) note(what, problem)
  }
  return { faults, send, explore }
}

function halves<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)]
}

/** Returns the values of a request that have no answer yet, because a refusal speaks of others. */
function unansweredOf({ sendings }: Shared, answer: CallAnswer, usual: CallAnswer): readonly Sending[] {
  // What is answered as without hostile values got as far as anything does.
  if (answer.status === usual.status && answer.body?.code === usual.body?.code) return []
  const named = namedIn(answer)
  return sendings.filter(({ place }) => !named.some((name) => `${name}.`.startsWith(`${place}.`)))
}

/** The places that a refusal names. */
function namedIn({ body }: CallAnswer): readonly string[] {
  const issues: readonly { readonly path: readonly unknown[] }[] = body?.issues ?? []
  return [...issues.map(({ path }) => path.join('.')), body?.details?.param, body?.details?.field].filter(Boolean)
}

const nameOf = ({ place, part }: Sending): string => `${place} in ${JSON.stringify(filled(part)).slice(0, 100)}`
const namesOf = ({ sendings: [first, ...others] }: Shared): string =>
  `${first ? nameOf(first) : ''}${others.length > 0 ? ` and in ${others.map(({ place }) => place).join(', ')}` : ''}`

function asAnswer(error: unknown): CallAnswer {
  return { ...toApiAnswer(error, String(error)), headers: {} }
}

const callsAtOnce = 8

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

/** Returns a value as the service reads it from a request. */
const asSent = (value: unknown): unknown => (value === undefined ? undefined : parseJson(JSON.stringify(value)))

describe.each(named(operations.filter(({ operation }) => operation.body)))('%s', (_title, one) => {
  it('answers hostile values in its body in the declared way', async () => {
    const { faults, send, explore } = faultFinder(one)
    let target = await targetOf(api, one)
    let base = await bodyOf(api, one.id)
    for (const body of ['null', '[]', '"text"', '0']) await send(body, { path: pathOf(one, target), body })
    await explore({
      sendings: placesIn(one.operation.body as never).flatMap(({ name, put }) =>
        hostileValues.map((value) => ({ place: name, part: put(new Hostile(value)) })),
      ),
      refusal: (part) =>
        refusalOf(one, {
          params: paramsOf(one, target),
          body: asSent({ ...base, ...part }),
          isJson: true,
          query: queryOf(one),
        }),
      call: (part) => ({ path: pathOf(one, target), body: { ...base, ...part } }),
      renew: async () => {
        // A verb may have used up its record; an update has not.
        if (one.operation.method === 'POST') target = await targetOf(api, one)
        base = await bodyOf(api, one.id)
      },
      namesAll: true,
    })
    expect(faults).toEqual({})
  })
})

describe.each(named(operations.filter(({ operation }) => operation.query)))('%s', (_title, one) => {
  it('answers hostile values in its query in the declared way', async () => {
    const target = await targetOf(api, one)
    const path = pathOf(one, target)
    const params = Object.keys(one.operation.query?.shape ?? {})
    const { faults, send, explore } = faultFinder(one)
    await explore({
      sendings: params.flatMap((param) =>
        hostileTexts.map((text) => ({ place: param, part: { [param]: new Hostile(text) } })),
      ),
      refusal: (part) => refusalOf(one, { params: paramsOf(one, target), query: queryOf(one, part) }),
      call: (part) => ({ path: `${path}?${new URLSearchParams(queryOf(one, part)).toString()}` }),
    })
    const odd = params.map((param) => `${param}[]=1&${param}[a]=2&${param}`).join('&')
    await send('all in odd ways', { path: `${path}?${odd}&__proto__=1&${requiredQueries[one.id] ?? ''}` })
    expect(faults).toEqual({})
  })
})

/** Returns the query that an operation requires, with other values. */
function queryOf(one: DeclaredOperation, part: Part = {}): Record<string, string> {
  return { ...Object.fromEntries(new URLSearchParams(requiredQueries[one.id])), ...(part as Record<string, string>) }
}

describe.each(named(operations.filter(({ operation }) => operation.path.includes('{'))))('%s', (_title, one) => {
  it('answers hostile values in its path in the declared way', async () => {
    const target = await targetOf(api, one)
    const body = one.operation.body ? await bodyOf(api, one.id) : undefined
    const { faults, explore } = faultFinder(one)
    await explore({
      sendings: namesInPath(one).flatMap((param) =>
        hostileTexts
          .filter(Boolean)
          .map((text) => ({ place: param, part: { [param]: new Hostile(text.slice(0, 400)) } })),
      ),
      refusal: (part) =>
        refusalOf(one, {
          params: paramsOf(one, { ...target, ...(part as typeof target) }),
          query: queryOf(one),
          body: asSent(body),
        }),
      call: (part) => ({
        path: pathOf(one, {
          ...target,
          ...Object.fromEntries(Object.entries(part).map(([name, text]) => [name, encodeURIComponent(text as string)])),
        }),
        body,
      }),
    })
    expect(faults).toEqual({})
  })
})

const namesInPath = (one: DeclaredOperation): string[] => Object.keys(paramsOf(one))

describe.each([
  ['LEAD', 'leads'],
  ['CONTACT', 'contacts'],
  ['COMPANY', 'companies'],
  ['DEAL', 'deals'],
] as const)('custom fields of a %s', (entityType, resource) => {
  const operation = (name: string) => operations.find(({ id }) => id === `${resource}.${name}`) as DeclaredOperation
  const options = [{ value: 'a', label: 'A' }]
  const fields = customFieldTypes.map((type) => ({
    key: `of${type.replace('_', '').toLowerCase()}`,
    label: type,
    type,
    options: type.endsWith('SELECT') ? options : [],
    isRequired: false,
  }))

  it('of every type answer hostile values and filters in the declared way', async () => {
    await api.db
      .insert(schema.customFields)
      .values(fields.map((field) => ({ workspaceId: workspace.workspaceId, entityType, ...field })))
    const { path } = operation('list').operation
    const base = await createBodies[`${resource}.create`]?.(api)
    const creates = faultFinder(operation('create'))
    await creates.explore({
      sendings: fields.flatMap(({ key }) =>
        hostileValues.map((value) => ({ place: key, part: { [key]: new Hostile(value) } })),
      ),
      refusal: (customFields) => {
        const read = asSent({ ...base, customFields })
        const { issues } = checkCustomFields(fields, (read as { customFields: Part }).customFields, null)
        return (
          refusalOf(operation('create'), { body: read }) ??
          (issues.length > 0 ? new ApiError('VALIDATION_ERROR', { issues }) : undefined)
        )
      },
      call: (customFields) => ({ path, body: { ...base, customFields } }),
      namesAll: true,
    })
    const params = fields.flatMap(customFieldParamNames)
    const lists = faultFinder(operation('list'))
    await lists.explore({
      sendings: params.flatMap((param) =>
        hostileTexts.map((text) => ({ place: param, part: { [param]: new Hostile(text) } })),
      ),
      refusal: (part) => {
        const customFieldFilters = new Map(Object.entries(part as Record<string, string>))
        return (
          refusalOf(operation('list'), { customFieldFilters }) ??
          thrownBy(() => customFieldConditions(fields, customFieldFilters, sql`x`, plainCalendar))
        )
      },
      call: (part) => ({ path: `${path}?${new URLSearchParams(part as Record<string, string>).toString()}` }),
    })
    const bulk = faultFinder(operation('bulkUpdate'))
    await mapInGroups(params, (param) =>
      bulk.send(param, { path, body: { filter: { [param]: '0000-01-01' }, dryRun: true, set: {} } }),
    )
    // The values stored above must not break the lists for other callers.
    for (const { key } of fields)
      await lists.send(key, {
        path: `${path}?sortBy=cf_${key}&cf_ofdateFrom=2026-01-01&cf_ofdatetimeTo=2026-01-01&cf_ofnumberMin=0`,
      })
    expect({ ...creates.faults, ...lists.faults, ...bulk.faults }).toEqual({})
  })
})

function thrownBy(work: () => unknown): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

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
    const target = await targetOf(api, one)
    const { send } = faultFinder(one)
    const calls = Object.entries(formsOfNames)
      .filter(([param]) => Object.hasOwn(one.operation.query?.shape ?? {}, param))
      .flatMap(([param, forms]) =>
        // A function and an object: the further names differ in nothing but their spelling.
        forms.flatMap((form, at) =>
          inheritedNames.slice(0, at === 0 ? undefined : 2).map((name) => ({ [param]: form.replace('$', name) })),
        ),
      )
    const taken = await mapInGroups(calls, async (part) => {
      const query = queryOf(one, part)
      const refusal = refusalOf(one, { params: paramsOf(one, target), query })
      const path = `${pathOf(one, target)}?${new URLSearchParams(query).toString()}`
      const { status } = refusal === undefined ? await send(path, { path }) : asAnswer(refusal)
      return status === 400 ? [] : [`${JSON.stringify(part)}: ${status}`]
    })
    expect(taken.flat()).toEqual([])
  })
})

it('sends few requests for all of this', () => {
  expect(requests).toBeGreaterThan(requestsMax / 2)
  expect(requests).toBeLessThan(requestsMax)
})

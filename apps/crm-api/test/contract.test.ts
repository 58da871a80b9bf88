import { miscounted } from '@crm/testkit'
import {
  declaredOperations,
  namedPermissions,
  publicContract,
  settingsContract,
  type DeclaredOperation,
} from '@crm/contract'
import { publicDocument } from '@crm/openapi'
import { permissionNames } from '@crm/permissions'
import { toolCatalogue } from '@crm/tools'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ownApi, type Call } from './harness.ts'
import {
  createBodies,
  createLead,
  createTask,
  issueInvoice,
  pathOf,
  payInvoice,
  requiredQueries,
  unknownId,
} from './samples.ts'
import { targetOf } from './targets.ts'

const api = await ownApi()
const { call, workspace, key } = api
const cookie = await workspace.session()
const elsewhere = await api.newWorkspace()
const { key: keyElsewhere } = await elsewhere.apiKey()
const cookieElsewhere = await elsewhere.session()

const publicOperations = declaredOperations(publicContract)
const settingsOperations = declaredOperations(settingsContract)
const all = [...publicOperations, ...settingsOperations]
const guarded = all.filter(({ operation }) => operation.access !== 'open')
const named = (operations: readonly DeclaredOperation[]): [string, DeclaredOperation][] =>
  operations.map((one) => [`${one.title} (${one.id})`, one])
const isSettings = (one: DeclaredOperation): boolean => one.resource.surface === 'settings'
const pathOrQuery = (one: DeclaredOperation, target?: Readonly<Record<string, string>>): string =>
  pathOf(one, target) + (requiredQueries[one.id] ? `?${requiredQueries[one.id]}` : '')

function request(one: DeclaredOperation, extra: Partial<Call> = {}): Call {
  const credential = isSettings(one) ? { cookie } : { key }
  return { method: one.operation.method, path: pathOrQuery(one), ...credential, ...extra }
}

describe.each(named(guarded))('%s', (_title, one) => {
  it('answers 401 AUTHENTICATION_ERROR without a credential', async () => {
    const { status, body } = await call(request(one, { key: undefined, cookie: undefined }))
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { error: expect.any(String), code: 'AUTHENTICATION_ERROR' },
    })
  })

  it('does not take a credential of another workspace', async () => {
    const credential = isSettings(one) ? { cookie: cookieElsewhere } : { key: keyElsewhere }
    expect((await call(request(one, { key: undefined, cookie: undefined, ...credential }))).status).toBe(401)
  })
})

describe.each(named(guarded.filter(({ operation }) => namedPermissions(operation.access).length > 0)))(
  '%s',
  (_title, one) => {
    const wanted = namedPermissions(one.operation.access)

    it('answers 403 ACCESS_DENIED without its permission, and names it', async () => {
      const permissions = permissionNames.filter((name) => !wanted.includes(name))
      const { id } = await workspace.employee({ grant: { permissions } })
      const credential = isSettings(one)
        ? { cookie: await workspace.session(id) }
        : { key: (await workspace.apiKey({ ownerId: id })).key }
      const { status, body } = await call(request(one, { key: undefined, cookie: undefined, ...credential }))
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'ACCESS_DENIED' })
      expect(wanted.some((name) => body.error.includes(name))).toBe(true)
    })
  },
)

describe.each(named(guarded.filter(({ resource }) => resource.module)))('%s', (_title, one) => {
  const { module } = one.resource

  it('answers 403 MODULE_DISABLED while its module is off', async () => {
    const off = await api.newWorkspace()
    await call(
      {
        method: 'PATCH',
        path: `/api/settings/modules/${module}`,
        cookie: await off.session(),
        body: { enabled: false },
        headers: { origin: `http://${off.host}` },
      },
      off,
    )
    const credential = isSettings(one)
      ? { key: undefined, cookie: await off.session() }
      : { cookie: undefined, key: (await off.apiKey()).key }
    const { status, body } = await call(request(one, credential), off)
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { code: 'MODULE_DISABLED', key: module, reason: 'self' },
    })
  })
})

describe.each(named(all.filter(isSettings).filter(({ operation }) => operation.access !== 'open')))(
  '%s',
  (_title, one) => {
    it('takes a session only: an API key gets 403 ACCESS_DENIED', async () => {
      const { status, body } = await call(request(one, { cookie: undefined, key }))
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'ACCESS_DENIED' })
    })
  },
)

describe.each(named(all.filter(({ operation }) => isChange(operation.method) && operation.access !== 'open')))(
  '%s',
  (_title, one) => {
    it('refuses a session that does not say where it comes from', async () => {
      const { status, body } = await call(request(one, { key: undefined, cookie: undefined, headers: { cookie } }))
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'ORIGIN_REFUSED' })
    })

    it('refuses a session from another site', async () => {
      const { status, body } = await call(
        request(one, { key: undefined, cookie, headers: { origin: 'https://elsewhere.example' } }),
      )
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'ORIGIN_REFUSED' })
    })
  },
)

describe.each(named(all.filter(({ operation }) => operation.fresh !== undefined)))('%s', (_title, one) => {
  const { fresh } = one.operation
  const changed =
    typeof fresh === 'object' ? { [fresh.when[0] as string]: sampleOf[fresh.when[0] as string] } : undefined

  it('answers 403 REAUTHENTICATION_REQUIRED to a session that is not fresh', async () => {
    const stale = await workspace.session(workspace.adminUserId, new Date(api.clock.now().getTime() - 61 * 60_000))
    const path = pathOf(one, await targetOf(api, one))
    const sample = one.operation.body ? (changed ?? (await createBodies[one.id]?.(api)) ?? {}) : undefined
    const { status, body } = await call(request(one, { path, cookie: stale, body: sample }))
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'REAUTHENTICATION_REQUIRED' })
  })
})

/** Values of fields whose change needs a fresh session. */
const sampleOf: Readonly<Record<string, unknown>> = { email: 'new@example.com' }

function isChange(method: string): boolean {
  return method !== 'GET'
}

const queried = all.filter(({ operation }) => operation.query)

function withQuery(one: DeclaredOperation, query: string): Call {
  const separator = requiredQueries[one.id] || one.operation.path.includes('?') ? '&' : '?'
  return request(one, { path: `${pathOrQuery(one)}${separator}${query}` })
}

describe.each(named(queried.filter(({ operation }) => operation.queryPolicy === 'strict')))('%s', (_title, one) => {
  it('is strict: unknown and repeated parameters are refused', async () => {
    const unknown = await call(withQuery(one, 'surprise=1'))
    expect(unknown).toMatchObject({
      status: 400,
      body: {
        code: 'UNKNOWN_QUERY_PARAM',
        details: { unknownParams: ['surprise'], acceptedParams: expect.any(Array) },
      },
    })
    const [param] = Object.keys(one.operation.query?.shape ?? {})
    if (param)
      expect(await call(withQuery(one, `${param}=1&${param}=1`))).toMatchObject({
        status: 400,
        body: { code: 'DUPLICATE_QUERY_PARAM', details: { duplicatedParams: [param] } },
      })
    const code = one.operation.customFields === undefined ? 'UNKNOWN_QUERY_PARAM' : 'UNKNOWN_CUSTOM_FIELD_FILTER'
    if (one.operation.customFields !== 'BY_KEY')
      expect(await call(withQuery(one, 'cf_nothing=1'))).toMatchObject({
        status: 400,
        body: { code, details: { unknownParams: ['cf_nothing'] } },
      })
  })
})

describe.each(named(queried.filter(({ operation }) => operation.query && 'page' in operation.query.shape)))(
  '%s',
  (_title, one) => {
    it('answers a page far behind the last one with nothing and a true total', async () => {
      const first = await call(withQuery(one, 'page=1'))
      const far = await call(withQuery(one, 'page=999999999999999'))
      expect(far.status).toBe(first.status)
      if (far.status === 200)
        expect(far.body).toMatchObject({ items: [], total: first.body.total, page: 999_999_999_999_999 })
    })
  },
)

describe.each(named(queried.filter(({ operation }) => operation.queryPolicy !== 'strict')))('%s', (_title, one) => {
  it('is lenient: an unknown parameter changes nothing', async () => {
    const plain = await call(request(one))
    const surprised = await call(withQuery(one, 'surprise=1&surprise=2'))
    expect(surprised.status).toBe(plain.status)
    // A redirect has no body.
    expect(surprised.body?.code).toBe(plain.body?.code)
    expect(surprised.body?.total).toBe(plain.body?.total)
  })
})

describe.each(named(all.filter(({ operation }) => operation.body)))('%s', (_title, one) => {
  it('refuses an unknown body key with its path', async () => {
    const sample = (await createBodies[one.id]?.(api)) ?? {}
    const { status, body } = await call(request(one, { body: { ...sample, surprise: 1 } }))
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(body.issues).toContainEqual(expect.objectContaining({ path: ['surprise'], message: expect.any(String) }))
  })

  it('answers what is not JSON with 400 and no code', async () => {
    const { status, body } = await call(request(one, { body: '{"open":' }))
    expect({ status, body }).toEqual({ status: 400, body: { error: 'Invalid JSON body' } })
  })
})

const withId = all.filter(({ operation }) => operation.path.includes('{id}') && operation.params)
const sampleBody = async (one: DeclaredOperation) =>
  one.operation.body ? ((await createBodies[one.id]?.(api)) ?? {}) : undefined

// The id of a search result names its kind too, and an id without a kind is found nowhere.
describe.each(named(withId.filter(({ id }) => id !== 'search.read')))('%s', (_title, one) => {
  it('answers 400 INVALID_ID for something that is no id', async () => {
    const { status, body } = await call(
      request(one, { path: pathOf(one, { id: 'not-an-id' }), body: await sampleBody(one) }),
    )
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_ID' })
  })
})

describe.each(named(withId))('%s', (_title, one) => {
  it('takes an id in capital letters for the same', async () => {
    const { code } = (
      await call(request(one, { path: pathOf(one, { id: unknownId.toUpperCase() }), body: await sampleBody(one) }))
    ).body
    expect(code).toBe((await call(request(one, { path: pathOf(one), body: await sampleBody(one) }))).body.code)
  })

  it('answers 404 NOT_FOUND for an id of another workspace', async () => {
    const foreign = { id: unknownId, ...(await targetOf(inOtherWorkspace, one)) }
    const { status, body } = await call(request(one, { path: pathOrQuery(one, foreign), body: await sampleBody(one) }))
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' })
  })
})

const inOtherWorkspace = { ...api, workspace: elsewhere, key: keyElsewhere, call: (one: Call) => call(one, elsewhere) }

describe.each(named(publicOperations.filter(({ operation }) => operation.idempotent)))('%s', (_title, one) => {
  const send = async (body: unknown, idempotencyKey: string) =>
    call(request(one, { path: await idempotentPath(one), body, headers: { 'idempotency-key': idempotencyKey } }))
  const sample = async () => (await createBodies[one.id]?.(api)) ?? {}

  it('replays the first answer for the same key and body', async () => {
    const body = await sample()
    const path = await idempotentPath(one)
    const twice = [1, 2].map(() => request(one, { path, body, headers: { 'idempotency-key': `replay-${one.id}` } }))
    const first = await call(twice[0] as Call)
    const second = await call(twice[1] as Call)
    expect(first.status, JSON.stringify(first.body)).toBeLessThan(300)
    expect(second).toMatchObject({ status: first.status, body: first.body })
  })

  it('refuses the same key with another body', async () => {
    const path = await idempotentPath(one)
    const headers = { 'idempotency-key': `reuse-${one.id}` }
    await call(request(one, { path, body: await sample(), headers }))
    const { status, body } = await call(request(one, { path, body: otherBody(one, await sample()), headers }))
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'IDEMPOTENCY_KEY_REUSED' })
  })

  it('lets one of several at once through: the others wait their turn or get its answer', async () => {
    const path = await idempotentPath(one)
    const body = await sample()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        call(request(one, { path, body, headers: { 'idempotency-key': `burst-${one.id}` } })),
      ),
    )
    const done = answers.filter(({ status }) => status < 300)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    for (const { status, body: refusal } of answers.filter((answer) => answer.status >= 300)) {
      expect({ status, code: refusal.code }).toEqual({ status: 409, code: 'IDEMPOTENCY_KEY_IN_FLIGHT' })
    }
  })

  it('frees the key after a failure', async () => {
    const refused = await send({ ...(await sample()), surprise: true }, `failed-${one.id}`)
    expect(refused.status).toBe(400)
    expect((await send(await sample(), `failed-${one.id}`)).status).toBeLessThan(300)
  })

  it('refuses a key of 256 characters and takes one of 255', async () => {
    expect(await send(await sample(), 'k'.repeat(256))).toMatchObject({
      status: 400,
      body: { code: 'IDEMPOTENCY_KEY_INVALID' },
    })
    expect((await send(await sample(), one.id.padEnd(255, '.'))).status).toBeLessThan(300)
  })
})

async function idempotentPath(one: DeclaredOperation): Promise<string> {
  if (!one.operation.path.includes('{id}')) return pathOf(one)
  if (one.id === 'invoices.reversePayment') return pathOf(one, { ...(await payInvoice(api)) })
  if (one.resource.name === 'invoices') return pathOf(one, { id: await issueInvoice(api) })
  return pathOf(one, { id: one.resource.name.startsWith('tasks') ? await createTask(api) : await createLead(api) })
}

/** Returns another valid body of the operation that differs from the sample in one field. */
function otherBody(
  { id, operation: { body } }: DeclaredOperation,
  sample: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = body instanceof z.ZodOptional || body instanceof z.ZodDefault ? body.unwrap() : body
  const names = fields instanceof z.ZodObject ? Object.keys(fields.shape) : []
  const others = names.flatMap((name) =>
    ['Another', '11.00', '2100-01-01', '2100-01-01T00:00:00Z', unknownId].map((value) => ({
      ...sample,
      [name]: value,
    })),
  )
  const other = others.find((each) => JSON.stringify(each) !== JSON.stringify(sample) && body?.safeParse(each).success)
  if (!other) throw new Error(`No other body is known for ${id}`)
  return other
}

describe('the projections', () => {
  const { tools } = toolCatalogue(publicContract)

  it.each(
    named(
      publicOperations.filter(
        ({ operation, resource }) =>
          operation.access !== 'open' && operation.tool !== false && resource.name !== 'search',
      ),
    ),
  )('%s is a tool, read-only when it is a GET', (_title, one) => {
    const tool = tools.find(({ name }) => name === one.tool)
    expect(tool?.annotations.readOnlyHint).toBe(one.operation.method === 'GET' || one.operation.readOnly === true)
  })

  it('are no tools for the settings', () => {
    const names = new Set(tools.map(({ name }) => name))
    expect(settingsOperations.filter((one) => names.has(one.tool))).toEqual([])
  })

  it('serve the OpenAPI document of the contract, without a credential', async () => {
    const { status, body } = await call({ path: '/api/openapi.json' })
    expect(status).toBe(200)
    const document = JSON.parse(JSON.stringify(publicDocument())) as object
    expect(body).toEqual({ ...document, servers: [{ url: `http://${workspace.host}` }] })
  })
})

describe('the ledger of counts', () => {
  it('adds up to the records that are there, after every operation', async () => {
    expect(await miscounted(api.db.$client)).toEqual([])
  })
})

import { declaredOperations, publicContract, settingsContract, showsVersion, takesIfMatch } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { createBodies, createLead, pathOf } from './samples.ts'
import { targetOf } from './targets.ts'

const api = await apiUnderTest()
const { call, key } = api
/** A session has the rights of types of record that the samples make. */
const cookie = await api.workspace.session()
const all = declaredOperations({ ...publicContract, ...settingsContract })
const named = (one: (typeof all)[number]) => [one.title, one] as const

/** A sale that can still be changed; the samples of invoices are paid. */
const openTarget = async (one: (typeof all)[number]) => ({
  ...(await targetOf(api, one)),
  ...(one.id === 'invoices.delete' ? await targetOf(api, { ...one, id: 'invoices.update' }) : {}),
})

describe.each(all.filter(takesIfMatch).map(named))('%s', (_title, one) => {
  const { method, body } = one.operation
  const sent = async () => (body ? ((await createBodies[one.id]?.(api)) ?? {}) : undefined)

  it('answers 412 PRECONDITION_FAILED for another version, and changes nothing', async () => {
    const target = await openTarget(one)
    const get = () =>
      call({ path: pathOf({ ...one, operation: one.resource.operations['get'] ?? one.operation }, target), cookie })
    const before = await get()
    expect(before.headers['etag']).toBe(`"${before.body.data.version}"`)
    for (const ifMatch of ['"99"', 'W/"99"', `${before.body.data.version}`])
      expect(
        await call({ method, path: pathOf(one, target), cookie, body: await sent(), headers: { 'if-match': ifMatch } }),
      ).toMatchObject({
        status: 412,
        body: { code: 'PRECONDITION_FAILED', details: { version: before.body.data.version } },
      })
    expect((await get()).body).toEqual(before.body)
  })
})

it.each(all.filter((one) => takesIfMatch(one) && one.operation.method !== 'POST').map(named))(
  '%s is done in the version that it names',
  async (_title, one) => {
    const target = await openTarget(one)
    const { headers } = await call({
      path: pathOf({ ...one, operation: one.resource.operations['get'] ?? one.operation }, target),
      cookie,
    })
    const done = await call({
      method: one.operation.method,
      path: pathOf(one, target),
      cookie,
      body: one.operation.body ? {} : undefined,
      headers: { 'if-match': `"0", ${String(headers['etag'])}` },
    })
    expect(done.status, JSON.stringify(done.body)).toBe(200)
  },
)

it('is known of every operation on one record that has a version', () => {
  const ids = all.filter(takesIfMatch).map(({ id }) => id)
  expect(ids).toEqual(
    expect.arrayContaining(['leads.update', 'leads.convert', 'invoices.recordPayment', 'documents.delete']),
  )
  expect(ids.filter((id) => /\.(list|get|create|bulk\w+|duplicatesOfNew)$/.test(id))).toEqual([])
})

describe('the ETag of a record', () => {
  it.each(all.filter((one) => showsVersion(one) && one.key === 'create').map(named))(
    'comes with %s',
    async (_title, one) => {
      const { path, method } = one.operation
      const values = path.includes('{') ? await targetOf(api, one) : {}
      const made = await call({
        method,
        path: pathOf(one, values),
        cookie,
        body: await createBodies[one.id]?.(api),
      })
      expect(made).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    },
  )

  it('goes up with the version, and comes with any shape and to HEAD', async () => {
    const path = `/api/leads/${await createLead(api)}`
    const changed = await call({ method: 'PATCH', path, key, body: { lastName: 'Changed' } })
    expect(changed.headers['etag']).toBe('"2"')
    for (const shaped of ['?fields=id', '?compact=true'])
      expect((await call({ path: `${path}${shaped}`, key })).headers['etag'], shaped).toBe('"2"')
    const headers = { host: api.workspace.host, authorization: `Bearer ${key}` }
    expect((await api.app.inject({ method: 'HEAD', url: path, headers })).headers['etag']).toBe('"2"')
    expect((await call({ path: '/api/leads', key })).headers).not.toHaveProperty('etag')
  })

  it('comes with the answer to a repeated request too', async () => {
    const request = { method: 'POST', path: '/api/contacts', key, body: { lastName: 'Once' } } as const
    const headers = { 'idempotency-key': 'if-match-once' }
    const answers = [await call({ ...request, headers }), await call({ ...request, headers })]
    expect(answers.map(({ body }) => body.data.id)).toEqual([answers[0]?.body.data.id, answers[0]?.body.data.id])
    expect(answers.map((answer) => answer.headers['etag'])).toEqual(['"1"', '"1"'])
  })

  it('lets one of two changes at once through', async () => {
    const path = `/api/leads/${await createLead(api)}`
    const change = (lastName: string) =>
      call({ method: 'PATCH', path, key, body: { lastName }, headers: { 'if-match': '"1"' } })
    const answers = await Promise.all([change('One'), change('Two')])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '412'])
  })

  it('is asked before the version of the body', async () => {
    const path = `/api/leads/${await createLead(api)}`
    const headers = { 'if-match': '"7"' }
    expect((await call({ method: 'PATCH', path, key, body: { lastName: 'X', version: 9 }, headers })).status).toBe(412)
    expect((await call({ method: 'PATCH', path, key, body: { lastName: 'X', version: 9 } })).status).toBe(409)
  })

  it('names no record that is not there', async () => {
    const path = '/api/leads/0197b2f0-0000-7000-8000-00000000dead'
    expect((await call({ method: 'DELETE', path, key, headers: { 'if-match': '*' } })).status).toBe(404)
  })
})

it('refuses If-Match where nothing has a version', async () => {
  const body = { name: 'Of no version', rate: '7' }
  const path = '/api/tax-rates'
  const headers = { 'if-match': '"1"' }
  expect(await call({ method: 'POST', path, key, body, headers })).toMatchObject({
    status: 412,
    body: { code: 'PRECONDITION_FAILED' },
  })
  const made = await call({ method: 'POST', path, key, body })
  const one = `${path}/${made.body.data.id}`
  expect((await call({ method: 'DELETE', path: one, key, headers })).status).toBe(412)
  expect((await call({ method: 'DELETE', path: one, key, headers: { 'if-match': '*' } })).status).toBe(200)
})

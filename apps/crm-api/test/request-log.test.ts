import { declaredOperations, publicContract, settingsContract } from '@crm/contract'
import { observeRequests } from '@crm/http'
import { createLogger, createMetrics } from '@crm/runtime'
import { expect, it } from 'vitest'
import { ownApi } from './harness.ts'
import { createBodies, createLead, pathOf } from './samples.ts'

const api = await ownApi()
const lines: string[] = []
const logger = createLogger({ name: 'crm-api', destination: { write: (line) => void lines.push(line) } })
const metrics = createMetrics('crm-api')
observeRequests(api.app, { metrics, logger })
const { call, key, workspace } = api
const cookie = await workspace.session()
const last = () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>

it('has one line for each request, with who asked and what became of it', async () => {
  const id = await createLead(api)
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const headers = { traceparent, 'x-request-id': 'one-of-mine', 'x-forwarded-for': '203.0.113.77' }
  await call({ path: `/api/leads/${id}?fields=id`, key, headers })
  expect(last()).toEqual({
    level: 'info',
    time: expect.any(String),
    service: 'crm-api',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    msg: 'request',
    requestId: 'one-of-mine',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    method: 'GET',
    route: '/api/leads/:id',
    status: 200,
    durationMs: expect.any(Number),
    bytesIn: 0,
    bytesOut: expect.any(Number),
    workspaceId: workspace.workspaceId,
    actorType: 'api-key',
    actorId: workspace.adminUserId,
    client: '203.0.113.0/24',
  })
  await call({ method: 'POST', path: '/api/leads', key, body: { ownerId: 'nobody' } })
  expect(last()).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  await call({ path: '/api/leads' })
  expect(last()).toMatchObject({ status: 401, code: 'AUTHENTICATION_ERROR', route: '/api/leads' })
  expect(last()).not.toHaveProperty('actorId')
  const text = await metrics.render()
  expect(text).toContain('crm_refused_total{reason="VALIDATION_ERROR",service="crm-api"} 1')
  expect(text).toMatch(/^http_request_duration_seconds_count\{[^}]*route="\/api\/leads\/:id"[^}]*\} 1$/m)
})

it('holds nothing that a request carries: no secret, no name, no text', async () => {
  const marked = 'plantedword'
  const mark = (value: unknown): unknown => {
    if (typeof value === 'string') return `${value}${marked}`
    if (Array.isArray(value)) return value.map(mark)
    return typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mark(one)]))
      : value
  }
  const from = lines.length
  for (const one of declaredOperations({ ...publicContract, ...settingsContract })) {
    const { method, body: shape } = one.operation
    const body = shape ? ((await createBodies[one.id]?.(api)) ?? { name: 'x' }) : undefined
    const path = `${pathOf(one, { id: marked, token: marked, key: marked })}?search=${marked}`
    const credential = one.resource.surface === 'settings' ? { cookie } : { key }
    const send = (sent: object) => call({ method, path, headers: { 'x-marked': marked }, ...sent })
    await send({ ...credential, ...(body ? { body: mark(body) } : {}) })
    await send({ key: `crm_key_${marked}`, ...(body ? { body } : {}) })
    // The names of a valid body are marked too.
    if (body && 'lastName' in body)
      await send({ ...credential, path: pathOf(one), body: { ...body, lastName: marked } })
  }
  const written = lines.slice(from)
  expect(written.length).toBeGreaterThan(500)
  expect(written.filter((line) => line.includes(marked))).toEqual([])
})

import { bookingResource } from '@crm/contract'
import { ApiError, type ErrorCode } from '@crm/errors'
import { createMetrics, createLogger } from '@crm/runtime'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { observeRequests } from './observe-requests.ts'
import { registerService } from './routes.ts'
import { createServer } from './server.ts'

const things = bookingResource('things', {
  get: {
    method: 'GET',
    path: '/things',
    summary: 'Read a thing',
    access: 'open',
    reply: { status: 200, body: z.object({}) },
    errors: ['SLOT_TAKEN'],
  },
})

/** Starts a service that refuses with the given error. */
function refusing(refusal: ApiError, checkAnswers: boolean) {
  const server = createServer({ trustedProxies: [] })
  const faults: unknown[] = []
  registerService(
    server,
    { things: { resource: things, handlers: { get: () => Promise.reject(refusal) } } },
    {
      recognise: async () => ({
        workspace: {
          id: 'w',
          baseUrl: 'http://localhost',
          timezone: 'UTC',
          weekStart: 'MONDAY' as const,
          inMaintenance: false,
          modulesOff: new Map(),
        },
        caller: null,
        budget: null,
        epoch: null,
      }),
      isSchemaBehind: async () => false,
      createContext: () => ({}),
      report: (error) => void faults.push(error),
      checkAnswers,
    },
  )
  const lines: string[] = []
  const metrics = createMetrics('test')
  observeRequests(server, {
    metrics,
    logger: createLogger({
      name: 'test',
      level: 'error',
      destination: { write: (line: string) => void lines.push(line) },
    }),
  })
  onTestFinished(() => server.close())
  return { call: () => server.inject({ method: 'GET', url: '/things' }), faults, lines, metrics }
}

const codeOf = (answer: { json(): { error: { code: ErrorCode } } }): ErrorCode => answer.json().error.code

it.each(['SLOT_TAKEN', 'NOT_FOUND'] as const)(
  'answers with %s, which the operation or the pipeline declares',
  async (code) => {
    const { call, faults, lines, metrics } = refusing(new ApiError(code), true)
    expect([codeOf(await call()), faults, lines]).toEqual([code, [], []])
    expect(await metrics.render()).not.toContain('crm_undeclared_codes_total{')
  },
)

it('makes a fault of an undeclared code where answers are checked', async () => {
  const { call, faults } = refusing(new ApiError('SKU_TAKEN'), true)
  expect((await call()).statusCode).toBe(500)
  expect(String(faults[0])).toContain('GET /things refused with 409 SKU_TAKEN, which it does not declare')
})

it('makes one of a declared code with another status as well', async () => {
  const { call, faults } = refusing(new ApiError('SLOT_TAKEN', { status: 418 }), true)
  expect((await call()).statusCode).toBe(500)
  expect(String(faults[0])).toContain('418 SLOT_TAKEN')
})

it('answers with an undeclared code in production, counts it and logs it', async () => {
  const { call, faults, lines, metrics } = refusing(new ApiError('SKU_TAKEN'), false)
  expect([codeOf(await call()), faults]).toEqual(['SKU_TAKEN', []])
  await expect.poll(() => lines.length).toBe(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ route: '/things', code: 'SKU_TAKEN' })
  expect(await metrics.render()).toMatch(
    /crm_undeclared_codes_total\{route="\/things",code="SKU_TAKEN",service="test"\} 1/,
  )
})

import { bookingResource, settingsResource } from '@crm/contract'
import { SharedPlaces } from '@crm/runtime'
import { ApiError } from '@crm/errors'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { ReadLines } from './read-turns.ts'
import { registerService } from './routes.ts'
import { createServer } from './server.ts'

const answer = { status: 200, body: z.object({}) }
const things = bookingResource('things', {
  list: { method: 'GET', path: '/things', summary: 'List things', access: 'open', reply: answer },
  create: { method: 'POST', path: '/things', summary: 'Create a thing', access: 'open', reply: answer },
})
const workspace = {
  id: 'w',
  baseUrl: 'http://localhost',
  timezone: 'UTC',
  weekStart: 'MONDAY' as const,
  inMaintenance: false,
  modulesOff: new Map(),
}

/** Starts a service whose requests end on command, in the order in which their work began. */
function startService(readsAtOnce: number, places = new SharedPlaces(100)) {
  const underWay: ((error?: Error) => void)[] = []
  let begun = 0
  const work = () =>
    new Promise<object>((resolve, reject) => {
      underWay.push((error) => (error ? reject(error) : resolve({})))
      begun += 1
    })
  const server = createServer({ trustedProxies: [] })
  registerService(
    server,
    { things: { resource: things, handlers: { list: work, create: work } } },
    {
      recognise: async () => ({ workspace, caller: null, budget: null, epoch: null }),
      isSchemaBehind: async () => false,
      createContext: () => ({}),
      report: (error) => {
        throw error
      },
      reads: new ReadLines(readsAtOnce),
      places,
    },
  )
  onTestFinished(() => server.close())
  const call = (method: 'GET' | 'POST') =>
    server.inject({ method, url: '/things' }).then(({ statusCode }) => statusCode)
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { server, call, endOne: (error?: Error) => underWay.shift()?.(error), begun: () => begun, settle }
}

it('works on half of so many reads at once for one workspace, and on the others in their turn', async () => {
  const { call, endOne, begun, settle } = startService(4)
  const answers = Array.from({ length: 5 }, () => call('GET'))
  for (const expected of [2, 3, 4, 5]) {
    await expect.poll(begun).toBe(expected)
    await settle()
    expect(begun()).toBe(expected)
    endOne()
  }
  endOne()
  expect(await Promise.all(answers)).toEqual([200, 200, 200, 200, 200])
})

it('works on one read of a workspace at a time when the one before it took long and came to no end', async () => {
  let laterMs = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs)
  onTestFinished(() => void vi.restoreAllMocks())
  const { call, endOne, begun, settle } = startService(8)
  const first = call('GET')
  await expect.poll(begun).toBe(1)
  laterMs = 1_000
  endOne(new ApiError('SERVICE_UNAVAILABLE'))
  expect(await first).toBe(503)
  const others = [call('GET'), call('GET')]
  await expect.poll(begun).toBe(2)
  await settle()
  expect(begun()).toBe(2)
  endOne()
  await expect.poll(begun).toBe(3)
  endOne()
  expect(await Promise.all(others)).toEqual([200, 200])
})

it('lets a write begin while reads wait', async () => {
  const { call, endOne, begun } = startService(2)
  const answers = [call('GET'), call('GET')]
  await expect.poll(begun).toBe(1)
  const write = call('POST')
  await expect.poll(begun).toBe(2)
  for (let n = 0; n < 3; n += 1) {
    endOne()
    await expect.poll(begun).toBeGreaterThanOrEqual(Math.min(3, n + 2))
  }
  endOne()
  expect(await Promise.all([...answers, write])).toEqual([200, 200, 200])
})

it('gives a place back when its request ends, and when its client leaves', async () => {
  const places = new SharedPlaces(2)
  const { server, endOne, begun } = startService(8, places)
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const ask = (signal: AbortSignal | null = null) => fetch(`${url}/things`, { method: 'POST', signal })
  const isFree = (): boolean => {
    const leave = places.take(workspace.id, 50)
    leave?.()
    return leave !== undefined
  }
  const leaving = new AbortController()
  const left = ask(leaving.signal).catch(() => undefined)
  await expect.poll(begun).toBe(1)
  const refused = await ask()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  leaving.abort()
  await left
  await expect.poll(isFree).toBe(true)
  endOne()
  const answer = ask()
  await expect.poll(begun).toBe(2)
  expect(isFree()).toBe(false)
  endOne()
  expect((await answer).status).toBe(200)
  await expect.poll(isFree).toBe(true)
})

it('answers 503 with Retry-After to a fault that passes by itself, and reports every other one', async () => {
  const server = createServer({ trustedProxies: [] })
  const reported: unknown[] = []
  const [passing, lasting] = [new Error('passing'), new Error('lasting')]
  registerService(
    server,
    {
      things: {
        resource: things,
        handlers: { list: () => Promise.reject(passing), create: () => Promise.reject(lasting) },
      },
    },
    {
      recognise: async () => ({ workspace, caller: null, budget: null, epoch: null }),
      isSchemaBehind: async () => false,
      createContext: () => ({}),
      report: (error) => void reported.push(error),
      isTransient: (error) => error === passing,
    },
  )
  onTestFinished(() => server.close())
  const refused = await server.inject({ method: 'GET', url: '/things' })
  expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } })
  expect(refused.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
  expect((await server.inject({ method: 'POST', url: '/things' })).statusCode).toBe(500)
  expect(reported).toEqual([lasting])
})

it('does not serve what changes rights where nothing guards it', () => {
  const roles = settingsResource('roles', {
    update: {
      method: 'PATCH',
      path: '/roles/{id}',
      summary: 'Change a role',
      access: { all: ['MANAGE_ROLES'] },
      reach: { gives: 'role' },
      reply: answer,
    },
  })
  const serve = () =>
    registerService(
      createServer({ trustedProxies: [] }),
      { roles: { resource: roles, handlers: { update: async () => ({}) } } },
      {
        recognise: async () => ({ workspace, caller: null, budget: null, epoch: null }),
        isSchemaBehind: async () => false,
        createContext: () => ({}),
        report: (error) => {
          throw error
        },
      },
    )
  expect(serve).toThrow(/nothing guards it/)
})

import { declaredOperations, publicContract, settingsContract, type DeclaredOperation } from '@crm/contract'
import { createTestWorkspace, stepsOf } from '@crm/testkit'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { apiUnderTest, type ApiUnderTest, type Call } from './harness.ts'
import { pathOf } from './samples.ts'
import { bodyOf, targetOf } from './targets.ts'

const api = await apiUnderTest()

/** Days and moments at the edges of what PostgreSQL and the calendar of ISO 8601 know, and beyond them. */
const edges = [
  '0001-01-01',
  '0000-12-31',
  '9999-12-31',
  '+010000-01-01T00:00:00.000Z',
  '-000001-01-01',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-14:00',
  '+9999y',
  '-9999y',
  'startOfYear+9999q',
  'endOfMonth-9999m',
  'endOfYear+9999w',
]

/** In one of these zones a day begins before, and in the other ends after, that of UTC. */
const zones = ['Pacific/Kiritimati', 'Pacific/Niue'] as const

const workspaces = await Promise.all(
  zones.map(async (timezone) => {
    const workspace = await createTestWorkspace(api.db, { timezone })
    const { key } = await workspace.apiKey()
    const here: ApiUnderTest = { ...api, workspace, key, call: (request, at = workspace) => api.call(request, at) }
    return { here, cookie: await workspace.session() }
  }),
)

const operations = declaredOperations({ ...publicContract, ...settingsContract })

/** Returns the names of members whose schema takes some day or moment. */
function takingTimes(schema: z.ZodType | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, part]) =>
    ['2026-03-01', '2026-03-01T10:00:00Z'].some((time) => part.safeParse(time).success) && !part.safeParse('x').success
      ? [name]
      : [],
  )
}

const inQueries = operations.flatMap((one) =>
  takingTimes(one.operation.query).map((name) => [`${one.title} ${name}`, one, name] as const),
)
const inBodies = operations.flatMap((one) =>
  takingTimes(one.operation.body).map((name) => [`${one.title} ${name}`, one, name] as const),
)

let places = 0

/** Returns the edges of one place: all of them in `npm run test:deep`, and otherwise others for each place. */
function edgesOfPlace(): readonly string[] {
  const first = places++
  const count = Math.min(edges.length, stepsOf(20))
  return Array.from({ length: count }, (_, at) => edges[(first * count + at) % edges.length]!)
}

/** Returns the faults of requests with times at edges, in both zones. */
async function faults(one: DeclaredOperation, withTime: (here: ApiUnderTest, time: string) => Promise<Partial<Call>>) {
  const found: string[] = []
  const times = edgesOfPlace()
  for (const { here, cookie } of workspaces) {
    const credential = one.resource.surface === 'settings' ? { cookie } : { key: here.key }
    const path = pathOf(one, await targetOf(here, one))
    for (const time of times) {
      const { path: query = '', ...request } = await withTime(here, time)
      const { status, body } = await here.call({
        method: one.operation.method,
        path: path + query,
        ...credential,
        ...request,
      })
      if (status >= 500) found.push(`${time}: ${status} ${JSON.stringify(body)}`)
    }
  }
  return found
}

it.each(inQueries)('no time at an edge is a fault of %s', async (_title, one, name) => {
  expect(await faults(one, async (_here, time) => ({ path: `?${name}=${encodeURIComponent(time)}` }))).toEqual([])
})

it.each(inBodies)('no time at an edge is a fault of the body of %s', async (_title, one, name) => {
  expect(
    await faults(one, async (here, time) => ({ body: { ...(await bodyOf(here, one.id)), [name]: time } })),
  ).toEqual([])
})

it('a quote that is valid until the last day there is says so at its place', async () => {
  const [, niue] = workspaces
  const answer = await niue?.here.call({
    method: 'POST',
    path: '/api/quotes',
    key: niue.here.key,
    body: { expiresAt: '9999-12-31' },
  })
  expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path: ['expiresAt'] }] } })
})

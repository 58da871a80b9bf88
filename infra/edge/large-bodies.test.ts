// Bodies over every limit, through the edge and directly to the deployables.
import { createDatabase, createPool, newId, schema } from '@crm/db'
import { digest } from '@crm/identity'
import { bundleOf, createTestWorkspace, startProcess, testDatabase, testRedis, testScratchDir } from '@crm/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEdge, type Edge } from './edge.ts'
import type { Target } from './health.ts'
import { placesOf, sendings, sendTo } from './large-bodies.fixture.ts'
import { routingTable } from './routes.ts'

const database = await testDatabase()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
const workspace = await createTestWorkspace(createDatabase(owner))
const { key } = await workspace.apiKey()
const hook = { path: 'a-path-of-the-test', secret: 'a secret of the test' }
const addressed = { host: workspace.host, key, hook }

let edge: Edge
const targets: Record<string, Target> = {}

beforeAll(async () => {
  const redis = await testRedis()
  const start = async (
    name: string,
    role: Parameters<typeof database.urlFor>[0],
    { main = 'main', app = name, env = {} } = {},
  ): Promise<string> => {
    const { url } = await startProcess(bundleOf(app, main), {
      DATABASE_URL: database.urlFor(role),
      REDIS_URL: redis.url,
      DATA_DIR: testScratchDir(),
      ...env,
    })
    targets[name] = { host: '127.0.0.1', port: Number(new URL(url).port) }
    return url
  }
  const [api] = await Promise.all([
    start('crm-api', 'crm_api'),
    start('booking', 'crm_booking'),
    start('webhooks', 'crm_hooks', { main: 'main-ingress' }),
  ])
  await start('mcp-gateway', 'crm_gateway', { env: { CRM_API_URL: api } })
  for (const name of routingTable.services) targets[name] ??= { host: '127.0.0.1', port: 1 }
  edge = await startEdge({ targets, port: 0 })

  const { workspaceId, adminUserId } = workspace
  const db = createDatabase(owner)
  const workflowId = newId()
  const version = { workspaceId, trigger: { type: 'WEBHOOK', method: 'POST' }, steps: [] }
  await db.insert(schema.workflows).values({
    ...version,
    id: workflowId,
    name: 'Hook',
    status: 'PUBLISHED',
    publishedVersion: 1,
    runAsId: adminUserId,
  })
  await db.insert(schema.workflowVersions).values({ ...version, workflowId, version: 1 })
  await db.insert(schema.webhookTriggers).values({
    workspaceId,
    workflowId,
    path: hook.path,
    pathHash: digest(hook.path),
    secretHash: digest(hook.secret),
    isPublished: true,
  })
})

afterAll(async () => {
  await edge.close()
  await owner.end()
})

const through = {
  'the edge': () => edge.port,
  'the deployable itself': (service: string) => targets[service]!.port,
} as const

describe.each(Object.entries(through))('a body that is too large, sent to %s', (_to, portOf) => {
  describe.each(Object.entries(sendings))('%s', (_how, send) => {
    it.each(placesOf(addressed))('is refused for $what without a reset', async (place) => {
      const { answer, nextStatus = 404, error } = await sendTo(portOf(place.service), send, place, workspace.host)
      expect({ status: answer.status, body: JSON.parse(answer.body), nextStatus, error }).toMatchObject({
        status: place.status,
        body: place.body,
        nextStatus: expect.any(Number),
        error: undefined,
      })
      expect(nextStatus).toBeGreaterThanOrEqual(400)
    })
  })
})

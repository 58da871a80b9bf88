import { createDatabase, createPool, type Database } from '@crm/db'
import {
  bundleOf,
  createTestWorkspace,
  freePort,
  startProcess,
  testDatabase,
  testRedis,
  type TestProcess,
  type TestWorkspace,
} from '@crm/testkit'
import { afterAll } from 'vitest'

/** Two gateways and two APIs as processes, on this test file's own database and Redis, with one workspace. */
export interface Installation {
  readonly db: Database
  readonly redis: Awaited<ReturnType<typeof testRedis>>['redis']
  readonly workspace: TestWorkspace
  /** The address of the workspace, which is that of the first gateway. */
  readonly baseUrl: string
  readonly gateways: readonly [TestProcess, TestProcess]
  readonly apis: readonly [TestProcess, TestProcess]
}

/** Starts it, with more in the environment of the gateways; everything ends with the test file. */
export async function startInstallation(more: Readonly<Record<string, string>> = {}): Promise<Installation> {
  const [database, { url: redisUrl, redis }, port] = await Promise.all([testDatabase(), testRedis(), freePort()])
  const owner = createPool({ databaseUrl: database.ownerUrl, max: 4, applicationName: 'test-owner' })
  afterAll(() => owner.end())
  const db = createDatabase(owner)
  const baseUrl = `http://127.0.0.1:${port}`
  const workspace = await createTestWorkspace(db, { baseUrl })
  const startApi = () =>
    startProcess(bundleOf('crm-api'), { DATABASE_URL: database.urlFor('crm_api'), REDIS_URL: redisUrl })
  const apis = await Promise.all([startApi(), startApi()])
  const startGateway = (api: TestProcess, env: Readonly<Record<string, string>> = {}) =>
    startProcess(bundleOf('mcp-gateway'), {
      DATABASE_URL: database.urlFor('crm_gateway'),
      REDIS_URL: redisUrl,
      CRM_API_URL: api.url,
      ...more,
      ...env,
    })
  const gateways = await Promise.all([startGateway(apis[0], { PORT: String(port) }), startGateway(apis[1])])
  return { db, redis, workspace, baseUrl, gateways, apis }
}

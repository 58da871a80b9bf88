import { buildProject } from './build.ts'
import { tellWrongStatements } from './statements.ts'
import { startTestServices } from './test-services.ts'

/**
 * Gives every test run a PostgreSQL, a Redis and fresh bundles of the apps, unless the environment names the servers: `npm test` has
 * then done all of it.
 */
export default async function provideServices(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TEST_DATABASE_URL'] !== undefined && process.env['TEST_REDIS_URL'] !== undefined) return undefined
  await buildProject()
  const services = await startTestServices()
  process.env['TEST_DATABASE_URL'] ??= services.databaseUrl
  process.env['TEST_REDIS_URL'] ??= services.redisUrl
  process.env['TEST_SCRATCH_DIR'] = services.scratchDir
  return async () => {
    if ((await tellWrongStatements(services.databaseUrl)) > 0) process.exitCode = 1
    await services.stop()
  }
}

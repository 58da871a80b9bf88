import { startTestServices } from './test-services.ts'

/** Gives every test run a PostgreSQL and a Redis, unless the environment names them already. */
export default async function provideServices(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TEST_DATABASE_URL'] !== undefined && process.env['TEST_REDIS_URL'] !== undefined) return undefined
  const services = await startTestServices()
  process.env['TEST_DATABASE_URL'] ??= services.databaseUrl
  process.env['TEST_REDIS_URL'] ??= services.redisUrl
  return services.stop
}

import { tmpdir } from 'node:os'

/** Returns the owner's connection string for the PostgreSQL server of this test run. */
export function testDatabaseUrl(): string {
  return required('TEST_DATABASE_URL')
}

/** Returns the connection string of the Redis server of this test run. */
export function testRedisUrl(): string {
  return required('TEST_REDIS_URL')
}

/** Returns a folder that is removed with the servers of this test run; the system's one where the environment names the servers. */
export function testScratchDir(): string {
  return process.env['TEST_SCRATCH_DIR'] ?? tmpdir()
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined)
    throw new Error(`${name} is not set: run the tests from the root, where the global setup starts the servers.`)
  return value
}

// `npm run test:pooler`: the tests of the services against PostgreSQL through PgBouncer in transaction mode. Takes `--only TEXT`, or paths
// of tests.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildProject } from '../local/build.ts'
import { freePort, isListening } from '../local/ports.ts'
import { databaseRoles } from '../local/roles.ts'
import { startTestServices } from '../local/test-services.ts'
import { drillOptions, promise, runDrills } from '../stage/drills.ts'
import { until } from '../stage/until.ts'
import { runVitest } from '../stage/vitest.ts'

const usual: Readonly<Record<string, readonly string[]>> = {
  'the CRM API': ['apps/crm-api/test', 'apps/crm-api/src/resources'],
  booking: ['apps/booking/test'],
  webhooks: ['apps/webhooks/test'],
  'the tool server': ['apps/mcp-gateway/test'],
  commands: ['commands', 'pooler', 'sign-in'].map((name) => `apps/cli/test/${name}.test.ts`),
}
/** The connections of the pooler to one database, for all roles together: far fewer than the services open to the pooler. */
const serverConnections = 5
/** The password of the roles of a test database (packages/testkit/src/database.ts). */
const password = 'test'
const readyWithinMs = 10_000

const { values, positionals } = parseArgs({ allowPositionals: true, options: drillOptions })
const groups = positionals.length > 0 ? { 'the named tests': positionals } : usual
const version = versionOf(spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' }).stdout)

if (version === undefined && !values.list) {
  console.error('There is no pgbouncer on this machine; install it, on Debian by `apt install pgbouncer`.')
  process.exitCode = 1
} else {
  process.exitCode = await runDrills(
    Object.entries(groups).map(([name, paths]) => ({
      name: `${name} behind a pooler`,
      run: () => testThroughPooler(paths, carriesStatements(version ?? 0)),
    })),
    values,
  )
}

/** Runs tests with servers and a pooler of their own. */
async function testThroughPooler(paths: readonly string[], isCarrying: boolean): Promise<void> {
  await buildProject()
  const services = await startTestServices()
  const port = await freePort()
  const pooler = startPooler(services.scratchDir, new URL(services.databaseUrl), port, isCarrying)
  try {
    await until('pgbouncer', () => isListening(port), { withinMs: readyWithinMs })
    const code = await runVitest(paths, {
      TEST_DATABASE_URL: services.databaseUrl,
      TEST_REDIS_URL: services.redisUrl,
      TEST_SCRATCH_DIR: services.scratchDir,
      TEST_POOLER_PORT: String(port),
      ...(isCarrying ? {} : { DATABASE_PREPARE: 'false' }),
    })
    promise(code === 0, 'see above')
  } finally {
    pooler.kill('SIGINT')
    await services.stop()
  }
}

/** Returns `PgBouncer 1.24.1` as 1.24; undefined without a version. */
function versionOf(text: string | undefined): number | undefined {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text ?? '') ?? []
  return major === undefined ? undefined : Number(major) + Number(minor) / 100
}

/** Whether PgBouncer supports named statements: from 1.21 on it carries them between connections; earlier versions do not. */
function carriesStatements(version: number): boolean {
  return version >= 1.21
}

/** Starts a pooler for the roles of the deployables and for the owner, as whom commands work. */
function startPooler(folder: string, server: URL, port: number, isCarrying: boolean) {
  const users = join(folder, 'pgbouncer-users.txt')
  const settings = join(folder, 'pgbouncer.ini')
  const logins = [...databaseRoles.map((role) => [role, password]), [server.username, server.password]]
  writeFileSync(users, logins.map(([user, secret]) => `"${user}" "${decodeURIComponent(secret ?? '')}"\n`).join(''))
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
${isCarrying ? 'max_prepared_statements = 200\n' : ''}default_pool_size = ${serverConnections}
max_db_connections = ${serverConnections}
max_client_conn = 2000
server_idle_timeout = 10
`,
  )
  for (const file of [users, settings]) chmodSync(file, 0o644)
  // PgBouncer does not run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  return spawn('pgbouncer', ['--quiet', settings], { stdio: ['ignore', 'ignore', 'inherit'], ...nobody })
}

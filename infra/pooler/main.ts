// `npm run test:pooler`: the tests of the services against PostgreSQL through PgBouncer in transaction mode. Takes paths of tests.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildProject } from '../local/build.ts'
import { freePort, isListening } from '../local/ports.ts'
import { databaseRoles } from '../local/roles.ts'
import { startTestServices } from '../local/test-services.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const usualPaths = [
  'apps/crm-api/test',
  'apps/crm-api/src/resources',
  'apps/booking/test',
  'apps/webhooks/test',
  'apps/mcp-gateway/test',
  'apps/cli/test/commands.test.ts',
  'apps/cli/test/pooler.test.ts',
  'apps/cli/test/sign-in.test.ts',
]
/** The connections of the pooler to one database, for all roles together: far fewer than the services open to the pooler. */
const serverConnections = 5
/** The password of the roles of a test database (packages/testkit/src/database.ts). */
const password = 'test'
const readyWithinMs = 10_000

process.exitCode = await testThroughPooler(process.argv.slice(2))

async function testThroughPooler(paths: readonly string[]): Promise<number> {
  const version = versionOf(spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' }).stdout)
  if (version === undefined) {
    console.error('There is no pgbouncer on this machine; install it, on Debian by `apt install pgbouncer`.')
    return 1
  }
  await buildProject()
  const services = await startTestServices()
  const port = await freePort()
  const pooler = startPooler(services.scratchDir, new URL(services.databaseUrl), port, carriesStatements(version))
  try {
    await accepting(port)
    const env = {
      ...process.env,
      TEST_DATABASE_URL: services.databaseUrl,
      TEST_REDIS_URL: services.redisUrl,
      TEST_SCRATCH_DIR: services.scratchDir,
      TEST_POOLER_PORT: String(port),
      ...(carriesStatements(version) ? {} : { DATABASE_PREPARE: 'false' }),
    }
    const tests = spawn(join(root, 'node_modules/.bin/vitest'), ['run', ...(paths.length > 0 ? paths : usualPaths)], {
      cwd: root,
      env,
      stdio: 'inherit',
    })
    const [code] = (await once(tests, 'exit')) as [number | null]
    return code ?? 1
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

async function accepting(port: number): Promise<void> {
  const endsAt = Date.now() + readyWithinMs
  while (!(await isListening(port))) {
    if (Date.now() > endsAt) throw new Error('pgbouncer takes no connections')
    await waitMs(100)
  }
}

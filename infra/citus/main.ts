// `npm run test:citus`: chosen tests on a database that is distributed over machines with Citus. CITUS_URL is the coordinator, as a superuser
// whose password is `test`; CITUS_WORKERS are the machines that hold rows, as host:port, by commas; by default those that the coordinator
// knows. Drills lose, add and fill machines that they start themselves, from the programs in the folder CITUS_BIN. Takes `--only TEXT`, or paths
// of tests.
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { buildProject } from '../local/build.ts'
import { startTestServices } from '../local/test-services.ts'
import { drillOptions, promise, runDrills, type Drill } from '../stage/drills.ts'
import { runVitest } from '../stage/vitest.ts'
import { drillsOn } from './drills.ts'

const usual: Readonly<Record<string, readonly string[]>> = {
  'the distribution': ['apps/cli/test/distribute.test.ts'],
  booking: ['races', 'booking-api', 'calendars', 'mail', 'call', 'moved-times'].map(
    (name) => `apps/booking/test/${name}.test.ts`,
  ),
  webhooks: ['runs', 'ingress', 'rules', 'prune'].map((name) => `apps/webhooks/test/${name}.test.ts`),
  'work in the background': ['outbox', 'handing-on', 'due-work'].map((name) => `packages/jobs/test/${name}.test.ts`),
}
const { values, positionals } = parseArgs({ allowPositionals: true, options: drillOptions })
const coordinator = process.env['CITUS_URL']
const binDir = process.env['CITUS_BIN']
const groups = positionals.length > 0 ? { 'the named tests': positionals } : usual

/** Says why what needs a setting was not run. */
const orNotRun = (setting: string | undefined, what: string, run: (setting: string) => Drill['run']): Drill['run'] =>
  setting === undefined || setting === '' ? async () => `not run: ${what}` : run(setting)

const tests = Object.entries(groups).map(([name, paths]) => ({
  name: `${name} on Citus`,
  run: orNotRun(
    coordinator,
    'CITUS_URL names no PostgreSQL with Citus (docs/guide/distributed.md says how to start one)',
    (databaseUrl) => () => testOnCitus(paths, databaseUrl),
  ),
}))
const drills = drillsOn(binDir ?? '').map(({ name, run }) => ({
  name,
  run: orNotRun(binDir, 'CITUS_BIN names no folder with the programs of a PostgreSQL with Citus', () => async () => {
    await buildProject()
    return run()
  }),
}))
process.exitCode = await runDrills([...tests, ...(positionals.length > 0 ? [] : drills)], values)

async function testOnCitus(paths: readonly string[], databaseUrl: string): Promise<void> {
  const workers = process.env['CITUS_WORKERS'] ?? (await knownWorkers(databaseUrl))
  promise(workers !== '', 'CITUS_WORKERS names no machine, and the coordinator knows none')
  await buildProject()
  const services = await startTestServices()
  try {
    const code = await runVitest([...paths, '--maxWorkers=1'], {
      TEST_DATABASE_URL: databaseUrl,
      TEST_CITUS_WORKERS: workers,
      TEST_REDIS_URL: services.redisUrl,
      TEST_SCRATCH_DIR: services.scratchDir,
    })
    promise(code === 0, 'see above')
  } finally {
    await services.stop()
  }
}

async function knownWorkers(connectionString: string): Promise<string> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ node: string }>(
      `SELECT nodename || ':' || nodeport AS node FROM pg_dist_node WHERE shouldhaveshards ORDER BY nodeid`,
    )
    return rows.map(({ node }) => node).join()
  } catch {
    return ''
  } finally {
    await client.end()
  }
}

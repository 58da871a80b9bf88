import { createDatabase, createPool, type Pool } from '@crm/db'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { forSeconds, tally } from '../faults/drill.ts'
import { createProbe, type Probe, type ProbeReport } from '../faults/probe.ts'
import { createTenant, type Tenant } from '../faults/tenant.ts'
import { compareBackups } from '../stage/backups.ts'
import { promise, type Drill } from '../stage/drills.ts'
import { openPlace, type Place } from '../stage/place.ts'
import { percentile } from '../stage/traffic.ts'
import { until } from '../stage/until.ts'
import { startMachines, type Machine, type Machines } from './machines.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const lostForMs = 12_000
const backWithinMs = 60_000
const movedWithinMs = 300_000
const roundSeconds = 2
const loadRounds = 7
const records = 20_000
const loadAtOnce = 4
const requestsOfEach = 80

/** The drills that start machines of their own, from the programs of a PostgreSQL with Citus in a folder. */
export function drillsOn(binDir: string): readonly Drill[] {
  return [
    { name: 'a worker is lost under load and comes back', run: () => loseWorker(binDir) },
    { name: 'a worker is added and another one drained under load', run: () => exchangeWorker(binDir) },
    { name: 'a backup goes from machine to machines and to one', run: () => moveBackup(binDir) },
    { name: 'a workspace at full load on another machine', run: () => compareNeighbours(binDir) },
    { name: 'what a request costs beside one PostgreSQL', run: () => compareWithOne(binDir) },
  ]
}

/** A running installation on a distributed database. */
interface Spread extends AsyncDisposable {
  readonly machines: Machines
  readonly place: Place
}

/** Opens a place whose database is distributed over two workers, after it was filled. */
async function openSpread(
  binDir: string,
  fill = (place: Place): Promise<unknown> => crm(place, 'db', 'migrate', '--contract'),
): Promise<Spread> {
  const stack = new AsyncDisposableStack()
  try {
    const machines = stack.use(await startMachines(binDir))
    const place = stack.use(await openPlace('citus-drill', machines.url))
    await fill(place)
    await crm(place, 'db', 'distribute', '--workers', addressesOf(machines.workers))
    return { machines, place, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function loseWorker(binDir: string): Promise<string> {
  await using spread = await openSpread(binDir)
  const { machines, place } = spread
  await place.run(root)
  const [lost, other] = machines.workers
  const [onLost, onOther] = [await tenantOn(place, lost!), await tenantOn(place, other!)]
  const probes = [await probeOf(place, onLost), await probeOf(place, onOther)] as const
  const written: number[] = []
  const meanwhile = await watched(probes, async () => {
    await waitMs(1_000)
    lost!.kill()
    for (const endsAt = Date.now() + lostForMs; Date.now() < endsAt; await waitMs(1_000))
      written.push((await onOther.send({ path: '/api/leads', body: { lastName: 'Meanwhile' } })).status)
  })
  await lost!.start()
  await until('the workspaces of the lost machine', async () => (await listOf(onLost)) === 200, {
    withinMs: backWithinMs,
  })
  const [mine, others] = meanwhile
  const afterwards = await watched(probes, () => waitMs(3_000))
  promise(others!.failed === 0, `the other machine: ${others!.errors.join('; ')}`)
  promise(
    written.every((status) => status === 201 || status === 503),
    `records of the other machine were answered ${tally(written)}`,
  )
  promise(mine!.failed > 0 && mine!.failed === mine!.refused, `the lost machine: ${mine!.errors.join('; ')}`)
  promise(
    afterwards.every(({ failed }) => failed === 0),
    `afterwards: ${afterwards.flatMap(({ errors }) => errors).join('; ')}`,
  )
  await place.untilNothingWaits(backWithinMs)
  return `${mine!.refused} of ${mine!.requests} requests of its workspace were refused for a while, and none of ${others!.requests} of the other one; new records there: ${tally(written)}`
}

async function exchangeWorker(binDir: string): Promise<string> {
  await using spread = await openSpread(binDir)
  const { machines, place } = spread
  await place.run(root)
  const [leaving, staying] = machines.workers
  const tenants = [await tenantOn(place, leaving!), await tenantOn(place, staying!)]
  const probes = await Promise.all(tenants.map((tenant) => probeOf(place, tenant)))
  const resting = await tenantOn(place, leaving!)
  await generate(place, resting, 500)
  const before = await rowsOf(place.owner, resting)
  const further = await machines.add()
  const reports = await watched(probes, async () => {
    await crm(place, 'db', 'distribute', '--workers', addressesOf([...machines.workers, further]))
    await place.owner.query('SELECT citus_rebalance_start()')
    await until('the rebalancing', () => isRebalanced(place.owner), { withinMs: movedWithinMs, everyMs: 500 })
    const { host, port } = leaving!.node
    await place.owner.query('SELECT citus_drain_node($1, $2)', [host, port])
    await place.owner.query('SELECT citus_remove_node($1, $2)', [host, port])
  })
  leaving!.kill()
  const afterwards = await watched(probes, () => waitMs(3_000))
  // At the end of a move its writes wait, and those that would wait too long are refused.
  const broken = reports.filter(({ failed, refused }) => failed > refused)
  promise(broken.length === 0, broken.flatMap(({ errors }) => errors).join('; '))
  promise(
    afterwards.every(({ failed }) => failed === 0),
    `afterwards: ${afterwards.flatMap(({ errors }) => errors).join('; ')}`,
  )
  const after = await rowsOf(place.owner, resting)
  promise(JSON.stringify(before) === JSON.stringify(after), 'the rows of the workspace that moved differ')
  const told = reports.map(
    ({ requests, refused, p95Ms }) => `${refused} of ${requests} refused, p95 ${p95Ms.toFixed(0)} ms`,
  )
  return `${before.length} tables with the same rows; of the workspace that moved ${told.join(', of the other one ')}`
}

async function moveBackup(binDir: string): Promise<string> {
  const backups = mkdtempSync(join(tmpdir(), 'crm-citus-drill-'))
  const backUp = async (place: Place, name: string): Promise<string> => {
    const told = await crm(place, 'backup', 'create', '--to', join(backups, name), '--json')
    return (JSON.parse(told) as { path: string }).path
  }
  try {
    const first = await (async () => {
      await using spread = await openSpread(binDir)
      await crm(spread.place, 'db', 'seed-demo')
      return await backUp(spread.place, 'first')
    })()
    await using one = await openPlace('citus-drill')
    await crm(one, 'backup', 'restore', first)
    const onOne = compareBackups(first, await backUp(one, 'one'))
    await using spread = await openSpread(binDir, (place) => crm(place, 'backup', 'restore', first))
    const onMachines = compareBackups(first, await backUp(spread.place, 'machines'))
    return `on one ${onOne}; on machines ${onMachines}`
  } finally {
    rmSync(backups, { recursive: true, force: true })
  }
}

async function compareNeighbours(binDir: string): Promise<string> {
  const cores = availableParallelism()
  if (process.platform !== 'linux' || cores < 2)
    return 'not run: two machines need two cores, which only Linux gives them'
  // Machines in a drill are processors: one worker has the first, and all the rest the others.
  pin(process.pid, cores === 2 ? '1' : `1-${cores - 1}`)
  try {
    await using spread = await openSpread(binDir)
    const { machines, place } = spread
    const [apart, own] = machines.workers
    pin(apart!.pid(), '0')
    await place.run(root)
    const quiet = await tenantOn(place, own!)
    const apartFrom = await tenantOn(place, apart!)
    const beside = await tenantOn(place, own!)
    for (const tenant of [quiet, apartFrom, beside]) await generate(place, tenant, records)
    const load = createPool({ databaseUrl: machines.url, max: loadAtOnce, applicationName: 'citus-drill-load' })
    const times = { idle: [] as number[], apart: [] as number[], beside: [] as number[] }
    try {
      // In turn and for short times, so that all meet the same load of this machine.
      for (let round = 0; round < loadRounds; round += 1) {
        times.idle.push(...(await timesOf(quiet)))
        times.apart.push(...(await timesOf(quiet, () => readAll(load, apartFrom))))
        times.beside.push(...(await timesOf(quiet, () => readAll(load, beside))))
      }
      const ratio = (loaded: readonly number[]) => (percentile(loaded, 0.5) / percentile(times.idle, 0.5)).toFixed(2)
      return `the median of a list takes ${ratio(times.apart)} times as long, and ${ratio(times.beside)} times beside one on the same machine`
    } finally {
      await load.end()
    }
  } finally {
    pin(process.pid, `0-${cores - 1}`)
  }
}

async function compareWithOne(binDir: string): Promise<string> {
  await using spread = await openSpread(binDir)
  await using one = await openPlace('citus-drill')
  await crm(one, 'db', 'migrate')
  const tenants = []
  for (const place of [one, spread.place]) {
    await place.run(root)
    const tenant = await createTenant(createDatabase(place.owner), place.port)
    await generate(place, tenant, 1_000)
    const { items } = await tenant.ask<{ items: { id: string }[] }>({ path: '/api/leads?pageSize=1' })
    tenants.push({ tenant, lead: items[0]?.id })
  }
  const kinds: Readonly<Record<string, (tenant: Tenant, lead: string | undefined) => Promise<unknown>>> = {
    'list of 20': (tenant) => tenant.ask({ path: '/api/leads?pageSize=20' }),
    read: (tenant, lead) => tenant.ask({ path: `/api/leads/${lead}` }),
    create: (tenant) => tenant.ask({ path: '/api/leads', body: { lastName: 'New' } }),
  }
  const lines: string[] = []
  for (const [name, request] of Object.entries(kinds)) {
    const times: number[][] = [[], []]
    // In turn, so that both meet the same load of this machine; the first ones prepare statements.
    for (let n = -20; n < requestsOfEach; n += 1)
      for (const [at, { tenant, lead }] of tenants.entries()) {
        const ms = await timed(() => request(tenant, lead))
        if (n >= 0) times[at]!.push(ms)
      }
    const [plain, spreadOut] = times.map((each) => percentile(each, 0.5))
    lines.push(
      `${name}: ${plain!.toFixed(1)} and ${spreadOut!.toFixed(1)} ms, ${(spreadOut! / plain!).toFixed(2)} times as long`,
    )
  }
  return lines.join('\n')
}

/** Makes workspaces until one lies on a machine. */
async function tenantOn({ owner, port }: Place, { node }: Machine): Promise<Tenant> {
  for (;;) {
    const tenant = await createTenant(createDatabase(owner), port)
    const { rows } = await owner.query<{ port: number }>(
      `SELECT nodeport AS port FROM citus_shards WHERE shardid = get_shard_id_for_distribution_column('leads', $1::uuid)`,
      [tenant.workspaceId],
    )
    if (rows[0]?.port === node.port) return tenant
  }
}

function probeOf({ port }: Place, tenant: Tenant): Promise<Probe> {
  return createProbe({ port, tenant: async () => tenant })
}

/** Lets probes watch while work is done. */
async function watched(probes: readonly Probe[], work: () => Promise<unknown>): Promise<readonly ProbeReport[]> {
  const watches = probes.map((probe) => probe.watch())
  const stop = () => Promise.all(watches.map((watch) => watch.stop()))
  await work().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return stop()
}

async function isRebalanced(owner: Pool): Promise<boolean> {
  const { rows } = await owner.query<{ state: string }>('SELECT state FROM citus_rebalance_status()')
  const states = rows.map(({ state }) => state)
  promise(!states.some((state) => state === 'failed' || state === 'cancelled'), 'the rebalancing failed')
  return states.every((state) => state === 'finished')
}

/** Returns the number and a sum of the rows of a workspace in each table. */
async function rowsOf(owner: Pool, { workspaceId }: Tenant): Promise<readonly string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE partmethod = 'h' ORDER BY 1`,
  )
  const sums: string[] = []
  for (const { name } of tables) {
    const { rows } = await owner.query(
      `SELECT count(*) AS n, sum(hashtextextended(t::text, 0)::numeric) AS sum FROM ${name} t WHERE workspace_id = $1`,
      [workspaceId],
    )
    sums.push(`${name} ${JSON.stringify(rows[0])}`)
  }
  return sums
}

async function generate(place: Place, { slug }: Tenant, leads: number): Promise<void> {
  await crm(place, 'db', 'generate', '--workspace', slug, '--leads', String(leads))
}

/** Reads every lead of a workspace, as a large summary does. */
function readAll(pool: Pool, { workspaceId }: Tenant): Promise<unknown> {
  return pool.query(
    'SELECT count(*), sum(hashtextextended(t::text, 0)::numeric) FROM leads t WHERE workspace_id = $1',
    [workspaceId],
  )
}

async function listOf(tenant: Tenant): Promise<number> {
  return (await tenant.send({ path: '/api/leads?pageSize=20' })).status
}

/** Asks for a list again and again for a short time, beside a load, and returns how long each took. */
async function timesOf(tenant: Tenant, load?: () => Promise<unknown>): Promise<readonly number[]> {
  const busy = load && forSeconds(roundSeconds, loadAtOnce, load)
  const times: number[] = []
  await forSeconds(roundSeconds, 1, async () => {
    times.push(await timed(() => tenant.ask({ path: '/api/leads?pageSize=20' })))
    // A key has 600 requests a minute.
    await waitMs(100)
  })
  await busy
  return times
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now()
  await work()
  return performance.now() - at
}

function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' })
}

function addressesOf(machines: readonly Machine[]): string {
  return machines.map(({ node: { host, port } }) => `${host}:${port}`).join()
}

function crm({ fleet }: Place, ...args: readonly string[]): Promise<string> {
  return fleet.crm(root, ...args)
}

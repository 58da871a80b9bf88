import type { DatabaseNode } from '@crm/db'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRunDir, throwawaySettings } from '../local/test-services.ts'
import { createCluster, startPostgres, type PostgresServer } from '../local/postgres.ts'
import { freePort } from '../local/ports.ts'
import { until } from '../stage/until.ts'

/** A PostgreSQL with Citus that a drill may lose. */
export interface Machine {
  readonly node: DatabaseNode
  /** The id of the process of its server. */
  pid(): number
  /** Ends it at once, like a machine that is lost. */
  kill(): void
  /** Brings it back under the same address. */
  start(): Promise<void>
}

/** A coordinator and the machines that hold rows. */
export interface Machines extends AsyncDisposable {
  /** The database on the coordinator, as its owner. */
  readonly url: string
  readonly workers: readonly Machine[]
  /** Starts a further machine. */
  add(): Promise<Machine>
}

const password = 'of-the-drill'
const backWithinMs = 30_000

const settings = {
  ...throwawaySettings,
  shared_preload_libraries: 'citus',
  max_connections: '300',
  max_prepared_transactions: '300',
  max_worker_processes: '32',
  wal_level: 'logical',
  'citus.shard_count': '8',
  // As root, the server would look for certificates in the folder of root.
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_statistics_collection': 'off',
}

/** Starts a coordinator and two workers of their own, from the programs of a PostgreSQL with Citus. */
export async function startMachines(binDir: string): Promise<Machines> {
  const stack = new AsyncDisposableStack()
  const dir = makeRunDir()
  stack.defer(() => rmSync(dir, { recursive: true, force: true }))
  let count = 0
  const add = async (): Promise<Machine> => {
    const name = `machine-${(count += 1)}`
    const clusterDir = join(dir, name)
    await createCluster(clusterDir, password, binDir)
    // The machines reach one another on loopback alone.
    writeFileSync(join(clusterDir, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
    const preferredPort = await freePort()
    const open = () =>
      startPostgres({ clusterDir, preferredPort, password, binDir, logFile: join(dir, `${name}.log`), settings })
    let server: PostgresServer = await open()
    stack.defer(() => server.stop('immediate'))
    return {
      node: { host: '127.0.0.1', port: server.port },
      pid: () => server.pid,
      kill: () => void process.kill(server.pid, 'SIGKILL'),
      // The connections of a killed server take a moment to end, and until then it cannot start.
      start: () =>
        until('the machine', async () => Boolean((server = await open())), { withinMs: backWithinMs, everyMs: 500 }),
    }
  }
  const coordinator = await add()
  const workers = [await add(), await add()]
  return {
    url: `postgres://crm_owner:${password}@127.0.0.1:${coordinator.node.port}/postgres`,
    workers,
    add,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

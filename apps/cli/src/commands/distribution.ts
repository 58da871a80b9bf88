import {
  distribute,
  inTurn,
  isAllDistributed,
  joinWorkers,
  olderProcesses,
  RowsDifferError,
  type DatabaseNode,
  type DistributedTable,
} from '@crm/db'
import { grantRightsOrTell } from '../rights.ts'
import type { Connection } from '../base/connection.ts'
import { findOffences, toldOffences } from '../base/distributable.ts'
import { CommandError, waitsForTurn } from '../base/output.ts'

/** The machines of a distributed database. */
export interface Machines {
  readonly workers: readonly DatabaseNode[]
  /** Where the workers reach the database; the address of its connection by default. */
  readonly coordinator: DatabaseNode | undefined
}

/** The outcome of a distribution. */
export interface Distribution {
  readonly workers: number
  /** The tables that were distributed now. */
  readonly tables: readonly DistributedTable[]
}

/** Reads the address of a machine, such as `10.0.0.5:5432`. */
export function readNode(option: string, text: string): DatabaseNode {
  const { host, port } = /^(?<host>[\w.-]+):(?<port>\d{1,5})$/.exec(text.trim())?.groups ?? {}
  if (host === undefined) throw new CommandError(`${option} takes addresses such as 10.0.0.5:5432, not ${text}`)
  return { host, port: Number(port) }
}

/** Distributes the tables of an installation over machines; nothing changes while something stands in the way. */
export async function distributeOver(
  connection: Connection,
  { workers, coordinator }: Machines,
): Promise<Distribution> {
  const { pool, databaseUrl, config, tell } = connection
  await requireCitus(pool)
  const offences = await findOffences(pool)
  if (offences.length > 0)
    throw new CommandError(`The tables cannot be distributed while this stands in the way:\n${toldOffences(offences)}`)
  const tables = await inTurn(
    databaseUrl,
    async (client) => {
      // A further worker may join while people work: no table changes, and so no key is away.
      if (!(await isAllDistributed(client))) await requireRest(connection)
      await joinWorkers(databaseUrl, coordinator ?? addressOf(databaseUrl), workers)
      const done: DistributedTable[] = []
      await distribute(client, (table) => {
        tell(`${table.table}: ${table.rows} rows`)
        done.push(table)
      }).catch((error: unknown) => {
        throw error instanceof RowsDifferError ? new CommandError(`${error.message}; run the command again`) : error
      })
      return done
    },
    () => tell(waitsForTurn),
  )
  await grantRightsOrTell(pool, config)
  return { workers: workers.length, tables }
}

/** Words the outcome for people. */
export function toldDistribution({ workers, tables }: Distribution): string {
  return `${tables.length} tables were distributed now, and each has the rows that it had. The database has ${workers} of the named workers.
A further worker: run this command with it, and then in the database SELECT citus_rebalance_start();
A worker that is to go: SELECT citus_drain_node('HOST', PORT); and then SELECT citus_remove_node('HOST', PORT);`
}

async function requireCitus(pool: Connection['pool']): Promise<void> {
  const { rowCount } = await pool.query(`SELECT FROM pg_available_extensions WHERE name = 'citus'`)
  if (rowCount === 0)
    throw new CommandError('The database server has no Citus; docs/guide/distributed.md names an image that has')
}

/** Foreign keys are away while tables are distributed, so nobody else may write. */
async function requireRest({ pool }: Connection): Promise<void> {
  const [running] = await olderProcesses(pool, Number.MAX_SAFE_INTEGER)
  if (running)
    throw new CommandError(
      `${running.kind} was last seen at ${running.seenAt}: stop every process, and wait ten minutes after one that was killed`,
    )
}

function addressOf(databaseUrl: string): DatabaseNode {
  const { hostname, port } = new URL(databaseUrl)
  return { host: hostname, port: Number(port || 5432) }
}

import { createPool, type Pool } from '@crm/db'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEdge } from '../edge/edge.ts'
import { freePort } from '../local/ports.ts'
import { startTestServices } from '../local/test-services.ts'
import { createFleet, replaced, type Fleet, type Member } from './fleet.ts'
import type { Demo } from './load.ts'
import { until } from './until.ts'

/** A place for an installation: servers, a folder of files, and processes and an edge when they are started. */
export interface Place extends AsyncDisposable {
  readonly fleet: Fleet
  /** The connections of the database's owner. */
  readonly owner: Pool
  /** The port of the edge. */
  readonly port: number
  readonly dataDir: string
  /** Starts a number of processes of each deployable from a checkout, and the edge before them. */
  run(root: string, each?: number): Promise<readonly Member[]>
  /** Returns what `crm db seed-demo` wrote. */
  demo(): Demo
  /** Waits until no piece of work of the queues is left. */
  untilNothingWaits(withinMs: number): Promise<void>
}

/** Opens an empty place; its database is one of its own, unless another one is given as its owner reaches it. */
export async function openPlace(applicationName: string, ownerUrl?: string): Promise<Place> {
  const stack = new AsyncDisposableStack()
  const { databaseUrl: ownDatabaseUrl, redisUrl, scratchDir, stop } = await startTestServices()
  const databaseUrl = ownerUrl ?? ownDatabaseUrl
  stack.defer(() => stop())
  const owner = createPool({ databaseUrl, max: 2, applicationName })
  stack.defer(() => owner.end())
  const port = await freePort()
  const dataDir = join(scratchDir, 'data')
  mkdirSync(dataDir)
  const fleet = await createFleet({ databaseUrl, redisUrl, baseUrl: `http://localhost:${port}`, dataDir })
  stack.defer(() => fleet.close())
  return {
    fleet,
    owner,
    port,
    dataDir,
    run: async (root, each = 1) => {
      const members: Member[] = []
      for (const deployable of replaced)
        for (let n = 0; n < each; n++) members.push(await fleet.start(root, deployable))
      const edge = await startEdge({ targets: fleet.targets, port, host: '127.0.0.1' })
      stack.defer(() => edge.close())
      return members
    },
    demo: () => JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo,
    untilNothingWaits: (withinMs) =>
      until('the work of the queues', async () => (await countWaiting(owner)) === 0, { withinMs, everyMs: 200 }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function countWaiting(owner: Pool): Promise<number | undefined> {
  const { rows } = await owner.query<{ left: number }>(
    `SELECT (SELECT count(*) FROM outbox WHERE done_at IS NULL)::int
       + (SELECT count(*) FROM workflow_runs WHERE state IN ('QUEUED', 'RUNNING', 'WAITING'))::int
       + (SELECT count(*) FROM booking_mails)::int AS left`,
  )
  return rows[0]?.left
}

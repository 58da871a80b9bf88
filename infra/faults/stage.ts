import { createDatabase, createPool, type Database, type Pool } from '@crm/db'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../local/ports.ts'
import { portsBelow } from './processes.ts'
import { createTenant, type Tenant } from './tenant.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A running installation, as `npm start` makes it. */
export interface Stage {
  /** The port of the edge. */
  readonly port: number
  /** The process of `npm start`. */
  readonly pid: number
  readonly db: Database
  /** The connections of the database's owner. */
  readonly owner: Pool
  tenant(): Promise<Tenant>
  /** Returns the port of a deployable of infra/routes.json; the edge itself stands in for deployables that run only in containers. */
  readonly portOf: (service: string) => number
  /** Returns the complaints of the installation so far. */
  complaints(): readonly string[]
  close(): Promise<void>
}

const readyLine = 'Press Ctrl-C to stop.'
const readyWithinMs = 300_000

/** Starts an installation on free ports with a temporary data folder of its own. */
export async function setStage(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crm-faults-'))
  const port = await freePort()
  const child = spawn(process.execPath, [join(root, 'infra/local/bootstrap.mjs'), 'start', '--no-demo'], {
    cwd: root,
    // Receivers of drills listen on loopback.
    env: {
      ...process.env,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
      ...env,
      DATA_DIR: dataDir,
      PORT: String(port),
      DATABASE_URL: '',
      REDIS_URL: '',
    },
    // A process group of its own: Ctrl-C ends the drills first, and they end it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit')
  const stack = new AsyncDisposableStack()
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  stack.defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
    await ended
  })
  try {
    const endsAt = Date.now() + readyWithinMs
    while (!output.includes(readyLine)) {
      if (child.exitCode !== null || Date.now() > endsAt) throw new Error(`The installation did not start:\n${output}`)
      await wait(50)
    }
    const { ownerDatabaseUrl } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as {
      readonly ownerDatabaseUrl: string
    }
    const owner = createPool({ databaseUrl: ownerDatabaseUrl, max: 4, applicationName: 'drill' })
    stack.defer(() => owner.end())
    const db = createDatabase(owner)
    const saidAtStart = output.length
    return {
      port,
      pid: child.pid ?? 0,
      db,
      owner,
      tenant: () => createTenant(db, port),
      portOf: (service) => portsBelow(child.pid ?? 0).get(service) ?? port,
      complaints: () =>
        output
          .slice(saidAtStart)
          .split('\n')
          .filter((line) => line.startsWith('[')),
      close: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

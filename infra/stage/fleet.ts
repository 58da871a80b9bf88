import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isReady, type Target } from '../edge/health.ts'
import { freePort } from '../local/ports.ts'
import { urlForRole, type DatabaseRole } from '../local/roles.ts'
import { routingTable } from '../edge/routes.ts'

/** The deployables that work with the database, in the order in which they are replaced. */
export const replaced = [
  { name: 'crm-api', main: 'apps/crm-api/bundle/main.js', role: 'crm_api' },
  { name: 'booking', main: 'apps/booking/bundle/main.js', role: 'crm_booking' },
  { name: 'webhooks', main: 'apps/webhooks/bundle/main-ingress.js', role: 'crm_hooks' },
  { name: 'webhooks-dispatcher', main: 'apps/webhooks/bundle/main-dispatcher.js', role: 'crm_dispatcher' },
  { name: 'mcp-gateway', main: 'apps/mcp-gateway/bundle/main.js', role: 'crm_gateway' },
] as const satisfies readonly { name: string; main: string; role: DatabaseRole }[]

type Deployable = (typeof replaced)[number]

/** A running process of a deployable. */
export interface Member {
  readonly deployable: Deployable
  readonly target: Target
  /** Asks it to stop and returns its exit code. */
  stop(): Promise<number | null>
}

export interface FleetSettings {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly baseUrl: string
  /** The folder of files, mails and logs. */
  readonly dataDir: string
}

/** The processes of one installation, which may be of several versions. */
export interface Fleet {
  /** The addresses of each deployable now. */
  readonly targets: Readonly<Record<string, Target[]>>
  start(root: string, deployable: Deployable): Promise<Member>
  /** Stops a process; it gets no further requests. */
  retire(member: Member): Promise<number | null>
  /** Runs the administration command of a version and returns what it prints. The edge and the load, which are in this process, go on meanwhile. */
  crm(root: string, ...args: readonly string[]): Promise<string>
  close(): Promise<void>
}

const password = 'of-the-upgrade-test'
const readyWithinMs = 120_000
/** Longer than the interval at which the edge asks who is ready. */
const drainSeconds = 3

export async function createFleet({ databaseUrl, redisUrl, baseUrl, dataDir }: FleetSettings): Promise<Fleet> {
  const targets: Record<string, Target[]> = Object.fromEntries(routingTable.services.map((name) => [name, []]))
  const members = new Set<Member>()
  const leaving = new Set<Target>()
  const inside = await createBalancer(() => (targets['crm-api'] ?? []).filter((target) => !leaving.has(target)))
  const usual = {
    ...process.env,
    REDIS_URL: redisUrl,
    BASE_URL: baseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    NODE_ENV: 'test',
  }

  return {
    targets,
    start: async (root, deployable) => {
      const { name, main, role } = deployable
      const port = await freePort()
      const log = openSync(join(dataDir, `${name}.log`), 'a')
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, main)], {
        cwd: root,
        env: {
          ...usual,
          HOST: '127.0.0.1',
          PORT: String(port),
          DATABASE_URL: urlForRole(databaseUrl, role, password),
          RUN_TOKEN_SECRET: 'a secret of the upgrade test that is long enough',
          SECRETS_KEY: Buffer.alloc(32, 'a key of the upgrade test').toString('base64'),
          CRM_API_URL: inside.url,
          TRUSTED_PROXIES: 'loopback',
          DRAIN_SECONDS: String(drainSeconds),
        },
        // Through the channel it notices the end of this process, and ends too.
        stdio: ['ignore', log, log, 'ipc'],
      })
      closeSync(log)
      const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
      const target = { host: '127.0.0.1', port }
      const endsAt = Date.now() + readyWithinMs
      while (!(await isReady(target))) {
        if (child.exitCode !== null || Date.now() > endsAt) throw new Error(`${name} of ${root} does not start`)
        await waitMs(50)
      }
      const member: Member = {
        deployable,
        target,
        stop: () => {
          child.kill('SIGTERM')
          return exited
        },
      }
      members.add(member)
      targets[name]?.push(target)
      return member
    },
    retire: async (member) => {
      leaving.add(member.target)
      const code = await member.stop()
      members.delete(member)
      const present = targets[member.deployable.name] ?? []
      present.splice(present.indexOf(member.target), 1)
      return code
    },
    crm: async (root, ...args) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', 'apps/cli/src/main.ts', ...args],
        { cwd: root, env: { ...usual, DATABASE_URL: databaseUrl, ROLE_PASSWORD: password } },
      )
      return stdout
    },
    close: async () => {
      await Promise.all([...members].map((member) => member.stop()))
      inside.close()
    },
  }
}

/** The name of the CRM API inside the installation: each connection goes to one of its processes, as behind a service of Kubernetes. */
async function createBalancer(addresses: () => readonly Target[]): Promise<{ readonly url: string; close(): void }> {
  let turn = 0
  const server = createServer((client) => {
    const present = addresses()
    const target = present[turn++ % Math.max(1, present.length)]
    if (!target) return void client.destroy()
    const upstream = connect(target)
    client.pipe(upstream).pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  }
}

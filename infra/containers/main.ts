// `npm run test:containers`: builds the images, brings docker-compose.yml up on free ports with secrets of its own, runs the commands that
// the README names, and replaces each deployable under load. It needs Docker or Podman. `--no-build` takes the images of an earlier run.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as waitMs } from 'node:timers/promises'
import { freePort } from '../local/ports.ts'
import { databaseRoles } from '../local/roles.ts'
import { promise, startChecks } from '../stage/drills.ts'
import { failedRequests, startLoad, type Demo } from '../stage/load.ts'
import { call } from '../stage/requests.ts'
import { until } from '../stage/until.ts'
import { findEngine, lastLines, type Engine } from './engine.ts'

const project = 'crmtest'
/** The deployables that serve requests, each replaced under load. */
const served = ['crm-api', 'booking', 'webhooks', 'mcp-gateway', 'console'] as const
const ready = { withinMs: 120_000, everyMs: 500 }

const secret = (): string => randomBytes(24).toString('hex')
const env: Record<string, string> = {
  POSTGRES_PASSWORD: secret(),
  ...Object.fromEntries(databaseRoles.map((role) => [`ROLE_PASSWORD_${role.toUpperCase()}`, secret()])),
  RUN_TOKEN_SECRET: secret(),
  SECRETS_KEY: randomBytes(32).toString('base64'),
  DRAIN_SECONDS: '3',
}
let port = await choosePorts()
const engine = await findEngine(project, env)
const { check, finish } = startChecks()
if (engine === undefined) {
  console.error(
    'There is no container engine on this machine: install Docker with its compose plugin, or Podman and podman-compose.',
  )
  process.exitCode = 1
} else {
  try {
    await testContainers(engine)
  } finally {
    await check('everything goes down', () => compose(engine, 'down', '-v'))
  }
  process.exitCode = finish()
}

async function testContainers(using: Engine): Promise<void> {
  const isBuilt =
    process.argv.includes('--no-build') || (await check('every image is built', () => compose(using, 'build')))
  if (!isBuilt) return
  // Other programs may have taken the earlier ones while the images were built.
  port = await choosePorts()
  const isUp = await check('everything comes up', async () => {
    await compose(using, 'up', '-d', 'postgres', 'redis', 'mail')
    // Not every compose program waits until the servers are healthy.
    await until(
      'the migration',
      async () => (await using.compose('run', '--rm', 'migrate', 'crm', 'db', 'migrate')).code === 0,
      ready,
    )
    await compose(using, 'up', '-d')
    await until('/healthz', isHealthy, ready)
  })
  if (!isUp) return
  await check('the commands of the README work', async () => {
    const commands = readmeCommands()
    for (const words of commands) await compose(using, ...words)
    return `${commands.length} commands`
  })
  await check('each deployable is replaced under load, and no request fails', () => replaceAll(using))
}

/** Names the ports for the compose file, which asks for them at every command, and returns that of the edge. */
async function choosePorts(): Promise<number> {
  const [edge, mail] = [await freePort(), await freePort()]
  Object.assign(env, { PORT: String(edge), MAIL_PORT: String(mail), BASE_URL: `http://localhost:${edge}` })
  return edge
}

/** Whether the edge, and no other program at its port, says that every service is well. */
async function isHealthy(): Promise<boolean> {
  const { status, body } = await call(port, { path: '/healthz', host: 'localhost' })
  const { services } = JSON.parse(body.toString()) as { services?: Readonly<Record<string, string>> }
  return status === 200 && services?.['crm-api'] === 'ok'
}

/** Returns the commands of the README's part about containers, without the words `docker compose`. */
function readmeCommands(): readonly (readonly string[])[] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [part = ''] = /^## Containers\n[\s\S]*?(?=^## )/m.exec(readme) ?? []
  const commands = [...part.matchAll(/^docker compose (run .*)$/gm)].map(([, words = '']) =>
    [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''),
  )
  if (commands.length === 0) throw new Error('the README names no command')
  return commands
}

async function replaceAll(using: Engine): Promise<string> {
  // The demo answers at the host that the workspace of the README has.
  const postgres = await containerOf(using, 'postgres')
  await using.run('exec', postgres, 'psql', '-U', 'crm_owner', '-d', 'crm', '-c', 'DELETE FROM workspace_hosts')
  const seeded = await using.compose('run', '--rm', 'migrate', 'crm', 'db', 'seed-demo', '--json')
  if (seeded.code !== 0) throw new Error(lastLines(seeded.out || seeded.err))
  // The compose program may say something before.
  const document = seeded.out.split('\n').find((line) => line.startsWith('{"'))
  if (document === undefined) throw new Error(`the demo was not told: ${lastLines(seeded.out)}`)
  const demo = JSON.parse(document) as Demo
  const load = await startLoad(port, demo, { isFromOneAddress: true })
  for (const service of served) await replace(using, service)
  const report = await load.stop()
  const failures = failedRequests(report)
  promise(failures.length === 0, failures.join('; '))
  return `${report.kinds.reduce((total, { sent }) => total + sent, 0)} requests`
}

interface Inspected {
  readonly Config: { readonly Env: readonly string[] }
  readonly Mounts: readonly { readonly Name?: string; readonly Destination: string }[]
}

/** Starts a second container of a service under its name, stops the first one, starts it again and removes the second. */
async function replace(using: Engine, service: string): Promise<void> {
  const { run } = using
  const first = await containerOf(using, service)
  const second = `${project}-${service}-second`
  const [inspected] = JSON.parse(await run('inspect', first)) as [Inspected]
  const image = await run('inspect', '--format', '{{.Image}}', first)
  await run(
    'run',
    '-d',
    '--name',
    second,
    '--network',
    `${project}_default`,
    '--network-alias',
    service,
    ...inspected.Config.Env.filter((line) => !line.startsWith('HOSTNAME=')).flatMap((line) => ['-e', line]),
    ...inspected.Mounts.flatMap(({ Name, Destination }) => (Name ? ['-v', `${Name}:${Destination}`] : [])),
    image,
  )
  try {
    await untilReady(run, second)
    await run('stop', '-t', '30', first)
    await run('start', first)
    await untilReady(run, first)
  } finally {
    await run('stop', '-t', '30', second)
    await run('rm', '-f', second)
  }
}

/** Returns the name of the first container of a service. */
async function containerOf({ run }: Engine, service: string): Promise<string> {
  const names = await run('ps', '--format', '{{.Names}}')
  const found = names.split('\n').find((name) => new RegExp(`^${project}[-_]${service}[-_]1$`).test(name))
  if (found === undefined) throw new Error(`there is no container of ${service}`)
  return found
}

/** Waits until a process is ready, and a moment more until the edge knows it. */
async function untilReady(run: Engine['run'], container: string): Promise<void> {
  const ask =
    "fetch('http://127.0.0.1:3000/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"
  await until(`${container} ready`, async () => (await run('exec', container, 'node', '-e', ask), true), ready)
  await waitMs(2_000)
}

async function compose(using: Engine, ...args: readonly string[]): Promise<void> {
  const { code, out, err } = await using.compose(...args)
  // podman-compose ends well although a build failed, and only says so.
  const isHidden = args[0] === 'build' && /^exit code: [1-9]/m.test(`${out}\n${err}`)
  if (code !== 0 || isHidden) throw new Error(lastLines(err || out))
}

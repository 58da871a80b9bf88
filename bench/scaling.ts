// `npm run bench:scaling`: two processes of a deployable against one, each on a processor of its own.
import { parseArgs } from 'node:util'
import { freePort } from '../infra/local/ports.ts'
import { coresOfMachine, stayOn, type CoreShares } from './cores.ts'
import { measure, middle, warmUp, type Figure, type Load } from './load.ts'
import { crmApiRows, meetKeys } from './rows.ts'
import { createBookingRow, hookRow } from './rows-of-others.ts'
import { setStage, type LoadedWorkspace, type Process, type Stage } from './stage.ts'
import { calmly } from './stolen.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const pace = values.quick ? { warmUpSeconds: 4, rounds: 1, seconds: 2 } : { warmUpSeconds: 24, rounds: 11, seconds: 2 }
const leads = values.quick ? 1_000 : 100_000
/** The clients of each process. */
const connections = 32

/** A deployable whose processes are compared. */
interface Scaled {
  readonly what: string
  readonly name: string
  readonly mainFile: string
  readonly env?: Readonly<Record<string, string>>
  /** The promised minimum of the ratio. */
  readonly atLeast: number
  readonly loadOf: (first: Process, stage: Stage, workspace: LoadedWorkspace) => Promise<Load>
}

const shares = coresOfMachine()
if (shares) await compareAll(shares)
else console.log('two processes against one: not provable here; this takes six processors or more, on Linux')

async function compareAll({ ours, others }: CoreShares): Promise<void> {
  // PostgreSQL, Redis and the clients inherit it.
  stayOn(others)
  const stage = await setStage([leads], console.log)
  try {
    const workspace = stage.workspace(leads)
    await liftLimits(stage, workspace)
    for (const scaled of await deployables(stage)) {
      const processes = [await startOn(stage, scaled, ours[0]), await startOn(stage, scaled, ours[1])] as const
      print(scaled, await compareProcesses(await scaled.loadOf(processes[0], stage, workspace), processes))
    }
  } finally {
    await stage.close()
  }
}

async function deployables({ start }: Stage): Promise<readonly Scaled[]> {
  const smtpPort = String(await freePort())
  await start('mail-sink', 'bench/mail-sink.ts', { SMTP_PORT: smtpPort })
  return [
    {
      what: 'booking created, with mail',
      name: 'booking',
      mainFile: 'apps/booking/bundle/main.js',
      env: { SMTP_URL: `smtp://127.0.0.1:${smtpPort}` },
      atLeast: 1.6,
      loadOf: async (booking, stage, workspace) => (await createBookingRow(booking, stage, workspace)).load,
    },
    {
      what: 'list of 20 with total',
      name: 'crm-api',
      mainFile: 'apps/crm-api/bundle/main.js',
      atLeast: 1.6,
      loadOf: async (api, stage, workspace) => {
        await meetKeys(api, workspace)
        const [list] = crmApiRows(api, api, stage, workspace.leads)
        if (!list) throw new Error('There is no row for lists')
        return list.ours
      },
    },
    {
      what: 'hook accepted (202)',
      name: 'webhooks',
      mainFile: 'apps/webhooks/bundle/main-ingress.js',
      atLeast: 1.5,
      loadOf: async (ingress, stage, workspace) => (await hookRow(ingress, ingress, stage, workspace)).ours,
    },
  ]
}

function startOn(stage: Stage, { name, mainFile, env }: Scaled, core: number): Promise<Process> {
  return stage.start(name, mainFile, env, core)
}

/** Lets the workspace ask for more than two processes can answer. */
async function liftLimits({ owner }: Stage, { workspaceId }: LoadedWorkspace): Promise<void> {
  const limits = { 'api.per-minute': 1e9, 'hooks.per-minute': 1e9, 'bookings.per-minute': 1e9 }
  await owner.query('UPDATE workspaces SET limits = $2 WHERE id = $1', [workspaceId, JSON.stringify(limits)])
}

interface Comparison {
  readonly one: number
  readonly two: number
  readonly ratio: number
  /** The share of a processor that the clients took, beside two processes. */
  readonly clients: number
  readonly stolen: number
}

async function compareProcesses(load: Load, processes: readonly [Process, Process]): Promise<Comparison> {
  let sent = 0
  // The requests of both go on after one another: no booking is made twice.
  const [first, second] = processes.map(({ url }) => ({ ...load, url, request: () => load.request(sent++) }))
  const loads = [first, second] as readonly [Load, Load]
  for (const each of loads) await warmUp(each, connections, pace.warmUpSeconds)
  const rounds: Comparison[] = []
  for (let round = 0; round < pace.rounds; round += 1) rounds.push(await calmly(() => takeTurn(loads)))
  const middleOf = (figure: (round: Comparison) => number): number => middle(rounds.map(figure))
  return {
    one: middleOf(({ one }) => one),
    two: middleOf(({ two }) => two),
    ratio: middleOf(({ ratio }) => ratio),
    clients: middleOf(({ clients }) => clients),
    stolen: middleOf(({ stolen }) => stolen),
  }
}

/** Measures one process and then both; each has the same number of clients. */
async function takeTurn([first, second]: readonly [Load, Load]): Promise<Comparison> {
  const alone = await measure(first, connections, pace.seconds)
  const [beganAt, before] = [performance.now(), process.cpuUsage()]
  const both = await Promise.all([first, second].map((load) => measure(load, connections, pace.seconds)))
  const used = process.cpuUsage(before)
  const clients = (used.user + used.system) / 1_000 / (performance.now() - beganAt)
  const two = both.reduce((sum: number, { perSecond }: Figure) => sum + perSecond, 0)
  const stolen = Math.max(alone.stolen, ...both.map((figure) => figure.stolen))
  return { one: alone.perSecond, two, ratio: two / alone.perSecond, clients, stolen }
}

function print({ what, atLeast }: Scaled, { one, two, ratio, clients, stolen }: Comparison): void {
  const missed = ratio < atLeast ? '  missed' : ''
  console.log(`${what}: ${one.toFixed(0)} a second by one process, ${two.toFixed(0)} by two`)
  console.log(`  clients took ${percent(clients)} of a processor, stolen ${percent(stolen)}`)
  console.log(`two processes against one: ${ratio.toFixed(2)} times as many, aim ${atLeast}${missed}`)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}

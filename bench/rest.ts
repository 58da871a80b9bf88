import { setTimeout as wait } from 'node:timers/promises'
import { startDemo } from './demo.ts'
import { processorMs, processorMsOfTree, startedBy } from './processor.ts'

/** What an installation takes while nobody asks it for anything. */
export interface Rest {
  /** The share of one processor by service, in per cent, the largest first. */
  readonly shares: readonly (readonly [name: string, percent: number])[]
  /** The share of all together. */
  readonly percent: number
}

/** The work of a start, such as folding counters and filling the demo workspace, is over by then. */
const settleSeconds = 60

/** Starts the product as `npm start` does, and measures it at rest. */
export async function measureRest(seconds: number): Promise<Rest> {
  await using demo = await startDemo()
  await wait(settleSeconds * 1_000)
  const services = startedBy(demo.pid).flatMap(({ pid, command }) => {
    const name = nameOf(command)
    return name === undefined
      ? []
      : [{ name, spent: () => (name === 'postgres' ? processorMsOfTree(pid) : processorMs(pid)) }]
  })
  const before = services.map(({ spent }) => spent())
  await wait(seconds * 1_000)
  const shares = services.map(({ name, spent }, at): readonly [string, number] => [
    name,
    (spent() - (before[at] ?? 0)) / seconds / 10,
  ])
  return {
    shares: shares.toSorted(([, a], [, b]) => b - a),
    percent: shares.reduce((sum, [, percent]) => sum + percent, 0),
  }
}

/** Returns the name of a service; undefined for a process that another one here counts. */
function nameOf(command: string): string | undefined {
  if (/\bpostgres -D\b/.test(command)) return 'postgres'
  if (command.startsWith('postgres:')) return undefined
  if (command.includes('redis-server')) return 'redis'
  const bundle = /apps\/(\S+?)\/bundle\/(\S+?)\.js/.exec(command)
  return bundle ? `${bundle[1]} ${bundle[2]}` : command.split(' ').slice(0, 3).join(' ')
}

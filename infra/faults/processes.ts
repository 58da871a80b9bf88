import { readFileSync } from 'node:fs'
import { setInterval } from 'node:timers'

interface Process {
  readonly pid: number
  readonly name: string
}

/** The observations of an installation's processes. */
export interface ProcessReport {
  /** The peak memory of each process of the service, in megabytes. */
  readonly largestMb: ReadonlyMap<string, number>
  /** The processes that ended without being stopped. */
  readonly ended: readonly string[]
}

export interface ProcessWatch {
  stop(): ProcessReport
}

const everyMs = 250
/** Whether a process ends by itself when it is not needed. */
const comesAndGoes = (name: string): boolean => name.endsWith('/pdf')
/** Whether a process is a third-party server, whose processes share memory. */
const isServer = (name: string): boolean => name === 'postgres' || name === 'redis'

/** Watches the processes below one: their memory, and whether they keep running. */
export function watchProcesses(root: number): ProcessWatch {
  const largest = new Map<string, number>()
  const known = new Map<number, string>()
  const ended = new Set<string>()
  const look = (): void => {
    const now = processesBelow(root)
    for (const { pid, name } of now) {
      if (!comesAndGoes(name)) known.set(pid, name)
      if (!isServer(name)) largest.set(name, Math.max(largest.get(name) ?? 0, rssMb(pid)))
    }
    const alive = new Set(now.map(({ pid }) => pid))
    for (const [pid, name] of known) if (!alive.has(pid)) ended.add(`${name} (process ${pid})`)
  }
  look()
  const timer = setInterval(look, everyMs)
  return {
    stop: () => {
      look()
      clearInterval(timer)
      return { largestMb: largest, ended: [...ended] }
    },
  }
}

/** Returns the ports of the deployables, by their names in infra/routes.json. */
export function portsBelow(root: number): ReadonlyMap<string, number> {
  const nameInRoutes = (name: string): string =>
    ({ 'webhooks/ingress': 'webhooks', 'webhooks/dispatcher': 'webhooks-dispatcher' })[name] ?? name
  const ports = processesBelow(root).map(
    ({ pid, name }) =>
      [nameInRoutes(name), Number(/(?:^|\0)PORT=(\d+)/.exec(read(`/proc/${pid}/environ`))?.[1])] as const,
  )
  return new Map(ports.filter(([name, port]) => port > 0 && name !== 'edge'))
}

/** Kills a process below one with kill -9, as a machine without memory does. */
export function killBelow(root: number, name: string): void {
  for (const found of processesBelow(root)) if (found.name === name) process.kill(found.pid, 'SIGKILL')
}

/** Returns the processes of the database below one: the server and its connections. */
export function postgresBelow(root: number): readonly number[] {
  const servers = processesBelow(root).flatMap(({ pid, name }) => (name === 'postgres' ? [pid] : []))
  return servers.flatMap((pid) => [
    pid,
    ...read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number),
  ])
}

/** Returns every process of the installation that has a name of its own. */
function processesBelow(root: number): Process[] {
  const found: Process[] = []
  const walk = (pid: number): void => {
    const name = nameOf(read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))
    if (name !== undefined) found.push({ pid, name })
    // The servers start a short-lived process for each connection.
    if (name !== undefined && isServer(name)) return
    for (const child of read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)) walk(Number(child))
  }
  walk(root)
  return found
}

function nameOf(command: string): string | undefined {
  const [, app, main] = /\/apps\/([^/]+)\/bundle\/(main[\w-]*)\.js/.exec(command) ?? []
  if (app !== undefined) return main === 'main' ? app : `${app}/${main?.slice('main-'.length)}`
  if (command.includes('infra/local/start.ts')) return 'edge'
  if (/\bpostgres\b/.test(command.split(' ')[0] ?? '')) return 'postgres'
  return /(redis|valkey)-server/.test(command) ? 'redis' : undefined
}

function rssMb(pid: number): number {
  return Math.round((Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * 4096) / 1e6)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

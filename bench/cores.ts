import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Two for the processes that are compared; the others for PostgreSQL, Redis and the clients, which must not be what is short. */
const coresMin = 6

/** The processors of a comparison, by their numbers. */
export interface CoreShares {
  /** One for each process of ours. */
  readonly ours: readonly [number, number]
  /** For everything else. */
  readonly others: readonly number[]
}

/**
 * Shares out processors; null when there are too few of them to show anything.
 * @param list such as `0-3,8`; undefined where the system does not say
 * @param usable the number of processors whose time this process may use, which may be less
 */
export function shareCores(list: string | undefined, usable: number): CoreShares | null {
  const [first, second, ...others] = list === undefined ? [] : readList(list)
  if (first === undefined || second === undefined || Math.min(usable, others.length + 2) < coresMin) return null
  return { ours: [first, second], others }
}

/** Shares out the processors of this machine; null where nothing can be shown, because there are too few or processes cannot be pinned. */
export function coresOfMachine(): CoreShares | null {
  if (process.platform !== 'linux') return null
  const list = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return shareCores(list, availableParallelism())
}

/** Keeps this process, with its threads and whatever it starts, on some processors. */
export function stayOn(cores: readonly number[]): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores.join(','), String(process.pid)], { stdio: 'ignore' })
}

function readList(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, n) => from + n)
  })
}

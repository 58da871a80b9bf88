import { readdirSync, readFileSync } from 'node:fs'

/** Returns the processor time that a process has taken so far, in milliseconds, with all its threads. */
export function processorMs(pid: number): number {
  return sumOf(readdirSync(`/proc/${pid}/task`), (thread) => onProcessorMs(`/proc/${pid}/task/${thread}`))
}

/** Returns the processor time of a process and of all that it started, those that ended included, in milliseconds. */
export function processorMsOfTree(pid: number): number {
  const children = processes().filter(({ parent }) => parent === pid)
  return processorMs(pid) + endedMs(pid) + sumOf(children, (child) => (isThere(child.pid) ? processorMs(child.pid) : 0))
}

/** Returns the processes that a process started, and all that these started, with their command lines. */
export function startedBy(pid: number): { readonly pid: number; readonly command: string }[] {
  return processes()
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [
      { pid: child.pid, command: textOf(`/proc/${child.pid}/cmdline`).replaceAll('\0', ' ') },
      ...startedBy(child.pid),
    ])
}

/** The length of a tick in which the system counts the time of processes that ended. */
const tickMs = 10

function endedMs(pid: number): number {
  const [, , , , , , , , , , , , , user = 0, system = 0] = fieldsOf(pid).map(Number)
  return (user + system) * tickMs
}

function processes(): { readonly pid: number; readonly parent: number }[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isThere(pid))
    .map((pid) => ({ pid, parent: Number(fieldsOf(pid)[1]) }))
}

/** Returns the fields of a process behind its name, which may hold blanks. */
function fieldsOf(pid: number): string[] {
  const stat = textOf(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function onProcessorMs(folder: string): number {
  return Number(textOf(`${folder}/schedstat`).split(' ')[0]) / 1e6
}

const isThere = (pid: number): boolean => textOf(`/proc/${pid}/stat`) !== ''

/** A process may end between two looks; what is gone is empty. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0)
}

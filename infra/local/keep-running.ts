import type { ChildProcess } from 'node:child_process'
import { stopChild } from './child.ts'

export interface KeepRunningOptions {
  /** Starts the process. */
  start(): ChildProcess
  /** A process that was started already. */
  readonly first?: ChildProcess
  readonly name: string
  readonly logFile: string
  /** Prints a line on the terminal. */
  readonly say: (line: string) => void
}

/** Stops it for good: asks with a signal, and kills it after the deadline. */
export type Stop = (signal: NodeJS.Signals, deadlineMs: number) => Promise<void>

const backoffMsMin = 500
const backoffMsMax = 30_000
const steadyAfterMs = 60_000

/**
 * Starts a process again whenever it ends by itself, with a growing delay unless it had run for a while; returns the function that
 * stops it.
 */
export function keepRunning({ start, first, name, logFile, say }: KeepRunningOptions): Stop {
  let backoffMs = backoffMsMin
  let restart: NodeJS.Timeout | undefined
  let stopping = false

  const watch = (child: ChildProcess): ChildProcess => {
    const startedAt = Date.now()
    return child.once('exit', (code, signal) => {
      if (stopping) return
      if (Date.now() - startedAt > steadyAfterMs) backoffMs = backoffMsMin
      say(`[${name}] ended with ${signal ?? code}; starting again in ${backoffMs / 1_000} s (see ${logFile})`)
      restart = setTimeout(() => (current = watch(start())), backoffMs)
      backoffMs = Math.min(backoffMs * 2, backoffMsMax)
    })
  }

  let current = watch(first ?? start())
  return async (signal, deadlineMs) => {
    stopping = true
    clearTimeout(restart)
    await stopChild(current, signal, deadlineMs)
  }
}

/** Returns the function that stops a server; with `say` the server is started again when it ends by itself. */
export function keepServer({
  server,
  say,
  ...options
}: Omit<KeepRunningOptions, 'first' | 'say'> & {
  readonly server: ChildProcess
  readonly say: KeepRunningOptions['say'] | undefined
}): Stop {
  if (say === undefined) return (signal, deadlineMs) => stopChild(server, signal, deadlineMs)
  return keepRunning({ ...options, first: server, say })
}

import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { setTimeout as waitMs } from 'node:timers/promises'

export interface ServerProcessOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly logFile: string
  readonly env?: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
}

/**
 * Starts a server that writes to a log file, and that ends by itself when this process is killed.
 *
 * It gets a process group of its own: Ctrl-C reaches a whole group, and a database must stop after its clients.
 */
export function startServerProcess({ command, args, logFile, ...identity }: ServerProcessOptions): ChildProcess {
  const log = openSync(logFile, 'a', 0o600)
  try {
    const server = spawn(command, args, { ...identity, detached: true, stdio: ['ignore', log, log] })
    if (server.pid !== undefined) endWithThisProcess(server, server.pid)
    return server
  } finally {
    closeSync(log)
  }
}

/** Runs a shell script when this process has ended, in any way, or when the input of the watcher is closed before. */
export function watchThisProcess(
  script: string,
  ...args: readonly string[]
): ChildProcessByStdio<Writable, null, null> {
  const watcher = spawn('sh', ['-c', `cat >/dev/null; ${script}`, ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  return watcher
}

/** Ends a child after this process, with a moment between, so that the clients of a server, which end with this process too, have ended before. */
export function endWithThisProcess(server: ChildProcess, pid: number): void {
  const watcher = watchThisProcess('sleep 3; kill -INT "$0"', String(pid))
  server.once('exit', () => watcher.kill('SIGKILL'))
}

/** Asks a child to stop, and kills it after the deadline; resolves when it has ended. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals, deadlineMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  const deadline = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  await gone
  clearTimeout(deadline)
}

/** Polls until `done` returns a value, and fails with `sentence` when the child exits first or time is up. */
export async function waitUntilReady<T>(
  child: ChildProcess,
  done: () => Promise<T | undefined> | T | undefined,
  sentence: string,
  deadlineMs = 300_000,
): Promise<T> {
  const endsAt = Date.now() + deadlineMs
  let failure: string | undefined
  child.once('error', (error) => (failure = error.message))
  while (Date.now() < endsAt) {
    const value = await done()
    if (value !== undefined) return value
    if (child.exitCode !== null || child.signalCode !== null)
      failure = `exit code ${child.exitCode ?? child.signalCode}`
    if (failure !== undefined) throw new Error(`${sentence} (${failure})`)
    await waitMs(20)
  }
  throw new Error(`${sentence} (not ready after ${deadlineMs / 1000} s)`)
}

/** Returns the process id of a child that did start. */
export function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error(`${child.spawnfile} did not start.`)
  return child.pid
}

/** Returns the command line of a running process, or undefined when there is none with that id. */
export function commandOf(pid: number): string | undefined {
  try {
    if (existsSync('/proc/self')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

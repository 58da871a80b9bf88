import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, dirname, join } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { afterThisFile } from './cleanup.ts'
import { keepTail } from './evidence.ts'
import { freePort } from './ports.ts'

/** A deployable that runs as a process of its own. */
export interface TestProcess {
  /** The address of the process, such as `http://127.0.0.1:40123`. */
  readonly url: string
  readonly pid: number
  /** Returns everything that the process has written so far. */
  output(): string
  /** Ends the process with SIGTERM, or another signal, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const appsDir = fileURLToPath(new URL('../../../apps', import.meta.url))

/**
 * Returns the built main file of an app, such as `crm-api`, as it is deployed. It starts in a fifth of the time that its
 * sources take.
 */
export function bundleOf(app: string, main = 'main'): string {
  return join(appsDir, app, 'bundle', `${main}.js`)
}

/** Returns the environment of a process under test, which the variables set here do not configure. */
export function bareEnv(): Record<string, string> {
  // `npm run test:pooler` may turn off named statements.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE, DATABASE_PREPARE } = process.env
  const passedOn = Object.entries({ NODE_COMPILE_CACHE, DATABASE_PREPARE }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { PATH, HOME, ...Object.fromEntries(passedOn) }
}

/**
 * Starts a deployable on a free port and resolves when `/readyz` answers 200; it is stopped after the test file at the latest.
 *
 * @param mainFile absolute path of its main file, such as `bundleOf('crm-api')`
 * @param env variables beyond PORT, HOST, NODE_ENV and LOG_LEVEL
 * `readyPort` is the port of `/readyz` where that is another one.
 */
export async function startProcess(
  mainFile: string,
  env: Readonly<Record<string, string>> = {},
  { readyWithinMs = 60_000, readyPort }: { readonly readyWithinMs?: number; readonly readyPort?: number } = {},
): Promise<TestProcess> {
  const port = env['PORT'] ?? String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [mainFile], {
    env: { ...bareEnv(), NODE_ENV: 'test', LOG_LEVEL: 'warn', HOST: '127.0.0.1', ...env, PORT: port },
    // Through the channel the process notices the end of a killed test run, and ends too.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(child, 'exit').then(([exitCode]: (number | null)[]) => exitCode ?? null)

  const stop: TestProcess['stop'] = async (signal = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  afterThisFile(() => stop('SIGKILL'))
  keepTail(basename(dirname(dirname(mainFile))), () => output)

  const endsAt = Date.now() + readyWithinMs
  while (!(await isReady(readyPort === undefined ? url : `http://127.0.0.1:${readyPort}`))) {
    if (child.exitCode !== null)
      throw new Error(`${mainFile} ended with ${child.exitCode} before it was ready:\n${output}`)
    if (Date.now() > endsAt) {
      await stop('SIGKILL')
      throw new Error(`${mainFile} was not ready within ${readyWithinMs} ms:\n${output}`)
    }
    await waitMs(25)
  }
  return { url, pid: child.pid ?? 0, output: () => output, stop }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** Whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until a process has ended. */
export async function untilGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false)
}

/** Returns the processes that a process has started and that still run, or those of one program alone. */
export function childrenOf(parent: number, program = ''): number[] {
  const rows = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  return rows
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row))
    .filter((row) => Number(row?.[2]) === parent && row?.[3]?.includes(program))
    .map((row) => Number(row?.[1]))
}

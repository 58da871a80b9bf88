import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { nodeEnv, nodeFlagsOf } from '../node-flags.ts'
import { endWithThisProcess } from './child.ts'
import { keepRunning } from './keep-running.ts'
import { createLogFile } from './log-file.ts'

export interface SuperviseOptions {
  readonly name: string
  readonly mainFile: string
  /** Flags of Node before the main file. */
  readonly flags?: readonly string[] | undefined
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  /** Prints a line on the terminal. */
  readonly say: (line: string) => void
}

export interface Supervised {
  stop(): Promise<void>
}

const stopDeadlineMs = 15_000

/** Keeps a deployable running: starts it as a process, logs its output, and starts it again when it ends by itself. */
export function supervise({ name, mainFile, flags = [], env, logFile, say }: SuperviseOptions): Supervised {
  const log = createLogFile(logFile, (line) => say(`[${name}] ${line}`))

  const keepLines = (stream: Readable | null): void => {
    if (stream === null) return
    createInterface({ input: stream }).on('line', (line) => {
      log.line(line)
      const warning = warningOf(line)
      if (warning !== undefined) say(`[${name}] ${warning}`)
    })
  }

  const start = (): ChildProcess => {
    // A process group of its own, so that Ctrl-C does not stop all at once; a channel, so that it ends when this process is killed.
    const child = spawn(process.execPath, [...nodeFlagsOf(env), ...flags, mainFile], {
      env: { ...nodeEnv, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    // `node --watch` does not look whether the channel is still open.
    if (flags.some((flag) => flag.startsWith('--watch')) && child.pid !== undefined)
      endWithThisProcess(child, child.pid)
    keepLines(child.stdout)
    keepLines(child.stderr)
    return child
  }

  const stop = keepRunning({ start, name, logFile, say })
  return {
    stop: async () => {
      await stop('SIGTERM', stopDeadlineMs)
      log.end()
    },
  }
}

/** Returns the text of a log line for the terminal: warnings and worse, and every line that is no log line at all. */
function warningOf(line: string): string | undefined {
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: string; msg?: string; err?: { message?: string } }
    if (level !== 'warn' && level !== 'error' && level !== 'fatal') return undefined
    return [level, msg, err?.message].filter((part) => part !== undefined).join(': ')
  } catch {
    return line
  }
}

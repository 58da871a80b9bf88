import { setTimeout as waitMs } from 'node:timers/promises'
import { ConfigError } from './config.ts'
import { createLogger } from './logger.ts'
import type { Logger } from './logger.ts'

/** A running part of a process that can be closed, such as a listening server with its pools. */
interface RunningProcess {
  /** The time for which it keeps serving after a request to stop, while its clients find another process; 0 by default. */
  readonly drainMs?: number
  /** The time that closing may take, if it is another than that of the options. */
  readonly closeDeadlineMs?: number
  close(): Promise<void>
}

export interface ProcessOptions {
  readonly name: string
  /** Starts everything; `stopping` is aborted when the process is asked to stop before the start is done. */
  start(stopping: AbortSignal): Promise<RunningProcess>
  /** The time after which the process exits even if closing is not done; 10000 by default. */
  readonly closeDeadlineMs?: number
  readonly logger?: Logger
}

/**
 * Runs a deployable: starts it, closes it on SIGTERM, SIGINT or SIGHUP, and sets the exit code.
 *
 * An unusable environment is reported on standard error with one line per problem. This is the only code that exits.
 */
export async function runProcess({
  name,
  start,
  closeDeadlineMs = 10_000,
  logger = createLogger({ name }),
}: ProcessOptions): Promise<void> {
  // The handlers come first, so that a signal during a slow start is not lost; the start is awaited before everything is closed.
  const starting = Promise.withResolvers<RunningProcess>()
  starting.promise.catch(() => undefined)
  const stopping = new AbortController()

  const close = async (reason: string, exitCode: number): Promise<void> => {
    if (stopping.signal.aborted) return
    stopping.abort()
    logger.info({ reason }, 'closing')
    const exitAfter = (deadlineMs: number): NodeJS.Timeout =>
      setTimeout(() => {
        logger.error({ deadlineMs }, 'closing took too long')
        process.exit(1)
      }, deadlineMs)
    const ofStart = exitAfter(closeDeadlineMs)
    try {
      const running = await starting.promise.catch(() => undefined)
      clearTimeout(ofStart)
      if (running?.drainMs && exitCode === 0) await waitMs(running.drainMs)
      exitAfter(running?.closeDeadlineMs ?? closeDeadlineMs)
      await running?.close()
      logger.info('closed')
      process.exit(exitCode)
    } catch (error) {
      logger.error({ err: error }, 'closing failed')
      process.exit(1)
    }
  }

  process.on('SIGTERM', () => void close('SIGTERM', 0))
  process.on('SIGINT', () => void close('SIGINT', 0))
  process.on('SIGHUP', () => void close('SIGHUP', 0))
  // A parent with a channel to this process (npm start) has ended without notice.
  if (process.channel !== undefined) process.on('disconnect', () => void close('parent gone', 0))
  const crash = (error: unknown): void => {
    logger.fatal({ err: error }, 'unexpected failure')
    void close('unexpected failure', 1)
  }
  // Node writes its warnings as plain text otherwise, between the lines of the log.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => logger.warn({ err: warning }, 'warning of the runtime'))
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)

  try {
    starting.resolve(await start(stopping.signal))
    if (!stopping.signal.aborted) logger.info('started')
  } catch (error) {
    starting.reject(error)
    if (stopping.signal.aborted) return
    reportFailedStart(error, name, logger)
    process.exit(1)
  }
}

function reportFailedStart(error: unknown, name: string, logger: Logger): void {
  if (error instanceof ConfigError) {
    for (const line of error.lines) process.stderr.write(`${name}: ${line}\n`)
    return
  }
  logger.fatal({ err: error }, 'could not start')
}

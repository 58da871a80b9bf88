import { pino } from 'pino'
import type { DestinationStream, Logger as PinoLogger } from 'pino'
import { productVersion } from './version.ts'

/** Levels from the most to the least severe. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

type LogLevel = (typeof logLevels)[number]
export type Logger = PinoLogger

export interface LoggerOptions {
  readonly name: string
  readonly level?: LogLevel
  /** The destination of the lines; standard output except in tests. */
  readonly destination?: DestinationStream
}

const secretKeys = ['authorization', 'cookie', 'x-api-key', 'set-cookie', 'password', 'token', 'secret']

// The redactor cannot match at any depth: three levels cover an object, its headers, and a request with headers.
const redactedPaths = secretKeys.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`])

/** Makes a logger that writes one JSON object per line and never a credential. */
export function createLogger({ name, level = 'info', destination = standardOutput() }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service: name, version: productVersion },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  )
}

/** Returns an error without the values of its statement, which are personal data and digests of secrets. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const described = { ...pino.stdSerializers.err(isQueryError(error) ? error.cause : error) }
  delete described['detail']
  return isQueryError(error) ? { ...described, query: error.query } : described
}

/** Whether an error is from the query builder; its message and `params` hold the values. */
function isQueryError(error: unknown): error is Error & { readonly query: string; readonly cause: Error } {
  return error instanceof Error && 'params' in error && 'query' in error && error.cause instanceof Error
}

const gatheredBytes = 4_096
const gatheredMs = 1_000

let output: DestinationStream | undefined

/**
 * Returns the one writer of standard output. It gathers lines, because a write for each costs more than all other work on it, and writes
 * them when they are enough, every second and at the end of the process.
 *
 * A write is synchronous, so none is under way when the process ends. `flush` of the library gives up when the reader of the pipe is gone;
 * its `flushSync`, which pino calls after a fatal line, would try for ever.
 */
function standardOutput(): DestinationStream {
  if (output) return output
  const lines = pino.destination({ dest: 1, sync: true, minLength: gatheredBytes, periodicFlush: gatheredMs })
  const flush = (): void => lines.flush()
  process.on('exit', flush)
  output = Object.assign({ write: (line: string) => void lines.write(line) }, { flushSync: flush })
  return output
}

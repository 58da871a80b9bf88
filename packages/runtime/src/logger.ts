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

const secretKeys: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'x-api-key',
  'set-cookie',
  'password',
  'token',
  'secret',
])
/** What is deeper in a line is left out: it may refer to itself. */
const depthMax = 8

/** Makes a logger that writes one JSON object per line and never a credential. */
export function createLogger({ name, level = 'info', destination = standardOutput() }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service: name, version: productVersion },
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }), log: withoutSecretsIn },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  )
}

/** Returns what a line tells without the values of secret keys. The library's `redact` knows no depth, and reads its paths anew for each line. */
function withoutSecretsIn(told: object): Record<string, unknown> {
  return withoutSecrets(told, 0) as Record<string, unknown>
}

/** Returns the same value where nothing in it is secret. What is no plain object says itself how it is written. */
function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  const isPlain = depth === 0 || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain) return value
  if (depth > depthMax) return '[left out]'
  let clean: Record<string, unknown> | undefined
  for (const [key, held] of Object.entries(value)) {
    const told = secretKeys.has(key.toLowerCase()) ? '[redacted]' : withoutSecrets(held, depth + 1)
    if (told === held) continue
    clean ??= Object.fromEntries(Object.entries(value))
    clean[key] = told
  }
  return clean === undefined ? value : Array.isArray(value) ? Object.values(clean) : clean
}

/** Returns an error without the values of its statement, which are personal data and digests of secrets. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const described = { ...pino.stdSerializers.err(isQueryError(error) ? error.cause : error) }
  delete described['detail']
  return withoutSecretsIn(isQueryError(error) ? { ...described, query: error.query } : described)
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

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { addressIn } from './address-list.ts'
import { databaseUrl } from './database-url.ts'
import type { Environment } from './environment.ts'
import { logLevels } from './logger.ts'
import { unsafeIn } from './production.ts'
import { usualRequestsAtOnce } from './workspace-limits.ts'

/** The error for an invalid environment; `lines` holds one sentence per problem and never a value. */
export class ConfigError extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(`The environment is not usable:\n${lines.join('\n')}`)
    this.name = 'ConfigError'
    this.lines = lines
  }
}

const port = z.coerce.number().int().min(0).max(65_535)

/** A comma-separated list of addresses, ranges and the words that `addressIn` knows. */
export const addressList = z.string().transform((text, context) => {
  const list = text
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
  try {
    addressIn(list)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
  return list
})

/** The address of a Redis, of the sentinels that name its primary, or of nodes of a cluster. */
export const redisUrl = z
  .string()
  .refine(
    (text) =>
      /^redis\+cluster:\/\/(?:[^:@/]*:[^@/]*@)?[^@/\s]+\/?$/.test(text) ||
      /^redis\+sentinel:\/\/(?:[^:@/]*:[^@/]*@)?[^@/\s]+\/[\w.-]+(?:\/\d+)?$/.test(text) ||
      z.url({ protocol: /^rediss?$/ }).safeParse(text).success,
    { error: 'Invalid URL' },
  )

/** The replicas of the database, for the services that read from them. */
export const replicaConfig = {
  DATABASE_REPLICA_URL: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter((each) => each !== ''))
    .pipe(z.array(databaseUrl))
    .describe(
      'Comma-separated connection strings of replicas, each of one server, with the role of the CRM API; lists, searches, summaries and exports read from them. There are none unless told.',
    ),
}

/** The bound of the requests of a process, for the services that share it among workspaces. */
export const requestsConfig = {
  REQUESTS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(usualRequestsAtOnce)
    .describe(
      'Requests that a process works on at once; a workspace has half of them unless it has a share of its own.',
    ),
}

const publicUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/(?<!\/)\/+$/, ''))

/** Returns a schema step that reads a text by a function; errors of the function are reported as the problem. */
export function readBy<T>(parse: (text: string) => T): (text: string, context: z.RefinementCtx) => T {
  return (text, context) => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
      return z.NEVER
    }
  }
}

/** Where a process sends its traces; spread it into the schema of a process that is no deployable of its own kind. */
export const tracingConfig = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://collector:4318; there are no traces unless told.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe('Headers that the collector wants to see, such as Authorization=Bearer%20abc,X-Team=crm.'),
}

/** The variables of every deployable; spread it into the app's own `z.object`. */
export const commonConfig = {
  ...tracingConfig,
  PORT: port.describe('Port to listen on; 0 takes any free one.'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  DATABASE_URL: databaseUrl.describe('PostgreSQL connection string of this deployable’s own role.'),
  DATABASE_PREPARE: z
    .stringbool()
    .default(true)
    .describe(
      'Whether statements keep their plan on a connection; false behind a pooler that does not carry named statements.',
    ),
  REDIS_URL: redisUrl
    .optional()
    .describe(
      'Redis connection string, or redis+sentinel://:PASSWORD@HOST:PORT,HOST:PORT/NAME for a primary that sentinels name, or redis+cluster://:PASSWORD@HOST:PORT,HOST:PORT for a cluster; without it limits are counted in memory and workers ask PostgreSQL.',
    ),
  BASE_URL: publicUrl
    .default('http://localhost:8080')
    .describe(
      'Public address of the installation; workspaces without an address of their own take its scheme and port.',
    ),
  DATA_DIR: z
    .string()
    .default('.data')
    .describe('Folder for files the service writes, such as mails when no SMTP server is set.'),
  DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60)
    .default(0)
    .describe(
      'For how long a process serves on after it was asked to end: /readyz says no, and connections close with their next answer. The dispatcher serves nobody and ends at once.',
    ),
  LOG_LEVEL: z.enum(logLevels).default('info').describe('Least severe level that is logged.'),
  LOG_CLIENT: z
    .enum(['none', 'prefix', 'full'])
    .default('prefix')
    .describe(
      'How much of a client’s address the log of requests holds: nothing, its network (/24 or /48), or all of it.',
    ),
  TRUSTED_PROXIES: addressList
    .default(['loopback'])
    .describe(
      'Comma-separated addresses, ranges or the words loopback, linklocal, uniquelocal whose X-Forwarded-* headers are believed.',
    ),
  ALLOW_HTTP: z
    .stringbool()
    .default(false)
    .describe('Whether BASE_URL may be an address without TLS in production, for networks in which nobody can listen.'),
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('production')
    .describe('Kind of installation; settings meant for tests are refused in production.'),
}

/**
 * Reads the environment through a zod schema and reports every problem at once.
 *
 * An empty variable counts as absent, so that `REDIS_URL=` means no Redis. `NAME_FILE` names a file that holds the value of `NAME`. A value
 * that is not safe enough for production stops the start there.
 * @param servesPeople false for commands, which must work with unsafe values too
 * @throws {ConfigError} with one line per problem
 */
export function loadConfig<S extends z.ZodType>(
  schema: S,
  env: Environment,
  { servesPeople = true }: { readonly servesPeople?: boolean } = {},
): z.output<S> {
  const declared = declaredBy(schema)
  const present = withFiles(declared, withoutEmpty(env))
  const result = schema.safeParse(present)
  if (!result.success) throw new ConfigError(result.error.issues.map((issue) => describeIssue(issue, present)))
  const unsafe = servesPeople && isProduction(result.data, present) ? unsafeIn(declared, present) : []
  if (unsafe.length > 0) throw new ConfigError(unsafe)
  return result.data
}

/** Returns the names of a schema's variables. */
function declaredBy(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  return schema instanceof z.ZodPipe ? declaredBy(schema.in as z.ZodType) : []
}

function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
}

/** Reads values from files, which is how container platforms pass secrets. */
function withFiles(declared: readonly string[], env: Environment): Environment {
  const named = declared.filter((name) => env[`${name}_FILE`] !== undefined)
  const problems: string[] = []
  const read = named.map((name) => {
    if (env[name] !== undefined) problems.push(`${name}: This is set twice: as itself and as ${name}_FILE`)
    try {
      return [name, readFileSync(env[`${name}_FILE`] ?? '', 'utf8').replace(/\r?\n$/, '')] as const
    } catch {
      problems.push(`${name}_FILE: This file cannot be read`)
      return [name, undefined] as const
    }
  })
  if (problems.length > 0) throw new ConfigError(problems)
  return named.length === 0 ? env : { ...env, ...Object.fromEntries(read) }
}

function isProduction(config: unknown, env: Environment): boolean {
  return ((config as { readonly NODE_ENV?: string }).NODE_ENV ?? env['NODE_ENV']) === 'production'
}

function describeIssue(issue: z.core.$ZodIssue, env: Environment): string {
  const name = issue.path.map(String).join('.')
  if (name === '') return issue.message
  return name in env ? `${name}: ${issue.message}` : `${name} is required: ${issue.message}`
}

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ConfigError } from '@crm/runtime'
import { Redis } from 'ioredis'
import { pidOf, startServerProcess, waitUntilReady } from './child.ts'
import { keepServer } from './keep-running.ts'
import { freePort } from './ports.ts'
import { findProgram } from './programs.ts'

export interface RedisOptions {
  /** The program to run, as `findRedisProgram` returns it. */
  readonly program: string
  readonly dataDir: string
  /** The port to use if it is free; any other otherwise. */
  readonly preferredPort?: number | undefined
  readonly password: string
  readonly logFile: string
  /** Settings beyond the defaults below, such as `{ appendonly: 'no' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Prints a line when the server has ended by itself and is started again; without it the server is not restarted. */
  readonly say?: (line: string) => void
}

export interface RedisServer {
  readonly url: string
  readonly port: number
  readonly password: string
  readonly pid: number
  stop(): Promise<void>
  /** Ends the server without a chance to save, as a crash would. */
  kill(): Promise<void>
}

/** The three ways to get a Redis, for people who have none. */
export const redisAdvice =
  'No Redis found. Set REDIS_URL to a server you have, or install redis-server or valkey-server with your package manager, or run `docker compose up` instead.'

/** Finds a Redis server program on the PATH. */
export function findRedisProgram(searchPath: string): string | undefined {
  return findProgram(['redis-server', 'valkey-server'], searchPath)
}

const aptGet = '/usr/bin/apt-get'

/** Whether redis-server can be installed with apt-get: by root, on a Debian-like system. */
export function canInstallRedis(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync(aptGet)
}

/** Installs redis-server with apt-get; returns a sentence on failure. */
export async function installRedis(): Promise<string | undefined> {
  // The package starts a system service of its own where an init system runs; RUNLEVEL=1 makes invoke-rc.d leave it alone.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const apt = (...args: string[]) => promisify(execFile)(aptGet, args, { env })
  try {
    // An outdated package list may still be sufficient.
    await apt('update', '-qq').catch(() => undefined)
    await apt('install', '-y', '-qq', '--no-install-recommends', 'redis-server')
    return undefined
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    return `apt-get could not install redis-server: ${(stderr ?? message).trim().split('\n').at(-1)}`
  }
}

/** Fails with a line for the person who set REDIS_URL when no server answers there, or the password is wrong. */
export async function requireRedis(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // The client reports most failures here and then rejects with a less specific sentence.
  let reason: Error | undefined
  redis.on('error', (error) => (reason = error))
  try {
    await redis.connect()
    await redis.ping()
    // The client reports a database that is not there, and goes on in database 0.
    if (reason) throw reason
  } catch (error) {
    const { message, code } = (reason ?? error) as Error & { readonly code?: string }
    throw new ConfigError([`REDIS_URL: the server cannot be used: ${message || code}`])
  } finally {
    redis.disconnect()
  }
}

/** Starts a Redis server on loopback that never evicts. */
export async function startRedis({
  program,
  dataDir,
  preferredPort,
  password,
  logFile,
  settings,
  say,
}: RedisOptions): Promise<RedisServer> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (preferredPort !== undefined) await stopOrphan(preferredPort, password)
  const port = await freePort(preferredPort)
  const configFile = join(dataDir, 'redis.conf')
  // A file instead of arguments: everybody on the machine can read the arguments of a process, and the password is one.
  writeFileSync(configFile, formatSettings({ ...settings, dir: dataDir, port: String(port), requirepass: password }), {
    mode: 0o600,
  })
  const start = () => startServerProcess({ command: program, args: [configFile], logFile })
  const server = start()
  const isReady = async () => ((await ask(port, password, 'PING')).includes('+PONG') ? true : undefined)
  await waitUntilReady(server, isReady, `Redis did not start, see ${logFile}`)
  const stop = keepServer({ server, start, name: 'redis', logFile, say })
  return {
    port,
    password,
    pid: pidOf(server),
    url: `redis://:${password}@127.0.0.1:${port}`,
    stop: () => stop('SIGTERM', 10_000),
    kill: () => stop('SIGKILL', 10_000),
  }
}

function formatSettings(settings: Readonly<Record<string, string>>): string {
  const defaults = {
    bind: '127.0.0.1',
    appendonly: 'yes',
    'maxmemory-policy': 'noeviction',
    save: '""',
    daemonize: 'no',
  }
  const quote = (value: string) => (value.startsWith('"') ? value : JSON.stringify(value))
  return Object.entries({ ...defaults, ...settings })
    .map(([name, value]) => `${name} ${quote(value)}\n`)
    .join('')
}

/** Stops a server that outlived its killed parent; it is ours if it accepts our password. */
async function stopOrphan(port: number, password: string): Promise<void> {
  if (!(await ask(port, password, 'PING')).includes('+PONG')) return
  await ask(port, password, 'SHUTDOWN')
  while ((await ask(port, password, 'PING')) !== '') await waitMs(20)
}

/** Sends one command after AUTH and returns the raw answer; an unreachable server gives an empty one. */
function ask(port: number, password: string, command: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = createConnection({ port, host: '127.0.0.1', timeout: 1_000 })
    socket.on('connect', () => socket.write(`AUTH ${password}\r\n${command}\r\nQUIT\r\n`))
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('timeout', () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
}

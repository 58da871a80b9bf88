import { Redis, type RedisOptions } from 'ioredis'

const usualSentinelPort = 26_379

const sentinels =
  /^redis\+sentinel:\/\/(?:(?<user>[^:@/]*):(?<password>[^@/]*)@)?(?<hosts>[^@/]+)\/(?<name>[\w.-]+)(?:\/(?<db>\d+))?$/

/**
 * Opens a connection to a server, or to the primary that sentinels name.
 *
 * @param url `redis://…`, `rediss://…`, or `redis+sentinel://:PASSWORD@HOST:PORT,HOST:PORT/NAME`; the password is that of the servers
 */
export function openRedis(url: string, options: RedisOptions): Redis {
  const found = sentinels.exec(url)?.groups
  if (!found) return new Redis(url, options)
  const { user = '', password = '', hosts = '', name = '', db = '0' } = found
  return new Redis({
    ...options,
    sentinels: hosts.split(',').map(toSentinel),
    name,
    db: Number(db),
    ...(user === '' ? {} : { username: decodeURIComponent(user) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    // A sentinel that is away is passed over for the next one.
    sentinelRetryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
  })
}

function toSentinel(address: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(`redis://${address}`)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usualSentinelPort : Number(port) }
}

import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis'

/** A connection to one server, or to all nodes of a cluster. */
export type RedisClient = Redis | Cluster

const usualPort = 6_379
const usualSentinelPort = 26_379

const credentials = String.raw`(?:(?<user>[^:@/]*):(?<password>[^@/]*)@)?`
const sentinels = new RegExp(
  String.raw`^redis\+sentinel://${credentials}(?<hosts>[^@/]+)/(?<name>[\w.-]+)(?:/(?<db>\d+))?$`,
)
const clusters = new RegExp(String.raw`^redis\+cluster://${credentials}(?<hosts>[^@/]+)/?$`)

/**
 * Opens a connection to a server, to the primary that sentinels name, or to a cluster.
 *
 * @param url `redis://…`, `rediss://…`, `redis+sentinel://:PASSWORD@HOST:PORT,HOST:PORT/NAME` or `redis+cluster://:PASSWORD@HOST:PORT,HOST:PORT`;
 *   the password is that of the servers
 */
export function openRedis(url: string, options: RedisOptions): RedisClient {
  const cluster = clusters.exec(url)?.groups
  if (cluster) {
    const { hosts = '' } = cluster
    return new Cluster(
      hosts.split(',').map((host) => toAddress(host, usualPort)),
      clusterOptionsOf({ ...options, ...loginOf(cluster) }),
    )
  }
  const found = sentinels.exec(url)?.groups
  if (!found) return new Redis(url, options)
  const { hosts = '', name = '', db = '0' } = found
  return new Redis({
    ...options,
    ...loginOf(found),
    sentinels: hosts.split(',').map((host) => toAddress(host, usualSentinelPort)),
    name,
    db: Number(db),
    // A sentinel that is away is passed over for the next one.
    sentinelRetryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
  })
}

/** Returns the options of a server for the nodes of a cluster; a command that a node loses is not repeated there either. */
function clusterOptionsOf({
  lazyConnect,
  enableOfflineQueue,
  retryStrategy,
  ...redisOptions
}: RedisOptions): ClusterOptions {
  return {
    redisOptions,
    lazyConnect,
    enableOfflineQueue,
    ...(retryStrategy ? { clusterRetryStrategy: (attempt) => retryStrategy(attempt) } : {}),
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
  }
}

function loginOf({ user = '', password = '' }: Readonly<Record<string, string | undefined>>): RedisOptions {
  return {
    ...(user === '' ? {} : { username: decodeURIComponent(user) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  }
}

function toAddress(address: string, usual: number): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(`redis://${address}`)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }
}

/** Opens another connection to the same server or cluster. */
export function openAnother(client: RedisClient): RedisClient {
  return client instanceof Cluster ? client.duplicate() : client.duplicate()
}

/** Deletes the keys that match a pattern, on each node that has some. */
export async function deleteKeys(client: RedisClient, match: string): Promise<void> {
  const isCluster = client instanceof Cluster
  for (const node of isCluster ? client.nodes('master') : [client])
    for await (const found of node.scanStream({ match, count: 1_000 })) {
      const keys = found as string[]
      // The keys of one command have to be of one slot in a cluster.
      const commands = isCluster ? keys.map((key) => [key]) : keys.length > 0 ? [keys] : []
      for (const together of commands) await node.unlink(...together)
    }
}

import { addressList, commonConfig, tracingConfig } from '@crm/runtime'
import { z } from 'zod'
import { usualBounds, type EdgeBounds } from './bounds.ts'

/** The proxies in front of the edge; no other sender's forwarding headers are trusted. */
export const proxiesInFront = addressList
  .default([])
  .describe(
    'Comma-separated addresses, ranges or the words loopback, linklocal, uniquelocal of the proxies in front of the edge, whose X-Forwarded-For is believed.',
  )

const bound = z.coerce.number().int().min(0)

/** The concurrent limits of one address and of all together; spread it into the schema of a process that is an edge. */
export const boundsConfig = {
  CONNECTIONS_PER_ADDRESS: bound
    .default(usualBounds.connectionsPerAddress)
    .describe(
      'Connections with a request under way, and requests under way, that one address may have at once, and requests that one key or session may; for an IPv6 address its /64 network counts. More are answered 429. 0 sets no bound.',
    ),
  UPGRADES_PER_ADDRESS: bound
    .default(usualBounds.upgradesPerAddress)
    .describe('WebSockets that one address may have open at once; more are answered 429. 0 sets no bound.'),
  CONNECTIONS_MAX: bound
    .default(usualBounds.connectionsMax)
    .describe('Connections of all clients at once; more are answered 503. 0 sets no bound.'),
}

/** The environment of the edge as a process of its own. */
export const edgeConfig = z.object({
  ...tracingConfig,
  PORT: commonConfig.PORT.default(8080),
  HOST: z.string().default('::').describe('Address to listen on.'),
  WATCH_PORT: commonConfig.PORT.optional().describe(
    'Port for /healthz, /readyz and /metrics of the edge itself, which its public port does not show; there is none unless told.',
  ),
  TRUSTED_PROXIES: proxiesInFront,
  DRAIN_SECONDS: commonConfig.DRAIN_SECONDS,
  LOG_LEVEL: commonConfig.LOG_LEVEL,
  LOG_CLIENT: commonConfig.LOG_CLIENT,
  ...boundsConfig,
})

/** Returns the bounds in the form that the edge needs. */
export function boundsOf(config: z.output<z.ZodObject<typeof boundsConfig>>): EdgeBounds {
  return {
    connectionsPerAddress: config.CONNECTIONS_PER_ADDRESS,
    upgradesPerAddress: config.UPGRADES_PER_ADDRESS,
    connectionsMax: config.CONNECTIONS_MAX,
  }
}

import { addressList, commonConfig } from '@crm/runtime'
import { z } from 'zod'

/** Proxies in front of the edge; no other is believed about whom it asks for. */
export const proxiesInFront = addressList
  .default([])
  .describe('Comma-separated addresses, ranges or the words loopback, linklocal, uniquelocal of the proxies in front of the edge, whose X-Forwarded-For is believed.')

/** Environment of the edge as a process of its own. */
export const edgeConfig = z.object({
  PORT: commonConfig.PORT.default(8080),
  HOST: z.string().default('::').describe('Address to listen on.'),
  TRUSTED_PROXIES: proxiesInFront,
})

import { parseCidrs } from '@crm/egress'
import { commonConfig, readBy } from '@crm/runtime'
import { z } from 'zod'

/** The environment of the tool server. */
export const gatewayConfig = z
  .object(commonConfig)
  .omit({ DATA_DIR: true })
  .extend({
    CRM_API_URL: z
      .url({ protocol: /^https?$/ })
      .describe(
        'Address of the CRM API, which every tool call is passed on to; it must trust this service as a proxy.',
      ),
    OUTBOUND_ALLOW_CIDRS: z
      .string()
      .default('')
      .transform(readBy(parseCidrs))
      .describe(
        'Comma-separated private ranges in which documents of clients may be read all the same; for tests and private networks.',
      ),
  })

/** The settings that the tool server works with; the others only decide whether it may start. */
export type GatewayConfig = Omit<z.output<typeof gatewayConfig>, 'BASE_URL' | 'ALLOW_HTTP' | 'NODE_ENV'>

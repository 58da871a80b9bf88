import { commonConfig } from '@crm/runtime'
import { z } from 'zod'

/** The environment of the tool server. */
export const gatewayConfig = z
  .object(commonConfig)
  .omit({ BASE_URL: true, DATA_DIR: true, ALLOW_HTTP: true, NODE_ENV: true })
  .extend({
    CRM_API_URL: z
      .url({ protocol: /^https?$/ })
      .describe(
        'Address of the CRM API, which every tool call is passed on to; it must trust this service as a proxy.',
      ),
  })

export type GatewayConfig = z.output<typeof gatewayConfig>

import { commonConfig } from '@crm/runtime'
import { z } from 'zod'

const {
  PORT,
  HOST,
  DATABASE_URL,
  DATABASE_PREPARE,
  REDIS_URL,
  TRUSTED_PROXIES,
  LOG_LEVEL,
  LOG_CLIENT,
  DRAIN_SECONDS,
  OTEL_EXPORTER_OTLP_ENDPOINT,
} = commonConfig

/** The environment of the tool server. */
export const gatewayConfig = z.object({
  PORT,
  HOST,
  DATABASE_URL,
  DATABASE_PREPARE,
  REDIS_URL,
  TRUSTED_PROXIES,
  LOG_LEVEL,
  LOG_CLIENT,
  DRAIN_SECONDS,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  CRM_API_URL: z
    .url({ protocol: /^https?$/ })
    .describe('Address of the CRM API, which every tool call is passed on to; it must trust this service as a proxy.'),
})

export type GatewayConfig = z.output<typeof gatewayConfig>

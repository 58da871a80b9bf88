import { createPool } from '@crm/db'
import { createWorkspaceFinder } from '@crm/identity'
import { createLogger, createMetrics, type Logger, type Metrics, type ReadyCheck } from '@crm/runtime'
import type { GatewayConfig } from './config.ts'
import { connectCrmApi, type CrmApi } from './tools/crm-api.ts'

/** What the gateway needs to know of a workspace. */
export interface GatewayWorkspace {
  readonly name: string
  /** Its configured address, without a final slash; every address that is written is made from it. */
  readonly baseUrl: string
}

/** What the tool server works with; tests give their own. */
export interface GatewayDeps {
  /** The workspace of a Host header, or null. */
  findWorkspace(host: string): Promise<GatewayWorkspace | null>
  readonly crmApi: CrmApi
  readonly logger: Logger
  readonly metrics: Metrics
  readonly ready: Readonly<Record<string, ReadyCheck>>
  readonly trustedProxies: readonly string[]
}

const databaseConnectionsMax = 4

/** Opens everything that the configuration names; `close` gives it back. */
export function openDeps(config: GatewayConfig): { readonly deps: GatewayDeps; close(): Promise<void> } {
  const pool = createPool({ databaseUrl: config.DATABASE_URL, max: databaseConnectionsMax, applicationName: 'mcp-gateway' })
  const crmApi = connectCrmApi(config.CRM_API_URL)
  return {
    deps: {
      findWorkspace: createWorkspaceFinder(pool),
      crmApi,
      logger: createLogger({ name: 'mcp-gateway', level: config.LOG_LEVEL }),
      metrics: createMetrics('mcp-gateway'),
      ready: { database: async () => void (await pool.query('SELECT 1')), 'crm-api': () => crmApi.check() },
      trustedProxies: config.TRUSTED_PROXIES,
    },
    close: async () => {
      await crmApi.close()
      await pool.end()
    },
  }
}

import { publicContract } from '@crm/contract'
import { createDatabase, createPool, createSchemaCheck, usualDeadlines, type Deadlines, type Pool } from '@crm/db'
import { createEgress } from '@crm/egress'
import { createRecogniser, createRequestLimit, createWorkspaceFinder, isRegisteredHost } from '@crm/identity'
import { customPermissions } from '@crm/permissions'
import { connectRedis, createAdmission, createEpochs, createFixedWindow } from '@crm/redis'
import {
  addConnectionGauges,
  createLogger,
  createMetrics,
  systemClock,
  type Logger,
  type ReadyCheck,
} from '@crm/runtime'
import { toolCatalogue } from '@crm/tools'
import type { GatewayConfig } from './config.ts'
import { documentBytesMax, documentTimeoutMs } from './oauth/client-documents.ts'
import type { OAuthDeps } from './oauth/deps.ts'
import { createPersonFinder } from './oauth/person.ts'
import { connectCrmApi } from './tools/crm-api.ts'
import type { ToolDeps } from './tools/deps.ts'

/** The resources of the tool server; tests supply their own. */
export interface GatewayDeps extends ToolDeps {
  readonly oauth: OAuthDeps
  readonly logger: Logger
  /** How much of a client's address is logged. */
  readonly clients?: 'none' | 'prefix' | 'full'
  readonly ready: Readonly<Record<string, ReadyCheck>>
  readonly trustedProxies: readonly string[]
}

const databaseConnectionsMax = 8
const registrationsPerHour = 10
const documentReadsPerHour = 30

/** Opens all resources that the configuration names; `close` releases them. */
export async function openDeps(
  config: GatewayConfig,
  deadlines: Deadlines = usualDeadlines,
): Promise<{ readonly deps: GatewayDeps; readonly pool: Pool; close(): Promise<void> }> {
  const redis = await connectRedis(config.REDIS_URL, { role: 'mcp-gateway' })
  const catalogue = toolCatalogue(publicContract)
  const metrics = createMetrics('mcp-gateway')
  const pool = createPool({
    databaseUrl: config.DATABASE_URL,
    prepares: config.DATABASE_PREPARE,
    max: databaseConnectionsMax,
    applicationName: 'mcp-gateway',
    deadlines,
    onWait: metrics.poolWaited,
  })
  addConnectionGauges(metrics, { pools: [pool], redis })
  const crmApi = connectCrmApi(config.CRM_API_URL)
  const epochs = createEpochs(redis)
  const egress = createEgress({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS,
    timeoutMs: documentTimeoutMs,
    answerBytesMax: documentBytesMax,
  })
  const limit = createRequestLimit(redis)
  const db = createDatabase(pool)
  return {
    pool,
    deps: {
      findWorkspace: createWorkspaceFinder(pool),
      findOwnScopes: (workspaceId) => findOwnScopes(pool, workspaceId),
      isRegisteredHost: (host) => isRegisteredHost(pool, host),
      recognise: createRecogniser({
        pool,
        epochs,
        limit,
        limitName: 'api.per-minute',
        admit: createAdmission(redis, epochs, limit),
        now: () => systemClock.now(),
      }),
      isSchemaBehind: createSchemaCheck(pool),
      crmApi,
      catalogue,
      confirmations: { db, clock: systemClock },
      oauth: {
        db,
        epochs,
        clock: systemClock,
        registrations: createFixedWindow({
          redis,
          name: 'oauth-register',
          points: registrationsPerHour,
          windowMs: 3_600_000,
        }),
        documentReads: createFixedWindow({
          redis,
          name: 'oauth-documents',
          points: documentReadsPerHour,
          windowMs: 3_600_000,
        }),
        egress,
        findPerson: createPersonFinder(pool, systemClock),
        tools: catalogue.tools,
      },
      logger: createLogger({ name: 'mcp-gateway', level: config.LOG_LEVEL }),
      metrics,
      clients: config.LOG_CLIENT,
      ready: { database: async () => void (await pool.query('SELECT 1')), 'crm-api': () => crmApi.check() },
      trustedProxies: config.TRUSTED_PROXIES,
    },
    close: async () => {
      await crmApi.close()
      await egress.close()
      await pool.end()
      await redis.close()
    },
  }
}

async function findOwnScopes(pool: Pool, workspaceId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ key: string }>(
    'SELECT key FROM custom_entities WHERE workspace_id = $1 ORDER BY created_at, id',
    [workspaceId],
  )
  return rows.flatMap(({ key }) =>
    customPermissions({ entityType: key.toUpperCase(), plural: key }).map(({ name }) => name),
  )
}

import { createPool, usualDeadlines } from '@crm/db/pool'
import { startBeat } from '@crm/db/processes'
import { requireFitServer } from '@crm/db/session'
import { createWakeUp } from '@crm/jobs/wake-up'
import { connectRedis, createFixedWindow } from '@crm/redis'
import {
  addConnectionGauges,
  addHealthRoutes,
  createLogger,
  createMetrics,
  loadConfig,
  runProcess,
  startTracing,
  workspaceLimits,
} from '@crm/runtime'
import { ingressConfig } from './ingress-config.ts'
import { createIngress } from './ingress/app.ts'
import { createLastRequests } from './ingress/last-requests.ts'
import { createRunWriter } from './ingress/run-writer.ts'

const windowMs = 60_000

await runProcess({
  name: 'webhooks',
  start: async (stopping) => {
    const config = loadConfig(ingressConfig, process.env)
    const endTracing = await startTracing('webhooks', config)
    const logger = createLogger({ name: 'webhooks', level: config.LOG_LEVEL })
    const metrics = createMetrics('webhooks')
    const pool = createPool({
      databaseUrl: config.DATABASE_URL,
      prepares: config.DATABASE_PREPARE,
      max: config.DATABASE_POOL_MAX,
      applicationName: 'webhooks',
      deadlines: usualDeadlines,
      onWait: metrics.poolWaited,
    })
    await requireFitServer(pool)
    const redis = await connectRedis(config.REDIS_URL, { role: 'webhooks' })
    const lastRequests = createLastRequests(pool, logger)
    addConnectionGauges(metrics, { pools: [pool], redis })
    const app = createIngress({
      pool,
      perAddress: createFixedWindow({ redis, name: 'hook-address', points: 300, windowMs }),
      perUrl: createFixedWindow({
        redis,
        name: 'hook-url',
        points: workspaceLimits['hooks.per-minute'].usual,
        windowMs,
      }),
      trustedProxies: config.TRUSTED_PROXIES,
      writer: createRunWriter({ pool, wakeUp: createWakeUp(redis), lastRequests }),
      logger,
      metrics,
      clients: config.LOG_CLIENT,
    })
    addHealthRoutes(app, { ready: { database: async () => void (await pool.query('SELECT 1')) }, metrics, stopping })
    await app.listen({ host: config.HOST, port: config.PORT })
    const beat = startBeat({ pools: [pool], kind: 'webhooks', logger })
    return {
      drainMs: config.DRAIN_SECONDS * 1000,
      close: async () => {
        await app.close()
        await lastRequests.close()
        await beat.close()
        await Promise.all([pool.end(), redis.close()])
        await endTracing()
      },
    }
  },
})

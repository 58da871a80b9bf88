import { createPool } from '@crm/db'
import { connectQueues, createRelay } from '@crm/jobs'
import { connectRedis, createFixedWindow } from '@crm/redis'
import { addHealthRoutes, createLogger, createMetrics, loadConfig, runProcess } from '@crm/runtime'
import { ingressConfig } from './config.ts'
import { createIngress } from './ingress/app.ts'

const windowMs = 60_000

await runProcess({
  name: 'webhooks',
  start: async () => {
    const config = loadConfig(ingressConfig, process.env)
    const logger = createLogger({ name: 'webhooks', level: config.LOG_LEVEL })
    const pool = createPool({ databaseUrl: config.DATABASE_URL, max: config.DATABASE_POOL_MAX, applicationName: 'webhooks' })
    const [redis, queues] = await Promise.all([connectRedis(config.REDIS_URL, { role: 'webhooks' }), connectQueues(config.REDIS_URL)])
    // Only kicked: what it cannot hand on, the dispatcher's relay does.
    const relay = createRelay({ pool, queues, topics: ['run'], logger, pollMs: null, gatherMs: 15 })
    const metrics = createMetrics('webhooks')
    const app = createIngress({
      pool,
      perAddress: createFixedWindow({ redis, name: 'hook-address', points: 300, windowMs }),
      perUrl: createFixedWindow({ redis, name: 'hook-url', points: 60, windowMs }),
      trustedProxies: config.TRUSTED_PROXIES,
      onStored: relay.kick,
      logger,
      metrics,
    })
    addHealthRoutes(app, { ready: { database: async () => void (await pool.query('SELECT 1')) }, metrics })
    await app.listen({ host: config.HOST, port: config.PORT })
    return {
      close: async () => {
        await app.close()
        await relay.close()
        await Promise.all([pool.end(), redis.close(), queues.close()])
      },
    }
  },
})

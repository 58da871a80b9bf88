import { createPool } from '@crm/db/pool'
import { createHandOn } from '@crm/jobs/hand-on'
import { connectQueues } from '@crm/jobs/queues'
import { connectRedis, createFixedWindow } from '@crm/redis'
import { addHealthRoutes, createLogger, createMetrics, loadConfig, runProcess } from '@crm/runtime'
import { ingressConfig } from './ingress-config.ts'
import { createIngress } from './ingress/app.ts'
import { createLastRequests } from './ingress/last-requests.ts'
import { createRunWriter } from './ingress/run-writer.ts'

const windowMs = 60_000

await runProcess({
  name: 'webhooks',
  start: async () => {
    const config = loadConfig(ingressConfig, process.env)
    const logger = createLogger({ name: 'webhooks', level: config.LOG_LEVEL })
    const pool = createPool({ databaseUrl: config.DATABASE_URL, max: config.DATABASE_POOL_MAX, applicationName: 'webhooks' })
    const [redis, queues] = await Promise.all([connectRedis(config.REDIS_URL, { role: 'webhooks' }), connectQueues(config.REDIS_URL)])
    // What it cannot hand on, the dispatcher's relay does.
    const handOn = createHandOn({ pool, queues, topic: 'run', logger, gatherMs: 15 })
    const lastRequests = createLastRequests(pool, logger)
    const metrics = createMetrics('webhooks')
    const app = createIngress({
      pool,
      perAddress: createFixedWindow({ redis, name: 'hook-address', points: 300, windowMs }),
      perUrl: createFixedWindow({ redis, name: 'hook-url', points: 60, windowMs }),
      trustedProxies: config.TRUSTED_PROXIES,
      writer: createRunWriter({ pool, handOn, lastRequests }),
      logger,
      metrics,
    })
    addHealthRoutes(app, { ready: { database: async () => void (await pool.query('SELECT 1')) }, metrics })
    await app.listen({ host: config.HOST, port: config.PORT })
    return {
      close: async () => {
        await app.close()
        await Promise.all([handOn.close(), lastRequests.close()])
        await Promise.all([pool.end(), redis.close(), queues.close()])
      },
    }
  },
})

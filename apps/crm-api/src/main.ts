import { createDatabase, createPool } from '@crm/db'
import { connectRedis, createEpochs } from '@crm/redis'
import { addHealthRoutes, createLogger, createMetrics, loadConfig, runProcess, systemClock } from '@crm/runtime'
import { createCrmApi } from './app.ts'
import { crmApiConfig } from './config.ts'

await runProcess({
  name: 'crm-api',
  start: async () => {
    const config = loadConfig(crmApiConfig, process.env)
    const logger = createLogger({ name: 'crm-api', level: config.LOG_LEVEL })
    const pool = createPool({ databaseUrl: config.DATABASE_URL, max: config.DATABASE_POOL_MAX, applicationName: 'crm-api' })
    const redis = await connectRedis(config.REDIS_URL, { role: 'crm-api' })
    const metrics = createMetrics('crm-api')
    const app = createCrmApi({
      pool,
      db: createDatabase(pool),
      redis,
      epochs: createEpochs(redis),
      clock: systemClock,
      logger,
      trustedProxies: config.TRUSTED_PROXIES,
      runTokenSecret: config.RUN_TOKEN_SECRET,
      outboundAllowCidrs: config.OUTBOUND_ALLOW_CIDRS,
      observe: (method, route, status, seconds) => metrics.httpRequests.observe({ method, route, status: String(status) }, seconds),
    })
    addHealthRoutes(app, { ready: { database: async () => void (await pool.query('SELECT 1')) }, metrics })
    await app.listen({ host: config.HOST, port: config.PORT })
    return {
      close: async () => {
        await app.close()
        await Promise.all([pool.end(), redis.close()])
      },
    }
  },
})

import { createDatabase, createPool } from '@crm/db'
import { createMailer, createRecipientLimit } from '@crm/mail'
import { createEgress } from '@crm/egress'
import { observeRequests } from '@crm/http'
import { connectRedis, createEpochs } from '@crm/redis'
import { addHealthRoutes, createLogger, createMetrics, loadConfig, runProcess, startRounds, systemClock } from '@crm/runtime'
import { bucketOf, createStorage } from '@crm/storage'
import { join } from 'node:path'
import { createCrmApi } from './app.ts'
import { crmApiConfig } from './config.ts'
import { calendarBytesMax, fetchCalendars } from './resources/calendar/fetch-calendars.ts'
import { deleteOldTries } from './resources/settings/sessions/sign-in-tries.repository.ts'
import { startJobs } from './workers/start-jobs.ts'
import { sweepFiles } from './workers/sweep-files.ts'
import { purgeDueFields } from './records/retired-fields.ts'
import { sweepRecords } from './workers/sweep-records.ts'
import { sweepTransfers } from './workers/sweep-transfers.ts'

const sweepEveryMs = 10 * 60_000
const fetchEveryMs = 15_000

await runProcess({
  name: 'crm-api',
  start: async () => {
    const config = loadConfig(crmApiConfig, process.env)
    const logger = createLogger({ name: 'crm-api', level: config.LOG_LEVEL })
    const pool = createPool({ databaseUrl: config.DATABASE_URL, max: config.DATABASE_POOL_MAX, applicationName: 'crm-api' })
    const redis = await connectRedis(config.REDIS_URL, { role: 'crm-api' })
    const metrics = createMetrics('crm-api')
    const deps = {
      pool,
      db: createDatabase(pool),
      redis,
      epochs: createEpochs(redis),
      clock: systemClock,
      logger,
      storage: await createStorage({ directory: join(config.DATA_DIR, 'files'), bucket: bucketOf(config) }),
      fileBytesMax: config.FILE_MAX_MB * 1024 * 1024,
      trustedProxies: config.TRUSTED_PROXIES,
      runTokenSecret: config.RUN_TOKEN_SECRET,
      runTokenNetworks: config.RUN_TOKEN_NETWORKS,
      outboundAllowCidrs: config.OUTBOUND_ALLOW_CIDRS,
      mailer: createMailer({
        smtpUrl: config.SMTP_URL,
        mailDir: join(config.DATA_DIR, 'mail'),
        from: config.MAIL_FROM ?? `bookings@${new URL(config.BASE_URL).hostname}`,
        mayReceive: createRecipientLimit({ redis }),
      }),
    }
    const app = createCrmApi(deps)
    observeRequests(app, { metrics, logger })
    const jobs = startJobs(deps)
    const egress = createEgress({ allowCidrs: config.OUTBOUND_ALLOW_CIDRS, answerBytesMax: calendarBytesMax })
    const calendars = startRounds({ name: 'calendars', everyMs: fetchEveryMs, logger, round: () => fetchCalendars({ ...deps, egress }) })
    const sweeping = startRounds({ name: 'sweep-files', everyMs: sweepEveryMs, logger, round: () => Promise.all([sweepFiles(deps), sweepTransfers(deps), deleteOldTries(deps.db, deps.clock.now().getTime())]) })
    const purging = startRounds({ name: 'sweep-records', everyMs: sweepEveryMs, logger, round: async () => {
      await sweepRecords(deps)
      await purgeDueFields(deps.db, deps.clock.now())
    } })
    addHealthRoutes(app, { ready: { database: async () => void (await pool.query('SELECT 1')) }, metrics })
    await app.listen({ host: config.HOST, port: config.PORT })
    return {
      close: async () => {
        await app.close()
        await Promise.all([jobs.close(), sweeping.close(), purging.close()])
        await egress.close()
        await calendars.close()
        await Promise.all([pool.end(), redis.close()])
      },
    }
  },
})

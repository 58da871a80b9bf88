import { createDatabase, createPool, longDeadlines, usualDeadlines } from '@crm/db'
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
/** Background work has connections and deadlines of its own: nobody waits for it, and it takes no request its place. */
const backgroundConnections = 5

await runProcess({
  name: 'crm-api',
  start: async () => {
    const config = loadConfig(crmApiConfig, process.env)
    const logger = createLogger({ name: 'crm-api', level: config.LOG_LEVEL })
    const database = { databaseUrl: config.DATABASE_URL, prepares: config.DATABASE_PREPARE }
    const pool = createPool({ ...database, max: config.DATABASE_POOL_MAX, applicationName: 'crm-api', deadlines: usualDeadlines })
    const workPool = createPool({ ...database, max: backgroundConnections, applicationName: 'crm-api-work', deadlines: longDeadlines })
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
    const work = { ...deps, pool: workPool, db: createDatabase(workPool) }
    const jobs = startJobs(work)
    const egress = createEgress({ allowCidrs: config.OUTBOUND_ALLOW_CIDRS, answerBytesMax: calendarBytesMax })
    const calendars = startRounds({ name: 'calendars', everyMs: fetchEveryMs, logger, round: () => fetchCalendars({ ...work, egress }) })
    const sweeping = startRounds({ name: 'sweep-files', everyMs: sweepEveryMs, logger, round: () => Promise.all([sweepFiles(work), sweepTransfers(work), deleteOldTries(work.db, work.clock.now().getTime())]) })
    const purging = startRounds({ name: 'sweep-records', everyMs: sweepEveryMs, logger, round: async () => {
      await sweepRecords(work)
      await purgeDueFields(work.db, work.clock.now())
    } })
    addHealthRoutes(app, { ready: { database: async () => void (await pool.query('SELECT 1')) }, metrics })
    await app.listen({ host: config.HOST, port: config.PORT })
    return {
      close: async () => {
        await app.close()
        await Promise.all([jobs.close(), sweeping.close(), purging.close()])
        await egress.close()
        await calendars.close()
        await Promise.all([pool.end(), workPool.end(), redis.close()])
      },
    }
  },
})

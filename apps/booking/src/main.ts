import { createDatabase, createPool, readMaySend, requireFitServer, startBeat, usualDeadlines } from '@crm/db'
import { observeRequests } from '@crm/http'
import { behindCounter, sendWakeUps, startPeriodicJobs } from '@crm/jobs'
import { connectQueues } from '@crm/jobs/queues'
import { createMailer, createRecipientLimit, mailCounter } from '@crm/mail'
import { connectRedis, createEpochs } from '@crm/redis'
import {
  addConnectionGauges,
  addHealthRoutes,
  createLogger,
  createMetrics,
  loadConfig,
  runProcess,
  startTracing,
  systemClock,
} from '@crm/runtime'
import { join } from 'node:path'
import { createBookingApp } from './app.ts'
import { countBookings } from './count-bookings.ts'
import { createRoomBus } from './rooms/room-bus.ts'
import { createMailOutcomes } from './bookings/mail-outcomes.ts'
import { createCallProvider } from './rooms/call-provider.ts'
import { bookingConfig, jitsiConfig, senderAddress } from './config.ts'
import { periodicJobs } from './periodic-jobs.ts'

const closeWithinMs = 8_000

await runProcess({
  name: 'booking',
  start: async (stopping) => {
    const config = loadConfig(bookingConfig, process.env)
    const endTracing = await startTracing('booking', config)
    const logger = createLogger({ name: 'booking', level: config.LOG_LEVEL })
    const metrics = createMetrics('booking')
    const pool = createPool({
      databaseUrl: config.DATABASE_URL,
      prepares: config.DATABASE_PREPARE,
      max: config.DATABASE_POOL_MAX,
      applicationName: 'booking',
      deadlines: usualDeadlines,
      onWait: metrics.poolWaited,
    })
    await requireFitServer(pool)
    const [redis, queues] = await Promise.all([
      connectRedis(config.REDIS_URL, { role: 'booking' }),
      connectQueues(config.REDIS_URL),
    ])
    addConnectionGauges(metrics, { pools: [pool], redis })
    sendWakeUps([pool], redis)
    const rooms = createRoomBus(redis)
    const db = createDatabase(pool)
    const mailOutcomes = createMailOutcomes({ db, logger })
    const deps = {
      pool,
      db,
      mailOutcomes,
      redis,
      epochs: createEpochs(redis),
      clock: systemClock,
      logger,
      mailer: createMailer({
        smtpUrl: config.SMTP_URL,
        mailDir: join(config.DATA_DIR, 'mail'),
        from: senderAddress(config),
        mayReceive: createRecipientLimit({ redis }),
        maySend: () => readMaySend(pool),
        onOutcome: metrics.counter(...mailCounter),
      }),
      callProvider: createCallProvider(config.CALL_PROVIDER, { rooms, jitsi: jitsiConfig(config) }),
      rooms,
      ice: { stunUrls: config.STUN_URLS, turnUrls: config.TURN_URLS, turnSecret: config.TURN_SECRET },
      requestsAtOnce: config.REQUESTS_AT_ONCE,
      trustedProxies: config.TRUSTED_PROXIES,
    }
    const app = createBookingApp(deps)
    countBookings(app, metrics)
    observeRequests(app, { metrics, logger, clients: config.LOG_CLIENT })
    const periodic = startPeriodicJobs({
      queue: 'periodic-booking',
      jobs: periodicJobs({ ...deps, countBehind: metrics.counter(...behindCounter) }),
      queues,
      logger,
      maySend: () => readMaySend(pool),
    })
    addHealthRoutes(app, { ready: { database: async () => void (await pool.query('SELECT 1')) }, metrics, stopping })
    await app.listen({ host: config.HOST, port: config.PORT })
    const beat = startBeat({ pools: [pool], kind: 'booking', logger })
    return {
      drainMs: config.DRAIN_SECONDS * 1000,
      close: async () => {
        await app.close()
        await periodic.close(closeWithinMs)
        await beat.close()
        rooms.close()
        await mailOutcomes.close()
        await queues.close()
        await Promise.all([pool.end(), redis.close()])
        await endTracing()
      },
    }
  },
})

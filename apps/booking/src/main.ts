import { createDatabase, createPool, usualDeadlines } from '@crm/db'
import { observeRequests } from '@crm/http'
import { createMailer, createRecipientLimit } from '@crm/mail'
import { connectRedis, createEpochs } from '@crm/redis'
import { addHealthRoutes, createLogger, createMetrics, loadConfig, runProcess, startRounds, systemClock } from '@crm/runtime'
import { join } from 'node:path'
import { createBookingApp } from './app.ts'
import { readCalendars } from './calendars/read-calendars.ts'
import { createRoomBus } from './call/room-bus.ts'
import { sendDueMails } from './bookings/send-due-mails.ts'
import { createMailOutcomes } from './bookings/mail-outcomes.ts'
import { sweep } from './bookings/sweeper.ts'
import { createCallProvider } from './call/call-provider.ts'
import { bookingConfig, jitsiConfig, senderAddress } from './config.ts'

const roundEveryMs = 15_000

await runProcess({
  name: 'booking',
  start: async () => {
    const config = loadConfig(bookingConfig, process.env)
    const logger = createLogger({ name: 'booking', level: config.LOG_LEVEL })
    const pool = createPool({ databaseUrl: config.DATABASE_URL, prepares: config.DATABASE_PREPARE, max: config.DATABASE_POOL_MAX, applicationName: 'booking', deadlines: usualDeadlines })
    const redis = await connectRedis(config.REDIS_URL, { role: 'booking' })
    const rooms = createRoomBus(redis)
    const metrics = createMetrics('booking')
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
      }),
      callProvider: createCallProvider(config.CALL_PROVIDER, { rooms, jitsi: jitsiConfig(config) }),
      rooms,
      ice: { stunUrls: config.STUN_URLS, turnUrls: config.TURN_URLS, turnSecret: config.TURN_SECRET },
      trustedProxies: config.TRUSTED_PROXIES,
    }
    const app = createBookingApp(deps)
    observeRequests(app, { metrics, logger })
    const rounds = Object.entries({ sweeper: () => sweep(deps), mails: () => sendDueMails(deps), calendars: () => readCalendars(deps) }).map(([name, round]) =>
      startRounds({ name, everyMs: roundEveryMs, logger, round }),
    )
    addHealthRoutes(app, { ready: { database: async () => void (await pool.query('SELECT 1')) }, metrics })
    await app.listen({ host: config.HOST, port: config.PORT })
    return {
      close: async () => {
        await app.close()
        await Promise.all(rounds.map((one) => one.close()))
        rooms.close()
        await mailOutcomes.close()
        await Promise.all([pool.end(), redis.close()])
      },
    }
  },
})

import {
  addInstallationGauges,
  createPool,
  longDeadlines,
  readMaySend,
  requireFitServer,
  startBeat,
  usualDeadlines,
} from '@crm/db'
import { createEgress } from '@crm/egress'
import { withoutJsonSchemas } from '@crm/http/without-json-schemas'
import { connectQueues } from '@crm/jobs/queues'
import { createMailer, createRecipientLimit, createWorkspaceMailLimit, mailCounter } from '@crm/mail'
import { connectRedis, createEpochs } from '@crm/redis'
import {
  addConnectionGauges,
  addHealthRoutes,
  createLogger,
  createMetrics,
  loadConfig,
  runProcess,
  startTracing,
  type Logger,
} from '@crm/runtime'
import { createSecrets, wrapperOf } from '@crm/secrets'
import Fastify from 'fastify'
import { join } from 'node:path'
import type { z } from 'zod'
import { dispatcherConfig } from './config.ts'
import { createCrmApi } from './dispatcher/sending/crm-api.ts'
import { startDispatcher } from './dispatcher/dispatcher.ts'
import type { QueueView } from './dispatcher/queue-view.ts'

/** Strangers may know the address of a webhook and choose the recipients of its mails, so the number of mails is limited. */
const mailsPerHour = 60
/** A receiver that does not answer is tried at least this often. */
const receiverPauseMsMax = 10 * 60_000
/** After the time of running work: for giving back what is left, and for the connections. */
const closingMs = 10_000

await runProcess({
  name: 'webhooks-dispatcher',
  start: async (stopping) => {
    const config = loadConfig(dispatcherConfig, process.env)
    const endTracing = await startTracing('webhooks-dispatcher', config)
    const logger = createLogger({ name: 'webhooks-dispatcher', level: config.LOG_LEVEL })
    const allowCidrs = config.OUTBOUND_ALLOW_CIDRS
    if (allowCidrs.length > 0) logger.warn({ allowCidrs }, 'outbound requests may reach private addresses')
    const metrics = createMetrics('webhooks-dispatcher')
    const database = { databaseUrl: config.DATABASE_URL, prepares: config.DATABASE_PREPARE, onWait: metrics.poolWaited }
    const pool = createPool({
      ...database,
      max: config.DATABASE_POOL_MAX,
      applicationName: 'webhooks-dispatcher',
      deadlines: usualDeadlines,
    })
    await requireFitServer(pool)
    const purgePool = createPool({ ...database, max: 1, applicationName: 'webhooks-purge', deadlines: longDeadlines })
    const [redis, queues] = await Promise.all([
      connectRedis(config.REDIS_URL, { role: 'dispatcher' }),
      connectQueues(config.REDIS_URL, { lockMs: config.QUEUE_LOCK_MS }),
    ])
    addInstallationGauges(metrics, pool)
    addConnectionGauges(metrics, { pools: [pool, purgePool], redis })
    const crmApi = createCrmApi(config.CRM_API_URL, config.RUN_CONCURRENCY)
    const egress = createEgress({ allowCidrs, timeoutMs: config.RECEIVER_TIMEOUT_MS })
    const mailer = createMailer({
      smtpUrl: config.SMTP_URL,
      mailDir: join(config.DATA_DIR, 'mail'),
      from: config.MAIL_FROM ?? `workflows@${new URL(config.BASE_URL).hostname}`,
      mayReceive: createRecipientLimit({ redis, name: 'workflow-mail', perHour: mailsPerHour }),
      maySend: () => readMaySend(pool),
      onOutcome: metrics.counter(...mailCounter),
    })
    const dispatcher = startDispatcher({
      pool,
      purgePool,
      queues,
      redisUrl: config.REDIS_URL,
      epochs: createEpochs(redis),
      crmApi,
      crmApiPauseMs: config.CRM_API_PAUSE_MS,
      egress,
      mailer,
      countMail: createWorkspaceMailLimit(redis),
      logger,
      metrics,
      runTokenSecret: config.RUN_TOKEN_SECRET,
      secrets: createSecrets(wrapperOf(config)),
      runConcurrency: config.RUN_CONCURRENCY,
      ruleConcurrency: config.RULE_CONCURRENCY,
      shares: {
        perWorkspace: config.WORKSPACE_CONCURRENCY,
        perOwner: config.AUTOMATION_CONCURRENCY,
        perReceiver: config.RECEIVER_CONCURRENCY,
      },
      circuit: {
        timeoutsMax: config.RECEIVER_TIMEOUTS_MAX,
        pauseMs: config.RECEIVER_PAUSE_MS,
        pauseMsMax: receiverPauseMsMax,
      },
      leaseMs: config.RUN_LEASE_MS,
      retention: {
        runs: config.RETAIN_RUNS_DAYS,
        deliveries: config.RETAIN_DELIVERIES_DAYS,
        refusedCalls: config.RETAIN_REFUSED_CALLS_DAYS,
        notifications: config.RETAIN_NOTIFICATIONS_DAYS,
        audit: config.RETAIN_AUDIT_DAYS,
        timeline: config.RETAIN_TIMELINE_DAYS,
        sessions: config.RETAIN_SESSIONS_DAYS,
        jobs: config.RETAIN_JOBS_DAYS,
        outbox: config.RETAIN_OUTBOX_HOURS / 24,
      },
    })
    const queueView = await openQueueView(config, logger)
    const app = Fastify({ ...withoutJsonSchemas, logger: false })
    addHealthRoutes(app, { ready: { database: async () => void (await pool.query('SELECT 1')) }, metrics, stopping })
    await app.listen({ host: config.HOST, port: config.PORT })
    const beat = startBeat({
      pools: [pool, purgePool],
      kind: 'webhooks-dispatcher',
      logger,
      readBehind: dispatcher.readBehind,
    })
    return {
      closeDeadlineMs: config.CLOSE_WITHIN_MS + closingMs,
      close: async () => {
        await app.close()
        await queueView?.close()
        await dispatcher.close(config.CLOSE_WITHIN_MS)
        await beat.close()
        await egress.close()
        await Promise.all([crmApi.close(), queues.close(), redis.close()])
        await Promise.all([pool.end(), purgePool.end()])
        await endTracing()
      },
    }
  },
})

/** Most installations do not use it, so its libraries are loaded only on request. */
async function openQueueView(
  { QUEUE_VIEW_PORT: port, QUEUE_VIEW_HOST: host, REDIS_URL: redisUrl }: z.output<typeof dispatcherConfig>,
  logger: Logger,
): Promise<QueueView | undefined> {
  if (port === undefined) return undefined
  if (redisUrl === undefined) {
    logger.warn('without REDIS_URL there are no queues to look at')
    return undefined
  }
  const { serveQueueView } = await import('./dispatcher/queue-view.ts')
  const view = await serveQueueView({ redisUrl, host, port })
  logger.info({ address: view.address }, 'the queues can be looked at')
  return view
}

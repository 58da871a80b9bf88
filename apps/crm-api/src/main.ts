import {
  addPurgeMetrics,
  createDatabase,
  createPool,
  longDeadlines,
  readMaySend,
  requireFitServer,
  startBeat,
  usualDeadlines,
  watchReplicas,
} from '@crm/db'
import { createMailer, createRecipientLimit, mailCounter } from '@crm/mail'
import { createEgress } from '@crm/egress'
import { observeRequests } from '@crm/http'
import { addFailureGauge, behindCounter, sendWakeUps } from '@crm/jobs'
import { connectQueues } from '@crm/jobs/queues'
import { connectRedis, createChangeMarks, createEpochs } from '@crm/redis'
import {
  addConnectionGauges,
  addHealthRoutes,
  addReplicaGauge,
  createLogger,
  createMetrics,
  loadConfig,
  runProcess,
  startTracing,
  systemClock,
} from '@crm/runtime'
import { createSecrets, wrapperOf } from '@crm/secrets'
import { bucketOf, createStorage } from '@crm/storage'
import { join } from 'node:path'
import { createCrmApi } from './app.ts'
import { crmApiConfig } from './config.ts'
import { calendarBytesMax } from './resources/work/calendar/fetch-calendars.ts'
import { addAgentMetrics } from './domain/agents/agent-metrics.ts'
import { createHeadFile } from './domain/audit/head-file.ts'
import { periodicJobs } from './workers/periodic-jobs.ts'
import { startJobs } from './workers/start-jobs.ts'
import { readExportsBehind } from './workers/sweep-transfers.ts'

/** Background work has connections and deadlines of its own: nobody waits for it, and it takes no connection from requests. */
const backgroundConnections = 5

await runProcess({
  name: 'crm-api',
  start: async (stopping) => {
    const config = loadConfig(crmApiConfig, process.env)
    const endTracing = await startTracing('crm-api', config)
    const logger = createLogger({ name: 'crm-api', level: config.LOG_LEVEL })
    if (!config.SECRETS_KEY) logger.warn('without SECRETS_KEY no seed, client secret or other new secret can be stored')
    const metrics = createMetrics('crm-api')
    const database = { databaseUrl: config.DATABASE_URL, prepares: config.DATABASE_PREPARE, onWait: metrics.poolWaited }
    const pool = createPool({
      ...database,
      max: config.DATABASE_POOL_MAX,
      applicationName: 'crm-api',
      deadlines: usualDeadlines,
    })
    await requireFitServer(pool)
    const workPool = createPool({
      ...database,
      max: backgroundConnections,
      applicationName: 'crm-api-work',
      deadlines: longDeadlines,
    })
    const [redis, queues] = await Promise.all([
      connectRedis(config.REDIS_URL, { role: 'crm-api' }),
      connectQueues(config.REDIS_URL),
    ])
    addConnectionGauges(metrics, { pools: [pool, workPool], redis })
    sendWakeUps([pool, workPool], redis)
    const replicas = watchReplicas({
      primary: pool,
      replicas: config.DATABASE_REPLICA_URL.map((databaseUrl) =>
        createPool({
          ...database,
          databaseUrl,
          max: config.DATABASE_POOL_MAX,
          applicationName: 'crm-api-replica',
          deadlines: usualDeadlines,
        }),
      ),
      logger,
    })
    addReplicaGauge(metrics, replicas.lags)
    addFailureGauge(metrics, pool)
    const deps = {
      agentCounts: addAgentMetrics(metrics, pool),
      pool,
      db: createDatabase(pool),
      redis,
      epochs: createEpochs(redis),
      clock: systemClock,
      logger,
      storage: await createStorage({ directory: join(config.DATA_DIR, 'files'), bucket: bucketOf(config) }),
      fileBytesMax: config.FILE_MAX_MB * 1024 * 1024,
      ...(config.DATABASE_REPLICA_URL.length > 0 ? { lateReads: { replicas, marks: createChangeMarks(redis) } } : {}),
      requestsAtOnce: config.REQUESTS_AT_ONCE,
      trustedProxies: config.TRUSTED_PROXIES,
      runTokenSecret: config.RUN_TOKEN_SECRET,
      runTokenSecretPrevious: config.RUN_TOKEN_SECRET_PREVIOUS,
      secrets: createSecrets(wrapperOf(config)),
      auditProof: { key: config.SECRETS_KEY, keep: createHeadFile(join(config.DATA_DIR, 'audit'), logger) },
      runTokenNetworks: config.RUN_TOKEN_NETWORKS,
      breachedPasswordsFile: config.BREACHED_PASSWORDS_FILE,
      outboundAllowCidrs: config.OUTBOUND_ALLOW_CIDRS,
      dnsServers: config.DNS_SERVERS,
      mailer: createMailer({
        smtpUrl: config.SMTP_URL,
        mailDir: join(config.DATA_DIR, 'mail'),
        from: config.MAIL_FROM ?? `bookings@${new URL(config.BASE_URL).hostname}`,
        mayReceive: createRecipientLimit({ redis }),
        maySend: () => readMaySend(pool),
        onOutcome: metrics.counter(...mailCounter),
      }),
    }
    const app = createCrmApi(deps)
    observeRequests(app, { metrics, logger, clients: config.LOG_CLIENT })
    const work = { ...deps, pool: workPool, db: createDatabase(workPool) }
    const auditFile =
      config.AUDIT_FILE === undefined ? undefined : { path: config.AUDIT_FILE, format: config.AUDIT_FILE_FORMAT }
    const egress = createEgress({ allowCidrs: config.OUTBOUND_ALLOW_CIDRS, answerBytesMax: calendarBytesMax })
    const exportsKeptDays = config.RETAIN_EXPORTS_DAYS
    const purged = addPurgeMetrics(
      metrics,
      async () => new Map([['exports', await readExportsBehind({ ...deps, exportsKeptDays })]]),
    )
    const countExports = (rows: number): void => purged.count('exports', rows)
    const jobs = startJobs({
      ...work,
      queues,
      redisUrl: config.REDIS_URL,
      periodic: periodicJobs({
        ...work,
        egress,
        exportsKeptDays,
        countExports,
        auditFile,
        countBehind: metrics.counter(...behindCounter),
      }),
    })
    addHealthRoutes(app, { ready: { database: async () => void (await pool.query('SELECT 1')) }, metrics, stopping })
    await app.listen({ host: config.HOST, port: config.PORT })
    const beat = startBeat({
      pools: [pool, workPool],
      kind: 'crm-api',
      logger,
      readBehind: purged.readBehind,
    })
    return {
      drainMs: config.DRAIN_SECONDS * 1000,
      close: async () => {
        await app.close()
        await jobs.close()
        await beat.close()
        await egress.close()
        await queues.close()
        await replicas.close()
        await Promise.all([pool.end(), workPool.end(), redis.close()])
        await endTracing()
      },
    }
  },
})

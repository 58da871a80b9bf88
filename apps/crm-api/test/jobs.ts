import { asDeployable, eventually } from '@crm/testkit'
import { createDatabase, createPool, inTransaction, schema } from '@crm/db'
import { connectQueues } from '@crm/jobs/queues'
import type { MailMessage, Mailer } from '@crm/mail'
import { createLogger } from '@crm/runtime'
import { eq } from 'drizzle-orm'
import { afterAll, expect } from 'vitest'
import { completeDeps } from '../src/platform/deps.ts'
import type { LateReads } from '../src/platform/late-reads.ts'
import type { Job, JobHandler } from '../src/workers/job-handler.ts'
import { startJobs } from '../src/workers/start-jobs.ts'
import { secrets, type ApiUnderTest } from './harness.ts'

/** The background work of an API under test. */
export interface JobsUnderTest {
  readonly mails: MailMessage[]
  /** Resolves when every row of the topic `job` is done. */
  settled(): Promise<void>
  /** Does the work of a row once more, with other dependencies. */
  run(row: Job['row'], given: Partial<Job['deps']>, handle: JobHandler): Promise<void>
}

/** Starts the background work on the database and the Redis of an API under test. */
export async function jobsUnderTest(
  api: ApiUnderTest,
  { mailer, lateReads }: { readonly mailer?: Mailer; readonly lateReads?: LateReads } = {},
): Promise<JobsUnderTest> {
  const mails: MailMessage[] = []
  const pool = createPool({
    databaseUrl: api.databaseUrl,
    max: 10,
    applicationName: 'test-jobs',
    ...asDeployable,
  })
  const db = createDatabase(pool)
  const logger = createLogger({ name: 'jobs', level: 'silent' })
  const keeping: Mailer = { from: 'bookings@service.test', send: async (message) => void mails.push(message) }
  const deps = completeDeps({
    pool,
    db,
    redis: api.redis,
    epochs: api.epochs,
    clock: api.clock,
    storage: api.storage,
    logger,
    trustedProxies: [],
    secrets,
    ...(lateReads ? { lateReads } : {}),
  })
  const queues = await connectQueues(api.redisUrl)
  const jobs = startJobs({ ...deps, queues, mailer: mailer ?? keeping })
  afterAll(async () => {
    await jobs.close()
    await Promise.all([queues.close(), pool.end()])
  })
  const open = async () => {
    const rows = await api.db.select().from(schema.outbox).where(eq(schema.outbox.topic, 'job'))
    return rows.filter(({ doneAt }) => doneAt === null)
  }
  const run: JobsUnderTest['run'] = (row, given, handle) =>
    inTransaction(db, undefined, (tx) =>
      handle({ row, tx, deps: { ...deps, mailer: keeping, ...given }, at: api.clock.now().toISOString() }),
    )
  return { mails, run, settled: () => eventually(async () => expect(await open()).toEqual([]), { timeout: 60_000 }) }
}

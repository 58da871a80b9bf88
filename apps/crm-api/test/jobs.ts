import { asDeployable, eventually } from '@crm/testkit'
import { createDatabase, createPool, inTransaction, schema, type Database, type Pool } from '@crm/db'
import { connectQueues } from '@crm/jobs/queues'
import type { MailMessage, Mailer, MailOutcome } from '@crm/mail'
import { createLogger } from '@crm/runtime'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { afterAll, expect } from 'vitest'
import { mailerTo } from '@crm/testkit/mailer'
import { post } from '../src/domain/mail/post.ts'
import type { PostState } from '../src/domain/mail/post-state.ts'
import { completeDeps } from '../src/platform/deps.ts'
import type { LateReads } from '../src/platform/late-reads.ts'
import type { Job, JobHandler } from '../src/workers/job-handler.ts'
import { mailKinds } from '../src/workers/mail-kinds.ts'
import { startJobs } from '../src/workers/start-jobs.ts'
import { secrets, type OwnApi } from './harness.ts'

/** The background work of an API under test. */
export interface JobsUnderTest {
  readonly mails: MailMessage[]
  readonly pool: Pool
  readonly db: Database
  /** Resolves when all work is done, and every mail is sent, given up or waits for its next attempt. */
  settled(): Promise<void>
  /** Does the work of a row once more, with other dependencies. */
  run(row: Job['row'], given: Partial<Job['deps']>, handle: JobHandler): Promise<void>
  /** Does the next attempt of a mail of the outbox now, with other dependencies; undefined where the mail is done with. */
  attempt(id: string, given?: Partial<Job['deps']>): Promise<MailOutcome | undefined>
}

/** Starts the background work on the database and the Redis of an API under test. */
export async function jobsUnderTest(
  api: OwnApi,
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
  const keeping = mailerTo((message) => mails.push(message), 'bookings@service.test')
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
    const rows = await api.db
      .select()
      .from(schema.outbox)
      .where(and(inArray(schema.outbox.topic, ['job', 'mail']), isNull(schema.outbox.doneAt)))
    return rows.filter(({ payload }) => !((payload['post'] as Partial<PostState> | undefined)?.underWay === null))
  }
  const run: JobsUnderTest['run'] = (row, given, handle) =>
    inTransaction(db, undefined, (tx) =>
      handle({ row, tx, deps: { ...deps, mailer: keeping, ...given }, at: api.clock.now().toISOString() }),
    )
  const attempt: JobsUnderTest['attempt'] = async (id, given) => {
    const [row] = await api.db.select().from(schema.outbox).where(eq(schema.outbox.id, id))
    if (!row) throw new Error('There is no such mail')
    const reference = { workspaceId: row.workspaceId, id: row.id, epoch: row.attempts }
    return post({ ...deps, mailer: mailer ?? keeping, ...given }, mailKinds, reference)
  }
  return {
    pool,
    db,
    mails,
    run,
    attempt,
    settled: () => eventually(async () => expect(await open()).toEqual([]), { timeout: 60_000 }),
  }
}

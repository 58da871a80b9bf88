import { readMaySend, type WorkTopic } from '@crm/db'
import {
  createFairWorker,
  createOutboxConsumer,
  createRelay,
  handedOnMs,
  hearWakeUps,
  startPeriodicJobs,
  type PeriodicJob,
  type Queues,
} from '@crm/jobs'
import { FairTurns } from '@crm/runtime'
import { demoRemoval } from '../across/demo/demo.handlers.ts'
import { handBackEvent, handOverEvent } from '../across/hand-over/hand-over.work.ts'
import { undoSessionEvent } from '../domain/agents/sessions.repository.ts'
import { undoEvent } from '../across/undo/undo.handlers.ts'
import { companyWriter } from '../resources/sales/companies/companies.commands.ts'
import { contactWriter } from '../resources/sales/contacts/contacts.commands.ts'
import { dealWriter } from '../resources/sales/deals/deals.commands.ts'
import { leadWriter } from '../resources/sales/leads/leads.commands.ts'
import { productWriter } from '../resources/catalogue/products/products.commands.ts'
import { taskWriter } from '../resources/work/tasks/tasks.commands.ts'
import { bulkJobs, undoJob } from './bulk-records.ts'
import { noteOnGuestRecord } from './guest-record.ts'
import { post } from '../domain/mail/post.ts'
import { completeDeps, type GivenDeps } from '../platform/deps.ts'
import { handBackJob, handOverJob } from './hand-over.ts'
import type { Job, JobHandler, WorkerDeps } from './job-handler.ts'
import { migrationStep, revertMigrationStep } from './moving.ts'
import { linkGuest } from './link-guest.ts'
import { mailKinds, passedOnMail } from './mail-kinds.ts'
import { exportPersonData } from './person-data.ts'
import { removeDemo } from './remove-demo.ts'
import { undoSession } from './undo-session.ts'
import { importStep, revertStep, runExport } from './transfers.ts'

/** The background work of the CRM API by the event that requests it. */
const handlers: Readonly<Record<string, JobHandler>> = {
  'booking.link-guest': linkGuest,
  'booking.tell-guest-record': noteOnGuestRecord,
  ...passedOnMail,
  'import.step': importStep,
  'import.revert': revertStep,
  'migration.step': migrationStep,
  'migration.revert': revertMigrationStep,
  'export.run': runExport,
  'privacy.export': exportPersonData,
  [demoRemoval]: removeDemo,
  [undoEvent]: undoJob,
  [undoSessionEvent]: undoSession,
  [handOverEvent]: handOverJob,
  [handBackEvent]: handBackJob,
  ...bulkJobs('leads', leadWriter),
  ...bulkJobs('contacts', contactWriter),
  ...bulkJobs('companies', companyWriter),
  ...bulkJobs('deals', dealWriter),
  ...bulkJobs('tasks', taskWriter),
  ...bulkJobs('products', productWriter),
}

const closeWithinMs = 8_000
/** Only ids of jobs wait here; among this number of jobs, workspaces take turns. */
const waitingMax = 100
/** As many as the mailer has connections. A mail server may think about a mail for minutes. */
const mailsAtOnce = 20
const topics = ['job', 'mail'] as const
/** Each of their transactions needs a second connection for a moment. */
const mailsWrittenAtOnce = 3
/**
 * Pauses after jobs, in milliseconds, by event: no guest waits for a lead, and people who book at the same time should not
 * wait for the leads of others.
 */
const restMs = { 'booking.link-guest': 200 }

/** Runs the work of one row of the outbox; an event of a newer version waits until that version takes it. */
async function handleJob(job: Job): Promise<void> {
  const handler = handlers[job.row.event]
  if (!handler) throw new Error(`Nobody here knows how to do ${job.row.event}`)
  await handler(job)
}

/** The dependencies of the background work of one process. */
export type GivenJobs = GivenDeps &
  Pick<WorkerDeps, 'mailer'> & {
    readonly queues: Queues
    /** Where other processes say that they queued work; without it, the outbox is looked at often. */
    readonly redisUrl?: string | undefined
    /** The periodic work; none by default. */
    readonly periodic?: readonly PeriodicJob[]
  }

/** Starts the background work of one process; `close` waits a while for running work. */
export function startJobs({ queues, redisUrl, periodic = [], ...given }: GivenJobs): { close(): Promise<void> } {
  const deps: WorkerDeps = { ...completeDeps(given), mailer: given.mailer }
  const { pool, db, logger, clock } = deps
  const wokenBy = periodic.flatMap((job) => job.wokenBy ?? [])
  const wakeUps = hearWakeUps<WorkTopic>(redisUrl, [...topics, ...wokenBy], (topic) =>
    wokenBy.includes(topic) ? rounds.hear(topic) : relay.kick(),
  )
  const relay = createRelay({ pool, queues, topics, logger, isTold: wakeUps.isHearing })
  const consumer = createOutboxConsumer({
    db,
    queues,
    relay,
    logger,
    restMs,
    waitingMax,
    topic: 'job',
    handle: (row, tx) => handleJob({ row, tx, deps, at: clock.now().toISOString() }),
  })
  const writing = new FairTurns({ atOnce: mailsWrittenAtOnce, waitingMax: Infinity, waitMsMax: handedOnMs / 2 })
  const postman = createFairWorker({
    queues,
    relay,
    logger,
    waitingMax,
    concurrency: mailsAtOnce,
    topic: 'mail',
    perform: async (reference) => {
      await post({ ...deps, writing }, mailKinds, reference)
      // A mail that waits for its next attempt is due again after a while.
      relay.kick()
    },
  })
  const rounds = startPeriodicJobs({
    queue: 'periodic-crm-api',
    jobs: periodic,
    queues,
    logger,
    maySend: () => readMaySend(pool),
  })
  return {
    close: async () => {
      wakeUps.close()
      await relay.close()
      await Promise.all([consumer, postman, rounds].map((work) => work.close(closeWithinMs)))
    },
  }
}

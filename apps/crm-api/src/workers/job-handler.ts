import type { Transaction } from '@crm/db'
import type { OutboxRow } from '@crm/jobs'
import type { Mailer } from '@crm/mail'
import type { CrmApiDeps } from '../platform/deps.ts'

/** The dependencies of background work. */
export interface WorkerDeps extends CrmApiDeps {
  readonly mailer: Mailer
}

/** One piece of background work: a row of the outbox, and the transaction in which it is done and marked as done. */
export interface Job {
  readonly row: OutboxRow
  readonly tx: Transaction
  readonly deps: WorkerDeps
  /** The time of the work, ISO 8601. */
  readonly at: string
}

/** Does one kind of background work; after an error it is tried again later. */
export type JobHandler = (job: Job) => Promise<void>

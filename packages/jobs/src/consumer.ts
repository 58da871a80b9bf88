import { inTransaction, type Database, type Transaction } from '@crm/db'
import { FairTurns, traced } from '@crm/runtime'
import { setTimeout as waitMs } from 'node:timers/promises'
import { handedOnMs } from './handing-on.ts'
import { claimRow, finishRow, postponeRow, type OutboxRow } from './outbox.ts'
import { createWorker, type JobWorker, type WorkerOptions } from './worker.ts'

export interface FairWorkerOptions extends Omit<WorkerOptions, 'concurrency'> {
  /** The number of rows worked on at once; 4 by default. */
  readonly concurrency?: number
  /** The most rows that wait in this process, workspaces in turn; with the default 0 rows are handled as they arrive. */
  readonly waitingMax?: number
}

export interface OutboxConsumerOptions extends Omit<FairWorkerOptions, 'perform'> {
  readonly db: Database
  /** The pause of a slot after a row of this event, so that many such rows leave the machine to requests; 0 by default. */
  readonly restMs?: Readonly<Record<string, number>>
  /**
   * Does the work of a row, in the transaction that also marks it as done: both happen or neither.
   * A failure is retried after a growing delay; `row.attempts` counts the earlier attempts.
   */
  handle(row: OutboxRow, tx: Transaction): Promise<void>
}

/** Starts a consumer of one topic of the outbox. */
export function createOutboxConsumer({ db, handle, restMs = {}, ...options }: OutboxConsumerOptions): JobWorker {
  const { topic, relay, logger } = options
  return createFairWorker({
    ...options,
    perform: async (reference) => {
      try {
        const event = await inTransaction(db, undefined, async (tx) => {
          const row = await claimRow(tx, reference)
          if (!row) return undefined
          await traced({ name: row.event, kind: 'consumer', parent: row.traceparent }, () => handle(row, tx))
          await finishRow(tx, reference)
          return row.event
        })
        // The work may have queued more.
        relay.kick()
        if (event !== undefined && restMs[event]) await waitMs(restMs[event], undefined, { ref: false })
      } catch (error) {
        logger.warn({ err: error, topic, ...reference }, 'an event could not be handled and will be tried again')
        await postponeRow(db, reference)
        // The relay asks when the row is due again.
        relay.kick()
      }
    },
  })
}

/** Starts a worker on one topic of the outbox in which workspaces take turns. */
export function createFairWorker({
  concurrency = 4,
  waitingMax = 0,
  perform,
  ...options
}: FairWorkerOptions): JobWorker {
  // Without waiting rows, the worker alone limits concurrency.
  const turns = new FairTurns({
    atOnce: waitingMax > 0 ? concurrency : Infinity,
    waitingMax: Infinity,
    waitMsMax: handedOnMs / 2,
  })
  const worker = createWorker({
    ...options,
    concurrency: concurrency + waitingMax,
    perform: async (reference) => {
      const endTurn = await turns.enter(reference.workspaceId)
      // A row without a turn falls due again by itself.
      if (!endTurn) return
      try {
        await perform(reference)
      } finally {
        endTurn()
      }
    },
  })
  return {
    ...worker,
    close: (withinMs) => {
      turns.close()
      return worker.close(withinMs)
    },
  }
}

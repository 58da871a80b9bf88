import type { Pool } from '@crm/db'
import { DatabaseUnavailable, isMachineAway, isUnavailable } from '@crm/db/unavailable'
import type { WakeUp } from '@crm/jobs/wake-up'
import { within } from '@crm/runtime'
import pLimit from 'p-limit'
import type { LastRequests } from './last-requests.ts'
import { storeRuns, type AcceptedCall } from './hooks.repository.ts'

/** Stores accepted calls; calls that come at the same time share a transaction. */
export interface RunWriter {
  /** Resolves once the run is committed; false when the trigger has changed meanwhile. */
  store(call: AcceptedCall): Promise<boolean>
}

export interface RunWriterOptions {
  readonly pool: Pool
  /** Wakes the relay of the dispatcher, which otherwise finds runs a little later. */
  readonly wakeUp: WakeUp
  readonly lastRequests: LastRequests
}

interface Waiting {
  readonly call: AcceptedCall
  resolve(isStored: boolean): void
  reject(error: unknown): void
  /** Ends the wait when it becomes too long. */
  readonly timer: NodeJS.Timeout
}

/**
 * While one transaction waits for the disk, later calls gather for the next one. A transaction that takes longer than
 * this is not waited for.
 */
const patienceMs = 20
const transactionsAtOnce = 5
/** A call that waits longer than this is refused: the database is then slower than the calls come. */
const waitsMsMax = 2_000
const callsAtOnce = 50
const bytesAtOnce = 1_000_000

/** Starts a writer; a call that comes alone is stored at once. */
export function createRunWriter({ pool, wakeUp, lastRequests }: RunWriterOptions): RunWriter {
  const waiting: Waiting[] = []
  const inTurn = pLimit(1)
  const withOthers = pLimit(transactionsAtOnce)

  const write = async (batch: readonly Waiting[]): Promise<void> => {
    const stored = await storeRuns(
      pool,
      batch.map(({ call }) => call),
    )
    wakeUp.send(['run'])
    for (const [index, { call, resolve }] of batch.entries()) {
      const isStored = stored[index] === true
      if (isStored && batch.length > 1) lastRequests.note(call.trigger, call.last)
      resolve(isStored)
    }
  }

  /** A batch may fail because of a single call, or because the machine of one workspace is away, so it is split. */
  const writeOrSplit = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      await write(batch)
    } catch (error) {
      if (batch.length === 1 || (isUnavailable(error) && !isMachineAway(error)))
        for (const { reject } of batch) reject(error)
      else for (const one of batch) await writeOrSplit([one])
    }
  }

  /** Writes what has gathered; the turn ends with the transaction, or when patience does. */
  const writeNext = async (): Promise<void> => {
    if (waiting.length === 0) return
    const written = withOthers(async () => {
      const batch = takeBatch(waiting)
      if (batch.length > 0) await writeOrSplit(batch)
    })
    await within(patienceMs, written, () => undefined)
  }

  const giveUp = (late: Waiting): void => {
    waiting.splice(waiting.indexOf(late), 1)
    late.reject(new DatabaseUnavailable(`The call waited ${waitsMsMax} ms for its transaction`))
  }

  return {
    store: (call) =>
      new Promise((resolve, reject) => {
        const one: Waiting = { call, resolve, reject, timer: setTimeout(() => giveUp(one), waitsMsMax) }
        waiting.push(one)
        // A turn writes at least one call, so there are never more turns than calls.
        if (inTurn.pendingCount < waiting.length) void inTurn(writeNext)
      }),
  }
}

/** Takes the calls that have waited longest, as many as fit into one statement. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let bytes = 0
  const fitting = waiting
    .slice(0, callsAtOnce)
    .findIndex(({ call }) => (bytes += Number(call.last.request['sizeBytes'] ?? 0)) > bytesAtOnce)
  const batch = waiting.splice(0, fitting === -1 ? callsAtOnce : Math.max(1, fitting))
  for (const { timer } of batch) clearTimeout(timer)
  return batch
}

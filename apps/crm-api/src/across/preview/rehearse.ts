import type { Leave } from '@crm/contract'
import {
  checkBeforeCommit,
  inSavepoint,
  inTransaction,
  watchingChanges,
  type ChangeRecord,
  type Database,
  type Transaction,
} from '@crm/db'
import { ApiError } from '@crm/errors'
import type { Answer, Exchange } from '@crm/http'
import type { Caller, Workspace } from '@crm/identity'
import { FairTurns } from '@crm/runtime'
import { sql } from 'drizzle-orm'
import { onlookerOf } from '../../kinds/in-sight.ts'
import { readChanges, readDone, type Changes, type Done } from './changes.ts'
import { readLeaves } from './leaves.ts'

/** What a request would do, and how it would be answered. */
export interface Rehearsal extends Changes {
  readonly answer: Answer
  readonly leaves: readonly Leave[]
}

/** The previews of one workspace that a process makes at once; others wait, and the wait is part of their time. */
const atOnce = 4
const deadlineMs = 5_000
const turns = new FairTurns({ atOnce: Infinity, atOnceOfOwner: atOnce, waitingMax: Infinity, waitMsMax: deadlineMs })

type CrmExchange = Exchange<Workspace, Caller>

/** Carries what was learned out of the savepoint that is rolled back. */
class Rehearsed extends Error {
  readonly outcome: Pick<Rehearsal, 'answer' | 'leaves'> & { readonly done: Done }

  constructor(outcome: Rehearsed['outcome']) {
    super('This was only a rehearsal')
    this.outcome = outcome
  }
}

/**
 * Does the work of a request, learns what it changes, and takes everything back. What waits for a commit never happens.
 * @throws ApiError SERVICE_UNAVAILABLE when it takes too long
 */
export async function rehearse(
  db: Database,
  exchange: CrmExchange,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Rehearsal> {
  const { workspace, caller } = exchange.recognition
  if (!workspace || !caller) throw new Error('Only what somebody does can be rehearsed')
  const until = performance.now() + deadlineMs
  const endTurn = await turns.enter(workspace.id)
  try {
    if (!endTurn) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterS: 1 })
    return await inTransaction(db, undefined, async (tx) => {
      const leftMs = Math.max(1, Math.round(until - performance.now()))
      await tx.execute(sql`SELECT set_config('transaction_timeout', ${String(leftMs)}, true)`)
      const onlooker = onlookerOf(workspace, caller)
      const { done, ...rest } = await learn(tx, exchange, onlooker, work)
      return { ...rest, ...(await readChanges(tx, onlooker, exchange, done)) }
    })
  } finally {
    endTurn?.()
  }
}

async function learn(
  tx: Transaction,
  exchange: CrmExchange,
  onlooker: ReturnType<typeof onlookerOf>,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Rehearsed['outcome']> {
  const written: ChangeRecord[] = []
  const { workspace, caller } = onlooker
  try {
    await inSavepoint(tx, async (inner) => {
      const answer = await watchingChanges(
        inner,
        (change) => void written.push(change),
        () => work(inner),
      )
      await checkBeforeCommit(inner)
      const leaves = await readLeaves(inner, workspace.id, caller, written)
      const done = await readDone(inner, onlooker, exchange, written, answer.body)
      throw new Rehearsed({ answer, leaves, done })
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.outcome
    throw error
  }
  throw new Error('A rehearsal ends with an outcome')
}

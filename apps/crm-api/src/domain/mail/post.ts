import { inTransaction, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { claimRow, finishRow, holdRow, postponeRow, type JobReference, type OutboxRow } from '@crm/jobs'
import {
  mailTriedForMs,
  notSent,
  recipientsOf,
  sendingMsMax,
  type Mailer,
  type MailMessage,
  type MailOutcome,
} from '@crm/mail'
import type { FairTurns } from '@crm/runtime'
import { setTimeout as waitMs } from 'node:timers/promises'
import type { CrmApiDeps } from '../../platform/deps.ts'
import {
  afterAttempt,
  beforeAttempt,
  neverTried,
  type KeptForMail,
  type AfterAttempt,
  type PostState,
} from './post-state.ts'

/** What the sending of mail needs. */
export type PostDeps = CrmApiDeps & {
  readonly mailer: Mailer
  /** How many mails are written and stored at once, while more of them are under way to the mail server; no limit by default. */
  readonly writing?: FairTurns
}

/** A mail in the outbox with the transaction of its next part. */
export interface MailJob {
  readonly row: OutboxRow
  readonly tx: Transaction
  readonly deps: PostDeps
  /** ISO 8601. */
  readonly at: string
}

/** A message, and what its writer needs for the next attempt. */
export interface WrittenLetter {
  readonly message: Omit<MailMessage, 'id'>
  readonly kept?: KeptForMail
  /** When the mail stops to be of use, ISO 8601; four days after it was queued by default. */
  readonly usefulUntil?: string
}

/** What is known of a mail after an attempt. */
export interface PostReport {
  readonly outcome: MailOutcome
  /** Whether it is not tried again. */
  readonly isFinal: boolean
  /** The number of attempts. */
  readonly tries: number
}

/** One kind of mail. */
export interface MailKind {
  /**
   * Writes the message; undefined when it is of no more use.
   * @throws ApiError when it may not be written: nobody gets it
   */
  write(job: MailJob, kept: KeptForMail | undefined): Promise<WrittenLetter | undefined>
  /** Says what is known, in the transaction that stores it. */
  settle?(job: MailJob, report: PostReport): Promise<void>
}

/** The kinds of mail by the event that asks for one. */
export type MailKinds = Readonly<Record<string, MailKind>>

/** For longer than an attempt may take, so that no two processes try at once. */
const attemptMs = sendingMsMax + 60_000
/** After so many failures to write a mail it is given up. */
const writingsMax = 8
/** The pauses in which a database that was away may come back, so that what is known of a mail is not lost. */
const storingPausesMs = [500, 2_000, 10_000]

/** Does the next attempt of a mail in the outbox and stores what is known of it then; undefined where there was nothing to do. */
export async function post(
  deps: PostDeps,
  kinds: MailKinds,
  reference: JobReference,
  onHandedOver?: () => void,
): Promise<MailOutcome | undefined> {
  try {
    const begun = await inTurn(deps, reference, (tx) => begin({ deps, tx, kinds, reference }))
    if (begun === undefined) return undefined
    const { message, only, held, state, usefulUntilMs } = begun
    const outcome = await deps.mailer
      .send(message, { only, ...(onHandedOver ? { onHandedOver } : {}) })
      .catch((error: Error) => notSent(only, error.message))
    if (outcome.sent.length < only.length)
      deps.logger.warn(
        { ...reference, event: begun.event, outcome: countsOf(outcome) },
        'a mail did not reach everybody',
      )
    const next = afterAttempt(state, outcome, deps.clock.now().getTime(), usefulUntilMs)
    await store(deps, kinds, held, next)
    return outcome
  } catch (error) {
    deps.logger.warn({ err: error, ...reference }, 'a mail could not be written and will be tried again')
    await postponeRow(deps.db, reference)
    return undefined
  }
}

/** Does a transaction of a mail in turn. One that waits too long for its turn goes on without: what is known must be stored. */
async function inTurn<T>(
  { db, writing }: PostDeps,
  { workspaceId }: JobReference,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const endTurn = await writing?.enter(workspaceId)
  try {
    return await inTransaction(db, undefined, work)
  } finally {
    endTurn?.()
  }
}

function countsOf({ sent, refused, waiting, unknown }: MailOutcome) {
  return { sent: sent.length, refused: refused.length, waiting: waiting.length, unknown: unknown.length }
}

interface Beginning {
  readonly deps: PostDeps
  readonly tx: Transaction
  readonly kinds: MailKinds
  readonly reference: JobReference
}

interface Begun {
  readonly event: string
  readonly message: MailMessage
  readonly only: readonly string[]
  readonly held: JobReference
  readonly state: PostState
  readonly usefulUntilMs: number
}

/** Writes a mail and stores that its attempt begins; undefined when there is none. */
async function begin({ deps, tx, kinds, reference }: Beginning): Promise<Begun | undefined> {
  const row = await claimRow(tx, reference)
  if (!row) return undefined
  const kind = kindOf(kinds, row)
  const job: MailJob = { row, tx, deps, at: deps.clock.now().toISOString() }
  const { step, state } = beforeAttempt(stateOf(row))
  const end = async (ended: PostState): Promise<undefined> => {
    await settle(kind, job, reference, { step: 'END', state: ended })
  }
  if (step === 'END') return end(state)
  const letter = await write(kind, job, state)
  if (letter === undefined) {
    await finishRow(tx, reference)
    return undefined
  }
  if (typeof letter === 'string') return end(refusedByUs(row, state, letter))
  const only = state.tries > 0 ? state.outcome.waiting.map(({ address }) => address) : recipientsOf(letter.message)
  const begun = { ...state, underWay: only, ...(letter.kept ? { kept: letter.kept } : {}) }
  const held = await holdRow(tx, reference, { ...row.payload, post: begun }, attemptMs)
  const usefulUntilMs = letter.usefulUntil ? Date.parse(letter.usefulUntil) : Date.parse(row.createdAt) + mailTriedForMs
  return { event: row.event, message: { ...letter.message, id: row.id }, only, held, state: begun, usefulUntilMs }
}

/** Returns the message, undefined when there is none any more, or the sentence that says why it may not be written. */
async function write(kind: MailKind, job: MailJob, state: PostState): Promise<WrittenLetter | string | undefined> {
  try {
    return await kind.write(job, state.kept)
  } catch (error) {
    const isPassing = !(error instanceof ApiError) || error.status >= 500
    if (isPassing && failedWritings(job.row, state) < writingsMax) throw error
    return isPassing ? 'It could not be written' : error.message
  }
}

/** Returns how often a mail could not be written. The row also counts each attempt twice, as it begins and as it waits, and a lost one once. */
function failedWritings({ attempts }: OutboxRow, { tries, wasLost }: PostState): number {
  return attempts - 2 * tries - (wasLost ? 1 : 0)
}

/** Returns the end of a mail that may not be written. Before the first attempt its recipients are in the payload, if anywhere. */
function refusedByUs({ payload }: OutboxRow, state: PostState, said: string): PostState {
  const { mail } = payload as { readonly mail?: { readonly to?: readonly string[]; readonly cc?: readonly string[] } }
  const waiting = state.outcome.waiting.map(({ address }) => address)
  const left = state.tries > 0 ? waiting : [...(mail?.to ?? []), ...(mail?.cc ?? [])]
  const refused = [...state.outcome.refused, ...left.map((address) => ({ address, said }))]
  return { ...state, outcome: { ...state.outcome, refused, waiting: [] } }
}

/** Stores what is known of a mail and what follows, with what its kind says of it. */
async function settle(kind: MailKind, job: MailJob, reference: JobReference, next: AfterAttempt): Promise<void> {
  const { row, tx } = job
  const { outcome, tries } = next.state
  await kind.settle?.(job, { outcome, tries, isFinal: next.step === 'END' })
  if (next.step === 'WAIT') await holdRow(tx, reference, { ...row.payload, post: next.state }, next.waitMs)
  else await finishRow(tx, reference)
}

/** Stores what follows an attempt; a database that is away for a moment is waited for. */
async function store(deps: PostDeps, kinds: MailKinds, held: JobReference, next: AfterAttempt): Promise<void> {
  const once = (): Promise<void> =>
    inTurn(deps, held, async (tx) => {
      const row = await claimRow(tx, held)
      if (!row) return
      await settle(kindOf(kinds, row), { row, tx, deps, at: deps.clock.now().toISOString() }, held, next)
    })
  for (const pauseMs of storingPausesMs) {
    try {
      return await once()
    } catch (error) {
      deps.logger.warn({ err: error, ...held }, 'what became of a mail could not be stored yet')
      await waitMs(pauseMs, undefined, { ref: false })
    }
  }
  return once()
}

function kindOf(kinds: MailKinds, { event }: OutboxRow): MailKind {
  const kind = Object.hasOwn(kinds, event) ? kinds[event] : undefined
  if (!kind) throw new Error(`Nobody here knows how to write ${event}`)
  return kind
}

function stateOf({ payload }: OutboxRow): PostState {
  return (payload['post'] as PostState | undefined) ?? neverTried
}

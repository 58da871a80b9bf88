import { joinOutcomes, mailPauseMs, type MailOutcome } from '@crm/mail'

/** What a mail needs for its next attempt and its writer alone can read. */
export type KeptForMail = Readonly<Record<string, string>>

/** How far a mail in the outbox has come. */
export interface PostState {
  /** What the attempts so far have settled, and who waits for the next one. */
  readonly outcome: MailOutcome
  readonly tries: number
  /** The recipients of the attempt that has begun; null between attempts. */
  readonly underWay: readonly string[] | null
  /** Whether the process of an earlier attempt was lost before it could say what became of it. */
  readonly wasLost: boolean
  readonly kept?: KeptForMail
}

/** The state of a mail that was never tried. */
export const neverTried: PostState = {
  outcome: { sent: [], refused: [], waiting: [], unknown: [] },
  tries: 0,
  underWay: null,
  wasLost: false,
}

interface End {
  readonly step: 'END'
  readonly state: PostState
}

/** What a process does with a mail that is due. */
export type BeforeAttempt = End | { readonly step: 'SEND'; readonly state: PostState }

/** What follows an attempt: a pause before the next one, or the end. */
export type AfterAttempt = End | { readonly step: 'WAIT'; readonly state: PostState; readonly waitMs: number }

/**
 * Decides what a process does with a mail that is due. An attempt whose process was lost is repeated once, with the same Message-ID:
 * nobody was told of it, so nobody else can. After a second loss its end is unknown.
 */
export function beforeAttempt(state: PostState): BeforeAttempt {
  const { underWay, wasLost, outcome } = state
  if (underWay === null) return { step: 'SEND', state }
  if (!wasLost) return { step: 'SEND', state: { ...state, underWay: null, wasLost: true } }
  const unknown = [...outcome.unknown, ...underWay]
  return { step: 'END', state: { ...state, underWay: null, outcome: { ...outcome, unknown, waiting: [] } } }
}

/**
 * Decides what follows an attempt. Who was taken, refused or is unknown is settled; who waits is tried again with growing pauses until
 * the mail is of no more use, and is refused then with the last answer of the server.
 */
export function afterAttempt(
  before: PostState,
  attempt: MailOutcome,
  nowMs: number,
  usefulUntilMs: number,
): AfterAttempt {
  const tries = before.tries + 1
  const outcome = joinOutcomes(before.outcome, attempt)
  const state = { ...before, outcome, tries, underWay: null }
  if (outcome.waiting.length === 0) return { step: 'END', state }
  const waitMs = mailPauseMs(tries)
  if (nowMs + waitMs < usefulUntilMs) return { step: 'WAIT', state, waitMs }
  const refused = [...outcome.refused, ...outcome.waiting]
  return { step: 'END', state: { ...state, outcome: { ...outcome, refused, waiting: [] } } }
}

/** An address that did not get a message, with the sentence of the mail server, or of the product, that says why. */
export interface Refusal {
  readonly address: string
  readonly said: string
}

/** What is known of a message after one attempt to send it; each recipient is in one of the lists. */
export interface MailOutcome {
  /** The mail server has taken the message for them. */
  readonly sent: readonly string[]
  /** They will not get it, however often it is tried. */
  readonly refused: readonly Refusal[]
  /** They did not get it, and may get it later. */
  readonly waiting: readonly Refusal[]
  /** The message was handed over whole, and the server never said whether it took it. */
  readonly unknown: readonly string[]
}

/** The answers of a mail server to one message. */
export interface ServerAnswer {
  /** The recipients that it took. */
  readonly accepted: readonly string[]
  /** Its answer for each of the others. */
  readonly rejected: readonly { readonly address: string; readonly said: string; readonly isLasting: boolean }[]
}

/** A message that failed as a whole. */
export interface Failure {
  readonly said: string
  /** Whether the server refused the message for good, and not the connection or the moment. */
  readonly isLasting: boolean
  /** Whether the server answered after the end of the message; without an answer nobody knows whether it has it. */
  readonly isAnswered: boolean
  /** Whether the whole message was handed over. */
  readonly isHandedOver: boolean
  /** Its answers for the single recipients, as far as it gave them. */
  readonly rejected: ServerAnswer['rejected']
}

/** Judges the answers of a server that took a message for at least one recipient. */
export function outcomeOfAnswer({ accepted, rejected }: ServerAnswer): MailOutcome {
  return { sent: accepted, unknown: [], ...judged(rejected) }
}

/** Judges a message that no recipient has for certain. */
export function outcomeOfFailure(recipients: readonly string[], failure: Failure): MailOutcome {
  const { said, isLasting, isAnswered, isHandedOver, rejected } = failure
  const named = new Set(rejected.map(({ address }) => address))
  const others = recipients.filter((address) => !named.has(address))
  const { refused, waiting } = judged([...rejected, ...others.map((address) => ({ address, said, isLasting }))])
  if (!isHandedOver || isAnswered) return { sent: [], unknown: [], refused, waiting }
  const isNamed = ({ address }: Refusal): boolean => named.has(address)
  return { sent: [], unknown: others, refused: refused.filter(isNamed), waiting: waiting.filter(isNamed) }
}

/** Returns the outcome of a message that never left, with the reason. */
export function notSent(recipients: readonly string[], said: string): MailOutcome {
  return { sent: [], refused: [], waiting: recipients.map((address) => ({ address, said })), unknown: [] }
}

function judged(rejected: ServerAnswer['rejected']): Pick<MailOutcome, 'refused' | 'waiting'> {
  const those = (wanted: boolean): Refusal[] =>
    rejected.filter(({ isLasting }) => isLasting === wanted).map(({ address, said }) => ({ address, said }))
  return { refused: those(true), waiting: those(false) }
}

/** Joins what an earlier attempt has settled with what a later one settles; who waits is said by the later one. */
export function joinOutcomes(earlier: MailOutcome, later: MailOutcome): MailOutcome {
  return {
    sent: [...earlier.sent, ...later.sent],
    refused: [...earlier.refused, ...later.refused],
    unknown: [...earlier.unknown, ...later.unknown],
    waiting: later.waiting,
  }
}

/** Returns addresses in words with the sentence of each: `a@b.example (550 5.1.1 User unknown)`. */
export function refusalsInWords(refusals: readonly Refusal[]): string {
  return refusals.map(({ address, said }) => (said === '' ? address : `${address} (${said})`)).join(', ')
}

const firstPauseMs = 60_000
const pauseMsMax = 3_600_000

/** Returns the pause before the next attempt, in milliseconds: a minute after the first, doubled each time, at most an hour. */
export function mailPauseMs(tries: number): number {
  return Math.min(firstPauseMs * 2 ** Math.min(Math.max(tries - 1, 0), 20), pauseMsMax)
}

/** For how long mail is tried, unless it is of no use before: the least that RFC 5321 4.5.4.1 asks for. */
export const mailTriedForMs = 4 * 24 * 3_600_000

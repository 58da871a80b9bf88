import type { Readable, TransformOptions } from 'node:stream'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Deliver, Letter } from './deliver.ts'
import { mailServerOf } from './mail-server.ts'
import { outcomeOfAnswer, outcomeOfFailure, type MailOutcome, type ServerAnswer } from './outcome.ts'
import { whenNeeded } from './when-needed.ts'

/** The time limits of sending one message, in milliseconds. */
export interface SmtpLimits {
  /** For the connection and the server's greeting, each. */
  readonly connectMs: number
  /** For everything before the end of the message. */
  readonly beforeMs: number
  /** For the answer to the end of the message; the server may examine it meanwhile. */
  readonly afterMs: number
}

/** RFC 5321 4.5.3.2: a client that gives up sooner makes the server deliver a message that it counts as lost. */
const usualLimits: SmtpLimits = { connectMs: 30_000, beforeMs: 5 * 60_000, afterMs: 10 * 60_000 }

/** The longest time that sending a message may take, in milliseconds. */
export const sendingMsMax = usualLimits.beforeMs + usualLimits.afterMs

/** Fewer connections than mail servers usually accept from one client. */
const smtpConnectionsMax = 20
const greetingMsMax = 10_000

/**
 * Connects to a mail server, greets it and logs in.
 * @throws the error of the server or the connection
 */
export async function greetMailServer(smtpUrl: string, connectMs = greetingMsMax): Promise<void> {
  const limits = { connectMs, beforeMs: connectMs, afterMs: connectMs }
  const transport = (await import('nodemailer')).createTransport({ ...mailServerOf(smtpUrl), ...waits(limits) })
  await transport.verify().finally(() => transport.close())
}

function waits({ connectMs, beforeMs, afterMs }: SmtpLimits) {
  return {
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    // The transport has one limit for all silences, so it has to allow the longest; the others are kept by `deadlineOf`.
    socketTimeout: Math.max(beforeMs, afterMs) + 1_000,
  }
}

/** A message with the watcher that the plugin below puts at its end. */
type Watched = SendMailOptions & { readonly onEnd?: () => void; readonly signal?: AbortSignal }

/** Sends messages over connections that are kept for the next ones. */
export function overSmtp(url: string, given: Partial<SmtpLimits> = {}): Deliver {
  const limits = { ...usualLimits, ...given }
  const transport = whenNeeded(async () => {
    const made = (await import('nodemailer')).createTransport({
      ...mailServerOf(url),
      ...waits(limits),
      pool: true,
      maxConnections: smtpConnectionsMax,
      // By default every hundredth message opens a new connection and waits for its greeting; a server with a limit refuses by itself.
      maxMessages: Number.POSITIVE_INFINITY,
      // A message whose idle connection turns out to be closed is sent over another one; none of it has left then.
      maxRequeues: 1,
    })
    made.use('stream', (mail, done) => {
      const { onEnd } = mail.data as Watched
      if (onEnd) tellEnd(mail.message, onEnd)
      done()
    })
    return made
  })
  return (letter) => sendOnce(transport, letter, limits)
}

/** A message of nodemailer, as far as it is sent. */
interface Streamed {
  createReadStream: (options?: TransformOptions) => Readable
}

/**
 * Tells when all of a message was taken from its stream. A transform would be told too early: the stages of the stream fill their
 * buffers before there is a connection.
 */
function tellEnd(message: Streamed, onEnd: () => void): void {
  const create = message.createReadStream.bind(message)
  message.createReadStream = (options) => create(options).once('end', onEnd)
}

/** What nodemailer says of a message that was taken for somebody. */
interface SentInfo {
  readonly accepted: readonly unknown[]
  readonly rejectedErrors?: readonly SmtpError[]
}

/** The errors of nodemailer, as far as they are read. */
interface SmtpError extends Error {
  readonly code?: string
  readonly response?: string
  readonly responseCode?: number
  readonly permanent?: boolean
  readonly recipient?: string
  readonly rejectedErrors?: readonly SmtpError[]
}

async function sendOnce(
  transport: () => Promise<Transporter<SentInfo>>,
  { options, recipients, onHandedOver, signal }: Letter,
  { beforeMs, afterMs }: SmtpLimits,
): Promise<MailOutcome> {
  let isHandedOver = false
  const late = new AbortController()
  const giveUp = (): void => late.abort(new Error('The mail server took too long'))
  const giveUpBefore = (): void => (isHandedOver ? undefined : giveUp())
  signal?.addEventListener('abort', giveUpBefore, { once: true })
  let timer = setTimeout(giveUp, beforeMs)
  const onEnd = (): void => {
    isHandedOver = true
    clearTimeout(timer)
    timer = setTimeout(giveUp, afterMs)
    onHandedOver()
  }
  try {
    const watched: Watched = { ...options, onEnd, signal: late.signal }
    const { rejectedErrors = [] } = await (await transport()).sendMail(watched)
    const rejected = rejectedErrors.map(toRejection)
    const named = new Set(rejected.map(({ address }) => address))
    return outcomeOfAnswer({ accepted: recipients.filter((address) => !named.has(address)), rejected })
  } catch (error) {
    const fault = error as SmtpError
    return outcomeOfFailure(recipients, {
      said: sentenceOf(fault),
      isLasting: isLasting(fault),
      isAnswered: fault.responseCode !== undefined,
      isHandedOver,
      rejected: (fault.rejectedErrors ?? []).map(toRejection),
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUpBefore)
  }
}

function toRejection(error: SmtpError): ServerAnswer['rejected'][number] {
  return { address: error.recipient ?? '', said: sentenceOf(error), isLasting: isLasting(error) }
}

/** Whether a server refused the sender, a recipient or the content for good. What fails before that an operator can mend. */
function isLasting({ code, permanent, responseCode }: SmtpError): boolean {
  if (code === 'EMESSAGE' && responseCode === undefined) return true
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && permanent === true
}

const sentenceCharactersMax = 300

/** Returns the answer of the server in one line, else what went wrong on the way to it. */
function sentenceOf({ code, response, message, cause }: SmtpError): string {
  const aborted = code === 'EABORT' && cause instanceof Error ? cause.message : undefined
  return (aborted ?? response ?? message).replaceAll(/\s+/g, ' ').trim().slice(0, sentenceCharactersMax)
}

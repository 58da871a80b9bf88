import { domainToASCII } from 'node:url'
import type { SendMailOptions } from 'nodemailer'
import type { Deliver, Letter } from './deliver.ts'
import { intoFolder } from './mail-folder.ts'
import type { Mailbox, MailMessage } from './message.ts'
import type { MailOutcome, Refusal } from './outcome.ts'
import { overSmtp, type SmtpLimits } from './smtp.ts'

export interface Mailer {
  /** The sender address of every message. */
  readonly from: string
  /**
   * Sends a message once and says what is known of it. A mail server, a connection or an address that fails is an outcome, no error.
   * @throws MailPausedError, TooMuchMailError: nothing was tried
   */
  send(message: MailMessage, options?: SendOptions): Promise<MailOutcome>
}

interface SendOptions {
  /** The only recipients of this attempt; all of the message by default. The message still names the others. */
  readonly only?: readonly string[]
  /** Learns that the whole message was handed to the server, which may take minutes to answer. */
  readonly onHandedOver?: () => void
  /** Gives the message up, unless it was handed over whole by then. */
  readonly signal?: AbortSignal
}

export interface MailerOptions {
  /** The SMTP server; without it each message becomes a file. */
  readonly smtpUrl?: string
  /** The folder of those files. */
  readonly mailDir: string
  readonly from: string
  /** How long each part of sending may take; RFC 5321 4.5.3.2 by default. */
  readonly limits?: Partial<SmtpLimits>
  /** Counts a message to a recipient and returns whether it may be sent; by default there is no limit. */
  readonly mayReceive?: (address: string, isMember: boolean) => Promise<boolean>
  /** Whether anything may leave the installation; true by default. */
  readonly maySend?: () => Promise<boolean>
  /** Learns what became of each message. */
  readonly onOutcome?: (outcome: 'sent' | 'refused' | 'failed' | 'unknown') => void
}

/** The error for mail after a restore: nothing leaves the installation until an operator allows it. */
export class MailPausedError extends Error {
  constructor() {
    super('Mail waits until the installation is resumed')
    this.name = 'MailPausedError'
  }
}

/** The error for a recipient whose mail limit is reached. */
export class TooMuchMailError extends Error {
  constructor() {
    super('The recipient has had too many messages lately')
    this.name = 'TooMuchMailError'
  }
}

/** The name and the meaning of the counter of mails, as each service that sends them has it. */
export const mailCounter = ['crm_mails_total', 'Mails by outcome.'] as const

/** Makes the mail transport: an SMTP server, or a folder of `.eml` files. */
export function createMailer({
  smtpUrl,
  mailDir,
  from,
  mayReceive,
  maySend,
  onOutcome,
  limits,
}: MailerOptions): Mailer {
  const deliver = smtpUrl === undefined ? intoFolder(mailDir) : overSmtp(smtpUrl, limits)
  return {
    from,
    send: async (message, { only, onHandedOver = () => undefined, signal } = {}) => {
      if (maySend && !(await maySend())) throw new MailPausedError()
      const wanted = recipientsOf(message).filter((address) => only?.includes(address) ?? true)
      for (const address of wanted) {
        if (mayReceive && !(await mayReceive(address, message.isToMember === true))) {
          onOutcome?.('refused')
          throw new TooMuchMailError()
        }
      }
      const outcome = await sendTo(deliver, wanted, { onHandedOver, signal }, (recipients) =>
        optionsOf(message, from, recipients),
      )
      onOutcome?.(wordFor(outcome))
      return outcome
    },
  }
}

async function sendTo(
  deliver: Deliver,
  wanted: readonly string[],
  watch: Pick<Letter, 'onHandedOver' | 'signal'>,
  write: (recipients: readonly string[]) => SendMailOptions,
): Promise<MailOutcome> {
  const wireOf = new Map<string, string>()
  const refused: Refusal[] = []
  for (const address of wanted) {
    const wire = wireAddress(address)
    if (wire === undefined) refused.push({ address, said: 'This is no address that mail could go to' })
    else wireOf.set(wire, address)
  }
  const recipients = [...wireOf.keys()]
  if (recipients.length === 0) return { sent: [], refused, waiting: [], unknown: [] }
  const outcome = await deliver({ ...watch, options: write(recipients), recipients })
  const given = (address: string): string => wireOf.get(address) ?? address
  const asGiven = (refusals: readonly Refusal[]): Refusal[] =>
    refusals.map(({ address, said }) => ({ address: given(address), said }))
  return {
    sent: outcome.sent.map(given),
    unknown: outcome.unknown.map(given),
    waiting: asGiven(outcome.waiting),
    refused: [...refused, ...asGiven(outcome.refused)],
  }
}

function wordFor({ unknown, waiting, refused }: MailOutcome): 'sent' | 'refused' | 'failed' | 'unknown' {
  if (unknown.length > 0) return 'unknown'
  if (waiting.length > 0) return 'failed'
  return refused.length > 0 ? 'refused' : 'sent'
}

/** Returns the addresses of everybody that a message goes to. */
export function recipientsOf({ to, alsoTo = [], cc = [] }: MailMessage): readonly string[] {
  return [...new Set([to, ...alsoTo, ...cc].map(({ address }) => address))]
}

/** Returns a message in the format of nodemailer. */
function optionsOf(message: MailMessage, from: string, recipients: readonly string[]): SendMailOptions {
  const { to, alsoTo = [], cc = [], fromName, replyTo, subject, text, html, icalEvent, attachments = [] } = message
  return {
    ...(message.id === undefined ? {} : { messageId: `<${message.id}@${domainOf(from)}>` }),
    from: { name: fromName ?? '', address: from },
    to: [to, ...alsoTo].flatMap(writable),
    cc: cc.flatMap(writable),
    envelope: { from, to: [...recipients] },
    ...(replyTo ? { replyTo: writable(replyTo) } : {}),
    headers: headersOf(message),
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    ...(icalEvent ? { icalEvent } : {}),
    attachments: attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** RFC 3834: a mail that nobody wrote by hand says so, and absence notices stay away. */
function headersOf({ kind, isWritten = false }: MailMessage): Record<string, string> {
  return {
    ...(kind ? { 'X-CRM-Kind': kind } : {}),
    ...(isWritten ? {} : { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' }),
  }
}

// Excludes the characters that end an address or begin another one.
// oxlint-disable-next-line no-control-regex
const localPart = /^[^\u0000-\u0020\u007f-\uffff<>,;:"()[\]\\@]+$/
// oxlint-disable-next-line no-control-regex
const domainPart = /^[^\u0000-\u0020\u007f<>,;:"()[\]\\@]+$/

/**
 * Returns an address in the letters that every mail server takes; undefined for what is none. A local part in other letters needs
 * SMTPUTF8 all the way to its mailbox (RFC 6531 3.2), which no sender can know.
 */
function wireAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)]
  if (!localPart.test(local) || !domainPart.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  return ascii === '' ? undefined : `${local}@${ascii}`
}

/** Returns an address with its name as a list for nodemailer; an empty one for what is no address that mail could go to. */
function writable({ name = '', address }: Mailbox): { readonly name: string; readonly address: string }[] {
  return wireAddress(address) === undefined ? [] : [{ name, address }]
}

function domainOf(address: string): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || 'localhost'
}

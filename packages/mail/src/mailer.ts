import { randomUUID } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import type { Mailbox, MailMessage } from './message.ts'

export interface Mailer {
  /** The sender address of every message. */
  readonly from: string
  /** Sends a message. Throws when the transport fails or the recipient's limit is reached. */
  send(message: MailMessage): Promise<void>
}

export interface MailerOptions {
  /** The SMTP server; without it each message becomes a file. */
  readonly smtpUrl?: string
  /** The folder of those files. */
  readonly mailDir: string
  readonly from: string
  /** The time limit for connecting, for the greeting, and for each answer of the server; 10000 by default. */
  readonly smtpTimeoutMs?: number
  /** Counts a message to a recipient and returns whether it may be sent; by default there is no limit. */
  readonly mayReceive?: (address: string, isMember: boolean) => Promise<boolean>
  /** Whether anything may leave the installation; true by default. */
  readonly maySend?: () => Promise<boolean>
  /** Learns what became of each message. */
  readonly onOutcome?: (outcome: 'sent' | 'refused' | 'failed') => void
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

const smtpTimeoutMsUsual = 10_000
/** Fewer connections than mail servers usually accept from one client. */
const smtpConnectionsMax = 20

/** Makes the mail transport: an SMTP server, or a folder of `.eml` files. */
export function createMailer({
  smtpUrl,
  mailDir,
  from,
  mayReceive,
  maySend,
  onOutcome,
  smtpTimeoutMs = smtpTimeoutMsUsual,
}: MailerOptions): Mailer {
  const deliver = smtpUrl === undefined ? intoFolder(mailDir) : overSmtp(smtpUrl, smtpTimeoutMs)
  return {
    from,
    send: async (message) => {
      if (maySend && !(await maySend())) throw new MailPausedError()
      for (const { address } of recipientsOf(message)) {
        if (mayReceive && !(await mayReceive(address, message.isToMember === true))) {
          onOutcome?.('refused')
          throw new TooMuchMailError()
        }
      }
      try {
        await deliver(optionsOf(message, from))
      } catch (error) {
        onOutcome?.('failed')
        throw error
      }
      onOutcome?.('sent')
    },
  }
}

function recipientsOf({ to, alsoTo = [], cc = [] }: MailMessage): readonly Mailbox[] {
  return [to, ...alsoTo, ...cc]
}

/** Returns a message in the format of nodemailer. */
function optionsOf(
  { to, alsoTo = [], cc = [], kind, fromName, replyTo, subject, text, html, icalEvent, attachments = [] }: MailMessage,
  from: string,
): SendMailOptions {
  return {
    from: mailbox({ name: fromName, address: from }),
    to: [to, ...alsoTo].map(mailbox),
    cc: cc.map(mailbox),
    ...(replyTo ? { replyTo: mailbox(replyTo) } : {}),
    ...(kind ? { headers: { 'X-CRM-Kind': kind } } : {}),
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

// Excludes the characters that end an address or begin another one.
// oxlint-disable-next-line no-control-regex
const address = /^[^\u0000-\u0020\u007f<>,;:"()[\]\\@]+@[^\u0000-\u0020\u007f<>,;:"()[\]\\@]+$/

function mailbox({ name = '', address: given }: Mailbox): { readonly name: string; readonly address: string } {
  if (!address.test(given)) throw new Error('This is no address that mail could go to')
  return { name, address: given }
}

type Deliver = (message: SendMailOptions) => Promise<void>

/**
 * Connects to a mail server, greets it and logs in.
 * @throws the error of the server or the connection
 */
export async function greetMailServer(smtpUrl: string, smtpTimeoutMs = smtpTimeoutMsUsual): Promise<void> {
  const transport = (await import('nodemailer')).createTransport(serverOf(smtpUrl, smtpTimeoutMs))
  await transport.verify().finally(() => transport.close())
}

function overSmtp(url: string, smtpTimeoutMs: number): Deliver {
  const transport = whenNeeded(async () =>
    (await import('nodemailer')).createTransport({
      ...serverOf(url, smtpTimeoutMs),
      // Connections are reused: a slow greeting and TLS handshake happen once for many messages.
      pool: true,
      maxConnections: smtpConnectionsMax,
      // By default every hundredth message opens a new connection and waits for its greeting; a server with a limit refuses by itself.
      maxMessages: Number.POSITIVE_INFINITY,
      // A message whose idle connection turns out to be closed is sent over another one.
      maxRequeues: 1,
    }),
  )
  return async (message) => void (await (await transport()).sendMail(message))
}

function serverOf(url: string, smtpTimeoutMs: number) {
  const server = new URL(url)
  return {
    host: server.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: server.port === '' ? undefined : Number(server.port),
    secure: server.protocol === 'smtps:',
    auth:
      server.username === ''
        ? undefined
        : { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) },
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
  }
}

/** Makes a value on first use, because most processes never send a message and need no transport. */
function whenNeeded<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

function intoFolder(mailDir: string): Deliver {
  const transport = whenNeeded(async () =>
    (await import('nodemailer')).createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  )
  return async (message) => {
    const { message: raw } = await (await transport()).sendMail(message)
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`
    // Mail holds links with access rights, so other users of the machine must not read it.
    await mkdir(mailDir, { recursive: true, mode: 0o700 })
    await chmod(mailDir, 0o700)
    // A program that watches the folder never sees half a message.
    await writeFile(join(mailDir, `.${name}.part`), raw, { mode: 0o600 })
    await rename(join(mailDir, `.${name}.part`), join(mailDir, name))
  }
}

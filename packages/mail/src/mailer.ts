import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'

export interface Mailbox {
  readonly name?: string
  readonly address: string
}

/** A calendar part, as mail programs recognise it: inline with its method, and as an attached `invite.ics`. */
export interface CalendarPart {
  readonly method: 'REQUEST' | 'CANCEL'
  /** The iCalendar text. */
  readonly content: string
}

export interface MailMessage {
  readonly to: Mailbox
  /** Shown as the sender; the address is always the mailer's own. */
  readonly fromName?: string
  readonly replyTo?: Mailbox
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly icalEvent?: CalendarPart
  /** Further recipients, whom all recipients see. */
  readonly alsoTo?: readonly Mailbox[]
  readonly cc?: readonly Mailbox[]
  readonly attachments?: readonly Attachment[]
}

/** A file that a message carries. */
export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
}

export interface Mailer {
  /** The address that every message comes from. */
  readonly from: string
  /** Hands a message over. Throws when the transport fails or the recipient has had enough. */
  send(message: MailMessage): Promise<void>
}

export interface MailerOptions {
  /** SMTP server; without it each message becomes a file. */
  readonly smtpUrl?: string
  /** Folder of those files. */
  readonly mailDir: string
  readonly from: string
  /** How long the server may take to connect, to greet, and to answer each time; 10000 unless told. */
  readonly smtpTimeoutMs?: number
  /** Counts a message to a recipient and says whether it may go; everybody may get any number unless told. */
  readonly mayReceive?: (address: string) => Promise<boolean>
}

/** A recipient has had as much mail as one may get in a while. */
export class TooMuchMailError extends Error {
  constructor() {
    super('The recipient has had too many messages lately')
    this.name = 'TooMuchMailError'
  }
}

const smtpTimeoutMsUsual = 10_000
/** Fewer than what mail servers usually take from one client. */
const smtpConnectionsMax = 10

/** Makes the way out for mail: an SMTP server, or a folder of `.eml` files. */
export function createMailer({ smtpUrl, mailDir, from, mayReceive, smtpTimeoutMs = smtpTimeoutMsUsual }: MailerOptions): Mailer {
  const deliver = smtpUrl === undefined ? intoFolder(mailDir) : overSmtp(smtpUrl, smtpTimeoutMs)
  return {
    from,
    send: async (message) => {
      for (const { address } of recipientsOf(message)) {
        if (mayReceive && !(await mayReceive(address))) throw new TooMuchMailError()
      }
      await deliver(toOptions(message, from))
    },
  }
}

function recipientsOf({ to, alsoTo = [], cc = [] }: MailMessage): readonly Mailbox[] {
  return [to, ...alsoTo, ...cc]
}

type Deliver = (message: SendMailOptions) => Promise<void>

function overSmtp(url: string, smtpTimeoutMs: number): Deliver {
  const server = new URL(url)
  const transport = whenNeeded(async () => (await import('nodemailer')).createTransport({
    // A connection is used again: what greets and encrypts slowly does so once for many messages.
    pool: true,
    maxConnections: smtpConnectionsMax,
    // A message whose waiting connection turns out to be gone goes over another one.
    maxRequeues: 1,
    host: server.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: server.port === '' ? undefined : Number(server.port),
    secure: server.protocol === 'smtps:',
    auth: server.username === '' ? undefined : { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) },
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
  }))
  return async (message) => void (await (await transport()).sendMail(message))
}

/** Most processes never send a message; those that do load the transport then. */
function whenNeeded<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

function intoFolder(mailDir: string): Deliver {
  const transport = whenNeeded(async () => (await import('nodemailer')).createTransport({ streamTransport: true, buffer: true, newline: 'windows' }))
  return async (message) => {
    const { message: content } = (await (await transport()).sendMail(message)) as { message: Buffer }
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`
    await mkdir(mailDir, { recursive: true })
    // Whoever watches the folder never sees half a message.
    await writeFile(join(mailDir, `.${name}.part`), content)
    await rename(join(mailDir, `.${name}.part`), join(mailDir, name))
  }
}

function toOptions({ to, alsoTo = [], cc = [], fromName, replyTo, subject, text, html, icalEvent, attachments = [] }: MailMessage, from: string): SendMailOptions {
  return {
    from: toAddress({ name: fromName, address: from }),
    to: [to, ...alsoTo].map(toAddress),
    cc: cc.map(toAddress),
    replyTo: replyTo && toAddress(replyTo),
    subject,
    text,
    html,
    icalEvent: icalEvent && { method: icalEvent.method, content: icalEvent.content, filename: 'invite.ics' },
    attachments: attachments.map(({ filename, contentType, content }) => ({ filename, contentType, content: Buffer.from(content) })),
    // Nothing in a message names a file or address that the server would fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function toAddress({ name = '', address }: Mailbox): { name: string; address: string } {
  return { name, address }
}

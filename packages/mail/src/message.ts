import type { AccountMailKind } from './texts/account-wording.ts'

export interface Mailbox {
  readonly name?: string
  readonly address: string
}

/** A calendar part in the form that mail programs recognise: inline with its method, and as an attached `invite.ics`. */
interface CalendarPart {
  readonly method: 'REQUEST' | 'CANCEL'
  /** The iCalendar text. */
  readonly content: string
}

export interface MailMessage {
  readonly to: Mailbox
  /** The first part of its Message-ID: the same for each attempt, so that a second copy can be known as one. A new one by default. */
  readonly id?: string
  /** Whether a person wrote it; other mails say that a machine made them. */
  readonly isWritten?: boolean
  /** The kind of a mail about an account, which its header `X-CRM-Kind` says. */
  readonly kind?: AccountMailKind
  /** The displayed sender; the address is always the mailer's own. */
  readonly fromName?: string
  readonly replyTo?: Mailbox
  /** Whether the recipient belongs to the workspace and has a higher limit, which strangers must not be able to use up. */
  readonly isToMember?: boolean
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly icalEvent?: CalendarPart
  /** Further recipients, visible to all recipients. */
  readonly alsoTo?: readonly Mailbox[]
  readonly cc?: readonly Mailbox[]
  readonly attachments?: readonly Attachment[]
}

/** A file in a message. */
export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
}

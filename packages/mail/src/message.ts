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
  /** Goes to somebody of the workspace, who has a higher limit: strangers must not be able to use it up. */
  readonly isToMember?: boolean
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

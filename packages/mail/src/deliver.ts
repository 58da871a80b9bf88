import type { SendMailOptions } from 'nodemailer'
import type { MailOutcome } from './outcome.ts'

/** One message on its way. */
export interface Letter {
  readonly options: SendMailOptions
  /** The recipients of this attempt, in the form that the mail protocol takes. */
  readonly recipients: readonly string[]
  readonly onHandedOver: () => void
  /** Gives the letter up, unless it was handed over by then. */
  readonly signal: AbortSignal | undefined
}

/** A way of sending; it says what became of each recipient of a letter and never throws. */
export type Deliver = (letter: Letter) => Promise<MailOutcome>

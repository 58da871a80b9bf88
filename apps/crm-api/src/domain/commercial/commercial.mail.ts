import type { OutgoingMail } from '../mail/outgoing-mail.ts'

/** The event that asks for a mail with a quote or an invoice. */
export const commercialMailEvent = 'commercial.mail'

/** The document to mail. */
export interface CommercialMail extends OutgoingMail {
  readonly entityType: 'INVOICE' | 'QUOTE'
}

export { createMailer, mailCounter, recipientsOf, TooMuchMailError, type Mailer } from './mailer.ts'
export { explainMailServer } from './mail-server.ts'
export {
  joinOutcomes,
  mailPauseMs,
  mailTriedForMs,
  notSent,
  refusalsInWords,
  type MailOutcome,
  type Refusal,
} from './outcome.ts'
export { greetMailServer, sendingMsMax } from './smtp.ts'
export { mailConfig } from './mail-config.ts'
export { writeAccountMail, type AccountFacts } from './account-mail.ts'
export { type AccountMailKind } from './texts/account-wording.ts'
export { createRecipientLimit } from './recipient-limit.ts'
export { createWorkspaceMailLimit, type WorkspaceMailLimit } from './workspace-mail-limit.ts'
export type { Attachment, MailMessage } from './message.ts'
export { writeCalendar, type CalendarEntry } from './calendar.ts'

export { writeGuestEvent, writeGuestMail, writeOrganizerMail, type BookingFacts } from './booking-mail.ts'
export { noticeSentence, writeNoticeMail, type NoticeLine } from './notice-mail.ts'
export { chooseLanguage, mailLanguages } from './texts/mail-texts.ts'
export type { BookingChange } from './texts/booking-wording.ts'

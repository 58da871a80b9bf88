export {
  createMailer, TooMuchMailError, type CalendarPart, type Mailbox, type Mailer, type MailerOptions, type MailMessage,
} from './mailer.ts'
export { writeInvitation, type Invitation } from './invitation.ts'
export { writeGuestMail, writeOrganizerMail, type BookingFacts } from './booking-mail.ts'
export { chooseLanguage, mailLanguages, type BookingNews } from './texts/booking-texts.ts'

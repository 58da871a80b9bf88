export {
  createMailer, TooMuchMailError, type Attachment, type CalendarPart, type Mailbox, type Mailer, type MailerOptions, type MailMessage,
} from './mailer.ts'
export { writeCalendar, type CalendarEntry } from './calendar.ts'
export { writeInvitation, type Invitation } from './invitation.ts'
export { writeGuestEvent, writeGuestMail, writeOrganizerMail, type BookingFacts } from './booking-mail.ts'
export { chooseLanguage, mailLanguages, type BookingNews } from './texts/booking-texts.ts'

import type { BookingTexts } from './booking-wording.ts'

export const de: BookingTexts = {
  subject: { confirmed: 'Bestätigt', rescheduled: 'Neue Zeit', cancelled: 'Abgesagt' },
  toGuest: {
    confirmed: 'Ihr Termin ist gebucht.',
    rescheduled: 'Ihr Termin hat eine neue Zeit.',
    cancelled: 'Ihr Termin ist abgesagt.',
  },
  toOrganizer: {
    confirmed: 'Ein Gast hat einen Termin mit Ihnen gebucht.',
    rescheduled: 'Ein Termin mit einem Gast hat eine neue Zeit.',
    cancelled: 'Ein Termin mit einem Gast ist abgesagt.',
  },
  meeting: 'Termin',
  when: 'Wann',
  organizer: 'Mit',
  guest: 'Gast',
  phone: 'Telefon',
  note: 'Notiz',
  join: 'Am Videogespräch teilnehmen',
  manage: 'Termin verschieben oder absagen',
  reschedule: 'Verschieben',
  cancel: 'Termin absagen',
  reason: 'Grund',
  yes: 'Ja',
  no: 'Nein',
}

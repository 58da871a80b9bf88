import type { BookingTexts } from './booking-wording.ts'

export const fr: BookingTexts = {
  subject: { confirmed: 'Confirmé', rescheduled: 'Nouvel horaire', cancelled: 'Annulé' },
  toGuest: {
    confirmed: 'Votre rendez-vous est réservé.',
    rescheduled: 'Votre rendez-vous a un nouvel horaire.',
    cancelled: 'Votre rendez-vous est annulé.',
  },
  toOrganizer: {
    confirmed: 'Un invité a réservé un rendez-vous avec vous.',
    rescheduled: 'Un rendez-vous avec un invité a un nouvel horaire.',
    cancelled: 'Un rendez-vous avec un invité est annulé.',
  },
  meeting: 'Rendez-vous',
  when: 'Quand',
  organizer: 'Avec',
  guest: 'Invité',
  phone: 'Téléphone',
  note: 'Note',
  join: 'Rejoindre l’appel vidéo',
  manage: 'Déplacer ou annuler le rendez-vous',
  reschedule: 'Déplacer',
  cancel: 'Annuler le rendez-vous',
  reason: 'Motif',
  yes: 'Oui',
  no: 'Non',
}

import type { BookingTexts } from './booking-wording.ts'

export const en: BookingTexts = {
  subject: { confirmed: 'Confirmed', rescheduled: 'New time', cancelled: 'Cancelled' },
  toGuest: {
    confirmed: 'You are booked.',
    rescheduled: 'Your meeting has a new time.',
    cancelled: 'Your meeting is cancelled.',
  },
  toOrganizer: {
    confirmed: 'A guest has booked a meeting with you.',
    rescheduled: 'A meeting with a guest has a new time.',
    cancelled: 'A meeting with a guest is cancelled.',
  },
  meeting: 'Meeting',
  when: 'When',
  organizer: 'With',
  guest: 'Guest',
  phone: 'Phone',
  note: 'Notes',
  join: 'Join the video call',
  manage: 'Reschedule or cancel',
  reschedule: 'Reschedule',
  cancel: 'Cancel meeting',
  reason: 'Reason',
  yes: 'Yes',
  no: 'No',
}

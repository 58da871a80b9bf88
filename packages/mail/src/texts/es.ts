import type { BookingTexts } from './booking-wording.ts'

export const es: BookingTexts = {
  subject: { confirmed: 'Confirmada', rescheduled: 'Nueva hora', cancelled: 'Cancelada' },
  toGuest: {
    confirmed: 'Su reunión está reservada.',
    rescheduled: 'Su reunión tiene una nueva hora.',
    cancelled: 'Su reunión se ha cancelado.',
  },
  toOrganizer: {
    confirmed: 'Un invitado ha reservado una reunión con usted.',
    rescheduled: 'Una reunión con un invitado tiene una nueva hora.',
    cancelled: 'Se ha cancelado una reunión con un invitado.',
  },
  meeting: 'Reunión',
  when: 'Cuándo',
  organizer: 'Con',
  guest: 'Invitado',
  phone: 'Teléfono',
  note: 'Nota',
  join: 'Unirse a la videollamada',
  manage: 'Cambiar o cancelar la reunión',
  reschedule: 'Cambiar la hora',
  cancel: 'Cancelar la reunión',
  reason: 'Motivo',
  yes: 'Sí',
  no: 'No',
}

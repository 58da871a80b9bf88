import type { BookingTexts } from './booking-wording.ts'

export const ru: BookingTexts = {
  subject: { confirmed: 'Подтверждено', rescheduled: 'Новое время', cancelled: 'Отменено' },
  toGuest: {
    confirmed: 'Ваша встреча забронирована.',
    rescheduled: 'У вашей встречи новое время.',
    cancelled: 'Ваша встреча отменена.',
  },
  toOrganizer: {
    confirmed: 'Гость забронировал встречу с вами.',
    rescheduled: 'У встречи с гостем новое время.',
    cancelled: 'Встреча с гостем отменена.',
  },
  meeting: 'Встреча',
  when: 'Когда',
  organizer: 'С кем',
  guest: 'Гость',
  phone: 'Телефон',
  note: 'Примечание',
  join: 'Подключиться к видеозвонку',
  manage: 'Перенести или отменить встречу',
  reschedule: 'Перенести',
  cancel: 'Отменить встречу',
  reason: 'Причина',
  yes: 'Да',
  no: 'Нет',
}

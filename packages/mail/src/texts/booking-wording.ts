/** The kinds of change of a booking. */
export type BookingChange = 'confirmed' | 'rescheduled' | 'cancelled'

/** All texts of booking mails in one language. */
export interface BookingTexts {
  /** The beginning of the subject; the name of the booking link and the time follow. */
  readonly subject: Readonly<Record<BookingChange, string>>
  /** The first sentence to the guest. */
  readonly toGuest: Readonly<Record<BookingChange, string>>
  /** The first sentence to the organizer. */
  readonly toOrganizer: Readonly<Record<BookingChange, string>>
  readonly meeting: string
  readonly when: string
  readonly organizer: string
  readonly guest: string
  readonly phone: string
  readonly note: string
  readonly join: string
  readonly manage: string
  readonly reschedule: string
  readonly cancel: string
  /** The reason of a cancellation. */
  readonly reason: string
  readonly yes: string
  readonly no: string
}

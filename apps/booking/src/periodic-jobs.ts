import type { PeriodicJob } from '@crm/jobs'
import { sendDueMails } from './bookings/send-due-mails.ts'
import { sweep } from './bookings/sweeper.ts'
import { readCalendars } from './calendars/read-calendars.ts'
import type { BookingDeps } from './deps.ts'

const everyMs = 15_000

/** The periodic jobs of the booking service. */
export function periodicJobs(deps: BookingDeps): readonly PeriodicJob[] {
  return [
    { name: 'abandoned-bookings', everyMs, perform: () => sweep(deps) },
    { name: 'due-mails', everyMs, sends: true, perform: () => sendDueMails(deps) },
    { name: 'calendars', everyMs, perform: () => readCalendars(deps) },
  ]
}

import type { PeriodicJob, RoundDeps } from '@crm/jobs'
import { dueMailsRoundMs, sendDueMails } from './bookings/send-due-mails.ts'
import { sweep, sweepRoundMs } from './bookings/sweeper.ts'
import { movedTimesRoundMs, tellMovedTimes } from './bookings/tell-moved-times.ts'
import { readCalendars, readRoundMs } from './calendars/read-calendars.ts'
import type { BookingDeps } from './platform/deps.ts'

/** The periodic jobs of the booking service. */
export function periodicJobs(deps: BookingDeps & RoundDeps): readonly PeriodicJob[] {
  return [
    { name: 'abandoned-bookings', everyMs: sweepRoundMs, perform: (signal) => sweep({ ...deps, signal }) },
    {
      name: 'due-mails',
      everyMs: dueMailsRoundMs,
      sends: true,
      perform: (signal) => sendDueMails({ ...deps, signal }),
    },
    { name: 'moved-times', everyMs: movedTimesRoundMs, perform: (signal) => tellMovedTimes({ ...deps, signal }) },
    { name: 'calendars', everyMs: readRoundMs, perform: (signal) => readCalendars({ ...deps, signal }) },
  ]
}

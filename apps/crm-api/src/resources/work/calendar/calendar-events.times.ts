import type { CalendarEventInput, CalendarEventPatch } from '@crm/contract'
import { invalidField } from '@crm/errors'

/** The stored times of an event: an all-day event has its dates, and their midnights in UTC as times. */
export interface EventTimes {
  readonly startAt: string
  readonly endAt: string
  readonly allDay: boolean
  readonly startDate: string | null
  readonly endDate: string | null
}

const dayMs = 86_400_000

/** Returns the times of an event from the sent fields and, for a change, from the earlier times; or refuses them. */
export function planTimes(sent: CalendarEventInput | CalendarEventPatch, current?: EventTimes): EventTimes {
  const allDay = sent.allDay ?? current?.allDay ?? false
  // The fields of the other kind of event do not carry over.
  const before = current?.allDay === allDay ? current : undefined
  return allDay ? planDays(sent, before) : planClockTimes(sent, before)
}

function planDays(sent: CalendarEventPatch, before: EventTimes | undefined): EventTimes {
  if (sent.startAt !== undefined || sent.endAt !== undefined)
    throw invalidField(sent.startAt === undefined ? 'endAt' : 'startAt', 'An all-day event has startDate and endDate')
  const startDate = sent.startDate ?? before?.startDate
  if (!startDate) throw invalidField('startDate', 'An all-day event needs its first day')
  const endDate = sent.endDate ?? before?.endDate ?? startDate
  if (endDate < startDate) throw invalidField('endDate', 'The last day is before the first')
  requireYear('startDate', startDate)
  requireYear('endDate', endDate)
  const startAt = new Date(`${startDate}T00:00:00Z`).toISOString()
  const endAt = new Date(Date.parse(`${endDate}T00:00:00Z`) + dayMs).toISOString()
  return { startAt, endAt, allDay: true, startDate, endDate }
}

function planClockTimes(sent: CalendarEventPatch, before: EventTimes | undefined): EventTimes {
  if (sent.startDate !== undefined || sent.endDate !== undefined)
    throw invalidField(sent.startDate === undefined ? 'endDate' : 'startDate', 'Only an all-day event has dates')
  const startAt = sent.startAt ? new Date(sent.startAt).toISOString() : before?.startAt
  const endAt = sent.endAt ? new Date(sent.endAt).toISOString() : before?.endAt
  if (!startAt) throw invalidField('startAt', 'An event needs its start')
  if (!endAt) throw invalidField('endAt', 'An event needs its end')
  if (endAt <= startAt) throw invalidField('endAt', 'The end is not after the start')
  requireYear('startAt', startAt)
  requireYear('endAt', endAt)
  return { startAt, endAt, allDay: false, startDate: null, endDate: null }
}

function requireYear(field: string, date: string): void {
  if (date < '1970' || date >= '3000') throw invalidField(field, 'Expected a year from 1970 to 2999')
}

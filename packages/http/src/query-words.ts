import { boundOfDay, dayOf, isDayParam, isPersonFilter, rangeBound, type Calendar } from '@crm/contract'
import type { z } from 'zod'

/** The caller of a query, and the calendar of days in it. */
export interface Asker {
  readonly calendar: Calendar
  readonly employeeId: string | undefined
}

/** The parameter for the zone of filters: that of a summary, whose `timezone` is the zone of its buckets, else that of a list. */
const zoneParams = ['filterTimezone', 'timezone'] as const

/**
 * Replaces the words of a query by their meaning for the caller: a day by the whole day in a range of time, elsewhere by the date, both
 * in the calendar, and in the zone that the query names; `me` by the caller.
 */
export function withWordsOf(query: z.ZodObject, params: unknown, asker: Asker): unknown {
  if (typeof params !== 'object' || params === null) return params
  const param = zoneParams.find((name) => name in query.shape) ?? ''
  const zone = query.shape[param]?.safeParse((params as Readonly<Record<string, unknown>>)[param]).data
  const calendar = typeof zone === 'string' ? { ...asker.calendar, timezone: zone } : asker.calendar
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? meaningOf(query.shape[name], value, { ...asker, calendar }) : value,
    ]),
  )
}

function meaningOf(param: z.core.$ZodType | undefined, value: string, { calendar, employeeId }: Asker): string {
  const bound = rangeBound(param)
  if (bound) return boundOfDay(value, bound, calendar)
  if (isDayParam(param)) return dayOf(value, calendar) ?? value
  if (employeeId === undefined || !isPersonFilter(param)) return value
  return value
    .split(',')
    .map((part) => (part.trim() === 'me' ? employeeId : part))
    .join(',')
}

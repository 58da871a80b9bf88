import { boundOfDay, dayOf, isDayParam, isPersonFilter, rangeBound, type Calendar } from '@crm/contract'
import type { z } from 'zod'

/** Who asks, and in which calendar days are meant. */
export interface Asker {
  readonly calendar: Calendar
  readonly employeeId: string | undefined
}

/**
 * The parameters of a query with its words as the asker means them: a day as the whole of it in a range of time, elsewhere as the date, both
 * in the calendar; `me` as the asker.
 */
export function withWordsOf(query: z.ZodObject, params: unknown, asker: Asker): unknown {
  if (typeof params !== 'object' || params === null) return params
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? meaningOf(query.shape[name], value, asker) : value,
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

import { boundOfDay, dayOf, isDayParam, rangeBound } from '@crm/contract'
import type { z } from 'zod'

/** The parameters of a query with its days as the workspace means them: in a range of time the whole day, elsewhere the date, both in its zone. */
export function withDaysOf(query: z.ZodObject, params: unknown, timezone: string): unknown {
  if (typeof params !== 'object' || params === null) return params
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? withDay(query.shape[name], value, timezone) : value]))
}

function withDay(param: z.core.$ZodType | undefined, value: string, timezone: string): string {
  const bound = rangeBound(param)
  if (bound) return boundOfDay(value, bound, timezone)
  return isDayParam(param) ? (dayOf(value, timezone) ?? value) : value
}

import { rangeBound } from '@crm/contract'
import type { z } from 'zod'

const dateOnly = /^\d{4}-\d{2}-\d{2}$/

/** The first or last moment of a day in a zone, ISO 8601; anything but a date that exists stays as it is. */
export function boundOfDay(value: string, bound: 'from' | 'to', timezone: string): string {
  if (!dateOnly.test(value)) return value
  try {
    const day = Temporal.PlainDate.from(value)
    const start = (of: Temporal.PlainDate): number => of.toZonedDateTime(timezone).epochMilliseconds
    return new Date(bound === 'from' ? start(day) : start(day.add({ days: 1 })) - 1).toISOString()
  } catch {
    return value
  }
}

/** The parameters of a query with its days as moments: a date in a range means the whole day in the zone of the workspace. */
export function withDaysOf(query: z.ZodObject, params: unknown, timezone: string): unknown {
  if (typeof params !== 'object' || params === null) return params
  const entries = Object.entries(params).map(([name, value]): [string, unknown] => {
    const bound = typeof value === 'string' ? rangeBound(query.shape[name]) : undefined
    return [name, bound ? boundOfDay(value as string, bound, timezone) : value]
  })
  return Object.fromEntries(entries)
}

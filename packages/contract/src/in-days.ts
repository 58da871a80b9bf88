import { fieldOf } from '@crm/model'
import { Temporal } from 'temporal-polyfill'

/** The moment at which a step runs, and the zone of its workspace. */
export interface StepClock {
  /** In milliseconds since 1970. */
  readonly at: number
  /** IANA zone. */
  readonly timezone: string
}

/** The most days ahead that a step can name. */
export const inDaysMax = 3_650

/** The hour at which something is due of which only the day is known, and the end of a day. */
const [usualTime, lastTime] = ['17:00', '23:59'] as const

/**
 * Returns the values of a step with every `{ inDays: 2 }` as a date or a moment, by the type of its field: days count from the day on
 * which the step runs, in the zone of the workspace. A moment is 17:00 of its day, or 23:59 where that is over by then. What is no such value, or belongs to no day,
 * stays for the API to judge.
 */
export function withDaysAhead<Value>(
  entityType: string,
  values: Readonly<Record<string, Value>>,
  clock: StepClock,
): Readonly<Record<string, Value | string>> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, dayAhead(entityType, key, daysOf(value), clock) ?? value]),
  )
}

function dayAhead(
  entityType: string,
  key: string,
  days: number | undefined,
  { at, timezone }: StepClock,
): string | undefined {
  if (days === undefined) return undefined
  const now = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone)
  const day = now.toPlainDate().add({ days })
  const type = fieldOf(entityType, key)?.type
  if (type === 'day') return day.toString()
  if (type !== 'instant') return undefined
  const usual = day.toZonedDateTime({ timeZone: timezone, plainTime: usualTime })
  const due = usual.epochMilliseconds > at ? usual : day.toZonedDateTime({ timeZone: timezone, plainTime: lastTime })
  return due.toInstant().toString({ fractionalSecondDigits: 3 })
}

/** Returns the number of days ahead that a value names; undefined for any other value. */
export function daysOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).join(',') !== 'inDays') return undefined
  const { inDays } = value as { readonly inDays: unknown }
  return Number.isInteger(inDays) && Number(inDays) >= 0 && Number(inDays) <= inDaysMax ? Number(inDays) : undefined
}

import { t } from './texts.ts'

/** Hours of a day in local time. An end before the start is on the next day; an end equal to the start is invalid. */
export interface Hours {
  readonly start: string
  readonly end: string
}

export interface WeeklyHours extends Hours {
  /** 0 = Sunday. */
  readonly day: number
}

export interface DateOverride {
  readonly date: string
  readonly hours: readonly Hours[]
}

/** The days in the order of the working week. */
export const weekDays = [
  { day: 1, name: t('Monday') },
  { day: 2, name: t('Tuesday') },
  { day: 3, name: t('Wednesday') },
  { day: 4, name: t('Thursday') },
  { day: 5, name: t('Friday') },
  { day: 6, name: t('Saturday') },
  { day: 0, name: t('Sunday') },
] as const

/** The initial hours where there are none yet. */
export const usualHours: Hours = { start: '09:00', end: '17:00' }

/** Returns the hours of one weekday, in order. */
export function hoursOf(weekly: readonly WeeklyHours[], day: number): Hours[] {
  return weekly
    .filter((hours) => hours.day === day)
    .map(({ start, end }) => ({ start, end }))
    .toSorted(byStart)
}

/** Returns the week with other hours on one of its days. */
export function withHours(weekly: readonly WeeklyHours[], day: number, hours: readonly Hours[]): WeeklyHours[] {
  return [...weekly.filter((other) => other.day !== day), ...hours.map((one) => ({ day, ...one }))]
}

/** Returns the week with the hours of one day on all days from Monday to Friday. */
export function onAllWorkdays(weekly: readonly WeeklyHours[], day: number): WeeklyHours[] {
  const hours = hoursOf(weekly, day)
  return [1, 2, 3, 4, 5].reduce((week, workday) => withHours(week, workday, hours), [...weekly])
}

/** Returns the reason why hours cannot be saved; null when they can. */
export function problemOf({ start, end }: Hours): string | null {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(start)) return t('Write the time as 09:00')
  if (!/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(end)) return t('Write the time as 17:00, at most 24:00')
  return start === end ? t('Start and end are the same') : null
}

/** Whether hours run into the next day. */
export function isOvernight({ start, end }: Hours): boolean {
  return problemOf({ start, end }) === null && end < start
}

/** Describes a week in a few words: `Mon–Fri 09:00–17:00`. */
export function describeWeek(weekly: readonly WeeklyHours[]): string {
  const days = weekDays.map(({ day, name }) => ({
    name: name.slice(0, 3),
    hours: hoursOf(weekly, day)
      .map(({ start, end }) => `${start}–${end}`)
      .join(', '),
  }))
  const runs: { first: string; last: string; hours: string }[] = []
  for (const { name, hours } of days) {
    const run = runs.at(-1)
    if (run?.hours === hours) run.last = name
    else runs.push({ first: name, last: name, hours })
  }
  const open = runs.filter(({ hours }) => hours !== '')
  return open.length === 0
    ? t('Closed')
    : open.map(({ first, last, hours }) => `${first === last ? first : `${first}–${last}`} ${hours}`).join('; ')
}

function byStart(a: Hours, b: Hours): number {
  return a.start < b.start ? -1 : 1
}

/** The ways to show a calendar. */
export const calendarViews = ['month', 'week', 'day', 'list'] as const
export type CalendarView = (typeof calendarViews)[number]

/** What the address of the calendar says. */
export interface CalendarSearch {
  readonly view?: CalendarView
  /** A day of the shown span, such as `2026-11-24`. */
  readonly date?: string
}

/** Reads the address of the calendar; invalid parts are ignored. */
export function readCalendarSearch({ view, date }: Readonly<Record<string, unknown>>): CalendarSearch {
  const known = calendarViews.find((one) => one === view)
  const isDay = typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date))
  return { ...(known ? { view: known } : {}), ...(isDay ? { date } : {}) }
}

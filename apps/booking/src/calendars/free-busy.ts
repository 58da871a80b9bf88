import ICAL from 'ical.js'
import type { ReadComponent } from './calendar-lines.ts'
import { timeOfPeriod } from './event-times.ts'
import type { Meeting, Reading } from './event-series.ts'

/**
 * Returns the busy times of a free-busy answer within the window. A kind of busy that nobody knows is busy (RFC 5545,
 * 3.2.9); times that are not named are free.
 */
export function busyTimes(
  { component, unread }: ReadComponent,
  { clock, window, leftOut, inPart }: Reading,
): Meeting[] {
  const named = component.getAllProperties('freebusy')
  if (unread.has('freebusy')) (named.length === 0 ? leftOut : inPart).add(component)
  const times = named
    .filter((property) => property.getFirstParameter('fbtype')?.toUpperCase() !== 'FREE')
    .flatMap((property) =>
      (property.getValues() as unknown[])
        .filter((value) => value instanceof ICAL.Period)
        .map((period) => timeOfPeriod(period, clock.zoneOf(property, period.start))),
    )
  if (times.includes(undefined)) inPart.add(component)
  return times
    .filter((time) => time !== undefined)
    .filter(({ startMs, endMs }) => endMs > startMs && startMs < window.untilMs && endMs > window.fromMs)
    .map((time) => ({ ...time, event: component }))
}

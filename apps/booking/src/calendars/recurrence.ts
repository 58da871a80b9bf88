import { RRuleTemporal } from 'rrule-temporal'
import type { RecurrenceRule } from './recurrence-rule.ts'

/** A part of time, [fromMs, untilMs). */
export interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

export interface RuleStart {
  /** The beginning by its own clock, as if that were UTC. */
  readonly clockMs: number
  /** Whether the beginning is an occurrence, even one that the rule itself leaves out. */
  readonly counts: boolean
}

/** The bounds of the library for one question; a rule that needs more is given up. */
const bounds = { maxIterations: 100_000, maxCandidateEvaluations: 200_000 }
/** A rule by days that names more times of one day is given up: they are looked for all at once. */
const timesOfDayMax = 96

/**
 * Yields the times of a rule within a span, by the clock of its beginning and earliest first. The end of the rule (UNTIL)
 * is not observed: it can be in UTC, which this clock does not know. Throws when the rule takes too long; `deadline` is on the clock of `performance`.
 */
export function* clockTimes(rule: RecurrenceRule, start: RuleStart, span: Span, deadline: number): Generator<number> {
  if (span.untilMs <= start.clockMs) return
  requireTime(deadline)
  const { until: _until, skip, count, ...parts } = rule
  const made = new RRuleTemporal({
    ...parts,
    ...dayOfWeek(rule, start.clockMs),
    ...bounds,
    ...(count === undefined ? {} : { count }),
    // A rule that never comes true would be followed without an end.
    until: inUtc(span.untilMs),
    ...(skip === 'OMIT' ? {} : { rscale: 'GREGORIAN', skip }),
    tzid: 'UTC',
    dtstart: inUtc(start.clockMs),
    includeDtstart: start.counts,
    cache: false,
  })
  const found =
    count !== undefined ? counted(made, span, deadline) : isFrequent(rule) ? one(made, span) : all(made, rule, span)
  for (const clockMs of found) {
    requireTime(deadline)
    if (clockMs >= span.untilMs) return
    if (clockMs >= span.fromMs) yield clockMs
  }
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** A week without a day is the day of the week on which the event begins; the library takes the day of a later year (findings/rrule-temporal-forgets-the-day-of-a-week.sh). */
function dayOfWeek({ byWeekNo, byDay, byMonthDay, byYearDay }: RecurrenceRule, clockMs: number): { byDay?: string[] } {
  const isOpen = byWeekNo && !byDay && !byMonthDay && !byYearDay
  return isOpen ? { byDay: [weekdays[new Date(clockMs).getUTCDay()] ?? ''] } : {}
}

/** Only the number of an occurrence says whether it is one, so a rule that counts is followed from its beginning. */
function counted(rule: RRuleTemporal, { fromMs, untilMs }: Span, deadline: number): number[] {
  const found: number[] = []
  rule.all(({ epochMilliseconds }) => {
    requireTime(deadline)
    if (epochMilliseconds >= fromMs) found.push(epochMilliseconds)
    return epochMilliseconds < untilMs
  })
  return found
}

/** One after the other, because all of them at once could be millions. */
function* one(rule: RRuleTemporal, { fromMs }: Span): Generator<number> {
  let at = rule.next(inUtc(fromMs), true)
  while (at) {
    yield at.epochMilliseconds
    at = rule.next(at, false)
  }
}

function all(rule: RRuleTemporal, parts: RecurrenceRule, { fromMs, untilMs }: Span): number[] {
  const perDay = [parts.byHour, parts.byMinute, parts.bySecond].reduce((product, by) => product * (by?.length ?? 1), 1)
  if (perDay > timesOfDayMax) throw new Error('The rule names too many times of a day')
  return rule.between(inUtc(fromMs), inUtc(untilMs), true).map(({ epochMilliseconds }) => epochMilliseconds)
}

function isFrequent({ freq }: RecurrenceRule): boolean {
  return freq === 'SECONDLY' || freq === 'MINUTELY' || freq === 'HOURLY'
}

function inUtc(ms: number) {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC')
}

function requireTime(deadline: number): void {
  if (performance.now() > deadline) throw new Error('The rule takes too long')
}

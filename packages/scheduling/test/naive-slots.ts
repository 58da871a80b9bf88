import type { LocalHours, SlotQuery } from '../src/index.ts'

/**
 * A second implementation of the rules, taken literally, with Temporal and without regard to speed:
 * the tests compare the real function with it. It shares no code with the real one.
 */
export function naiveSlots(query: SlotQuery): string[] {
  const from = Date.parse(query.from)
  const to = Date.parse(query.to)
  const duration = query.durationMin * 60_000
  const buffer = query.bufferMin * 60_000
  const earliest = Date.parse(query.now) + query.minNoticeMin * 60_000
  const windows = everyWindow(query, from, to + duration)
  const taken = query.busy.map(({ start, end }) => ({
    start: Date.parse(start) - buffer,
    end: Date.parse(end) + buffer,
  }))
  const free = (start: number) => {
    const end = start + duration
    if (start < from || start >= to || start < earliest) return false
    if (taken.some((busy) => busy.start < end && start < busy.end && busy.start < busy.end)) return false
    return covered(start, end, windows)
  }
  const starts = new Set<number>()
  for (const window of windows) {
    for (let start = window.start; start < window.end; start += duration) if (free(start)) starts.add(start)
  }
  return [...starts].sort((a, b) => a - b).map((start) => new Date(start).toISOString())
}

type Window = { start: number; end: number }

function covered(start: number, end: number, windows: Window[]): boolean {
  let reached = start
  for (let grew = true; grew && reached < end;) {
    grew = false
    for (const window of windows) {
      if (window.start <= reached && reached < window.end) {
        reached = window.end
        grew = true
      }
    }
  }
  return reached >= end
}

function everyWindow(query: SlotQuery, from: number, to: number): Window[] {
  const windows: Window[] = []
  const last = localDate(to, query.timezone).add({ days: 3 })
  for (
    let date = localDate(from, query.timezone).subtract({ days: 4 });
    Temporal.PlainDate.compare(date, last) <= 0;
    date = date.add({ days: 1 })
  ) {
    if (!date.toZonedDateTime(query.timezone).toPlainDate().equals(date)) continue
    for (const minutes of mergedMinutes(hoursOn(query, date))) {
      const start = instant(date, minutes.start, query.timezone)
      const end = instant(date, minutes.end, query.timezone)
      if (start < end) windows.push({ start, end })
    }
  }
  return windows
}

function hoursOn({ dateOverrides = [], weeklyHours }: SlotQuery, date: Temporal.PlainDate): LocalHours[] {
  const overrides = dateOverrides.filter((override) => override.date === date.toString())
  if (overrides.length > 0) return overrides.flatMap(({ hours }) => hours)
  return weeklyHours.filter(({ day }) => day === date.dayOfWeek % 7)
}

/** Marks the open minutes and returns the marked periods; a mark between minutes keeps two touching rules together. */
function mergedMinutes(hours: LocalHours[]): Window[] {
  const open = Array.from({ length: 2 * 1440 + 1 }, () => false)
  for (const { start, end } of hours) {
    const first = minute(start)
    const last = minute(end) < first ? minute(end) + 1440 : minute(end)
    for (let at = first; at < last; at++) open[at] = true
  }
  const stretches: Window[] = []
  for (let at = 0; at < open.length; at++) {
    if (open[at] && !open[at - 1]) stretches.push({ start: at, end: at })
    if (open[at]) stretches.at(-1)!.end = at + 1
  }
  return stretches
}

function minute(text: string): number {
  const [hour, minute] = text.split(':').map(Number)
  return hour! * 60 + minute!
}

function instant(date: Temporal.PlainDate, minutes: number, timezone: string): number {
  const local = date.toPlainDateTime().add({ minutes })
  return local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds
}

function localDate(ms: number, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDate()
}

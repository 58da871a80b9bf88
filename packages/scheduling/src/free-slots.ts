import type { Interval } from './interval.ts'
import type { WorkingHours } from './working-hours.ts'
import { formatInstant, formatInstants, MINUTE_MS, parseInstant } from './instant.ts'
import { subtract, union } from './interval.ts'
import { workingWindows } from './working-hours.ts'

/** A period in which the organizer cannot be booked, [start, end), both ISO 8601 UTC. */
export type BusyTime = { start: string; end: string }

/** All rules that decide whether a time is free; `now` is ISO 8601 UTC, numbers ending in Min are minutes. */
export type SlotRules = WorkingHours & {
  durationMin: number
  bufferMin: number
  minNoticeMin: number
  now: string
  busy: BusyTime[]
}

/** The rules and the requested window: slots with from ≤ start < to, both ISO 8601 UTC. */
export type SlotQuery = SlotRules & { from: string; to: string }

/**
 * Returns the start times of the free slots, ISO 8601 UTC with milliseconds, in order and without repeats.
 * Throws a RangeError for a meaningless rule: an unknown zone, a time without `Z`, a busy time that ends before it starts.
 */
export function freeSlots(query: SlotQuery): string[] {
  const duration = minutes(query.durationMin, 1)
  const notice = minutes(query.minNoticeMin, 0)
  const to = parseInstant(query.to)
  const earliest = Math.max(parseInstant(query.from), parseInstant(query.now) + notice)
  const taken = takenTimes(query)
  if (earliest >= to) return []
  const windows = workingWindows(query, earliest, to + duration)
  return formatInstants(slotsOnGrid(windows, subtract(union(windows), taken), duration, earliest, to))
}

/** Whether a meeting may start at exactly this time: `freeSlots` for one millisecond. */
export function isFree(rules: SlotRules, start: string): boolean {
  return freeSlots({ ...rules, from: start, to: formatInstant(parseInstant(start) + 1) }).length === 1
}

function takenTimes({ busy, bufferMin }: SlotRules): Interval[] {
  const buffer = minutes(bufferMin, 0)
  const widened: Interval[] = []
  for (const time of busy) {
    const start = parseInstant(time.start)
    const end = parseInstant(time.end)
    if (end < start) throw new RangeError(`a busy time ends before it starts: ${time.start} to ${time.end}`)
    if (start - buffer < end + buffer) widened.push({ start: start - buffer, end: end + buffer })
  }
  return union(widened)
}

/** Every window has a grid of its own, counted from its start in elapsed time; busy times only remove points of it. */
function slotsOnGrid(windows: Interval[], free: Interval[], duration: number, earliest: number, to: number): number[] {
  const slots = new Set<number>()
  let cursor = 0
  for (const window of windows.toSorted((a, b) => a.start - b.start)) {
    while (cursor < free.length && free[cursor]!.end <= window.start) cursor++
    const end = Math.min(window.end, to)
    for (let i = cursor; i < free.length && free[i]!.start < end; i++) {
      const from = Math.max(free[i]!.start, window.start, earliest)
      const steps = Math.ceil((from - window.start) / duration)
      for (
        let start = window.start + steps * duration;
        start < end && start + duration <= free[i]!.end;
        start += duration
      )
        slots.add(start)
    }
  }
  return [...slots].sort((a, b) => a - b)
}

function minutes(value: number, min: number): number {
  if (!Number.isInteger(value) || value < min) throw new RangeError(`not a number of minutes: ${value}`)
  return value * MINUTE_MS
}

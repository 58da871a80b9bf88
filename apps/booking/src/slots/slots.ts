import type { Executor } from '@crm/db'
import { freeSlots, isFree, type SlotRules } from '@crm/scheduling'
import type { Clock } from '@crm/runtime'
import type { Link } from '../links/links.repository.ts'
import { readBusyTimes } from './busy-times.ts'

/** The minimum of minutes between now and the beginning of a meeting (docs/guide/limits.md). */
const minNoticeMin = 60

const minuteMs = 60_000

/** A question about the free time of a link's organizer. */
interface Question {
  readonly workspaceId: string
  readonly link: Link
  readonly clock: Clock
  readonly exceptBookingId?: string | undefined
}

/** Returns the start times of free slots with from ≤ start < to. */
export async function listFreeSlots(db: Executor, question: Question, from: string, to: string): Promise<string[]> {
  const now = question.clock.now().toISOString()
  const earliest = from > now ? from : now
  if (earliest >= to) return []
  return freeSlots({ ...(await readRules(db, question, earliest, to)), from: earliest, to })
}

/** Whether a meeting may begin at exactly this time; call it under the organizer's lock before the time is taken. */
export async function isSlotFree(db: Executor, question: Question, startAt: string): Promise<boolean> {
  return isFree(await readRules(db, question, startAt, startAt), startAt)
}

/** Returns the link's rules with everything that can block a meeting that begins between two times. */
async function readRules(db: Executor, question: Question, from: string, to: string): Promise<SlotRules> {
  const { workspaceId, link, clock, exceptBookingId } = question
  const { timezone, durationMin, bufferMin, weeklyHours, dateOverrides } = link
  const busy = await readBusyTimes(db, {
    workspaceId,
    organizerId: link.organizerId,
    timezone,
    from: shift(from, -bufferMin),
    to: shift(to, durationMin + bufferMin),
    exceptBookingId,
  })
  const overrides = dateOverrides.map(({ date, hours }) => ({ date, hours: [...hours] }))
  // The clock is read now, because the query may have waited for the organizer's lock.
  return {
    timezone,
    weeklyHours: [...weeklyHours],
    dateOverrides: overrides,
    durationMin,
    bufferMin,
    minNoticeMin,
    now: clock.now().toISOString(),
    busy,
  }
}

function shift(instant: string, byMin: number): string {
  return new Date(Date.parse(instant) + byMin * minuteMs).toISOString()
}

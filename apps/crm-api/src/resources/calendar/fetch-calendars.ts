import { inTransaction, schema } from '@crm/db'
import { DELIVERY_ERRORS, type Egress } from '@crm/egress'
import { and, asc, eq, lte } from 'drizzle-orm'
import type { CrmApiDeps } from '../../platform/deps.ts'

const { calendarSubscriptions: table } = schema

/** What a calendar may weigh; `answerBytesMax` of the egress that fetches it. */
export const calendarBytesMax = 4 * 1024 * 1024

const fetchEveryMs = 15 * 60_000
const pauseMsMax = 24 * 3_600_000
const fetchedAtOnce = 10
/** Answers that end too early are often mishaps; after so many failures in a row they are all there is. */
const failuresBeforePart = 3

const mebibytes = calendarBytesMax / 1024 / 1024
const noCalendar = `What is at this address is no calendar, or one of more than ${mebibytes} MB.`
const endsEarly = `The calendar at this address ends too early, or has more than ${mebibytes} MB.`

type Fetcher = Pick<CrmApiDeps, 'db' | 'clock'> & { readonly egress: Pick<Egress, 'send'> }
type Due = Pick<typeof table.$inferSelect, 'workspaceId' | 'id' | 'url' | 'failures' | 'content' | 'revision'>

/** Fetches the subscribed calendars whose time has come; the booking service reads what is new. Gives how many were asked for. */
export async function fetchCalendars(deps: Fetcher): Promise<number> {
  const due = await claimDue(deps)
  await Promise.all(due.map((subscription) => fetchOne(deps, subscription)))
  return due.length
}

/** Takes subscriptions by moving their next fetch on, so that no other process fetches them too, and a crash only delays. */
async function claimDue({ db, clock }: Fetcher): Promise<Due[]> {
  const now = clock.now()
  return inTransaction(db, undefined, async (tx) => {
    const due = await tx
      .select({
        workspaceId: table.workspaceId,
        id: table.id,
        url: table.url,
        failures: table.failures,
        content: table.content,
        revision: table.revision,
      })
      .from(table)
      .where(lte(table.nextFetchAt, now.toISOString()))
      .orderBy(asc(table.nextFetchAt))
      .limit(fetchedAtOnce)
      .for('update', { skipLocked: true })
    for (const one of due)
      await tx
        .update(table)
        .set({ nextFetchAt: later(now, pauseMs(one.failures)) })
        .where(isIt(one))
    return due
  })
}

async function fetchOne({ db, clock, egress }: Fetcher, subscription: Due): Promise<void> {
  const { ok, error, responseBody } = await egress.send({
    url: subscription.url,
    method: 'GET',
    headers: { accept: 'text/calendar' },
  })
  const content = withoutStamps(responseBody)
  const problem = ok ? problemOf(content, subscription) : (error ?? DELIVERY_ERRORS.failed)
  const now = clock.now()
  // Whoever changed the address meanwhile waits for what is there.
  const isSame = and(isIt(subscription), eq(table.url, subscription.url))
  if (problem !== null) {
    const failures = subscription.failures + 1
    await db
      .update(table)
      .set({ failures, problem, nextFetchAt: later(now, pauseMs(failures)) })
      .where(isSame)
    return
  }
  // After a failure the same content is read once more, too: what its reader had to say about it was written over.
  const isNew = content !== subscription.content || subscription.failures > 0
  await db
    .update(table)
    .set({
      failures: 0,
      fetchedAt: now.toISOString(),
      ...(isNew ? { content, revision: subscription.revision + 1, problem: null } : {}),
    })
    .where(isSame)
}

/** Many servers stamp every event anew with each answer; without stamps, the same calendar is the same text. */
function withoutStamps(text: string): string {
  return text.replaceAll(/^DTSTAMP[;:].*\r?\n/gm, '')
}

/** Why an answer is not taken; null when it is. The beginning of a calendar is better than nothing, and worse than the whole one that is there. */
function problemOf(answer: string, { content, failures }: Due): string | null {
  if (isWhole(answer)) return null
  if (!hasEvent(answer)) return noCalendar
  const isAllThereIs = content === null || !isWhole(content) || failures >= failuresBeforePart
  return isAllThereIs ? null : endsEarly
}

/** Whether the last calendar of a text has its end, whatever stands around it. */
function isWhole(text: string): boolean {
  const capitals = text.toUpperCase()
  const begun = capitals.lastIndexOf('BEGIN:VCALENDAR')
  return begun !== -1 && capitals.includes('END:VCALENDAR', begun)
}

/** Whether a text is a calendar with one event at least, whatever follows. */
function hasEvent(text: string): boolean {
  const capitals = text.toUpperCase()
  const begun = capitals.indexOf('BEGIN:VCALENDAR')
  return begun !== -1 && capitals.includes('END:VEVENT', begun)
}

function isIt({ workspaceId, id }: Due) {
  return and(eq(table.workspaceId, workspaceId), eq(table.id, id))
}

/** A quarter of an hour, twice as long after each failure, at most a day. */
function pauseMs(failures: number): number {
  return Math.min(fetchEveryMs * 2 ** failures, pauseMsMax)
}

function later(now: Date, byMs: number): string {
  return new Date(now.getTime() + byMs).toISOString()
}

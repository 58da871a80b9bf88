import { inTransaction, schema } from '@crm/db'
import { DELIVERY_ERRORS, type Delivered, type Egress } from '@crm/egress'
import { calendarUrl, openOncePlain, SecretUnreadableError } from '@crm/secrets'
import { and, asc, eq, lte } from 'drizzle-orm'
import type { CrmApiDeps } from '../../platform/deps.ts'

const { calendarSubscriptions: table } = schema

/** The maximum size of a calendar in bytes; `answerBytesMax` of the egress that fetches it. */
export const calendarBytesMax = 4 * 1024 * 1024

const fetchEveryMs = 15 * 60_000
const pauseMsMax = 24 * 3_600_000
const fetchedAtOnce = 10
/** A truncated answer is often an accident; after so many failures in a row it is taken as the full answer. */
const failuresBeforePart = 3

const mebibytes = calendarBytesMax / 1024 / 1024
const noCalendar = `What is at this address is no calendar, or one of more than ${mebibytes} MB.`
const endsEarly = `The calendar at this address ends too early, or has more than ${mebibytes} MB.`

/** The problem of a subscription whose address cannot be opened. */
export const unreadableUrl = 'The address of this calendar cannot be read. Give it anew.'

type Fetcher = Pick<CrmApiDeps, 'db' | 'clock' | 'secrets'> & { readonly egress: Pick<Egress, 'send'> }
type Due = Pick<typeof table.$inferSelect, 'workspaceId' | 'id' | 'url' | 'failures' | 'content' | 'revision'>

/** Fetches the subscribed calendars that are due; the booking service reads the new content. Returns the number of requested calendars. */
export async function fetchCalendars(deps: Fetcher): Promise<number> {
  const due = await claimDue(deps)
  await Promise.all(due.map((subscription) => fetchOne(deps, subscription)))
  return due.length
}

/** Claims subscriptions by a later time of their next fetch, so that no other process fetches them too, and a crash only delays. */
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

async function fetchOne(fetcher: Fetcher, subscription: Due): Promise<void> {
  const { db, clock } = fetcher
  const { ok, error, responseBody } = await ask(fetcher, subscription)
  const content = withoutStamps(responseBody)
  const problem = ok ? problemOf(content, subscription) : (error ?? DELIVERY_ERRORS.failed)
  const now = clock.now()
  // When the address changed meanwhile, this content is not the content of the new address.
  const isSame = and(isIt(subscription), eq(table.url, subscription.url))
  if (problem !== null) {
    const failures = subscription.failures + 1
    await db
      .update(table)
      .set({ failures, problem, nextFetchAt: later(now, pauseMs(failures)) })
      .where(isSame)
    return
  }
  // After a failure the same content is read once more: the failure has overwritten the message of its reader.
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

async function ask(
  { db, secrets, egress }: Fetcher,
  { workspaceId, id, url: stored }: Due,
): Promise<Pick<Delivered, 'ok' | 'error' | 'responseBody'>> {
  try {
    const url = await openOncePlain(secrets, db, calendarUrl(workspaceId, id), stored)
    return await egress.send({ url, method: 'GET', headers: { accept: 'text/calendar' } })
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error
    return { ok: false, error: unreadableUrl, responseBody: '' }
  }
}

/**
 * Returns a calendar without timestamps. Many servers stamp every event again in each answer; without stamps an unchanged
 * calendar is the same text.
 */
function withoutStamps(text: string): string {
  return text.replaceAll(/^DTSTAMP[;:].*\r?\n/gm, '')
}

/**
 * Returns why an answer is not accepted, or null. The beginning of a calendar is better than nothing, and worse than an
 * earlier complete one.
 */
function problemOf(answer: string, { content, failures }: Due): string | null {
  if (isWhole(answer)) return null
  if (!hasEvent(answer)) return noCalendar
  const isAllThereIs = content === null || !isWhole(content) || failures >= failuresBeforePart
  return isAllThereIs ? null : endsEarly
}

/** Whether the last calendar of a text is complete, regardless of the text around it. */
function isWhole(text: string): boolean {
  const capitals = text.toUpperCase()
  const begun = capitals.lastIndexOf('BEGIN:VCALENDAR')
  return begun !== -1 && capitals.includes('END:VCALENDAR', begun)
}

/** Whether a text is a calendar with at least one event, regardless of the rest. */
function hasEvent(text: string): boolean {
  const capitals = text.toUpperCase()
  const begun = capitals.indexOf('BEGIN:VCALENDAR')
  return begun !== -1 && capitals.includes('END:VEVENT', begun)
}

function isIt({ workspaceId, id }: Due) {
  return and(eq(table.workspaceId, workspaceId), eq(table.id, id))
}

/** Returns the pause before the next fetch: a quarter of an hour, doubled after each failure, at most a day. */
function pauseMs(failures: number): number {
  return Math.min(fetchEveryMs * 2 ** failures, pauseMsMax)
}

function later(now: Date, byMs: number): string {
  return new Date(now.getTime() + byMs).toISOString()
}

import { schema } from '@crm/db'
import { DELIVERY_ERRORS, type Delivered, type Egress } from '@crm/egress'
import { doDueWork, isNotPutOff, type DueWork, type RoundDeps } from '@crm/jobs'
import { calendarUrl, openOncePlain, sealOncePlain, SecretUnreadableError } from '@crm/secrets'
import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { CrmApiDeps } from '../../../platform/deps.ts'

const { calendarSubscriptions: table } = schema

/** The maximum size of a calendar in bytes; `answerBytesMax` of the egress that fetches it. */
export const calendarBytesMax = 4 * 1024 * 1024

const fetchEveryMs = 15 * 60_000
const pauseMsMax = 24 * 3_600_000
/** The receivers that are asked at once, so that one that hangs delays nobody. */
const fetchedAtOnce = 20
const foundAtOnce = 200
/** How often an address may lead on to another one. */
const redirectsMax = 5
/** A truncated answer is often an accident; after so many failures in a row it is taken as the full answer. */
const failuresBeforePart = 3

const mebibytes = calendarBytesMax / 1024 / 1024
const noCalendar = `What is at this address is no calendar, or one of more than ${mebibytes} MB.`
const endsEarly = `The calendar at this address ends too early, or has more than ${mebibytes} MB.`

/** The problem of a subscription whose address cannot be opened. */
export const unreadableUrl = 'The address of this calendar cannot be read. Give it anew.'

/** How often due calendars are looked for. */
export const fetchRoundMs = 15_000
const work = 'fetch-calendars'

type Fetcher = RoundDeps & Pick<CrmApiDeps, 'secrets'> & { readonly egress: Pick<Egress, 'send'> }
type Key = Pick<typeof table.$inferSelect, 'workspaceId' | 'id'>
type Due = Pick<typeof table.$inferSelect, 'workspaceId' | 'id' | 'url' | 'failures' | 'content' | 'revision'>

/** Fetches the subscribed calendars that are due; the booking service reads the new content. Returns the number of requested calendars. */
export async function fetchCalendars(fetcher: Fetcher): Promise<number> {
  let requested = 0
  const fetches: DueWork<Key> = {
    name: work,
    everyMs: fetchRoundMs,
    batch: foundAtOnce,
    atOnce: fetchedAtOnce,
    find: (at, limit) =>
      fetcher.db
        .select({ workspaceId: table.workspaceId, id: table.id })
        .from(table)
        .where(
          and(lte(table.nextFetchAt, at), isNotPutOff(work, { workspaceId: table.workspaceId, row: table.id }, at)),
        )
        .orderBy(asc(table.nextFetchAt))
        .limit(limit),
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: async ([key]) => {
      const due = key && (await claim(fetcher, key))
      if (!due) return
      requested += 1
      await fetchOne(fetcher, due)
    },
  }
  await doDueWork(fetcher, fetches)
  return requested
}

/** Claims a subscription by a later time of its next fetch, so that no other process fetches it too, and a crash only delays. */
async function claim({ db, clock }: Fetcher, key: Key): Promise<Due | undefined> {
  const now = clock.now()
  const pauseS = sql`least(${fetchEveryMs / 1_000} * 2 ^ least(${table.failures}, 20), ${pauseMsMax / 1_000})`
  const [due] = await db
    .update(table)
    // Seconds, since a distributed database refuses a sum of a time and what a row has: it depends on the time zone of a session.
    .set({ nextFetchAt: sql`to_timestamp(${now.getTime() / 1_000}::float8 + ${pauseS})` })
    .where(and(isIt(key), lte(table.nextFetchAt, now.toISOString())))
    .returning({
      workspaceId: table.workspaceId,
      id: table.id,
      url: table.url,
      failures: table.failures,
      content: table.content,
      revision: table.revision,
    })
  return due
}

async function fetchOne(fetcher: Fetcher, subscription: Due): Promise<void> {
  const { db, clock } = fetcher
  const { ok, error, responseBody, movedTo } = await ask(fetcher, subscription)
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
  const moved = movedTo === undefined ? {} : { url: await seal(fetcher, subscription, movedTo) }
  await db
    .update(table)
    .set({
      failures: 0,
      fetchedAt: now.toISOString(),
      ...moved,
      ...(isNew ? { content, revision: subscription.revision + 1, problem: null } : {}),
    })
    .where(isSame)
}

async function ask(
  { db, secrets, egress }: Fetcher,
  { workspaceId, id, url: stored }: Due,
): Promise<Pick<Delivered, 'ok' | 'error' | 'responseBody' | 'movedTo'>> {
  try {
    const url = await openOncePlain(secrets, db, calendarUrl(workspaceId, id), stored)
    const answer = await egress.send({ url, method: 'GET', headers: { accept: 'text/calendar' }, redirectsMax })
    // An address is often a secret, so it stays where the new one would show it to everybody on the way.
    const isLessSafe = url.startsWith('https:') && !answer.movedTo?.startsWith('https:')
    return isLessSafe ? { ...answer, movedTo: undefined } : answer
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error
    return { ok: false, error: unreadableUrl, responseBody: '' }
  }
}

function seal({ db, secrets }: Fetcher, { workspaceId, id }: Key, url: string): Promise<string> {
  return sealOncePlain(secrets, db, calendarUrl(workspaceId, id), url)
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

/** Whether a text is a calendar with at least one event or free-busy answer, regardless of the rest. */
function hasEvent(text: string): boolean {
  const capitals = text.toUpperCase()
  const begun = capitals.indexOf('BEGIN:VCALENDAR')
  return begun !== -1 && ['END:VEVENT', 'END:VFREEBUSY'].some((end) => capitals.includes(end, begun))
}

function isIt({ workspaceId, id }: Key) {
  return and(eq(table.workspaceId, workspaceId), eq(table.id, id))
}

/** Returns the pause before the next fetch: a quarter of an hour, doubled after each failure, at most a day. */
function pauseMs(failures: number): number {
  return Math.min(fetchEveryMs * 2 ** failures, pauseMsMax)
}

function later(now: Date, byMs: number): string {
  return new Date(now.getTime() + byMs).toISOString()
}

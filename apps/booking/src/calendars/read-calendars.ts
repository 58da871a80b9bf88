import { inCalendar, newId, schema, type CalendarTransaction } from '@crm/db'
import { readWorkspace } from '@crm/identity'
import { doDueWork, isNotPutOff, type RoundDeps } from '@crm/jobs'
import { and, asc, eq, gt, isNotNull, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import type { BookingDeps } from '../platform/deps.ts'
import type { CalendarOwner, ExpandedCalendar } from './expand-calendar.ts'
import { ReadingThreads } from './reading-threads.ts'

const { bookings, calendarEvents, calendarSubscriptions: table, employees, identities } = schema

const dayMs = 86_400_000
/** Recurring events are written out this far, and again when a week of it has passed. */
const horizonMs = 400 * dayMs
const rewriteAfterMs = 7 * dayMs
const foundAtOnce = 100
/** The threads that read at once; each takes a processor. */
const readAtOnce = 2
/** How often fetched calendars are looked for. */
export const readRoundMs = 15_000
const work = 'read-calendars'
const insertedAtOnce = 500

const unreadable = 'What is at this address cannot be read as a calendar.'

type Reader = BookingDeps & RoundDeps
type Key = Pick<typeof table.$inferSelect, 'workspaceId' | 'id'>

/**
 * Replaces the events of fetched calendars in their owners' calendars, where they count as busy time; returns how many
 * calendars were read.
 */
export async function readCalendars(deps: Reader): Promise<number> {
  const { db } = deps
  let read = 0
  await using threads = new ReadingThreads()
  await doDueWork<Key>(deps, {
    name: work,
    everyMs: readRoundMs,
    batch: foundAtOnce,
    atOnce: readAtOnce,
    // A calendar that changes at each fetch is due again at once; so the ones are first that were read the longest ago.
    find: (at, limit) =>
      db
        .select({ workspaceId: table.workspaceId, id: table.id })
        .from(table)
        .where(and(isDue(at), isNotPutOff(work, { workspaceId: table.workspaceId, row: table.id }, at)))
        .orderBy(sql`${table.readUntil} NULLS FIRST`, asc(table.id))
        .limit(limit),
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: async (keys) => {
      for (const key of keys) {
        const now = deps.clock.now()
        const due = await readDue(deps, key, now)
        if (!due) continue
        read += 1
        await readOne(deps, due, now, threads)
      }
    },
  })
  return read
}

function isDue(at: string): SQL {
  const rewrittenBefore = until(new Date(at), horizonMs - rewriteAfterMs)
  return and(
    isNotNull(table.content),
    or(ne(table.revision, table.readRevision), lt(table.readUntil, rewrittenBefore)),
  ) as SQL
}

interface DueSubscription {
  readonly workspaceId: string
  readonly id: string
  readonly employeeId: string
  readonly revision: number
  readonly content: string | null
  readonly timezone: string | null
}

/** Reads a calendar with its content, unless another process has read it meanwhile. */
async function readDue({ db }: Reader, { workspaceId, id }: Key, now: Date): Promise<DueSubscription | undefined> {
  const [due] = await db
    .select({
      workspaceId: table.workspaceId,
      id: table.id,
      employeeId: table.employeeId,
      revision: table.revision,
      content: table.content,
      timezone: employees.timezone,
    })
    .from(table)
    .innerJoin(employees, and(eq(employees.workspaceId, table.workspaceId), eq(employees.id, table.employeeId)))
    .where(and(eq(table.workspaceId, workspaceId), eq(table.id, id), isDue(now.toISOString())))
  return due
}

async function readOne(
  deps: BookingDeps,
  subscription: DueSubscription,
  now: Date,
  threads: ReadingThreads,
): Promise<void> {
  const workspace = await readWorkspace(deps.pool, subscription.workspaceId)
  if (!workspace) return
  const window = { from: until(now, -dayMs), to: until(now, horizonMs) }
  const options = {
    ...window,
    timezone: subscription.timezone ?? workspace.timezone,
    owner: await readOwner(deps, subscription, window),
  }
  let calendar: ExpandedCalendar | undefined
  try {
    calendar = await threads.read(subscription.content ?? '', options)
  } catch (error) {
    deps.logger.warn({ err: error, subscriptionId: subscription.id }, 'a subscribed calendar could not be read')
  }
  await inCalendar(deps.db, undefined, subscription, (tx) => store(tx, subscription, calendar, options.to))
}

/** Reads the addresses of a calendar's owner, and what they host within a time; a cancelled booking takes no time wherever it still stands. */
async function readOwner(
  { db }: BookingDeps,
  { workspaceId, employeeId }: DueSubscription,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<CalendarOwner> {
  const [people, accounts, hosted] = [
    await db
      .select({ email: employees.email })
      .from(employees)
      .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, employeeId))),
    await db
      .select({ email: identities.email })
      .from(identities)
      .where(and(eq(identities.workspaceId, workspaceId), eq(identities.employeeId, employeeId))),
    await db
      .select({ id: bookings.id, startAt: bookings.startAt, endAt: bookings.endAt })
      .from(bookings)
      .where(
        and(
          eq(bookings.workspaceId, workspaceId),
          eq(bookings.organizerId, employeeId),
          gt(bookings.endAt, from),
          lt(bookings.startAt, to),
        ),
      ),
  ]
  const addresses = [...people, ...accounts].flatMap(({ email }) => email ?? [])
  return { addresses, bookings: hosted }
}

/** Replaces the events that were read before; a calendar that cannot be read keeps its old events. */
async function store(
  tx: CalendarTransaction,
  { workspaceId, id, employeeId, revision }: DueSubscription,
  calendar: ExpandedCalendar | undefined,
  readUntil: string,
): Promise<void> {
  const isIt = and(eq(table.workspaceId, workspaceId), eq(table.id, id), eq(table.revision, revision))
  const read = await tx
    .update(table)
    .set({ readRevision: revision, readUntil, problem: calendar ? calendar.problem : unreadable })
    .where(isIt)
    .returning({ id: table.id })
  // The calendar was fetched anew or removed meanwhile.
  if (read.length === 0 || !calendar) return
  const { events } = calendar
  await tx
    .delete(calendarEvents)
    .where(and(eq(calendarEvents.workspaceId, workspaceId), eq(calendarEvents.subscriptionId, id)))
  for (let at = 0; at < events.length; at += insertedAtOnce) {
    const rows = events
      .slice(at, at + insertedAtOnce)
      .map((event) => ({ ...event, workspaceId, id: newId(), employeeId, subscriptionId: id }))
    await tx.insert(calendarEvents).values(rows)
  }
}

function until(now: Date, byMs: number): string {
  return new Date(now.getTime() + byMs).toISOString()
}

import { newId, schema } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { freeSlots, type BusyTime } from '@crm/scheduling'
import type { Pool } from 'pg'
import { middle, type Load, type LoadRequest } from './load.ts'
import type { RatioRow } from './rows.ts'
import type { LoadedWorkspace, Process, Stage } from './stage.ts'

const busyIntervals = 500
/** The calls of a round of the function that finds free slots. */
const callsOfRound = 400
const roundsOfCalls = 20
const hookCount = 3_000
/** So many links that no booking of a run meets the limit of a link. */
const bookedLinks = 1_500
/** The earlier bookings of each link. */
const pastBookings = 20
const dayMs = 24 * 60 * 60 * 1000

const nextMidnightMs = (): number => Math.ceil(Date.now() / dayMs) * dayMs

/** Returns an own address for every request, so that no limit per address is met; the processes trust loopback as a proxy. */
const fromAddress = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

/** Measures 60 days of free slots with 500 busy intervals among them. */
export async function bookingRow(
  booking: Process,
  floor: Process,
  { db }: Stage,
  workspace: LoadedWorkspace,
): Promise<RatioRow> {
  const { workspaceId, adminUserId, host } = workspace
  const slug = 'bench'
  const weeklyHours = [1, 2, 3, 4, 5].map((day) => ({ day, start: '09:00', end: '17:00' }))
  await db.insert(schema.bookingLinks).values({
    workspaceId,
    slug,
    name: 'Bench',
    organizerId: adminUserId,
    durationMin: 30,
    timezone: 'Europe/Berlin',
    weeklyHours,
  })
  const startMs = nextMidnightMs() + dayMs
  await db.insert(schema.calendarEvents).values(
    busyTimes(startMs).map(({ start, end }) => ({
      workspaceId,
      employeeId: adminUserId,
      title: 'Busy',
      startAt: start,
      endAt: end,
    })),
  )
  const window = `from=${new Date(startMs).toISOString()}&to=${new Date(startMs + 59 * dayMs).toISOString()}`
  return {
    what: 'availability, 60 days, 500 busy intervals',
    ours: {
      on: booking,
      status: 200,
      request: (n): LoadRequest => ({
        path: `/api/public/booking/${slug}/availability?${window}`,
        headers: { host, 'x-forwarded-for': fromAddress(n) },
      }),
    },
    floor: {
      on: floor,
      status: 200,
      request: () => ({ path: `/busy?ws=${workspaceId}&employeeId=${adminUserId}` }),
    },
    atLeast: 0.5,
  }
}

/**
 * Measures free slots by the pure function alone, with the route's query: the median of its calmest round, because other load only adds
 * time.
 */
export function freeSlotsMs(): number {
  const startMs = nextMidnightMs()
  const from = new Date(startMs).toISOString()
  const weeklyHours = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '08:00', end: '18:00' }))
  const to = new Date(startMs + 60 * dayMs).toISOString()
  const query = {
    timezone: 'America/New_York',
    weeklyHours,
    durationMin: 30,
    bufferMin: 10,
    minNoticeMin: 60,
    now: from,
    busy: busyTimes(startMs),
    from,
    to,
  }
  const timeOne = (): number => {
    const begun = performance.now()
    freeSlots(query)
    return performance.now() - begun
  }
  return Math.min(...Array.from({ length: roundsOfCalls }, () => middle(Array.from({ length: callsOfRound }, timeOne))))
}

/** Returns 20 busy minutes every 2 hours 47: nearly 58 days of a full calendar. */
function busyTimes(startMs: number): BusyTime[] {
  const at = (minute: number): string => new Date(startMs + minute * 60_000).toISOString()
  return Array.from({ length: busyIntervals }, (_, n) => ({ start: at(n * 167), end: at(n * 167 + 20) }))
}

/** The promised latency of a route at a number of connections. */
export interface LatencyRow {
  readonly what: string
  readonly load: Load
  readonly connections: number
  readonly p95MsMax: number
}

/** Measures a whole booking: lock, call, event, outbox and mail to a local SMTP server, for many guests of many organizers at once. */
export async function createBookingRow(
  booking: Process,
  { db, owner }: Stage,
  { workspaceId, host }: LoadedWorkspace,
): Promise<LatencyRow> {
  const weeklyHours = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
  const organizers = Array.from({ length: bookedLinks }, (_, n) => ({
    workspaceId,
    id: newId(),
    email: `organizer${n}@bench.test`,
    firstName: 'Organizer',
    lastName: `${n}`,
    passwordHash: 'none',
  }))
  const links = organizers.map(({ id: organizerId }, n) => ({
    workspaceId,
    id: newId(),
    slug: `bench-${n}`,
    name: 'Bench',
    organizerId,
    durationMin: 15,
    timezone: 'UTC',
    weeklyHours,
  }))
  await db.insert(schema.employees).values(organizers)
  await db.insert(schema.bookingLinks).values(links)
  await fillWithPastBookings(owner, workspaceId)
  const firstMs = nextMidnightMs() + dayMs
  const body = (n: number): string => {
    const startAt = new Date(firstMs + Math.floor(n / bookedLinks) * 15 * 60_000).toISOString()
    return JSON.stringify({
      name: `Guest ${n}`,
      email: `guest${n}@bench.test`,
      startAt,
      timezone: 'Europe/Berlin',
      note: 'A note',
    })
  }
  const headers = (n: number) => ({ host, 'content-type': 'application/json', 'x-forwarded-for': fromAddress(n) })
  return {
    what: 'booking created, with mail',
    load: {
      on: booking,
      status: 201,
      request: (n): LoadRequest => ({
        method: 'POST',
        path: `/api/public/booking/${links[n % bookedLinks]?.slug}`,
        headers: headers(n),
        body: body(n),
      }),
    },
    connections: 20,
    p95MsMax: 60,
  }
}

/** Fills the tables, because PostgreSQL keeps plans for empty tables, which no installation has after its first day. */
async function fillWithPastBookings(owner: Pool, workspaceId: string): Promise<void> {
  await owner.query(
    `WITH past AS (
       INSERT INTO bookings (workspace_id, id, link_id, organizer_id, status, start_at, end_at, invitee_name, invitee_email, invitee_timezone, manage_token_hash, call_token_hash, join_url)
       SELECT l.workspace_id, gen_random_uuid(), l.id, l.organizer_id, 'CONFIRMED', start_at, start_at + interval '15 minutes', 'Guest', 'guest@bench.test', 'UTC',
         sha256(convert_to(l.slug || '/' || n, 'UTF8')), sha256(convert_to(l.slug || '/' || n, 'UTF8')), ''
       FROM booking_links l, generate_series(1, $2::int) n, LATERAL (SELECT date_trunc('day', now()) - n * interval '1 day' AS start_at) t
       WHERE l.workspace_id = $1 AND l.slug LIKE 'bench-%'
       RETURNING *
     )
     INSERT INTO calendar_events (workspace_id, id, employee_id, booking_id, title, start_at, end_at)
     SELECT workspace_id, gen_random_uuid(), organizer_id, id, 'Past', start_at, end_at FROM past`,
    [workspaceId, pastBookings],
  )
  await owner.query('VACUUM ANALYZE bookings, calendar_events, booking_links, employees')
}

/** Measures an accepted webhook call against the bare insert of a run. */
export async function hookRow(
  ingress: Process,
  floor: Process,
  { db }: Stage,
  workspace: LoadedWorkspace,
): Promise<RatioRow> {
  const { workspaceId, adminUserId, host } = workspace
  const trigger = { type: 'WEBHOOK', method: 'POST' }
  const hooks = Array.from({ length: hookCount }, () => ({
    workflowId: newId(),
    path: newSecret(),
    secret: newSecret(),
  }))
  await db.insert(schema.workflows).values(
    hooks.map(({ workflowId }) => ({
      workspaceId,
      id: workflowId,
      name: 'Bench',
      status: 'PUBLISHED' as const,
      trigger,
      steps: [],
      publishedVersion: 1,
      runAsId: adminUserId,
    })),
  )
  await db
    .insert(schema.workflowVersions)
    .values(hooks.map(({ workflowId }) => ({ workspaceId, workflowId, version: 1, trigger, steps: [] })))
  await db.insert(schema.webhookTriggers).values(
    hooks.map(({ workflowId, path, secret }) => ({
      workspaceId,
      workflowId,
      path,
      pathHash: digest(path),
      secretHash: digest(secret),
      isPublished: true,
    })),
  )
  const body = JSON.stringify({ firstName: 'Grace', lastName: 'Hopper', email: 'grace@navy.example', tags: ['a', 'b'] })
  const json = { 'content-type': 'application/json' }
  return {
    what: 'hook accepted (202)',
    ours: {
      on: ingress,
      status: 202,
      request: (n): LoadRequest => {
        const { path, secret } = hooks[n % hookCount] as (typeof hooks)[number]
        return {
          method: 'POST',
          path: `/api/hooks/${path}`,
          headers: { ...json, host, 'x-api-key': secret, 'x-forwarded-for': fromAddress(n) },
          body,
        }
      },
    },
    floor: {
      on: floor,
      status: 202,
      request: () => ({
        method: 'POST',
        path: `/run?ws=${workspaceId}&workflowId=${hooks[0]?.workflowId}&runAsId=${adminUserId}`,
        headers: json,
        body,
      }),
    },
    atLeast: 0.35,
  }
}

/**
 * Measures a tool call against the same REST call, and the list of all tools (promised: p95 ≤ 5 ms) against the one question that it
 * asks.
 */
export function toolRows(
  gateway: Process,
  api: Process,
  { keys, leadIds, host }: LoadedWorkspace,
): readonly RatioRow[] {
  const lead = (n: number): string => leadIds[n % leadIds.length] ?? ''
  const headers = (n: number) => ({ host, authorization: `Bearer ${keys[n % keys.length]}` })
  const rpc = (n: number, message: object): LoadRequest => ({
    method: 'POST',
    path: '/api/mcp',
    headers: { ...headers(n), 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: n, ...message }),
  })
  const call: Omit<RatioRow, 'what'> = {
    ours: {
      on: gateway,
      status: 200,
      request: (n) => rpc(n, { method: 'tools/call', params: { name: 'leads_get', arguments: { id: lead(n) } } }),
    },
    floor: { on: api, status: 200, request: (n) => ({ path: `/api/leads/${lead(n)}`, headers: headers(n) }) },
    atLeast: 0.4,
  }
  return [
    { what: 'tools/call (floor: the REST call)', ...call },
    { what: 'tools/call, 32 at once (floor: the REST call)', ...call, connections: 32 },
    {
      what: 'tools/list of all (p95 ≤ 5 ms)',
      ours: { on: gateway, status: 200, request: (n) => rpc(n, { method: 'tools/list' }) },
      floor: {
        on: api,
        status: 200,
        request: (n): LoadRequest => ({ path: '/api/me/scopes', headers: headers(n) }),
      },
      atLeast: null,
    },
  ]
}

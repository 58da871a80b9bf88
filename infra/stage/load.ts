import { addressOf, call, type Call } from './requests.ts'
import { failuresOf, percentile, startTraffic, toolCall, type Sample, type TrafficKind } from './traffic.ts'

/** The parts of `demo.json` that the load needs. */
export interface Demo {
  readonly apiKey: string
  readonly webhook: { readonly url: string; readonly secret: string }
}

/** One kind of request and what became of it. */
interface KindReport {
  readonly kind: string
  readonly sent: number
  readonly p95Ms: number
  /** One line for each kind of failure. */
  readonly failures: readonly string[]
}

/** The accepted requests, by the address of the person that each is about. */
interface Accepted {
  readonly created: readonly string[]
  readonly called: readonly string[]
  readonly booked: readonly string[]
}

export interface LoadReport extends Accepted {
  readonly kinds: readonly KindReport[]
}

export interface Load {
  /** Returns the requests that were accepted until now. */
  soFar(): Accepted
  /** Sends no more, waits for the last answers and returns what became of them. */
  stop(): Promise<LoadReport>
}

type Kind = 'read' | 'create' | 'hook' | 'book' | 'tool'
const dayMs = 86_400_000

/** Works like people, guests, other systems and AI clients do, until it is stopped; every request that changes something names another person. */
export async function startLoad(
  port: number,
  { apiKey, webhook }: Demo,
  { isFromOneAddress = false } = {},
): Promise<Load> {
  const host = new URL(webhook.url).hostname
  const authorization = `Bearer ${apiKey}`
  const slots = await freeSlots(port, host)
  const sent = (n: number, request: Omit<Call, 'host'>): Call => ({
    ...request,
    host,
    ...(isFromOneAddress ? {} : { from: addressOf(n) }),
  })
  // An address of a webhook takes 60 calls a minute, a booking link 10 bookings.
  const kinds: Readonly<Record<Kind, TrafficKind>> = {
    read: {
      everyMs: 300,
      request: (n) => sent(n, { path: '/api/leads?pageSize=10', headers: { authorization } }),
      isFine: ({ status }) => status === 200,
    },
    create: {
      everyMs: 400,
      request: (n) =>
        sent(n, {
          path: '/api/leads',
          headers: { authorization },
          body: { lastName: 'Upgrade', email: emailOf('create', n) },
        }),
      isFine: ({ status }) => status === 201,
    },
    hook: {
      everyMs: 1_100,
      request: (n) =>
        sent(n, {
          path: new URL(webhook.url).pathname,
          headers: { 'x-api-key': webhook.secret },
          body: { firstName: 'Hook', lastName: 'Upgrade', email: emailOf('hook', n) },
        }),
      isFine: ({ status }) => status === 202,
    },
    book: {
      everyMs: 6_500,
      request: (n) =>
        slots[n] === undefined
          ? undefined
          : sent(n, {
              path: '/api/public/booking/intro-call',
              body: { name: 'Guest Upgrade', email: emailOf('book', n), startAt: slots[n], timezone: 'UTC' },
            }),
      isFine: ({ status }) => status === 201,
    },
    tool: {
      everyMs: 600,
      request: (n) => sent(n, toolCall(authorization, 'leads_list', { pageSize: 5 })),
      isFine: ({ status, body }) => status === 200 && !body.includes('"isError":true'),
    },
  }
  const traffic = startTraffic(port, kinds)
  return {
    soFar: () => acceptedOf(traffic.soFar()),
    stop: async () => {
      const samples = await traffic.stop()
      return { kinds: Object.keys(kinds).map((kind) => reportOf(kind, samples)), ...acceptedOf(samples) }
    },
  }
}

/** Returns a line for each kind of failure in a report; none when every request was answered well. */
export function failedRequests({ kinds }: LoadReport): readonly string[] {
  return kinds.flatMap(({ kind, failures }) => failures.map((text) => `${kind}: ${text}`))
}

function emailOf(kind: Kind, n: number): string {
  return `${kind}-${n}@upgrade.example`
}

function acceptedOf(samples: readonly Sample[]): Accepted {
  const fine = (kind: Kind): readonly string[] =>
    samples.filter((one) => one.kind === kind && one.error === undefined).map(({ n }) => emailOf(kind, n))
  return { created: fine('create'), called: fine('hook'), booked: fine('book') }
}

function reportOf(kind: string, samples: readonly Sample[]): KindReport {
  const those = samples.filter((one) => one.kind === kind)
  const times = those.map(({ ms }) => ms)
  return { kind, sent: those.length, p95Ms: percentile(times, 0.95), failures: failuresOf(those) }
}

async function freeSlots(port: number, host: string): Promise<readonly string[]> {
  const slots: string[] = []
  for (let week = 0; week < 4; week++) {
    const at = (days: number): string => new Date(Date.now() + (7 * week + days) * dayMs).toISOString()
    const { status, body } = await call(port, {
      path: `/api/public/booking/intro-call/availability?from=${at(1)}&to=${at(8)}`,
      host,
    })
    if (status !== 200) continue
    const { data } = JSON.parse(body.toString()) as { data?: { slots: string[] } }
    if (!data) throw new Error(`the free times are answered ${body.toString().slice(0, 200)}`)
    slots.push(...data.slots)
  }
  // Bookings of one link need time between them, so neighbouring slots would refuse each other.
  return slots.filter((_, at) => at % 3 === 0)
}

import { addressOf, call, codeOf, type Call } from '../faults/requests.ts'
import { percentile } from '../faults/probe.ts'

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

/** Pauses between two requests of a kind; an address of a webhook takes 60 calls a minute, a booking link 10 bookings. */
const everyMs = { read: 300, create: 400, hook: 1_100, book: 6_500, tool: 600 } as const
type Kind = keyof typeof everyMs
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
  const accepted: Record<Kind, string[]> = { read: [], create: [], hook: [], book: [], tool: [] }
  const samples: Record<Kind, number[]> = { read: [], create: [], hook: [], book: [], tool: [] }
  const failures: Record<Kind, string[]> = { read: [], create: [], hook: [], book: [], tool: [] }
  const underWay = new Set<Promise<void>>()

  const requests: Readonly<Record<Kind, (email: string, n: number) => Omit<Call, 'host'> | undefined>> = {
    read: () => ({ path: '/api/leads?pageSize=10', headers: { authorization } }),
    create: (email) => ({ path: '/api/leads', headers: { authorization }, body: { lastName: 'Upgrade', email } }),
    hook: (email) => ({
      path: new URL(webhook.url).pathname,
      headers: { 'x-api-key': webhook.secret },
      body: { firstName: 'Hook', lastName: 'Upgrade', email },
    }),
    book: (email, n) =>
      slots[n] === undefined
        ? undefined
        : {
            path: '/api/public/booking/intro-call',
            body: { name: 'Guest Upgrade', email, startAt: slots[n], timezone: 'UTC' },
          },
    tool: () => ({
      path: '/api/mcp',
      headers: { authorization, accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'leads_list', arguments: { pageSize: 5 } } },
    }),
  }
  const fine: Readonly<Record<Kind, (status: number, body: string) => boolean>> = {
    read: (status) => status === 200,
    create: (status) => status === 201,
    hook: (status) => status === 202,
    book: (status) => status === 201,
    tool: (status, body) => status === 200 && !body.includes('"isError":true'),
  }

  const send = async (kind: Kind, n: number): Promise<void> => {
    const email = `${kind}-${n}@upgrade.example`
    const request = requests[kind](email, n)
    if (!request) return
    const beganAt = performance.now()
    try {
      const { status, body } = await call(port, {
        ...request,
        host,
        ...(isFromOneAddress ? {} : { from: addressOf(n) }),
      })
      samples[kind].push(performance.now() - beganAt)
      if (fine[kind](status, body.toString())) accepted[kind].push(email)
      else failures[kind].push(`${status} ${body.toString().slice(0, 200)}`)
    } catch (error) {
      samples[kind].push(performance.now() - beganAt)
      failures[kind].push(codeOf(error))
    }
  }

  const timers = (Object.keys(everyMs) as Kind[]).map((kind) => {
    let n = 0
    return setInterval(() => {
      const sent = send(kind, n++).finally(() => underWay.delete(sent))
      underWay.add(sent)
    }, everyMs[kind])
  })

  const soFar = (): Accepted => ({
    created: [...accepted.create],
    called: [...accepted.hook],
    booked: [...accepted.book],
  })

  return {
    soFar,
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(underWay)
      return {
        kinds: (Object.keys(everyMs) as Kind[]).map((kind) => ({
          kind,
          sent: samples[kind].length,
          p95Ms: percentile(samples[kind], 0.95),
          failures: [...Map.groupBy(failures[kind], (text) => text)].map(
            ([text, those]) => `${those.length} × ${text}`,
          ),
        })),
        ...soFar(),
      }
    },
  }
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

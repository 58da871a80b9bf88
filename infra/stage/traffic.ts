import { call, codeOf, type Answer, type Call } from './requests.ts'

/** One kind of request that is sent again and again. */
export interface TrafficKind {
  readonly everyMs: number
  /** Returns the request of a number from 0; undefined when there is nothing more to ask. */
  request(n: number): Call | undefined
  isFine(answer: Answer): boolean
}

/** One request and what became of it. */
export interface Sample {
  readonly kind: string
  /** Its number among those of its kind. */
  readonly n: number
  readonly ms: number
  /** Undefined when there was no whole answer in time. */
  readonly answer?: Answer
  /** Undefined when the answer was fine. */
  readonly error?: string
}

export interface Traffic {
  /** Returns the requests that were answered until now. */
  soFar(): readonly Sample[]
  /** Sends no more, waits for the last answers and returns all. */
  stop(): Promise<readonly Sample[]>
}

/** Sends requests of several kinds at their own pace, the first of each kind at a moment of its own, until it is stopped. */
export function startTraffic(port: number, kinds: Readonly<Record<string, TrafficKind>>): Traffic {
  const samples: Sample[] = []
  const underWay = new Set<Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  const send = async (kind: string, n: number): Promise<void> => {
    const { request, isFine } = kinds[kind]!
    const asked = request(n)
    if (!asked) return
    const beganAt = performance.now()
    try {
      const answer = await call(port, asked)
      const ms = performance.now() - beganAt
      samples.push({ kind, n, ms, answer, ...(isFine(answer) ? {} : { error: failureOf(answer) }) })
    } catch (error) {
      samples.push({ kind, n, ms: performance.now() - beganAt, error: codeOf(error) })
    }
  }
  Object.entries(kinds).forEach(([kind, { everyMs }], at, all) => {
    let n = 0
    const next = (): void => {
      const sent = send(kind, n++).finally(() => underWay.delete(sent))
      underWay.add(sent)
    }
    const first = setTimeout(
      () => {
        timers.delete(first)
        next()
        timers.add(setInterval(next, everyMs))
      },
      (everyMs * at) / all.length,
    )
    timers.add(first)
  })
  return {
    soFar: () => [...samples],
    stop: async () => {
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(underWay)
      return [...samples]
    },
  }
}

function failureOf({ status, body }: Answer): string {
  return `${status} ${body.toString().slice(0, 200)}`
}

/** Returns a call of a tool by an AI client. */
export function toolCall(authorization: string, name: string, args: object = {}): Omit<Call, 'host'> {
  return {
    path: '/api/mcp',
    headers: { authorization, accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  }
}

/** Returns a line for each kind of failure, with how often it was seen. */
export function failuresOf(samples: readonly Sample[]): readonly string[] {
  const errors = samples.flatMap(({ error }) => error ?? [])
  return [...Map.groupBy(errors, (error) => error)].map(([error, those]) => `${those.length} × ${error}`)
}

/** Returns the value that a share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

import { call, codeOf, type Answer, type Call } from './requests.ts'
import type { Stage } from './stage.ts'

/** The observations of a workspace that is not involved in the drill. */
export interface ProbeReport {
  readonly requests: number
  /** One line for each kind of error. */
  readonly errors: readonly string[]
  /** The number of failed requests. */
  readonly failed: number
  /** The number of temporary refusals, each with a time to wait and within ten seconds. */
  readonly refused: number
  readonly p95Ms: number
  /** The slowest kind of request, with its time. */
  readonly slowest: string
}

/** A workspace with usual work, four requests a second, and records of their outcome. */
export interface Probe {
  /** Starts to send; `stop` waits for the last answers. */
  watch(): { stop(): Promise<ProbeReport> }
}

interface Sample {
  readonly kind: string
  readonly ms: number
  readonly error?: string
  readonly isRefused?: boolean
}

const everyMs = 250
const refusedWithinMs = 10_000
const from = '127.0.9.1'
const dayMs = 86_400_000

/** Makes the workspace of the probe. */
export async function createProbe({ port, tenant }: Pick<Stage, 'port' | 'tenant'>): Promise<Probe> {
  const { host, key, link, hook } = await tenant()
  const { slug } = await link()
  const { path, secret } = await hook([{ key: 'set', name: '', type: 'SET', values: {} }])
  const authorization = `Bearer ${key}`
  const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()
  const kinds: Readonly<Record<string, () => Omit<Call, 'host' | 'from'>>> = {
    me: () => ({ path: '/api/me', headers: { authorization } }),
    list: () => ({ path: '/api/leads', headers: { authorization } }),
    slots: () => ({ path: `/api/public/booking/${slug}/availability?from=${inDays(1)}&to=${inDays(8)}` }),
    hook: () => ({ path: `/api/hooks/${path}`, headers: { 'x-api-key': secret }, body: { drill: true } }),
    tool: () => ({
      path: '/api/mcp',
      headers: { authorization, accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'leads_list', arguments: {} } },
    }),
  }
  const names = Object.keys(kinds)

  const ask = async (kind: string): Promise<Sample> => {
    const beganAt = performance.now()
    try {
      const answer = await call(port, { ...kinds[kind]!(), host, from })
      const ms = performance.now() - beganAt
      if (isFine(kind, answer)) return { kind, ms }
      const error = `${kind}: ${answer.status} ${answer.body.toString().slice(0, 200)}`
      return { kind, ms, error, isRefused: isRefused(kind, answer) && ms < refusedWithinMs }
    } catch (error) {
      return { kind, ms: performance.now() - beganAt, error: `${kind}: ${codeOf(error)}` }
    }
  }

  let sent = 0
  return {
    watch: () => {
      const samples: Promise<Sample>[] = []
      const send = (): void => void samples.push(ask(names[sent++ % names.length]!))
      const timer = setInterval(send, everyMs)
      return {
        stop: async () => {
          clearInterval(timer)
          return reportOf(await Promise.all(samples))
        },
      }
    },
  }
}

function isFine(kind: string, { status, body }: Answer): boolean {
  if (kind === 'hook') return status === 202
  return (
    status === 200 &&
    (kind !== 'tool' ||
      (JSON.parse(body.toString()) as { readonly result?: { readonly isError?: boolean } }).result?.isError !== true)
  )
}

/** Whether a request was temporarily refused. */
function isRefused(kind: string, { status, headers, body }: Answer): boolean {
  const { result } =
    kind === 'tool' && status === 200
      ? (JSON.parse(body.toString()) as {
          readonly result?: { readonly structuredContent?: { readonly status?: number } }
        })
      : { result: undefined }
  return (result?.structuredContent?.status ?? status) === 503 && Number(headers['retry-after']) > 0
}

function reportOf(samples: readonly Sample[]): ProbeReport {
  const slowest = samples.toSorted((one, other) => other.ms - one.ms)[0]
  return {
    requests: samples.length,
    failed: samples.filter(({ error }) => error !== undefined).length,
    refused: samples.filter((sample) => sample.isRefused).length,
    errors: [
      ...Map.groupBy(
        samples.flatMap(({ error }) => error ?? []),
        (error) => error,
      ),
    ].map(([error, those]) => `${those.length} × ${error}`),
    p95Ms: percentile(
      samples.map(({ ms }) => ms),
      0.95,
    ),
    slowest: slowest === undefined ? 'none' : `${slowest.kind} ${slowest.ms.toFixed(0)} ms`,
  }
}

/** Returns the value that a share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

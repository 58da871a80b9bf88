import type { Answer, Call } from '../stage/requests.ts'
import { failuresOf, percentile, startTraffic, toolCall, type Sample, type TrafficKind } from '../stage/traffic.ts'
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

const everyMs = 250
const refusedWithinMs = 10_000
const dayMs = 86_400_000

/** Makes the workspace of the probe. */
export async function createProbe({ port, tenant }: Pick<Stage, 'port' | 'tenant'>): Promise<Probe> {
  const { host, key, link, hook } = await tenant()
  const { slug } = await link()
  const { path, secret } = await hook([{ key: 'set', name: '', type: 'SET', values: {} }])
  const authorization = `Bearer ${key}`
  const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()
  const requests: Readonly<Record<string, () => Omit<Call, 'host'>>> = {
    me: () => ({ path: '/api/me', headers: { authorization } }),
    list: () => ({ path: '/api/leads', headers: { authorization } }),
    slots: () => ({ path: `/api/public/booking/${slug}/availability?from=${inDays(1)}&to=${inDays(8)}` }),
    hook: () => ({ path: `/api/hooks/${path}`, headers: { 'x-api-key': secret }, body: { drill: true } }),
    tool: () => toolCall(authorization, 'leads_list'),
  }
  const kinds = Object.fromEntries(
    Object.entries(requests).map(([kind, request], _, all): [string, TrafficKind] => [
      kind,
      {
        everyMs: everyMs * all.length,
        request: () => ({ ...request(), host, from: '127.0.9.1' }),
        isFine: (answer) => isFine(kind, answer),
      },
    ]),
  )
  return {
    watch: () => {
      const traffic = startTraffic(port, kinds)
      return { stop: async () => reportOf(await traffic.stop()) }
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

/** Whether a request was temporarily refused, soon enough and with a time to wait. */
function isRefused({ kind, ms, answer }: Sample): boolean {
  if (answer === undefined || ms >= refusedWithinMs) return false
  const { status, headers, body } = answer
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
  const failed = samples.filter(({ error }) => error !== undefined)
  const named = failed.map((sample) => ({ ...sample, error: `${sample.kind}: ${sample.error}` }))
  return {
    requests: samples.length,
    failed: failed.length,
    refused: failed.filter(isRefused).length,
    errors: failuresOf(named),
    p95Ms: percentile(
      samples.map(({ ms }) => ms),
      0.95,
    ),
    slowest: slowest === undefined ? 'none' : `${slowest.kind} ${slowest.ms.toFixed(0)} ms`,
  }
}

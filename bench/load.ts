import autocannon from 'autocannon'
import { calmly, watchStolen, type Watched } from './stolen.ts'

/** One request of a load. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What is loaded: an address and the requests that are sent to it in turn. */
export interface Load {
  readonly url: string
  /** Makes the n-th request. */
  request(n: number): LoadRequest
  /** Status that counts as an answer. */
  readonly status: number
}

export interface Figure extends Watched {
  readonly perSecond: number
  /** Median latency. */
  readonly p50Ms: number
  readonly p95Ms: number
}

/** Runs a load over so many connections for so many seconds; another status than the expected one is an error. */
export async function measure(load: Load, connections: number, seconds: number): Promise<Figure> {
  let sent = 0
  const latenciesMs: number[] = []
  const wrong = new Map<number, number>()
  const options: autocannon.Options = {
    url: load.url,
    connections,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...toAutocannon(load.request(sent++)) }) }],
  }
  const stolen = watchStolen()
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error: unknown, finished) => (error ? reject(error) : resolve(finished)))
    run.on('response', (_client, status, _bytes, ms) => {
      if (status === load.status) latenciesMs.push(ms)
      else wrong.set(status, (wrong.get(status) ?? 0) + 1)
    })
  })
  if (wrong.size > 0 || result.errors > 0) {
    throw new Error(`${load.url}${load.request(0).path} answered ${JSON.stringify([...wrong])} besides ${load.status}, with ${result.errors} errors`)
  }
  latenciesMs.sort((a, b) => a - b)
  const at = (share: number): number => latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? 0
  return { perSecond: latenciesMs.length / seconds, p50Ms: at(0.5), p95Ms: at(0.95), stolen: stolen() }
}

function toAutocannon({ method = 'GET', path, headers = {}, body }: LoadRequest) {
  return { method, path, headers: { ...headers }, body }
}

/** Code that runs for the first time runs slowly for some seconds; a process whose first row this is would be measured cold, the floor warm. */
export const warmUpSeconds = 4

/** Two loads in turn, so that a machine that slows down slows both; the ratio is the median of the pairs. */
export async function compare(ours: Load, floor: Load, { rounds, seconds, connections }: { rounds: number; seconds: number; connections: number }) {
  await measure(ours, connections, warmUpSeconds)
  await measure(floor, connections, warmUpSeconds)
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round += 1) pairs.push(await calmly(() => measurePair(ours, floor, connections, seconds)))
  const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  return {
    ours: middle(pairs.map((pair) => pair.ours.perSecond)),
    floor: middle(pairs.map((pair) => pair.floor.perSecond)),
    ratio: middle(pairs.map((pair) => pair.ours.perSecond / pair.floor.perSecond)),
    p95Ms: middle(pairs.map((pair) => pair.ours.p95Ms)),
    stolen: middle(pairs.map((pair) => pair.stolen)),
  }
}

interface Pair extends Watched {
  readonly ours: Figure
  readonly floor: Figure
}

async function measurePair(ours: Load, floor: Load, connections: number, seconds: number): Promise<Pair> {
  const pair = { ours: await measure(ours, connections, seconds), floor: await measure(floor, connections, seconds) }
  return { ...pair, stolen: Math.max(pair.ours.stolen, pair.floor.stolen) }
}

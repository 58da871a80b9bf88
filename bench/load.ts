import autocannon from 'autocannon'
import { processorMs } from './processor.ts'
import { calmly, watchStolen, type Watched } from './stolen.ts'

/** One request of a load. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A process that answers. */
interface Target {
  readonly url: string
  readonly pid: number
}

/** A load: a process and the requests that are sent to it in turn. */
export interface Load {
  readonly on: Target
  /** Makes the n-th request. */
  request(n: number): LoadRequest
  /** The status that counts as an answer. */
  readonly status: number
}

export interface Figure extends Watched {
  readonly perSecond: number
  /** Median latency. */
  readonly p50Ms: number
  readonly p95Ms: number
  /** The processor time of the answering process for one request. */
  readonly processorMs: number
}

/**
 * Runs a load over a number of connections for some seconds; any status other than the expected one is an error.
 * @param perSecondMax the most requests a second, over all connections; without it each connection sends its next one at once
 */
export async function measure(
  load: Load,
  connections: number,
  seconds: number,
  perSecondMax?: number,
): Promise<Figure> {
  let sent = 0
  const latenciesMs: number[] = []
  const wrong = new Map<number, number>()
  const options: autocannon.Options = {
    url: load.on.url,
    connections,
    duration: seconds,
    ...(perSecondMax === undefined ? {} : { overallRate: perSecondMax }),
    requests: [{ setupRequest: (request) => ({ ...request, ...toAutocannon(load.request(sent++)) }) }],
  }
  const stolen = watchStolen()
  const processorBeforeMs = processorMs(load.on.pid)
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error: unknown, finished) => (error ? reject(error) : resolve(finished)))
    run.on('response', (_client, status, _bytes, ms) => {
      if (status === load.status) latenciesMs.push(ms)
      else wrong.set(status, (wrong.get(status) ?? 0) + 1)
    })
  })
  const workedMs = processorMs(load.on.pid) - processorBeforeMs
  if (wrong.size > 0 || result.errors > 0) {
    throw new Error(
      `${load.on.url}${load.request(0).path} answered ${JSON.stringify([...wrong])} besides ${load.status}, with ${result.errors} errors`,
    )
  }
  latenciesMs.sort((a, b) => a - b)
  const at = (share: number): number =>
    latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? 0
  return {
    perSecond: latenciesMs.length / seconds,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    processorMs: workedMs / Math.max(1, latenciesMs.length),
    stolen: stolen(),
  }
}

function toAutocannon({ method = 'GET', path, headers = {}, body }: LoadRequest) {
  return { method, path, headers: { ...headers }, body }
}

/**
 * V8 finally compiles functions after some ten thousand calls. A process with the load of a single row would otherwise be measured half
 * compiled, beside a floor that all earlier rows have warmed up.
 */
const warmUpRequests = 40_000
const sliceSeconds = 4

/** Runs a load until the given number of requests was answered, or the time is over. */
export async function warmUp(load: Load, connections: number, secondsMax: number): Promise<void> {
  for (let answered = 0, seconds = 0; answered < warmUpRequests && seconds < secondsMax; seconds += sliceSeconds) {
    answered += (await measure(load, connections, sliceSeconds)).perSecond * sliceSeconds
  }
}

export interface Pace {
  /** The longest warm-up of each load. */
  readonly warmUpSeconds: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

/** Compares our load with the floor's, by requests a second and by processor time a request; each figure is the median of the rounds. */
export async function compare(ours: Load, floor: Load, pace: Pace) {
  const rounds = await takeTurns([ours, floor], pace)
  const middleOf = (figure: (ours: Figure, floor: Figure) => number): number =>
    middle(rounds.map(({ figures: [first, second] }) => figure(first as Figure, second as Figure)))
  return {
    ours: middleOf((first) => first.perSecond),
    floor: middleOf((_, second) => second.perSecond),
    ratio: middleOf((first, second) => first.perSecond / second.perSecond),
    oursMs: middleOf((first) => first.processorMs),
    floorMs: middleOf((_, second) => second.processorMs),
    p95Ms: middleOf((first) => first.p95Ms),
    stolen: middle(rounds.map(({ stolen }) => stolen)),
  }
}

/** Compares one load on ever larger workspaces; growth is the last median latency divided by the first, as the median of the rounds. */
export async function compareSizes(loads: readonly Load[], pace: Pace) {
  const rounds = await takeTurns(loads, pace)
  return {
    p50Ms: loads.map((_, n) => middle(rounds.map(({ figures }) => figures[n]?.p50Ms ?? 0))),
    growth: middle(rounds.map(({ figures }) => (figures.at(-1)?.p50Ms ?? 0) / (figures[0]?.p50Ms ?? 1))),
    stolen: middle(rounds.map(({ stolen }) => stolen)),
  }
}

interface Round extends Watched {
  readonly figures: readonly Figure[]
}

/** Runs the loads in turn, so that a slower machine slows all of them. */
async function takeTurns(
  loads: readonly Load[],
  { warmUpSeconds, rounds, seconds, connections }: Pace,
): Promise<readonly Round[]> {
  for (const load of loads) await warmUp(load, connections, warmUpSeconds)
  const taken: Round[] = []
  for (let round = 0; round < rounds; round += 1) taken.push(await calmly(() => takeTurn(loads, connections, seconds)))
  return taken
}

async function takeTurn(loads: readonly Load[], connections: number, seconds: number): Promise<Round> {
  const figures: Figure[] = []
  for (const load of loads) figures.push(await measure(load, connections, seconds))
  return { figures, stolen: Math.max(...figures.map(({ stolen }) => stolen)) }
}

/** Returns the median. */
export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

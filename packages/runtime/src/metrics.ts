import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { productVersion } from './version.ts'

/** The measurements of one process, ready for Prometheus. */
export interface Metrics {
  readonly registry: Registry
  /** Seconds per request; `route` is the route template, never the raw URL. */
  readonly httpRequests: Histogram<'method' | 'route' | 'status'>
  /** Requests that are not answered yet. */
  readonly requestsInFlight: Gauge
  /** Refusals by their code. */
  readonly refusals: Counter<'reason'>
  /** Refusals with a code that the contract does not declare for their operation. */
  readonly undeclaredCodes: Counter<'route' | 'code'>
  readonly contentType: string
  /** Adds a gauge whose values are read on each scrape; a failed reading shows none. */
  gauge(reading: GaugeReading): void
  /** Adds a counter with one label, by default the outcome; returns the function that counts one or several. */
  counter(name: string, help: string, label?: string): (value: string, n?: number) => void
  /** Notes how long a request waited for a connection to the database, in seconds. */
  poolWaited(seconds: number): void
  render(): Promise<string>
}

/** A gauge and the function that reads its current values, each with its labels. */
interface GaugeReading {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
  read(): Promise<readonly { readonly value: number; readonly labels?: Readonly<Record<string, string>> }[]>
}

/**
 * How often the delay of the event loop is looked at. By default the library wakes a process a hundred times a second for it, which is most of
 * what a process at rest takes (findings/prom-client-wakes-a-hundred-times-a-second.sh). What it tells includes this time.
 */
const lagEveryMs = 100

/** Makes the metrics of one service, labelled with its name. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagEveryMs })
  const httpRequests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const requestsInFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests that are not answered yet.',
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'crm_refused_total',
    help: 'Requests that were refused, by the code of the answer.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const poolWaits = new Histogram({
    name: 'crm_db_pool_wait_seconds',
    help: 'Time until a connection to the database was free.',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  new Gauge({
    name: 'crm_build_info',
    help: 'The version of the service; the value is always 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: productVersion }, 1)
  const counter = (name: string, help: string, label = 'outcome') => {
    const made = new Counter({ name, help, labelNames: [label], registers: [registry] })
    return (value: string, n = 1) => made.inc({ [label]: value }, n)
  }
  const undeclaredCodes = new Counter({
    name: 'crm_undeclared_codes_total',
    help: 'Refusals with a code that the contract does not declare for their operation: a mistake of the service.',
    labelNames: ['route', 'code'],
    registers: [registry],
  })
  const gauge = ({ name, help, labelNames = [], read }: GaugeReading): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect: async () => {
        const values = await read().catch(() => [])
        made.reset()
        // A gauge without labels would show 0.
        if (labelNames.length === 0) made.remove()
        for (const { value, labels = {} } of values) made.set(labels, value)
      },
    })
  }
  return {
    registry,
    httpRequests,
    requestsInFlight,
    refusals,
    undeclaredCodes,
    contentType: registry.contentType,
    gauge,
    counter,
    poolWaited: (seconds) => poolWaits.observe(seconds),
    render: () => registry.metrics(),
  }
}

/** Returns a reader whose concurrent calls share one reading, for several gauges that one statement answers. */
export function readTogether<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => (reading ??= read().finally(() => (reading = undefined)))
}

/** Returns a reader that remembers each reading for some time, for a gauge whose statements are many; a failed reading is not remembered. */
export function readSeldom<T>(everyMs: number, read: () => Promise<T>): () => Promise<T> {
  let latest: { readonly at: number; readonly value: T } | undefined
  const readNow = readTogether(async () => {
    const value = await read()
    latest = { at: performance.now(), value }
    return value
  })
  return async () => (latest && performance.now() - latest.at < everyMs ? latest.value : readNow())
}

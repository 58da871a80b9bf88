import { Histogram, Registry, collectDefaultMetrics } from 'prom-client'

/** The measurements of one process, ready to be shown to Prometheus. */
export interface Metrics {
  readonly registry: Registry
  /** Seconds per request; `route` is the route template, never the raw URL. */
  readonly httpRequests: Histogram<'method' | 'route' | 'status'>
  readonly contentType: string
  render(): Promise<string>
}

/** Makes the metrics of one service, labelled with its name. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  const httpRequests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  return { registry, httpRequests, contentType: registry.contentType, render: () => registry.metrics() }
}

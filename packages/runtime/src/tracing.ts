import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import type { OpenSpan, SpanStart, Tracer } from './spans.ts'

let tracer: Tracer | undefined
const current = new AsyncLocalStorage<OpenSpan>()

/**
 * Starts the tracing of this process if it has somewhere to send spans; the libraries for it are loaded only then. Returns the function
 * that sends the last spans and ends it.
 */
export async function startTracing(
  service: string,
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
  }: {
    readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
    readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined
  },
): Promise<() => Promise<void>> {
  if (endpoint === undefined) return async () => undefined
  const { createOtlpTracer } = await import('./otlp-tracer.ts')
  const started = createOtlpTracer(service, endpoint, headers)
  tracer = started
  const stopCommands = traceCommands()
  return async () => {
    stopCommands()
    tracer = undefined
    await started.close()
  }
}

/** Whether this process makes spans. */
export function isTracing(): boolean {
  return tracer !== undefined
}

/** Begins a span that its caller ends; undefined without tracing. */
export function beginSpan(start: SpanStart): OpenSpan | undefined {
  return tracer?.begin({ ...start, within: current.getStore() })
}

/** Runs work of which a span is the current one. */
export function runWithin<T>(span: OpenSpan, work: () => T): T {
  return current.run(span, work)
}

/** Does work in a span of its own; without tracing it only does the work. */
export async function traced<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
  const span = beginSpan(start)
  if (!span) return work()
  try {
    const result = await runWithin(span, work)
    span.end()
    return result
  } catch (error) {
    span.end({ failed: true })
    throw error
  }
}

/** Does work in a span of its own where it belongs to another span: the endless questions of background work make none. */
export function tracedWithin<T>(start: () => SpanStart, work: () => Promise<T>): Promise<T> {
  return tracer && current.getStore() ? traced(start(), work) : work()
}

/** Returns the header `traceparent` for whoever continues the current trace; undefined without one. */
export function currentTraceparent(): string | undefined {
  return current.getStore()?.traceparent
}

/** Returns the headers with which a request continues the current trace. */
export function traceHeaders(): { readonly traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? {} : { traceparent }
}

/** Makes spans of the commands to Redis, which its client reports. */
function traceCommands(): () => void {
  const spans = new WeakMap<object, OpenSpan>()
  const channel = tracingChannel<object>('ioredis:command')
  const handlers = {
    start: (message: object) => {
      if (!current.getStore()) return
      const command = 'command' in message ? String(message.command) : ''
      const facts = { 'db.system.name': 'redis' }
      const span = beginSpan({ name: `redis ${command}`.trim(), kind: 'client', facts })
      if (span) spans.set(message, span)
    },
    asyncEnd: (message: object) => spans.get(message)?.end(),
    error: (message: object) => spans.get(message)?.end({ failed: true }),
  }
  channel.subscribe(handlers)
  return () => channel.unsubscribe(handlers)
}

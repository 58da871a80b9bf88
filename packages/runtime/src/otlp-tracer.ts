import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api'
import { parseKeyPairsIntoRecord, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { OpenSpan, Tracer } from './spans.ts'
import { productAgent, productVersion } from './version.ts'

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

const sendEveryMs = 1_000
/** A process that stops waits no longer than this for a collector that is away. */
const sendWithinMs = 2_000

/**
 * Makes a tracer that sends spans to a collector over OTLP/HTTP in the background; more than it can send are dropped.
 *
 * @param endpoint the address of the collector without `/v1/traces`
 * @param headers headers of each request as OpenTelemetry writes them: `name=value,name=value`, percent-encoded
 */
export function createOtlpTracer(service: string, endpoint: string, headers = ''): Tracer {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    headers: parseKeyPairsIntoRecord(headers),
    userAgent: productAgent,
    timeoutMillis: sendWithinMs,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': productVersion }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: sendEveryMs, exportTimeoutMillis: sendWithinMs }),
    ],
  })
  const tracer = provider.getTracer('workspace-crm', productVersion)
  const contexts = new WeakMap<OpenSpan, Context>()

  const contextOf = (parent: string | null | undefined, within: OpenSpan | undefined): Context => {
    const sender = parent ? parseTraceParent(parent) : null
    if (sender) return trace.setSpanContext(ROOT_CONTEXT, { ...sender, isRemote: true })
    return (within && contexts.get(within)) ?? ROOT_CONTEXT
  }

  return {
    begin: ({ name, kind, facts, parent, within }) => {
      const context = contextOf(parent, within)
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...facts } }, context)
      const open = toOpen(span)
      contexts.set(open, trace.setSpan(context, span))
      return open
    },
    close: () => provider.shutdown().catch(() => undefined),
  }
}

function toOpen(span: Span): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    end: ({ name, facts = {}, failed = false } = {}) => {
      if (!span.isRecording()) return
      if (name !== undefined) span.updateName(name)
      span.setAttributes({ ...facts })
      // The message of an error may hold values, so it stays in the log.
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

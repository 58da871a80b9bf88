/** The facts of a span; none of them may be a value of a person, an id or an address. */
type SpanFacts = Readonly<Record<string, string | number>>

/** The beginning of a span. */
export interface SpanStart {
  readonly name: string
  readonly kind: 'server' | 'client' | 'consumer' | 'internal'
  /** The header `traceparent` of the sender, or what was stored of it; by default the span belongs to the current one. */
  readonly parent?: string | null | undefined
  readonly facts?: SpanFacts
}

/** A span that has not ended. */
export interface OpenSpan {
  readonly traceId: string
  /** The value of the header `traceparent` for whoever continues the trace. */
  readonly traceparent: string
  /** Ends it; a second call has no effect. */
  end(outcome?: { readonly name?: string; readonly facts?: SpanFacts; readonly failed?: boolean }): void
}

/** Makes spans and sends them away. */
export interface Tracer {
  begin(start: SpanStart & { readonly within: OpenSpan | undefined }): OpenSpan
  /** Sends what is not sent yet. */
  close(): Promise<void>
}

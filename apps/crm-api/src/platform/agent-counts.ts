/** Counts what agents do and are refused. */
export interface AgentCounts {
  /** A preview: it was made, it was refused as its request would be, or it failed or took too long. */
  preview(outcome: 'made' | 'refused' | 'failed'): void
  /** A call beyond one of the limits of its credential. */
  budgetRefused(limit: string): void
}

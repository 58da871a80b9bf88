import type { OutboxRow } from '@crm/jobs'

/** A change as rules and workflows see it, and as it is sent without a template (interface 6). */
export interface ChangeEvent {
  readonly event: string
  readonly entityType: string | null
  readonly entityId: string | null
  readonly tenantId: string
  /** ISO 8601. */
  readonly timestamp: string
  /** The record, and under `changes` the fields that changed. */
  readonly data: Readonly<Record<string, unknown>>
}

interface ChangePayload {
  readonly record?: Readonly<Record<string, unknown>>
  readonly changes?: readonly unknown[]
  readonly actor?: { readonly depth?: number }
  readonly at?: string
}

/** Reads the outbox row of a change. */
export function readChangeEvent(row: OutboxRow): ChangeEvent {
  const { record, changes, actor: _actor, at, ...more } = row.payload as ChangePayload
  const { event, entityType, entityId, workspaceId, createdAt } = row
  const data = { ...more, ...record, ...(changes ? { changes } : {}) }
  return { event, entityType, entityId, tenantId: workspaceId, timestamp: at ?? createdAt, data }
}

/** How many runs led to a change. */
export function depthOf(row: OutboxRow): number {
  return (row.payload as ChangePayload).actor?.depth ?? 0
}

/** What conditions are compared with: the fields of the record by themselves, under `data`, and under `trigger` as steps name them. */
export function conditionData(change: ChangeEvent): Readonly<Record<string, unknown>> {
  return { ...change.data, ...change, trigger: change }
}

import { shownFields } from './record-operations.ts'

/** A change as it is queued. */
export interface QueuedChange {
  readonly event: string
  readonly entityType: string | null
  readonly entityId: string | null
  readonly workspaceId: string
  readonly createdAt: string
  readonly payload: object
}

/** A change as rules and workflows see it, and as a request without a template sends it. */
export interface ChangeEvent {
  readonly event: string
  readonly entityType: string | null
  readonly entityId: string | null
  readonly tenantId: string
  /** The time, in ISO 8601. */
  readonly timestamp: string
  /** The record as the API shows it, with the changed fields under `changes`. */
  readonly data: Readonly<Record<string, unknown>>
}

interface ChangePayload {
  readonly record?: Readonly<Record<string, unknown>>
  readonly changes?: readonly { readonly field: string }[]
  readonly actor?: { readonly depth?: number }
  readonly at?: string
  /** The records that a conversion created. */
  readonly contactId?: unknown
  readonly companyId?: unknown
  readonly dealId?: unknown
  /** The record into which a deleted one was merged. */
  readonly mergedIntoId?: unknown
  /** The payment that an invoice event is about. */
  readonly payment?: unknown
}

/** Reads a change that is queued. A field that the API does not show reaches neither a condition nor a request. */
export function readChangeEvent(row: QueuedChange): ChangeEvent {
  const { record, changes, at, contactId, companyId, dealId, mergedIntoId, payment } = row.payload as ChangePayload
  const { event, entityType, entityId, workspaceId, createdAt } = row
  const shown = shownFields(entityType ?? '')
  const data = {
    ...definedOnly({ contactId, companyId, dealId, mergedIntoId, payment }),
    ...Object.fromEntries(Object.entries(record ?? {}).filter(([field]) => shown.has(field))),
    ...(changes ? { changes: changes.filter(({ field }) => shown.has(field)) } : {}),
  }
  return { event, entityType, entityId, tenantId: workspaceId, timestamp: at ?? createdAt, data }
}

function definedOnly(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** The number of runs that led to a change. */
export function depthOf(row: Pick<QueuedChange, 'payload'>): number {
  return (row.payload as ChangePayload).actor?.depth ?? 0
}

/**
 * Returns the data for conditions: the fields of the record at the top, under `data`, and under `trigger` as steps name them. A trial gives whatever somebody
 * typed for a change.
 */
export function conditionData(change: unknown): Readonly<Record<string, unknown>> {
  const { data } = Object(change) as { readonly data?: unknown }
  return { ...Object(data), ...Object(change), trigger: change }
}

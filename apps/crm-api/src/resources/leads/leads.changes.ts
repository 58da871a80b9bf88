import type { FieldChange, OutboxEvent, TimelineEntry } from '@crm/db'
import type { LeadRow } from './leads.record.ts'

/** What a change of a lead leaves behind: history and events. */
export interface LeadTrace {
  readonly timeline: readonly TimelineEntry[]
  readonly events: readonly OutboxEvent[]
}

const ofLead = (lead: LeadRow) => ({ entityType: 'LEAD', entityId: lead.id })

function event(name: string, lead: LeadRow, changes: readonly FieldChange[] = []): OutboxEvent {
  return { topic: 'change', event: name, ...ofLead(lead), payload: { record: lead, changes } }
}

/** A lead came in. */
export function traceCreated(lead: LeadRow): LeadTrace {
  return { timeline: [{ ...ofLead(lead), kind: 'CREATED' }], events: [event('lead.created', lead)] }
}

/** Kinds of history for the fields that have one of their own; the rest is UPDATED. */
const kinds: Readonly<Record<string, string>> = { status: 'STATUS_CHANGED', stageId: 'STAGE_CHANGED', pipelineId: 'STAGE_CHANGED', ownerId: 'OWNER_CHANGED' }
const followers = new Set(['departmentId', 'score'])

/** A lead changed: one entry for each kind, `lead.updated`, and the special events. */
export function traceChanged(lead: LeadRow, changes: readonly FieldChange[]): LeadTrace {
  if (changes.length === 0) return { timeline: [], events: [] }
  const byKind = Map.groupBy(
    changes.filter((change) => !followers.has(change.field)),
    (change) => kinds[change.field] ?? 'UPDATED',
  )
  const timeline = [...byKind].map(([kind, ofKind]) => ({ ...ofLead(lead), kind, changes: ofKind }))
  const special = [...byKind.keys()].flatMap((kind) => {
    if (kind === 'STAGE_CHANGED') return ['lead.stage_changed']
    return kind === 'STATUS_CHANGED' ? ['lead.status_changed'] : []
  })
  return { timeline, events: ['lead.updated', ...special].map((name) => event(name, lead, changes)) }
}

/** A lead was deleted. */
export function traceDeleted(lead: LeadRow): LeadTrace {
  return { timeline: [{ ...ofLead(lead), kind: 'DELETED' }], events: [event('lead.deleted', lead)] }
}

/** Other leads were merged into one. */
export function traceMerged(lead: LeadRow, sourceIds: readonly string[], changes: readonly FieldChange[]): LeadTrace {
  return {
    timeline: [{ ...ofLead(lead), kind: 'MERGED', changes, data: { sourceIds } }],
    events: [event('lead.updated', lead, changes)],
  }
}

/** Several traces as one. */
export function joinTraces(traces: readonly LeadTrace[]): LeadTrace {
  return { timeline: traces.flatMap((trace) => trace.timeline), events: traces.flatMap((trace) => trace.events) }
}

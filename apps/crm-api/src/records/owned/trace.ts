import { eventWord } from '@crm/contract'
import { recordChange, type FieldChange, type OutboxEvent, type TimelineEntry, type Transaction } from '@crm/db'
import type { CrmContext } from '../../platform/context.ts'
import { noticesOf, tell, type Assignment } from '../notices.ts'
import type { OwnedRow, RecordKind } from './kind.ts'

/** The history and events that a change of records leaves behind. */
export interface Trace {
  readonly timeline: readonly TimelineEntry[]
  readonly events: readonly OutboxEvent[]
  /** The people that records were given to; nobody hears of work that they give to themselves. */
  readonly assigned?: readonly Assignment[]
}

/** The parts of a request that leaving a trace needs. */
export interface TraceContext extends Pick<
  CrmContext,
  'workspace' | 'actor' | 'at' | 'operation' | 'groupId' | 'deps'
> {
  /** Collects traces, for work that writes the traces of many records together. */
  readonly collected?: Trace[]
  /** The operation that the work is a part of, where it can be undone. */
  readonly operationId?: string
  /** Whether a change of several kinds of fields is one entry in the history of its record, of the kind of the first. */
  readonly isOneEntry?: true
  /** Whether old values are given back. */
  readonly isUndo?: boolean
}

/** A context whose changes are one operation that can be undone. */
export type Undoable<Context extends TraceContext = TraceContext> = Context & { readonly operationId: string }

/** Returns a context whose changes are one operation that can be undone by an id; by default that of the request's entries. */
export function asUndoable<Context extends TraceContext>(context: Context, id = context.groupId): Undoable<Context> {
  return { ...context, groupId: id, operationId: id }
}

export const noTrace: Trace = { timeline: [], events: [] }

const of = <Row extends OwnedRow>(kind: RecordKind<Row>, row: Row) => ({
  entityType: kind.entityType,
  entityId: row.id,
})

function eventsOf<Row extends OwnedRow>(
  kind: RecordKind<Row>,
  names: readonly string[],
  row: Row,
  changes: readonly FieldChange[] = [],
): OutboxEvent[] {
  if (!kind.tellsEvents) return []
  return names.map((name) => ({
    topic: 'change',
    event: eventWord(name),
    ...of(kind, row),
    payload: { record: row, changes },
  }))
}

/** The source of a new record. */
export interface Origin {
  readonly relatedType: string
  readonly relatedId: string
}

/** Returns the trace of a new record. */
export function traceCreated<Row extends OwnedRow>(kind: RecordKind<Row>, row: Row, origin?: Origin): Trace {
  return {
    timeline: [{ ...of(kind, row), kind: 'CREATED', ...origin }],
    events: eventsOf(kind, [`${kind.noun}.created`, ...(kind.birthEvents?.(row) ?? [])], row),
    assigned: assignmentsOf(kind, row, [responsibleOf(row)]),
  }
}

/** Returns the person who is to work on a record: the assignee of a task, else the owner. */
function responsibleOf(row: object): unknown {
  if ('assigneeId' in row) return row.assigneeId
  return 'ownerId' in row ? row.ownerId : null
}

function assignmentsOf<Row extends OwnedRow>(
  kind: RecordKind<Row>,
  row: Row,
  people: readonly unknown[],
): readonly Assignment[] {
  return people.flatMap((employeeId) =>
    typeof employeeId === 'string' ? [{ ...of(kind, row), noun: kind.noun, employeeId }] : [],
  )
}

/** Returns the trace of a change: one entry for each kind of history, `<noun>.updated`, and the special events. */
export function traceChanged<Row extends OwnedRow>(
  kind: RecordKind<Row>,
  row: Row,
  changes: readonly FieldChange[],
): Trace {
  if (changes.length === 0) return noTrace
  const told = changes.filter(({ field }) => !kind.followers.includes(field))
  const byKind = Map.groupBy(told, ({ field }) => kind.timelineKinds[field] ?? 'UPDATED')
  const timeline = [...byKind].map(([entry, ofEntry]) => ({ ...of(kind, row), kind: entry, changes: ofEntry }))
  const special =
    kind.changeEvents?.(
      row,
      changes.map(({ field }) => field),
    ) ?? []
  const given = told.filter(({ field }) => kind.timelineKinds[field] === 'OWNER_CHANGED').map(({ to }) => to)
  return {
    timeline,
    events: eventsOf(kind, [`${kind.noun}.updated`, ...special], row, changes),
    assigned: assignmentsOf(kind, row, given),
  }
}

/**
 * Returns the trace of a deletion.
 * @param mergedIntoId the record that stays, where the deleted one was merged
 */
export function traceDeleted<Row extends OwnedRow>(kind: RecordKind<Row>, row: Row, mergedIntoId?: string): Trace {
  const events = eventsOf(kind, [`${kind.noun}.deleted`], row)
  return mergedIntoId === undefined
    ? { timeline: [{ ...of(kind, row), kind: 'DELETED' }], events }
    : {
        timeline: [{ ...of(kind, row), kind: 'DELETED', data: { mergedIntoId } }],
        events: events.map((event) => ({ ...event, payload: { ...event.payload, mergedIntoId } })),
      }
}

/** Returns the trace of a restored record; rules and workflows know no such event. */
export function traceRestored<Row extends OwnedRow>(kind: RecordKind<Row>, row: Row): Trace {
  return { timeline: [{ ...of(kind, row), kind: 'RESTORED' }], events: [] }
}

/** Returns the trace of a merge of other records into one. */
export function traceMerged<Row extends OwnedRow>(
  kind: RecordKind<Row>,
  row: Row,
  sourceIds: readonly string[],
  changes: readonly FieldChange[],
): Trace {
  return {
    timeline: [{ ...of(kind, row), kind: 'MERGED', changes, data: { sourceIds } }],
    events: eventsOf(kind, [`${kind.noun}.updated`], row, changes),
  }
}

/** Joins several traces into one. */
export function joinTraces(traces: readonly Trace[]): Trace {
  return {
    timeline: traces.flatMap((trace) => trace.timeline),
    events: traces.flatMap((trace) => trace.events),
    assigned: traces.flatMap((trace) => trace.assigned ?? []),
  }
}

/** Writes the history and events of changes of one kind of record. */
export async function leaveTrace(
  tx: Transaction,
  { workspace, actor, at, groupId, deps, collected, operationId, isOneEntry }: TraceContext,
  kind: Pick<RecordKind, 'entityType'>,
  { assigned = [], timeline, events }: Trace,
): Promise<void> {
  deps.compaction.noteWrite(workspace.id, kind.entityType)
  // Work that collects its traces, such as an import, is reported as a whole.
  if (collected) return void collected.push({ timeline, events })
  // Other entries only tell of the change; undoing it brings back the records of its own kind.
  const isOwn = ({ entityType, relatedId }: TimelineEntry) => entityType === kind.entityType && relatedId === undefined
  const entries = isOneEntry ? foldedEntries(timeline, isOwn) : timeline
  const told = entries.map((entry) => (operationId !== undefined && isOwn(entry) ? { ...entry, operationId } : entry))
  await recordChange(tx, { workspaceId: workspace.id, actor, at, groupId, timeline: told, events })
  await tell(tx, { workspaceId: workspace.id, at }, noticesOf(assigned, actor))
}

/** Joins the own entries of each record into one. */
function foldedEntries(
  timeline: readonly TimelineEntry[],
  isOwn: (entry: TimelineEntry) => boolean,
): readonly TimelineEntry[] {
  const own = Map.groupBy(timeline.filter(isOwn), ({ entityId }) => entityId)
  const folded = [...own.values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, changes: [first, ...more].flatMap(({ changes = [] }) => changes) }] : [],
  )
  return [...folded, ...timeline.filter((entry) => !isOwn(entry))]
}

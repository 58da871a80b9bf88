import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Via } from '@crm/permissions'
import { currentTraceparent } from '@crm/runtime'
import { newId } from './new-id.ts'
import { given, run, statement } from './statement.ts'
import type { FieldChange } from './schema/field-change.ts'
import type { OutboxTopic } from './queued.ts'
import { clientOf, connectionOf, noteQueued, type Executor, type Transaction } from './transaction.ts'

/** The author of a change, and the way in which they make it. */
export interface Actor {
  readonly type: 'EMPLOYEE' | 'EXTERNAL' | 'SYSTEM'
  readonly id: string | null
  readonly name: string
  readonly source: 'UI' | 'API' | 'MCP' | 'IMPORT' | 'WORKFLOW' | 'BOOKING' | 'SYSTEM'
  /** The way by which a person does it; absent where none is known. */
  readonly via?: Via
  /** How many workflow runs led to the change; rules stop at a limit. */
  readonly depth?: number
}

/** The service itself, where no person, workflow or guest has asked for a change. */
export const systemActor: Actor = { type: 'SYSTEM', id: null, name: 'System', source: 'SYSTEM' }

/** One entry of a record's history. */
export interface TimelineEntry {
  readonly entityType: string
  readonly entityId: string
  readonly kind: string
  readonly changes?: readonly FieldChange[]
  readonly data?: Readonly<Record<string, unknown>>
  readonly relatedType?: string
  readonly relatedId?: string
  /** The operation that the entry is a part of, where it can be undone. */
  readonly operationId?: string
}

/** An event for rules, workflows and workers. */
export interface OutboxEvent {
  readonly topic: OutboxTopic
  /** For example `lead.created`. */
  readonly event: string
  readonly entityType?: string
  readonly entityId?: string
  readonly payload?: Readonly<Record<string, unknown>>
}

/** The details of a change besides the change itself. */
export interface ChangeRecord {
  readonly workspaceId: string
  readonly actor: Actor
  readonly timeline?: readonly TimelineEntry[]
  readonly events?: readonly OutboxEvent[]
  /** Whether nobody who follows a record is told of it. */
  readonly isSilent?: boolean
  /** The operation that all the entries belong to, such as a request; without it, this change alone is one. */
  readonly groupId?: string
  /** The time of the change, ISO 8601. */
  readonly at: string
}

const events = sql`
  INSERT INTO outbox (workspace_id, id, topic, event, entity_type, entity_id, payload, created_at, traceparent)
  SELECT ${given('workspaceId')}::uuid, id, topic, event, "entityType", "entityId", payload, ${given('at')}::timestamptz, ${given('traceparent')}
  FROM jsonb_to_recordset(${given('events')}::jsonb)
    AS event(id uuid, topic text, event text, "entityType" text, "entityId" uuid, payload jsonb)`

/** For deployables that write no history, since they have no right to. */
const writeEvents = statement(events)

/**
 * Followers of a record are told of an entry in the statement that writes it, so that no way to write history forgets them. Whoever has an
 * unread notification about the record is not told again. A reader's sight is judged when notifications are read.
 */
const writeHistoryAndEvents = statement(sql`
  WITH entry AS (
    SELECT * FROM jsonb_to_recordset(${given('entries')}::jsonb)
      AS entry(id uuid, "entityType" text, "entityId" uuid, kind text, changes jsonb, data jsonb, "relatedType" text, "relatedId" uuid, "operationId" uuid)
  ), history AS (
    INSERT INTO timeline (workspace_id, id, entity_type, entity_id, kind, occurred_at, actor_type, actor_id, actor_name, source, changes, data, related_type, related_id, operation_id, group_id, via_type, via_id, via_name)
    SELECT ${given('workspaceId')}::uuid, id, "entityType", "entityId", kind, ${given('at')}::timestamptz, ${given('actorType')}, ${given('actorId')}::uuid,
      ${given('actorName')}, ${given('source')}, coalesce(changes, '[]'), coalesce(data, '{}'), "relatedType", "relatedId", "operationId", ${given('groupId')}::uuid,
      ${given('viaType')}, ${given('viaId')}::uuid, ${given('viaName')}
    FROM entry
  ), told AS (
    INSERT INTO notifications (workspace_id, id, employee_id, kind, text, data, entity_type, entity_id, created_at)
    SELECT follower.workspace_id, uuidv7(), follower.employee_id, 'followed', ${given('newsText')}, ${given('newsData')}::jsonb,
      follower.entity_type, follower.entity_id, ${given('at')}::timestamptz
    FROM follows AS follower
    WHERE NOT ${given('isSilent')}::boolean AND follower.workspace_id = ${given('workspaceId')}::uuid AND follower.employee_id IS DISTINCT FROM ${given('actorId')}::uuid
      AND (follower.entity_type, follower.entity_id) IN (SELECT "entityType", "entityId" FROM entry)
      AND NOT EXISTS (
        SELECT FROM notifications AS known WHERE known.workspace_id = ${given('workspaceId')}::uuid AND known.read_at IS NULL
          AND known.entity_type = follower.entity_type AND known.entity_id = follower.entity_id AND known.employee_id = follower.employee_id
      )
  )
  ${events}`)

/** Those who are told of the changes that a connection writes. Bounded: the connections of the pools. */
const watchers = new WeakMap<object, (change: ChangeRecord) => void>()

/** Calls a watcher with every change that a transaction writes while the work runs. */
export async function watchingChanges<T>(
  tx: Transaction,
  watch: (change: ChangeRecord) => void,
  work: () => Promise<T>,
): Promise<T> {
  const connection = clientOf(tx)
  const before = watchers.get(connection)
  watchers.set(connection, (change) => {
    before?.(change)
    watch(change)
  })
  try {
    return await work()
  } finally {
    if (before) watchers.set(connection, before)
    else watchers.delete(connection)
  }
}

/** Writes the history and the events of a change, in the transaction of the change. */
export async function recordChange(tx: Executor, change: ChangeRecord): Promise<void> {
  const { workspaceId, actor, timeline = [], events = [], groupId = newId(), isSilent = false, at } = change
  if (timeline.length === 0 && events.length === 0) return
  const connection = connectionOf(tx)
  if (connection) watchers.get(connection)?.(change)
  const entries = timeline.map((entry) => ({ ...entry, id: newId() }))
  const rows = events.map((event) => ({ ...event, id: newId(), payload: { ...event.payload, actor, at } }))
  await run(tx, entries.length > 0 ? writeHistoryAndEvents : writeEvents, {
    workspaceId,
    at,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    source: actor.source,
    viaType: actor.via?.type ?? null,
    viaId: actor.via?.id ?? null,
    viaName: actor.via?.name ?? null,
    groupId,
    isSilent,
    entries: JSON.stringify(entries),
    events: JSON.stringify(rows),
    newsText: `${actor.source === 'WORKFLOW' ? 'A workflow' : actor.name} changed something that you follow`,
    newsData: JSON.stringify({ actor: { id: actor.id, name: actor.name }, ...(actor.via ? { via: actor.via } : {}) }),
    traceparent: currentTraceparent() ?? null,
  })
  noteQueued(
    tx,
    events.map(({ topic }) => topic),
  )
}

/** Whether two values are the same as JSON; the database gives the members of an object in an order of its own. */
export function isSameValue(one: unknown, other: unknown): boolean {
  const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)]
  if (text === otherText) return true
  const areObjects = typeof one === 'object' && typeof other === 'object' && one !== null && other !== null
  return areObjects && isDeepStrictEqual(JSON.parse(text), JSON.parse(otherText))
}

/** Returns the fields in which two versions of a record differ. */
export function fieldChanges<T extends object>(before: T, after: Partial<T>): FieldChange[] {
  return Object.entries(after)
    .filter(([field, to]) => !isSameValue(before[field as keyof T] ?? null, to ?? null))
    .map(([field, to]) => ({ field, from: before[field as keyof T] ?? null, to: to ?? null }))
}

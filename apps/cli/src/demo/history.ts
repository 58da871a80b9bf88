import { newId, schema, type Executor, type FieldChange } from '@crm/db'
import { sql } from 'drizzle-orm'
import type { Member } from './members.ts'
import { between, type Place, type Stage } from './place.ts'

/** A record that things happen to. */
export interface RecordRef {
  readonly entityType: string
  readonly entityId: string
}

interface Related {
  readonly relatedType: string
  readonly relatedId: string
}

/** A person outside the workspace who has booked a meeting. */
interface Guest {
  readonly id: null
  readonly name: string
}

/** An action that somebody took on a record. */
interface Happening extends RecordRef, Partial<Related> {
  readonly kind: string
  readonly at: string
  readonly by: Member | Guest
  readonly changes?: FieldChange[]
  readonly data?: Record<string, unknown>
}

/** The events of the demo workspace, collected while its records are made. */
export interface History {
  add(...happenings: readonly Happening[]): void
  /** Adds a comment on a record. */
  comment(on: RecordRef, body: string, at: string, by: Member): void
  /** Writes everything in chronological order, which is also the order of the ids. */
  write(tx: Executor, workspaceId: string): Promise<void>
}

/** Makes an empty history. */
export function createHistory(): History {
  const happenings: Happening[] = []
  const comments: { on: RecordRef; id: string; body: string; at: string; by: Member }[] = []
  return {
    add: (...added) => void happenings.push(...added),
    comment: (on, body, at, by) => {
      const id = newId()
      comments.push({ on, id, body, at, by })
      happenings.push({
        ...on,
        kind: 'COMMENT_ADDED',
        at,
        by,
        data: { visibility: 'INTERNAL' },
        relatedType: 'COMMENT',
        relatedId: id,
      })
    },
    write: async (tx, workspaceId) => {
      // One person does one thing at a time.
      const groups = new Map<string, string>()
      const groupOf = ({ at, by }: Happening): string => {
        const key = `${at} ${by.id ?? by.name}`
        const known = groups.get(key) ?? newId()
        groups.set(key, known)
        return known
      }
      const entries = happenings
        .toSorted((a, b) => a.at.localeCompare(b.at))
        .map((happening) => ({ ...happening, groupId: groupOf(happening) }))
        .map(({ by, ...entry }) => ({
          ...entry,
          id: newId(),
          actorId: by.id,
          actorName: by.name,
          actorType: by.id ? 'EMPLOYEE' : 'EXTERNAL',
          source: by.id ? 'UI' : 'BOOKING',
        }))
      // One document is sent, because thousands of rows would need tens of thousands of parameters.
      await tx.execute(sql`
        INSERT INTO timeline (workspace_id, id, entity_type, entity_id, kind, occurred_at, actor_type, actor_id, actor_name, source, changes, data, related_type, related_id, group_id)
        SELECT ${workspaceId}::uuid, id, "entityType", "entityId", kind, at, "actorType", "actorId", "actorName", source, coalesce(changes, '[]'), coalesce(data, '{}'), "relatedType", "relatedId", "groupId"
        FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
          AS entry(id uuid, "entityType" text, "entityId" uuid, kind text, at timestamptz, "actorId" uuid, "actorName" text, "actorType" text, source text, changes jsonb, data jsonb, "relatedType" text, "relatedId" uuid, "groupId" uuid)`)
      if (comments.length === 0) return
      await tx.insert(schema.comments).values(
        comments.map(({ on, id, body, at, by }) => ({
          workspaceId,
          ...on,
          id,
          body,
          authorType: 'EMPLOYEE' as const,
          authorId: by.id,
          authorName: by.name,
          authorEmail: by.email,
          createdById: by.id,
          createdAt: at,
          updatedAt: at,
        })),
      )
    },
  }
}

/** The stages by which a record came to its present one. */
export interface Climb {
  readonly path: readonly Happening[]
  /** The time at which the record came to this stage. */
  readonly arrivedAt: string
}

/** Returns the path of a record from the first stage of its pipeline to its present stage; lost records leave on the way. */
export function climb(
  place: Place,
  on: RecordRef,
  by: Member,
  pipeline: readonly Stage[],
  to: Stage,
  createdAt: string,
): Climb {
  const now = place.now.toISOString()
  const path: Happening[] = [{ ...on, kind: 'CREATED', at: createdAt, by }]
  let from = pipeline[0] as Stage
  let at = createdAt
  for (const stage of stagesUpTo(place, pipeline, to)) {
    at = between(place, at, now)
    path.push({ ...on, kind: 'STAGE_CHANGED', at, by, changes: [{ field: 'stageId', from: from.id, to: stage.id }] })
    const before = statusIn(on, from)
    const after = statusIn(on, stage)
    if (before !== after)
      path.push({ ...on, kind: 'STATUS_CHANGED', at, by, changes: [{ field: 'status', from: before, to: after }] })
    from = stage
  }
  return { path, arrivedAt: at }
}

function stagesUpTo({ random }: Place, pipeline: readonly Stage[], to: Stage): Stage[] {
  const open = pipeline.filter(({ type }) => type === 'OPEN')
  const passed =
    to.type === 'OPEN'
      ? open.slice(1, open.indexOf(to))
      : to.type === 'WON'
        ? open.slice(1)
        : open.slice(1, 1 + random.below(open.length))
  return to === pipeline[0] ? [] : [...passed, to]
}

function statusIn({ entityType }: RecordRef, { type, mappedStatus }: Stage): string | null {
  return entityType === 'DEAL' ? type : mappedStatus
}

import { newId, schema, type Executor } from '@crm/db'
import { sql } from 'drizzle-orm'
import type { Member } from './members.ts'
import { add, between, type Happening, type History, type RecordRef, type Stage, type Story } from './story.ts'

interface Comment {
  readonly on: RecordRef
  readonly body: string
  readonly at: string
  readonly by: Member
}

/** Makes an empty history. */
export function createHistory(): History {
  const happenings: Happening[] = []
  const comments: (Comment & { readonly id: string })[] = []
  return {
    add: (...added) => void happenings.push(...added),
    comment: (on, body, at, by) => {
      const id = newId()
      comments.push({ on, id, body, at, by })
      const data = { visibility: 'INTERNAL' }
      happenings.push({ ...on, kind: 'COMMENT_ADDED', at, by, data, relatedType: 'COMMENT', relatedId: id })
    },
    write: async (tx, workspaceId) => {
      await writeTimeline(tx, workspaceId, happenings)
      const rows = comments.map(({ on, id, body, at, by }) => ({
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
      }))
      await add({ tx, workspaceId }, schema.comments, rows)
    },
  }
}

async function writeTimeline(tx: Executor, workspaceId: string, happenings: readonly Happening[]): Promise<void> {
  // One person does one thing at a time.
  const groups = new Map<string, string>()
  const groupOf = ({ at, by }: Happening): string => {
    const key = `${at} ${by.id ?? by.name}`
    const known = groups.get(key) ?? newId()
    groups.set(key, known)
    return known
  }
  const entries = happenings.toSorted(inTurn).map(({ by, ...entry }) => ({
    ...entry,
    id: newId(),
    groupId: groupOf({ by, ...entry }),
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
}

/** Orders by time; nothing comes before the creation of its record. */
function inTurn(a: Happening, b: Happening): number {
  return a.at.localeCompare(b.at) || Number(b.kind === 'CREATED') - Number(a.kind === 'CREATED')
}

/** Tells how a record came from the first stage of its pipeline to its present one; lost records leave on the way. */
export function climb(
  story: Story,
  on: RecordRef,
  by: Member,
  { pipeline, to, since }: { readonly pipeline: readonly Stage[]; readonly to: Stage; readonly since: string },
): { readonly stageChangedAt: string; readonly version: number } {
  const times = new Set([since])
  let from = pipeline[0] as Stage
  let at = since
  for (const stage of stagesUpTo(story, pipeline, to)) {
    at = between(story, at, story.now)
    times.add(at)
    const moved = { field: 'stageId', from: from.id, to: stage.id }
    story.history.add({ ...on, kind: 'STAGE_CHANGED', at, by, changes: [moved] })
    const status = { field: 'status', from: statusIn(on, from), to: statusIn(on, stage) }
    if (status.from !== status.to) story.history.add({ ...on, kind: 'STATUS_CHANGED', at, by, changes: [status] })
    from = stage
  }
  return { stageChangedAt: at, version: times.size }
}

function stagesUpTo({ random }: Story, pipeline: readonly Stage[], to: Stage): Stage[] {
  if (to === pipeline[0]) return []
  const open = pipeline.filter(({ type }) => type === 'OPEN')
  if (to.type === 'OPEN') return [...open.slice(1, open.indexOf(to)), to]
  return [...(to.type === 'WON' ? open.slice(1) : open.slice(1, 1 + random.below(open.length))), to]
}

function statusIn({ entityType }: RecordRef, { type, mappedStatus }: Stage): string | null {
  return entityType === 'DEAL' ? type : mappedStatus
}

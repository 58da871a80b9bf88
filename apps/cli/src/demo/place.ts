import { schema, type Executor } from '@crm/db'
import { and, asc, eq } from 'drizzle-orm'
import type { Member } from './members.ts'
import type { Random } from '@crm/runtime'

export const dayMs = 24 * 60 * 60 * 1000

/** Where the records of the demo go, who works with them, and what is left to chance. */
export interface Place {
  readonly workspaceId: string
  readonly adminId: string
  readonly members: readonly Member[]
  readonly random: Random
  readonly now: Date
}

/** A stage as records stand in it. */
export type Stage = Pick<
  typeof schema.stages.$inferSelect,
  'id' | 'pipelineId' | 'type' | 'mappedStatus' | 'probability'
>

/** The stages of each pipeline of a kind, in order. */
export async function readPipelines(
  tx: Executor,
  workspaceId: string,
  entityType: 'LEAD' | 'DEAL',
): Promise<Stage[][]> {
  const { stages, pipelines } = schema
  const found = await tx
    .select({
      id: stages.id,
      pipelineId: stages.pipelineId,
      type: stages.type,
      mappedStatus: stages.mappedStatus,
      probability: stages.probability,
    })
    .from(stages)
    .innerJoin(pipelines, and(eq(pipelines.workspaceId, stages.workspaceId), eq(pipelines.id, stages.pipelineId)))
    .where(and(eq(stages.workspaceId, workspaceId), eq(pipelines.entityType, entityType)))
    .orderBy(asc(stages.pipelineId), asc(stages.position))
  return [...Map.groupBy(found, ({ pipelineId }) => pipelineId).values()]
}

/** Somebody whose role lets them work with records. */
export function pickOwner({ members, random }: Place): Member {
  return random.pick(members.filter(({ writes }) => writes))
}

/** The columns of a record that somebody has made. */
export function madeBy(owner: Member, createdAt: string) {
  return { ownerId: owner.id, departmentId: owner.departmentId, createdById: owner.id, createdAt, updatedAt: createdAt }
}

/** A moment of the last 200 days; lately there was more to do. */
export function born({ random, now }: Place): string {
  return new Date(now.getTime() - Math.floor(random.next() ** 2 * 200 * dayMs) - 60_000).toISOString()
}

/** A moment between two others, in the working hours of its day where these leave room. */
export function between({ random }: Place, from: string, to: string): string {
  const fromMs = Date.parse(from)
  const toMs = Math.max(fromMs, Date.parse(to))
  const at = new Date(fromMs + random.next() * (toMs - fromMs))
  at.setUTCHours(7 + random.below(9), 15 * random.below(4), 0, 0)
  return new Date(Math.min(Math.max(at.getTime(), fromMs), toMs)).toISOString()
}

/** So many days after a moment. */
export function later(at: string, days: number): string {
  return new Date(Date.parse(at) + days * dayMs).toISOString()
}

/** The earlier of two moments. */
export function soonest(one: string, other: string): string {
  return one < other ? one : other
}

/** So many days from now, or before it, at a full hour of the working day. */
export function daysAhead({ random, now }: Place, days: number): string {
  const at = new Date(now.getTime() + days * dayMs)
  at.setUTCHours(7 + random.below(9), 0, 0, 0)
  return at.toISOString()
}

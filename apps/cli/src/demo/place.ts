import type { StagedEntity } from '@crm/model'
import { schema, type Executor } from '@crm/db'
import { and, asc, eq } from 'drizzle-orm'
import type { Member } from './members.ts'
import type { Random } from '@crm/runtime'

export const dayMs = 24 * 60 * 60 * 1000

/** The workspace of the demo's records, the people who work with them, and the source of chance. */
export interface Place {
  readonly workspaceId: string
  readonly adminId: string
  readonly members: readonly Member[]
  readonly random: Random
  readonly now: Date
}

/** The part of a stage that records need. */
export type Stage = Pick<
  typeof schema.stages.$inferSelect,
  'id' | 'pipelineId' | 'type' | 'mappedStatus' | 'probability'
>

/** The stages of each pipeline of a kind, in order. */
export async function readPipelines(tx: Executor, workspaceId: string, entityType: StagedEntity): Promise<Stage[][]> {
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

/** Picks a person whose role lets them work with records. */
export function pickOwner({ members, random }: Place): Member {
  return random.pick(members.filter(({ writes }) => writes))
}

/** Returns the columns of a record that tell who made it and when. */
export function madeBy(owner: Member, createdAt: string) {
  return { ownerId: owner.id, departmentId: owner.departmentId, createdById: owner.id, createdAt, updatedAt: createdAt }
}

/** Returns a moment within the last 200 days; recent moments are more frequent. */
export function born({ random, now }: Place): string {
  return new Date(now.getTime() - Math.floor(random.next() ** 2 * 200 * dayMs) - 60_000).toISOString()
}

/** Returns a moment between two others, within the working hours of its day if they leave room for it. */
export function between({ random }: Place, from: string, to: string): string {
  const fromMs = Date.parse(from)
  const toMs = Math.max(fromMs, Date.parse(to))
  const at = new Date(fromMs + random.next() * (toMs - fromMs))
  at.setUTCHours(7 + random.below(9), 15 * random.below(4), 0, 0)
  return new Date(Math.min(Math.max(at.getTime(), fromMs), toMs)).toISOString()
}

/** Returns the moment `days` days after another one. */
export function later(at: string, days: number): string {
  return new Date(Date.parse(at) + days * dayMs).toISOString()
}

/** The earlier of two moments. */
export function soonest(one: string, other: string): string {
  return one < other ? one : other
}

/** Returns the moment `days` days from now, or before now when negative, at a full hour of the working day. */
export function daysAhead({ random, now }: Place, days: number): string {
  const at = new Date(now.getTime() + days * dayMs)
  at.setUTCHours(7 + random.below(9), 0, 0, 0)
  return at.toISOString()
}

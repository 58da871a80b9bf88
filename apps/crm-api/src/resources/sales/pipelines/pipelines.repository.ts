import type { StagedEntity } from '@crm/model'
import type { PipelineInput, PipelinePatch, StageInput, StagePatch } from '@crm/contract'
import { endingTwin, isAnyOf, newId, schema, type Executor, type Transaction } from '@crm/db'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import { withUniqueFields } from '../../../records/unique.ts'

const { pipelines, stages, leads, deals } = schema

export type StageRow = Omit<typeof stages.$inferSelect, 'workspaceId'>

/** A pipeline with its stages, in its form on the wire. */
export interface PipelineRecord {
  readonly id: string
  readonly name: string
  readonly entityType: StagedEntity
  readonly isDefault: boolean
  readonly isActive: boolean
  readonly position: number
  readonly color: string | null
  readonly rules: { readonly noSkipping: boolean; readonly noBackwards: boolean }
  readonly stages: StageRow[]
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdById: string | null
}

/** Returns pipelines in order with their stages, and their number. */
export async function listPipelines(
  db: Executor,
  workspaceId: string,
  filter: {
    readonly entityType?: StagedEntity
    readonly isActive?: boolean
    readonly limit: number
    readonly offset: number
  },
): Promise<{ items: PipelineRecord[]; total: number }> {
  const where = and(
    eq(pipelines.workspaceId, workspaceId),
    filter.entityType ? eq(pipelines.entityType, filter.entityType) : undefined,
    filter.isActive === undefined ? undefined : eq(pipelines.isActive, filter.isActive),
  )
  const [total] = await db.select({ n: count() }).from(pipelines).where(where)
  const rows = await db
    .select()
    .from(pipelines)
    .where(where)
    .orderBy(asc(pipelines.entityType), asc(pipelines.position), asc(pipelines.id))
    .limit(filter.limit)
    .offset(filter.offset)
  const byPipeline = await selectStages(
    db,
    workspaceId,
    rows.map((row) => row.id),
  )
  return { items: rows.map((row) => toRecord(row, byPipeline.get(row.id) ?? [])), total: total?.n ?? 0 }
}

/** Returns one pipeline with its stages. */
export async function findPipeline(db: Executor, workspaceId: string, id: string): Promise<PipelineRecord | undefined> {
  const [row] = await db
    .select()
    .from(pipelines)
    .where(and(eq(pipelines.workspaceId, workspaceId), eq(pipelines.id, id)))
  return row && toRecord(row, (await selectStages(db, workspaceId, [id])).get(id) ?? [])
}

/** Locks a pipeline, so that its stages and its default flag do not change. */
export async function lockPipeline(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<PipelineRecord | undefined> {
  await lockPipelines(tx, workspaceId)
  await tx
    .select({ id: pipelines.id })
    .from(pipelines)
    .where(and(eq(pipelines.workspaceId, workspaceId), eq(pipelines.id, id)))
    .for('update')
  return findPipeline(tx, workspaceId, id)
}

async function selectStages(
  db: Executor,
  workspaceId: string,
  pipelineIds: readonly string[],
): Promise<Map<string, StageRow[]>> {
  if (pipelineIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(stages)
    .where(and(eq(stages.workspaceId, workspaceId), isAnyOf(stages.pipelineId, pipelineIds)))
    .orderBy(stages.position, stages.id)
  return Map.groupBy(
    rows.map(({ workspaceId: _workspace, ...stage }) => stage),
    (stage) => stage.pipelineId,
  )
}

function toRecord(row: typeof pipelines.$inferSelect, ofPipeline: StageRow[]): PipelineRecord {
  const { workspaceId: _workspace, noSkipping, noBackwards, ...rest } = row
  return { ...rest, rules: { noSkipping, noBackwards }, stages: ofPipeline }
}

const pipelineNames = { pipelines_name: 'name' }
const stageNames = { stages_name: 'name' }

/** Writes a pipeline with its stages; the first one of its kind is the default. */
export async function insertPipeline(
  tx: Transaction,
  workspaceId: string,
  createdById: string,
  input: PipelineInput,
  at: string,
): Promise<string> {
  const { rules, stages: stageInputs = [], isDefault, ...fields } = input
  const id = newId()
  const stamps = { createdById, createdAt: at, updatedAt: at }
  await lockPipelines(tx, workspaceId)
  const becomesDefault = isDefault ?? !(await hasDefault(tx, workspaceId, input.entityType))
  if (becomesDefault) await clearDefault(tx, workspaceId, input.entityType)
  await withUniqueFields(pipelineNames, () =>
    tx.insert(pipelines).values({ ...fields, ...rules, workspaceId, id, isDefault: becomesDefault, ...stamps }),
  )
  if (stageInputs.length > 0) {
    const rows = stageInputs.map((stage, position) => ({ position, ...stage, workspaceId, pipelineId: id, ...stamps }))
    await withUniqueFields(stageNames, () => tx.insert(stages).values(rows))
  }
  return id
}

/**
 * Locks the pipelines of a workspace, so that changes wait for each other: the default passes from one to another, and two
 * transactions that each locked one of them would deadlock.
 */
async function lockPipelines(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`pipelines:${workspaceId}`}, 0))`)
}

async function hasDefault(tx: Transaction, workspaceId: string, entityType: StagedEntity): Promise<boolean> {
  const rows = await tx
    .select({ id: pipelines.id })
    .from(pipelines)
    .where(
      and(eq(pipelines.workspaceId, workspaceId), eq(pipelines.entityType, entityType), eq(pipelines.isDefault, true)),
    )
  return rows.length > 0
}

async function clearDefault(tx: Transaction, workspaceId: string, entityType: StagedEntity): Promise<void> {
  await tx
    .update(pipelines)
    .set({ isDefault: false })
    .where(
      and(eq(pipelines.workspaceId, workspaceId), eq(pipelines.entityType, entityType), eq(pipelines.isDefault, true)),
    )
}

/** Changes a locked pipeline; a new default takes the place of the old one. */
export async function updatePipeline(
  tx: Transaction,
  workspaceId: string,
  current: PipelineRecord,
  patch: PipelinePatch,
  at: string,
): Promise<void> {
  const { rules, ...fields } = patch
  if (patch.isDefault && !current.isDefault) await clearDefault(tx, workspaceId, current.entityType)
  await withUniqueFields(pipelineNames, () =>
    tx
      .update(pipelines)
      .set(endingTwin(pipelines, { ...fields, ...rules, updatedAt: at }))
      .where(and(eq(pipelines.workspaceId, workspaceId), eq(pipelines.id, current.id))),
  )
}

/** Deletes a pipeline and its stages. */
export async function deletePipeline(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.delete(pipelines).where(and(eq(pipelines.workspaceId, workspaceId), eq(pipelines.id, id)))
}

/** Returns the number of leads and deals, deleted ones included, in a pipeline or one of its stages. */
export async function countInUse(
  tx: Transaction,
  workspaceId: string,
  place: { readonly pipelineId?: string; readonly stageId?: string },
): Promise<number> {
  let inUse = 0
  for (const table of [leads, deals]) {
    const at = place.stageId ? eq(table.stageId, place.stageId) : eq(table.pipelineId, place.pipelineId ?? '')
    const [row] = await tx
      .select({ n: count() })
      .from(table)
      .where(and(eq(table.workspaceId, workspaceId), at))
    inUse += row?.n ?? 0
  }
  return inUse
}

/** Adds a stage at its position, or at the end. */
export async function insertStage(
  tx: Transaction,
  workspaceId: string,
  createdById: string,
  pipeline: PipelineRecord,
  input: StageInput,
  at: string,
): Promise<string> {
  const id = newId()
  const position = input.position ?? Math.max(-1, ...pipeline.stages.map((stage) => stage.position)) + 1
  if (input.position !== undefined) await makeRoom(tx, workspaceId, pipeline.id, position)
  await withUniqueFields(stageNames, () =>
    tx.insert(stages).values({
      ...input,
      position,
      workspaceId,
      id,
      pipelineId: pipeline.id,
      createdById,
      createdAt: at,
      updatedAt: at,
    }),
  )
  return id
}

async function makeRoom(tx: Transaction, workspaceId: string, pipelineId: string, position: number): Promise<void> {
  await tx
    .update(stages)
    .set({ position: sql`${stages.position} + 1` })
    .where(
      and(
        eq(stages.workspaceId, workspaceId),
        eq(stages.pipelineId, pipelineId),
        sql`${stages.position} >= ${position}`,
      ),
    )
}

/** Changes a stage. */
export async function updateStage(
  tx: Transaction,
  workspaceId: string,
  stage: StageRow,
  patch: StagePatch,
  at: string,
): Promise<void> {
  if (patch.position !== undefined && patch.position !== stage.position)
    await makeRoom(tx, workspaceId, stage.pipelineId, patch.position)
  await withUniqueFields(stageNames, () =>
    tx
      .update(stages)
      .set(endingTwin(stages, { ...patch, updatedAt: at }))
      .where(and(eq(stages.workspaceId, workspaceId), eq(stages.id, stage.id))),
  )
}

/** Makes transactions that put a record into one of these stages wait until this transaction ends. */
export async function closeStages(tx: Transaction, workspaceId: string, stageIds: readonly string[]): Promise<void> {
  await tx
    .select({ id: stages.id })
    .from(stages)
    .where(and(eq(stages.workspaceId, workspaceId), isAnyOf(stages.id, stageIds)))
    .orderBy(stages.id)
    .for('update')
}

/** Deletes an empty stage. */
export async function deleteStage(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.delete(stages).where(and(eq(stages.workspaceId, workspaceId), eq(stages.id, id)))
}

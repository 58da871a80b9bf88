import type { StagedEntity } from '@crm/model'
import { brokenConstraint, given, run, statement, type Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import { sql } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'
import type { PipelineFacts } from './stage-moves.ts'

const pipelineFacts = statement(sql`
  SELECT json_build_object('id', p.id, 'noSkipping', p.no_skipping, 'noBackwards', p.no_backwards, 'stages', coalesce((
    SELECT json_agg(json_build_object('id', s.id, 'position', s.position, 'type', s.type, 'mappedStatus', s.mapped_status,
      'requiredFields', s.required_fields, 'probability', s.probability) ORDER BY s.position, s.id)
    FROM stages s WHERE s.workspace_id = ${given('workspaceId')} AND s.pipeline_id = p.id), '[]')) AS facts
  FROM pipelines p
  WHERE p.workspace_id = ${given('workspaceId')} AND p.entity_type = ${given('entityType')}
    AND CASE WHEN ${given('pipelineId')}::uuid IS NULL THEN p.is_default ELSE p.id = ${given('pipelineId')}::uuid END`)

/** Reads a pipeline of leads or deals with its stages, the default pipeline when none is named; null when it does not exist. */
export async function recallPipeline(
  db: Executor,
  { workspace, remembered }: Pick<CrmContext, 'workspace' | 'remembered'>,
  entityType: StagedEntity,
  pipelineId: string | undefined,
): Promise<PipelineFacts | null> {
  const known = await remembered(`pipeline:${entityType}:${pipelineId ?? ''}`, async () => {
    const [row] = await run<{ facts: PipelineFacts }>(db, pipelineFacts, {
      workspaceId: workspace.id,
      entityType,
      pipelineId: pipelineId ?? null,
    })
    return { facts: row?.facts ?? null }
  })
  return known.facts
}

/** Runs a write and refuses a missing stage: a stage can be deleted after it was chosen and before the lead or deal is written. */
export async function withStage<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (['leads_stage', 'deals_stage'].includes(brokenConstraint(error) ?? '')) throw new ApiError('STAGE_NOT_FOUND')
    throw error
  }
}

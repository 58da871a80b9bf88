import type { DeclaredField, RecordKindSchema } from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import { asc, eq } from 'drizzle-orm'

const { customFields, pipelines, stages } = schema

/** A pipeline in the form in which people choose it, with the required fields of its stages. */
export interface DescribedPipeline {
  readonly entityType: string
  readonly pipeline: RecordKindSchema['pipelines'][number]
  /** The fields that a record needs to enter a stage, by the id of the stage. */
  readonly requiredFields: ReadonlyMap<string, readonly string[]>
}

/** Returns the custom fields of a workspace by entity type, in their own order. */
export async function listCustomFields(
  db: Executor,
  workspaceId: string,
): Promise<ReadonlyMap<string, readonly DeclaredField[]>> {
  const rows = await db
    .select({
      entityType: customFields.entityType,
      key: customFields.key,
      label: customFields.label,
      type: customFields.type,
      options: customFields.options,
      isRequired: customFields.isRequired,
    })
    .from(customFields)
    .where(eq(customFields.workspaceId, workspaceId))
    .orderBy(asc(customFields.position), asc(customFields.id))
  return Map.groupBy(rows, ({ entityType }) => entityType)
}

/** Returns the pipelines of a workspace with their stages, in order. */
export async function listDescribedPipelines(db: Executor, workspaceId: string): Promise<readonly DescribedPipeline[]> {
  const rows = await db
    .select({
      id: pipelines.id,
      name: pipelines.name,
      isDefault: pipelines.isDefault,
      isActive: pipelines.isActive,
      entityType: pipelines.entityType,
    })
    .from(pipelines)
    .where(eq(pipelines.workspaceId, workspaceId))
    .orderBy(asc(pipelines.position), asc(pipelines.id))
  const found = await db
    .select({
      id: stages.id,
      name: stages.name,
      color: stages.color,
      type: stages.type,
      mappedStatus: stages.mappedStatus,
      rottingDays: stages.rottingDays,
      recordLimit: stages.recordLimit,
      requiredFields: stages.requiredFields,
      pipelineId: stages.pipelineId,
    })
    .from(stages)
    .where(eq(stages.workspaceId, workspaceId))
    .orderBy(asc(stages.position), asc(stages.id))
  const byPipeline = Map.groupBy(found, ({ pipelineId }) => pipelineId)
  return rows.map(({ entityType, ...pipeline }) => {
    const own = byPipeline.get(pipeline.id) ?? []
    return {
      entityType,
      pipeline: {
        ...pipeline,
        stages: own.map(({ requiredFields: _required, pipelineId: _pipeline, ...stage }) => stage),
      },
      requiredFields: new Map(own.map((stage) => [stage.id, stage.requiredFields])),
    }
  })
}

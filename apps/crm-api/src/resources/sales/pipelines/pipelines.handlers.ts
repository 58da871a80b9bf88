import { lead } from '@crm/model'
import { address, dealInput, leadInput, pipelines, pipelineStages, success } from '@crm/contract'
import { isAnyOf, schema, type Transaction } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { ApiError, invalidField, type Issue } from '@crm/errors'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { changingWorkspace } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { refuseUsed } from '../../../records/uses.ts'
import { convertsLeads, emptyStage } from './pipelines.moves.ts'
import {
  closeStages,
  countInUse,
  deletePipeline,
  deleteStage,
  findPipeline,
  insertPipeline,
  insertStage,
  listPipelines,
  lockPipeline,
  updatePipeline,
  updateStage,
  type PipelineRecord,
  type StageRow,
} from './pipelines.repository.ts'

const notConverted = 'Leads that are not converted cannot move to the stage of converted leads'

export const implementedPipelines = implement(pipelines, {
  list: async ({ query }, { db, workspace }) =>
    pageOf(await listPipelines(db, workspace.id, { ...query, limit: query.pageSize, offset: offsetOf(query) }), query),

  get: async ({ params }, { db, workspace }) =>
    success(requirePipeline(await findPipeline(db, workspace.id, params.id))),

  create: async ({ body }, context) => {
    if (body.stages && !body.stages.some(isOpen)) throw context.refuse('LAST_OPEN_STAGE')
    if (body.isDefault && body.isActive === false) throw invalidField('isActive', 'The default pipeline is active')
    const { workspace, caller, at } = context
    return changingWorkspace(context, async (tx) => {
      for (const [n, stage] of (body.stages ?? []).entries())
        await requireKnownFields(tx, context, body.entityType, stage, ['stages', n])
      const id = await insertPipeline(tx, workspace.id, caller.employee.id, body, at)
      return success(requirePipeline(await findPipeline(tx, workspace.id, id)))
    })
  },

  update: async ({ params, body }, context) =>
    changingWorkspace(context, async (tx) => {
      const current = requirePipeline(await lockPipeline(tx, context.workspace.id, params.id))
      if (current.isDefault && body.isDefault === false) throw context.refuse('DEFAULT_PIPELINE')
      const { isDefault, isActive } = { ...current, ...body }
      if (isDefault && !isActive) throw context.refuse('DEFAULT_PIPELINE')
      await updatePipeline(tx, context.workspace.id, current, body, context.at)
      return success(requirePipeline(await findPipeline(tx, context.workspace.id, params.id)))
    }),

  delete: async ({ params }, context) =>
    changingWorkspace(context, async (tx) => {
      const current = requirePipeline(await lockPipeline(tx, context.workspace.id, params.id))
      if (current.isDefault) throw context.refuse('DEFAULT_PIPELINE')
      await closeStages(
        tx,
        context.workspace.id,
        current.stages.map(({ id }) => id),
      )
      const used = await countInUse(tx, context.workspace.id, { pipelineId: params.id })
      refuseUsed('pipeline', [{ entityType: current.entityType, count: used }])
      await deletePipeline(tx, context.workspace.id, params.id)
      return success({ id: params.id })
    }),

  transfer: async ({ params, body }, context) =>
    changingWorkspace(context, async (tx) => {
      const source = requirePipeline(await lockPipeline(tx, context.workspace.id, params.id))
      const target = await requireCounterpart(tx, context, source, body.toPipelineId)
      requireKnownStages(source, target, body.stageMap)
      await closeStages(
        tx,
        context.workspace.id,
        source.stages.map(({ id }) => id),
      )
      let moved = 0
      for (const from of source.stages) {
        const used = await countInUse(tx, context.workspace.id, { stageId: from.id })
        const to = target.stages.find(({ id }) => id === body.stageMap[from.id])
        if (used > 0 && !to)
          throw context.refuse('STAGE_IN_USE', {
            message: `stageMap names no stage for ${from.name}`,
            details: { count: used },
          })
        if (used === 0 || !to) continue
        const move = { from, pipeline: target, to }
        if (await convertsLeads(tx, context, move)) throw invalidField(['stageMap', from.id], notConverted)
        moved += await emptyStage(tx, context, move)
      }
      return success({ moved })
    }),
})

/** Returns the pipeline that takes the records of another one: of the same kind, and not the same pipeline. */
async function requireCounterpart(
  tx: Transaction,
  { workspace }: CrmContext,
  source: PipelineRecord,
  toPipelineId: string,
): Promise<PipelineRecord> {
  const target = await lockPipeline(tx, workspace.id, toPipelineId)
  if (target?.entityType !== source.entityType)
    throw new ApiError('PIPELINE_NOT_FOUND', { message: 'There is no such pipeline of this kind' })
  if (target.id === source.id) throw invalidField('toPipelineId', 'Expected another pipeline')
  return target
}

/** Refuses unknown stages: an unknown stage is more likely a mistake than a stage without work. */
function requireKnownStages(
  source: PipelineRecord,
  target: PipelineRecord,
  stageMap: Readonly<Record<string, string>>,
): void {
  for (const [fromId, toId] of Object.entries(stageMap)) {
    if (!source.stages.some(({ id }) => id === fromId))
      throw new ApiError('STAGE_NOT_FOUND', { message: `The pipeline has no stage ${fromId}` })
    if (!target.stages.some(({ id }) => id === toId))
      throw new ApiError('STAGE_NOT_FOUND', { message: `The other pipeline has no stage ${toId}` })
  }
}

export const implementedPipelineStages = implement(pipelineStages, {
  list: async ({ params, query }, { db, workspace }) => {
    const { stages } = requirePipeline(await findPipeline(db, workspace.id, params.pipelineId))
    const from = offsetOf(query)
    return pageOf({ items: stages.slice(from, from + query.pageSize), total: stages.length }, query)
  },

  get: async ({ params }, { db, workspace }) =>
    success(requireStage(requirePipeline(await findPipeline(db, workspace.id, params.pipelineId)), params.id)),

  create: async ({ params, body }, context) =>
    changingWorkspace(context, async (tx) => {
      const pipeline = requirePipeline(await lockPipeline(tx, context.workspace.id, params.pipelineId))
      await requireKnownFields(tx, context, pipeline.entityType, body)
      const id = await insertStage(tx, context.workspace.id, context.caller.employee.id, pipeline, body, context.at)
      return success(await readStage(tx, context, params.pipelineId, id))
    }),

  update: async ({ params, body }, context) =>
    changingWorkspace(context, async (tx) => {
      const pipeline = requirePipeline(await lockPipeline(tx, context.workspace.id, params.pipelineId))
      const stage = requireStage(pipeline, params.id)
      if (body.type && body.type !== 'OPEN' && isLastOpen(pipeline, stage)) throw context.refuse('LAST_OPEN_STAGE')
      await requireKnownFields(tx, context, pipeline.entityType, body)
      await updateStage(tx, context.workspace.id, stage, body, context.at)
      return success(await readStage(tx, context, params.pipelineId, params.id))
    }),

  delete: async ({ params, query }, context) =>
    changingWorkspace(context, async (tx) => {
      const pipeline = requirePipeline(await lockPipeline(tx, context.workspace.id, params.pipelineId))
      const stage = requireStage(pipeline, params.id)
      if (isLastOpen(pipeline, stage)) throw context.refuse('LAST_OPEN_STAGE')
      await closeStages(tx, context.workspace.id, [stage.id])
      const used = await countInUse(tx, context.workspace.id, { stageId: stage.id })
      if (used > 0) {
        const move = { from: stage, pipeline, to: requireTarget(pipeline, stage, query.moveToStageId, used) }
        if (await convertsLeads(tx, context, move))
          throw context.refuse('INVALID_QUERY_PARAM', {
            message: notConverted,
            details: { param: 'moveToStageId', message: notConverted },
          })
        await emptyStage(tx, context, move)
      }
      await deleteStage(tx, context.workspace.id, stage.id)
      return success({ id: stage.id })
    }),
})

const decidedByStage: readonly string[] = ['pipelineId', 'stageId', 'status']
const fillable = {
  LEAD: Object.keys(leadInput.shape).filter((field) => !decidedByStage.includes(field)),
  DEAL: Object.keys(dealInput.shape).filter((field) => !decidedByStage.includes(field)),
} as const
const { customFields } = schema

/**
 * Refuses required fields that no record can have, because no record could enter the stage any more. Custom fields are
 * locked until the transaction ends.
 */
async function requireKnownFields(
  tx: Transaction,
  { workspace }: CrmContext,
  entityType: PipelineRecord['entityType'],
  { requiredFields = [] }: { readonly requiredFields?: readonly string[] | undefined },
  at: readonly (string | number)[] = [],
): Promise<void> {
  const keys = requiredFields
    .filter((field) => field.startsWith(customPrefix))
    .map((field) => field.slice(customPrefix.length))
  const known =
    keys.length === 0
      ? []
      : await tx
          .select({ key: customFields.key })
          .from(customFields)
          .where(
            and(
              eq(customFields.workspaceId, workspace.id),
              eq(customFields.entityType, entityType),
              isAnyOf(customFields.key, keys),
            ),
          )
          .for('key share')
  const values = [
    ...fillable[entityType].filter((field) => field !== 'customFields'),
    ...(entityType === lead.entity ? addressFields : []),
    ...known.map(({ key }) => `${customPrefix}${key}`),
  ]
  const issues: Issue[] = requiredFields.flatMap((field, n) =>
    values.includes(field)
      ? []
      : [
          {
            path: [...at, 'requiredFields', n],
            message: `No ${entityType.toLowerCase()} has this field`,
            code: 'invalid_value',
            values,
          },
        ],
  )
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
}

const customPrefix = 'customFields.'
const addressFields = Object.keys(address.shape).map((part) => `address.${part}`)

/** Returns the stage that takes the records of a deleted stage: another stage of the same pipeline. */
function requireTarget(
  pipeline: PipelineRecord,
  stage: StageRow,
  toStageId: string | undefined,
  used: number,
): StageRow {
  if (!toStageId) throw new ApiError('STAGE_IN_USE', { details: { count: used } })
  const target = pipeline.stages.find(({ id }) => id === toStageId && id !== stage.id)
  if (!target) throw new ApiError('STAGE_NOT_FOUND')
  return target
}

async function readStage(
  tx: Transaction,
  { workspace }: CrmContext,
  pipelineId: string,
  id: string,
): Promise<StageRow> {
  return requireStage(requirePipeline(await findPipeline(tx, workspace.id, pipelineId)), id)
}

function requirePipeline(pipeline: PipelineRecord | undefined): PipelineRecord {
  if (!pipeline) throw new ApiError('NOT_FOUND', { message: 'There is no such pipeline' })
  return pipeline
}

function requireStage(pipeline: PipelineRecord, id: string): StageRow {
  const stage = pipeline.stages.find((candidate) => candidate.id === id)
  if (!stage) throw new ApiError('NOT_FOUND', { message: 'There is no such stage' })
  return stage
}

function isOpen(stage: { readonly type?: string }): boolean {
  return (stage.type ?? 'OPEN') === 'OPEN'
}

function isLastOpen(pipeline: PipelineRecord, stage: StageRow): boolean {
  return isOpen(stage) && pipeline.stages.filter(isOpen).length === 1
}

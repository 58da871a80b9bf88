import { entitiesWith } from '@crm/model'
import * as z from 'zod'
import { byId, id, position, recordFields, requiredText } from '../fields.ts'
import { booleanParam, pagedList, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, deleted, referenceAccess, standard } from '../standard.ts'
import { leadStatuses } from './leads.ts'

export const pipelineEntities = entitiesWith('staged')
export const stageTypes = ['OPEN', 'WON', 'LOST'] as const

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as #1f6feb')

const stage = z.object({
  ...recordFields,
  pipelineId: id,
  name: z.string(),
  position: z.int(),
  color: z.string().nullable(),
  type: z.enum(stageTypes),
  mappedStatus: z.enum(leadStatuses).nullable(),
  probability: z.int().nullable(),
  rottingDays: z.int().nullable(),
  recordLimit: z.int().nullable().meta({ description: 'A board warns of more records; none is refused' }),
  requiredFields: z.array(z.string()),
})

const stageFields = {
  name: requiredText(100),
  position: position.optional(),
  color: color.nullable().optional(),
  type: z.enum(stageTypes).optional(),
  mappedStatus: z.enum(leadStatuses).nullable().optional(),
  probability: z.int().min(0).max(100).nullable().optional(),
  rottingDays: z.int().min(1).max(3650).nullable().optional(),
  recordLimit: z.int().min(1).max(10_000).nullable().optional(),
  requiredFields: z.array(requiredText(50)).max(30).optional(),
}

const stageInput = z.strictObject(stageFields)
export type StageInput = z.output<typeof stageInput>
const stagePatch = z.strictObject({ ...stageFields, name: requiredText(100).optional() })
export type StagePatch = z.output<typeof stagePatch>

const rules = z.strictObject({ noSkipping: z.boolean().default(false), noBackwards: z.boolean().default(false) })

const pipeline = z.object({
  ...recordFields,
  name: z.string(),
  entityType: z.enum(pipelineEntities),
  isDefault: z.boolean(),
  isActive: z.boolean(),
  position: z.int(),
  color: z.string().nullable(),
  rules: z.object({ noSkipping: z.boolean(), noBackwards: z.boolean() }),
  stages: z.array(stage),
})

const pipelineFields = {
  isDefault: z.boolean().optional(),
  isActive: z.boolean().optional(),
  position: position.optional(),
  color: color.nullable().optional(),
  rules: rules.optional(),
}

const pipelineInput = z.strictObject({
  name: requiredText(100),
  entityType: z.enum(pipelineEntities),
  ...pipelineFields,
  stages: z.array(stageInput).max(50).optional(),
})
export type PipelineInput = z.output<typeof pipelineInput>
const pipelinePatch = z.strictObject({ name: requiredText(100).optional(), ...pipelineFields })
export type PipelinePatch = z.output<typeof pipelinePatch>

export const pipelines = resource({ name: 'pipelines', entity: 'PIPELINE' }, null, {
  ...standard({
    path: '/api/pipelines',
    noun: 'pipeline',
    plural: 'pipelines with their stages',
    record: pipeline,
    create: pipelineInput,
    update: pipelinePatch,
    list: pagedList(pipeline, usualPages, {
      entityType: z.enum(pipelineEntities).optional(),
      isActive: booleanParam.optional(),
    }),
    access: referenceAccess,
  }),
  create: {
    method: 'POST',
    path: '/api/pipelines',
    summary: 'Create a pipeline, with its stages if you like',
    access: referenceAccess.create,
    body: pipelineInput,
    reply: data(201, pipeline),
    errors: ['NAME_TAKEN', 'LAST_OPEN_STAGE'],
  },
  update: {
    method: 'PATCH',
    path: '/api/pipelines/{id}',
    summary: 'Change a pipeline',
    access: referenceAccess.update,
    params: byId,
    body: pipelinePatch,
    reply: data(200, pipeline),
    errors: ['NAME_TAKEN', 'DEFAULT_PIPELINE'],
  },
  delete: {
    method: 'DELETE',
    path: '/api/pipelines/{id}',
    summary: 'Delete a pipeline that holds no records',
    access: referenceAccess.delete,
    params: byId,
    reply: deleted,
    errors: ['IN_USE', 'DEFAULT_PIPELINE'],
  },
  transfer: {
    method: 'POST',
    path: '/api/pipelines/{id}/transfer',
    summary: 'Move every record of a pipeline to another one of its kind',
    description: 'stageMap names the new stage for each one that holds records.',
    access: referenceAccess.update,
    params: byId,
    body: z.strictObject({ toPipelineId: id, stageMap: z.record(id, id) }),
    reply: data(200, z.object({ moved: z.int() })),
    errors: ['PIPELINE_NOT_FOUND', 'STAGE_NOT_FOUND', 'STAGE_IN_USE'],
    destructive: true,
  },
})

const inPipeline = z.object({ pipelineId: id })
const oneStage = z.object({ pipelineId: id, id })
const stagesPath = '/api/pipelines/{pipelineId}/stages'
const stagePath = '/api/pipelines/{pipelineId}/stages/{id}'

export const pipelineStages = resource({ name: 'pipelines.stages', entity: 'STAGE' }, null, {
  list: {
    method: 'GET',
    path: stagesPath,
    summary: 'List the stages of a pipeline in order',
    access: referenceAccess.view,
    params: inPipeline,
    ...pagedList(stage, { pageSize: 100, pageSizeMax: 100, overMax: 'cap' }, {}),
  },
  get: {
    method: 'GET',
    path: stagePath,
    summary: 'Read a stage',
    access: referenceAccess.view,
    params: oneStage,
    reply: data(200, stage),
  },
  create: {
    method: 'POST',
    path: stagesPath,
    summary: 'Add a stage to a pipeline',
    access: referenceAccess.create,
    params: inPipeline,
    body: stageInput,
    reply: data(201, stage),
    errors: ['NAME_TAKEN'],
  },
  update: {
    method: 'PATCH',
    path: stagePath,
    summary: 'Change a stage',
    access: referenceAccess.update,
    params: oneStage,
    body: stagePatch,
    reply: data(200, stage),
    errors: ['NAME_TAKEN', 'LAST_OPEN_STAGE'],
  },
  delete: {
    method: 'DELETE',
    path: stagePath,
    summary: 'Delete a stage',
    description: 'A stage that holds records needs moveToStageId, the stage of the same pipeline that takes them.',
    access: referenceAccess.delete,
    params: oneStage,
    query: z.object({ moveToStageId: id.optional() }),
    reply: deleted,
    errors: ['STAGE_IN_USE', 'LAST_OPEN_STAGE', 'STAGE_NOT_FOUND'],
  },
})

import { success, workflows, type WorkflowStep, type WorkflowTrigger } from '@crm/contract'
import { findNextInTurn, newId, type Executor, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { queueRun } from '@crm/jobs'
import { nextTimeOfDay } from '@crm/scheduling'
import { openHeaders, sealHeaders, workflowHeaders } from '@crm/secrets'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { findAddresses, refuseIssues, type Findings, type Warning } from '../automation/findings.ts'
import { hideSteps, hideTrigger, keepSteps, keepTrigger } from '../automation/header-secrets.ts'
import { refuseUnknownEvent } from '../automation/known-events.ts'
import { insertRun } from './workflow-runs.repository.ts'
import { addressesOf, allSteps, checkWorkflow, startedIn, type Starts } from './workflows.check.ts'
import { planSteps, startsFor, type Known } from './workflows.dry-run.ts'
import {
  closeWebhook,
  deleteWorkflow,
  findCustomTypes,
  findLastRequest,
  findPeople,
  findSteps,
  findWorkflow,
  insertVersion,
  insertWorkflow,
  listRefusedCalls,
  listVersions,
  listWorkflows,
  lockWorkflow,
  openWebhook,
  replaceSecret,
  updateWorkflow,
  type WorkflowRow,
} from './workflows.repository.ts'

export const implementedWorkflows = implement(workflows, {
  list: async ({ query }, context) => {
    const { items, total } = await listWorkflows(
      context.db,
      context.workspace.id,
      query,
      query.pageSize,
      offsetOf(query),
    )
    return pageOf({ items: items.map((row) => toRecord(context, row)), total }, query)
  },

  get: async ({ params }, context) => success(toRecord(context, await requireWorkflow(context.db, context, params.id))),

  create: async ({ body }, context) => {
    if (body.trigger.type === 'EVENT') await refuseUnknownEvent(context, body.trigger.event)
    const settings = { trigger: keepTrigger(body.trigger, undefined), steps: keepSteps(body.steps, []) }
    const { warnings } = await check(context, null, settings.trigger, settings.steps)
    const id = newId()
    const { workspace, caller, at } = context
    return context.transact(async (tx) => {
      const stamps = { createdById: caller.employee.id, createdAt: at, updatedAt: at }
      await insertWorkflow(tx, {
        ...toColumns(await sealSettings(tx, context, id, settings)),
        name: body.name,
        workspaceId: workspace.id,
        id,
        runAsId: caller.employee.id,
        ...stamps,
      })
      await trace(tx, context, 'workflow.created', { id, name: body.name })
      return success(toRecord(context, await requireWorkflow(tx, context, id), warnings))
    })
  },

  update: async ({ params, body }, context) => {
    const current = await requireWorkflow(context.db, context, params.id)
    if (body.trigger?.type === 'EVENT') await refuseUnknownEvent(context, body.trigger.event)
    const changed = {
      ...(body.trigger ? { trigger: keepTrigger(body.trigger, triggerOf(current)) } : {}),
      ...(body.steps ? { steps: keepSteps(body.steps, stepsOf(current)) } : {}),
    }
    const { warnings } = await check(
      context,
      params.id,
      changed.trigger ?? triggerOf(current),
      changed.steps ?? stepsOf(current),
    )
    return context.transact(async (tx) => {
      await requireLocked(tx, context, params.id)
      await updateWorkflow(tx, context.workspace.id, params.id, {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...toColumns(await sealSettings(tx, context, params.id, changed)),
        updatedAt: context.at,
      })
      await trace(tx, context, 'workflow.changed', { id: params.id, name: body.name ?? current.name })
      return success(toRecord(context, await requireWorkflow(tx, context, params.id), warnings))
    })
  },

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      const { name } = await requireLocked(tx, context, params.id)
      await deleteWorkflow(tx, context.workspace.id, params.id)
      await trace(tx, context, 'workflow.deleted', { id: params.id, name })
      return success({ id: params.id })
    }),

  publish: async ({ params }, context) => {
    const { warnings } = await checkStored(context, await requireWorkflow(context.db, context, params.id))
    return context.transact(async (tx) => {
      const workflow = await requireLocked(tx, context, params.id)
      const trigger = triggerOf(workflow)
      const version = await insertVersion(tx, workflow, context.caller.employee.id, context.at)
      await updateWorkflow(tx, context.workspace.id, params.id, {
        status: 'PUBLISHED',
        publishedVersion: version,
        listensTo: trigger.type === 'EVENT' ? trigger.event : null,
        nextRunAt: trigger.type === 'SCHEDULE' ? firstRunAt(trigger.at, context) : null,
        updatedAt: context.at,
      })
      const webhook =
        trigger.type === 'WEBHOOK'
          ? await openWebhook(tx, context.workspace.id, params.id, await openSettings(tx, context, params.id, trigger))
          : undefined
      if (!webhook) await closeWebhook(tx, context.workspace.id, params.id)
      await trace(tx, context, 'workflow.published', workflow, { version })
      return success({
        url: urlOf(context, webhook?.path ?? null),
        path: webhook?.path ?? null,
        version,
        ...(webhook?.secret ? { secret: webhook.secret } : {}),
        warnings,
      })
    })
  },

  unpublish: async ({ params }, context) =>
    context.transact(async (tx) => {
      const workflow = await requireLocked(tx, context, params.id)
      if (workflow.status !== 'PUBLISHED')
        throw context.refuse('INVALID_TRANSITION', { message: 'The workflow is not published' })
      await updateWorkflow(tx, context.workspace.id, params.id, {
        status: 'UNPUBLISHED',
        listensTo: null,
        nextRunAt: null,
        updatedAt: context.at,
      })
      await closeWebhook(tx, context.workspace.id, params.id)
      await trace(tx, context, 'workflow.unpublished', workflow)
      return success(toRecord(context, await requireWorkflow(tx, context, params.id)))
    }),

  regenerateSecret: async ({ params }, context) =>
    context.transact(async (tx) => {
      const workflow = await requireLocked(tx, context, params.id)
      const secret = await replaceSecret(tx, context.workspace.id, params.id)
      if (!secret)
        throw context.refuse('INVALID_TRANSITION', { message: 'The workflow was never published as a webhook' })
      await trace(tx, context, 'workflow.secret-regenerated', workflow)
      return success({ secret })
    }),

  lastRequest: async ({ params }, context) => {
    await requireWorkflow(context.db, context, params.id)
    const last = await findLastRequest(context.db, context.workspace.id, params.id)
    return success(last ? toLastRequest(last) : null)
  },

  refusedCalls: async ({ params, query }, context) => {
    await requireWorkflow(context.db, context, params.id)
    const { items, total } = await listRefusedCalls(
      context.db,
      context.workspace.id,
      params.id,
      query.pageSize,
      offsetOf(query),
    )
    return pageOf(
      { items: items.map(({ id, at, reason, sizeBytes }) => ({ id, at, reason, sizeBytes })), total },
      query,
    )
  },

  versions: async ({ params, query }, context) => {
    await requireWorkflow(context.db, context, params.id)
    const { items, total } = await listVersions(
      context.db,
      context.workspace.id,
      params.id,
      query.pageSize,
      offsetOf(query),
    )
    const toVersion = ({ version, trigger, steps, publishedAt, publishedById }: (typeof items)[number]) => ({
      version,
      trigger: hideTrigger(trigger),
      steps: hideSteps(steps),
      publishedAt,
      publishedById,
    })
    return pageOf({ items: items.map(toVersion), total }, query)
  },

  test: async ({ params, body }, context) => {
    const workflow = await requireWorkflow(context.db, context, params.id)
    const last =
      body.data === undefined ? await findLastRequest(context.db, context.workspace.id, params.id) : undefined
    const data = body.data ?? last?.request['body'] ?? {}
    return success({
      starts: startsFor(triggerOf(workflow), data),
      steps: planSteps(stepsOf(workflow), data, await findKnown(context, workflow)),
      warnings: findingsOf(context, workflow).warnings,
    })
  },

  run: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const workflow = await requireLocked(tx, context, params.id)
      const { id: workflowId, status, publishedVersion, runAsId } = workflow
      if (status !== 'PUBLISHED' || publishedVersion === null)
        throw context.refuse('INVALID_TRANSITION', { message: 'The workflow is not published' })
      const workspaceId = context.workspace.id
      const runId = await insertRun(tx, {
        workspaceId,
        workflowId,
        version: publishedVersion,
        runAsId,
        trigger: body.data ?? {},
        depth: context.caller.depth,
        createdAt: context.at,
      })
      await queueRun(tx, { workspaceId, runId, epoch: 1 })
      await trace(tx, context, 'workflow.started', workflow, { runId })
      return success({ runId })
    }),
})

/** Returns the first moment at which a workflow starts that is published now. */
function firstRunAt(time: string, { workspace, at }: CrmContext): string {
  return new Date(nextTimeOfDay(time, workspace.timezone, Date.parse(at))).toISOString()
}

function triggerOf(row: WorkflowRow): WorkflowTrigger {
  return row.trigger as unknown as WorkflowTrigger
}

function stepsOf(row: WorkflowRow): readonly WorkflowStep[] {
  return row.steps as unknown as readonly WorkflowStep[]
}

interface Settings {
  readonly trigger?: WorkflowTrigger
  readonly steps?: readonly WorkflowStep[]
}

async function sealSettings<T extends Settings>(
  tx: Transaction,
  { deps, workspace }: CrmContext,
  workflowId: string,
  settings: T,
): Promise<T> {
  const place = workflowHeaders(workspace.id, workflowId)
  const sealed: { trigger?: unknown; steps?: unknown } = { ...settings }
  for (const part of ['trigger', 'steps'] as const)
    if (settings[part]) sealed[part] = await sealHeaders(deps.secrets, tx, place, settings[part])
  return sealed as T
}

function openSettings<T>(tx: Transaction, { deps, workspace }: CrmContext, workflowId: string, stored: T): Promise<T> {
  return openHeaders(deps.secrets, tx, workflowHeaders(workspace.id, workflowId), stored)
}

/** Returns the declared settings in the form of the columns. */
function toColumns({ trigger, steps }: Settings) {
  return {
    ...(trigger ? { trigger } : {}),
    ...(steps ? { steps: steps as unknown as Record<string, unknown>[] } : {}),
  } as { trigger: Record<string, unknown>; steps: Record<string, unknown>[] }
}

async function check(
  { db, workspace, deps }: CrmContext,
  workflowId: string | null,
  trigger: WorkflowTrigger,
  steps: readonly WorkflowStep[],
): Promise<Findings> {
  const allowCidrs = deps.outboundAllowCidrs ?? []
  const found = checkWorkflow(trigger, steps, {
    allowCidrs,
    customTypes: await findCustomTypes(db, workspace.id),
    people: await findPeople(db, workspace.id, peopleIn(steps)),
    starts: startedIn(steps).length === 0 ? new Map() : await findStarts(db, workspace.id),
    workflowId,
  })
  refuseIssues(found)
  await findAddresses(found, addressesOf(steps), { allowCidrs, resolver: deps.outboundResolver })
  refuseIssues(found)
  return found
}

/** Returns the ids of departments and people that take turns in steps. */
function peopleIn(steps: readonly WorkflowStep[]): string[] {
  return allSteps(steps).flatMap((step) => {
    if (step.type !== 'ASSIGN_OWNER') return []
    return 'departmentId' in step.among ? [step.among.departmentId] : step.among.employeeIds
  })
}

/** Returns the workflows that each workflow starts, by its saved steps. */
async function findStarts(db: Executor, workspaceId: string): Promise<Starts> {
  const all = await findSteps(db, workspaceId)
  return new Map(all.map(({ id, steps }) => [id, startedIn(steps as unknown as readonly WorkflowStep[])]))
}

/** Returns the facts of the workspace that a test run shows. */
async function findKnown({ db, workspace, at }: CrmContext, row: WorkflowRow): Promise<Known> {
  const steps = stepsOf(row)
  const turns = new Map<string, string | null>()
  for (const step of allSteps(steps)) {
    if (step.type !== 'ASSIGN_OWNER') continue
    const place = { workspaceId: workspace.id, workflowId: row.id, stepKey: step.key }
    turns.set(step.key, await findNextInTurn(db, place, step.among))
  }
  const others = startedIn(steps).length === 0 ? [] : await findSteps(db, workspace.id)
  return {
    turns,
    published: new Set(others.filter(({ status }) => status === 'PUBLISHED').map(({ id }) => id)),
    clock: { at: Date.parse(at), timezone: workspace.timezone },
  }
}

function checkStored(context: CrmContext, row: WorkflowRow): Promise<Findings> {
  return check(context, row.id, triggerOf(row), stepsOf(row))
}

function findingsOf({ deps }: CrmContext, row: WorkflowRow): Findings {
  // Of a saved workflow only the warnings are needed.
  return checkWorkflow(triggerOf(row), stepsOf(row), {
    allowCidrs: deps.outboundAllowCidrs ?? [],
    customTypes: new Set(),
    people: new Set(),
    starts: new Map(),
    workflowId: row.id,
  })
}

async function requireWorkflow(db: Executor, { workspace }: CrmContext, id: string): Promise<WorkflowRow> {
  const row = await findWorkflow(db, workspace.id, id)
  if (!row) throw notFound()
  return row
}

async function requireLocked(tx: Transaction, { workspace }: CrmContext, id: string): Promise<WorkflowRow> {
  const row = await lockWorkflow(tx, workspace.id, id)
  if (!row) throw notFound()
  return row
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such workflow' })
}

async function trace(
  tx: Transaction,
  context: CrmContext,
  action: string,
  { id, name }: { readonly id: string; readonly name: string },
  data?: Record<string, unknown>,
): Promise<void> {
  await audit(tx, context, { action, subjectType: 'WORKFLOW', subjectId: id, summary: `The workflow ${name}`, data })
}

/** Returns the address of a webhook, made from the address of the workspace and never from the request. */
function urlOf({ workspace }: CrmContext, path: string | null): string | null {
  return path === null ? null : `${workspace.baseUrl}/api/hooks/${path}`
}

function toRecord(
  context: CrmContext,
  row: WorkflowRow,
  warnings: readonly Warning[] = findingsOf(context, row).warnings,
) {
  const { workspaceId: _workspace, listensTo: _event, nextRunAt: _next, path, steps, ...record } = row
  return {
    ...record,
    trigger: hideTrigger(record.trigger),
    steps: hideSteps(steps),
    url: urlOf(context, path),
    warnings: [...warnings],
  }
}

interface StoredRequest {
  readonly method: string
  readonly contentType: string | null
  readonly sizeBytes: number
  readonly body: unknown
  readonly raw: string
  readonly rawEncoding: 'utf8' | 'base64'
}

type LastRequest = NonNullable<Awaited<ReturnType<typeof findLastRequest>>>

function toLastRequest({ request, receivedAt }: LastRequest) {
  return { receivedAt, ...(request as unknown as StoredRequest), isHidden: false }
}

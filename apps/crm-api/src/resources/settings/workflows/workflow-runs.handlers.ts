import { success, workflowRuns } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { queueRun } from '@crm/jobs'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { hideHeaders } from '../automation/header-secrets.ts'
import { findSeen, mentionsOfRuns } from '../automation/sight.ts'
import { cancelRun, findRun, listRuns, listSteps, lockRun, reopenRun, type RunRow } from './workflow-runs.repository.ts'

const openStates: readonly string[] = ['QUEUED', 'RUNNING', 'WAITING']

export const implementedWorkflowRuns = implement(workflowRuns, {
  list: async ({ query }, context) => {
    const { items, total } = await listRuns(context.db, context.workspace.id, query, query.pageSize, offsetOf(query))
    const isSeen = await findSeenRuns(context, items)
    return pageOf({ items: items.map((run) => toRecord(run, isSeen(run))), total }, query)
  },

  get: async ({ params }, context) => {
    const { db, workspace } = context
    const run = await findRun(db, workspace.id, params.id)
    if (!run) throw notFound()
    const isSeen = (await findSeenRuns(context, [run]))(run)
    const steps = await listSteps(db, workspace.id, params.id)
    const toStep = ({
      position,
      stepKey,
      type,
      state,
      input,
      output,
      failureCode,
      failureMessage,
      startedAt,
      finishedAt,
    }: (typeof steps)[number]) => ({
      position,
      key: stepKey,
      type,
      state,
      input: isSeen ? hideSent(input) : null,
      output: isSeen ? output : null,
      failureCode,
      failureMessage: isSeen ? failureMessage : null,
      startedAt,
      finishedAt,
    })
    return success({
      ...toRecord(run, isSeen),
      trigger: isSeen ? run.trigger : null,
      steps: steps.map(toStep),
      isHidden: !isSeen,
    })
  },

  retry: async ({ params }, context) =>
    context.transact(async (tx) => {
      const run = await requireLocked(tx, context, params.id)
      if (run.state !== 'FAILED')
        throw context.refuse('INVALID_TRANSITION', { message: 'Only a failed run can be retried' })
      const workspaceId = context.workspace.id
      await queueRun(tx, { workspaceId, runId: run.id, epoch: await reopenRun(tx, workspaceId, run.id) })
      await trace(tx, context, 'workflow-run.retried', run)
      return success(toRecord(await requireLocked(tx, context, params.id), false))
    }),

  cancel: async ({ params }, context) =>
    context.transact(async (tx) => {
      const run = await requireLocked(tx, context, params.id)
      if (!openStates.includes(run.state))
        throw context.refuse('INVALID_TRANSITION', { message: 'The run is finished' })
      await cancelRun(tx, context.workspace.id, run.id, context.at)
      await trace(tx, context, 'workflow-run.cancelled', run)
      return success(toRecord(await requireLocked(tx, context, params.id), false))
    }),
})

async function requireLocked(tx: Transaction, { workspace }: CrmContext, id: string): Promise<RunRow> {
  const run = await lockRun(tx, workspace.id, id)
  if (!run) throw notFound()
  return run
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such run' })
}

async function trace(tx: Transaction, context: CrmContext, action: string, run: RunRow): Promise<void> {
  await audit(tx, context, {
    action,
    subjectType: 'WORKFLOW_RUN',
    subjectId: run.id,
    summary: `A run of the workflow ${run.workflowName}`,
  })
}

/** The input of a step that sends a request, without the values of its headers. */
function hideSent(input: unknown): unknown {
  const request = (input as { readonly request?: { readonly headers?: unknown } } | null)?.request
  return request ? { ...(input as object), request: hideHeaders(request) } : input
}

/** Whether the caller may see, now, every record that a run was told of, made, changed or found. */
async function findSeenRuns(context: CrmContext, runs: readonly RunRow[]): Promise<(run: RunRow) => boolean> {
  const mentions = await mentionsOfRuns(
    context,
    runs.map(({ id }) => id),
  )
  const seesAll = await findSeen(context, [...mentions.values()].flat())
  return ({ id }) => seesAll(mentions.get(id) ?? [])
}

/** A run; why it failed may quote a record, and is told only who may see it. */
function toRecord(
  {
    id,
    workflowId,
    workflowName,
    version,
    state,
    failureCode,
    failureMessage: message,
    runAsId,
    createdAt,
    startedAt,
    finishedAt,
  }: RunRow,
  isSeen: boolean,
) {
  const failureMessage = isSeen ? message : null
  return {
    id,
    workflowId,
    workflowName,
    version,
    state,
    failureCode,
    failureMessage,
    runAsId,
    createdAt,
    startedAt,
    finishedAt,
  }
}

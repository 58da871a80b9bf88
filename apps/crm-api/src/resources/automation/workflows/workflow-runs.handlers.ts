import { success, workflowRuns } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { queueRun } from '@crm/jobs'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { hideHeaders } from '../automation/header-secrets.ts'
import { cancelRun, findRun, listRuns, listSteps, lockRun, reopenRun, type RunRow } from './workflow-runs.repository.ts'

const openStates: readonly string[] = ['QUEUED', 'RUNNING', 'WAITING']

export const implementedWorkflowRuns = implement(workflowRuns, {
  list: async ({ query }, { db, workspace }) => {
    const { items, total } = await listRuns(db, workspace.id, query, query.pageSize, offsetOf(query))
    return pageOf({ items, total }, query)
  },

  get: async ({ params }, { db, workspace }) => {
    const run = await findRun(db, workspace.id, params.id)
    if (!run) throw notFound()
    const steps = await listSteps(db, workspace.id, params.id)
    return success({
      ...run,
      steps: steps.map(({ stepKey, input, ...step }) => ({
        ...step,
        key: stepKey,
        input: hideSent(input),
        warnings: warningsOf(step.output),
      })),
      isHidden: false,
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
      return success(await requireLocked(tx, context, params.id))
    }),

  cancel: async ({ params }, context) =>
    context.transact(async (tx) => {
      const run = await requireLocked(tx, context, params.id)
      if (!openStates.includes(run.state))
        throw context.refuse('INVALID_TRANSITION', { message: 'The run is finished' })
      await cancelRun(tx, context.workspace.id, run.id, context.at)
      await trace(tx, context, 'workflow-run.cancelled', run)
      return success(await requireLocked(tx, context, params.id))
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

/** Returns the input of a step that sends a request, without the values of its headers. */
function hideSent(input: unknown): unknown {
  const request = (input as { readonly request?: { readonly headers?: unknown } } | null)?.request
  return request ? { ...(input as object), request: hideHeaders(request) } : input
}

/** Returns what is worth a look in what a step gave. */
function warningsOf(output: unknown): string[] {
  const { truncated } = (output ?? {}) as { readonly truncated?: unknown }
  return truncated === true
    ? [
        'The answer goes on after the part that was read. JSON that is cut is left out, and later steps find nothing of it.',
      ]
    : []
}

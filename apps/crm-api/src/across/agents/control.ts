import { isDestructive, isWrite } from '@crm/contract'
import { inTransaction, isId, schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { confirmationHeader, requestDigest, type Answer, type Exchange } from '@crm/http'
import type { Caller, Workspace } from '@crm/identity'
import type { AgentControl } from '@crm/permissions'
import { and, eq } from 'drizzle-orm'
import { budgetDayOf, hasLimits, limitsIn, spending } from '../../domain/agents/budgets.ts'
import { takeConfirmation } from '../../domain/agents/confirmations.repository.ts'
import type { CrmApiDeps } from '../../platform/deps.ts'
import { propose } from './propose.ts'
import { leavingTrace } from './traces.ts'

const { jobs } = schema

type CrmExchange = Exchange<Workspace, Caller>
type Work = (running?: Transaction) => Promise<Answer>

/** Makes the control of what agents write (docs/decisions/agents.md): it waits for a person's word, or it is counted. */
export function createAgentControl(deps: CrmApiDeps) {
  return async (exchange: CrmExchange, handle: Work, running?: Transaction): Promise<Answer> => {
    const control = exchange.recognition.caller?.control
    if (!control || !isHeld(exchange)) return handle(running)
    await beginSession(deps, exchange)
    if (mustPropose(control, exchange)) return propose(deps, exchange, handle, running)
    const work = leavingTrace(deps, exchange, handle)
    if (!control.confirm || !isDestructive(exchange.declared.operation))
      return withinBudget(deps, exchange, work, running)
    return inTransaction(deps.db, running, async (tx) => {
      await useConfirmation(tx, deps, exchange)
      return withinBudget(deps, exchange, work, tx)
    })
  }
}

/**
 * Lets a call pass that a person has confirmed to the tool server, once; a refusal of the call gives the confirmation back.
 * @throws ApiError CONFIRMATION_NEEDED
 */
async function useConfirmation(
  tx: Transaction,
  { clock }: CrmApiDeps,
  { request, recognition: { workspace, caller } }: CrmExchange,
): Promise<void> {
  const { [confirmationHeader]: id } = request.headers
  const { method, url: path, body } = request
  const call = { requestDigest: requestDigest({ method, path, body }), at: clock.now().toISOString() }
  const isConfirmed =
    workspace &&
    caller &&
    typeof id === 'string' &&
    isId(id) &&
    (await takeConfirmation(tx, { workspaceId: workspace.id, credentialId: caller.credential.id, id, ...call }))
  if (!isConfirmed) throw new ApiError('CONFIRMATION_NEEDED')
}

/** Whether a request writes something that agents are held to; a dry run writes nothing. */
function isHeld({ declared: { operation, resource }, input }: CrmExchange): boolean {
  const { dryRun } = (input.body ?? {}) as { readonly dryRun?: unknown }
  return resource.surface === 'public' && isWrite(operation) && dryRun !== true
}

/** Makes sure that what an agent writes belongs to a session. */
async function beginSession(
  { agentCalls }: CrmApiDeps,
  { recognition: { workspace, caller } }: Pick<CrmExchange, 'recognition'>,
): Promise<void> {
  if (workspace && caller) await agentCalls.begin(workspace, caller)
}

/** Whether a write waits for a person's word. */
export function waitsForWord(exchange: CrmExchange): boolean {
  const control = exchange.recognition.caller?.control
  return control !== null && control !== undefined && isHeld(exchange) && mustPropose(control, exchange)
}

function mustPropose({ writes }: AgentControl, { declared }: CrmExchange): boolean {
  return writes === 'PROPOSE' || (writes === 'PROPOSE_DESTRUCTIVE' && isDestructive(declared.operation))
}

/** Does the work of a request within the budget of its credential. */
export async function withinBudget(
  deps: CrmApiDeps,
  exchange: CrmExchange,
  work: Work,
  running?: Transaction,
): Promise<Answer> {
  const { workspace, caller } = exchange.recognition
  if (!workspace || !caller?.control || !hasLimits(caller.control.limits)) return work(running)
  const { budgetKey, limits } = caller.control
  const at = deps.clock.now().toISOString()
  const day = budgetDayOf(workspace.timezone, at)
  const budget = { workspaceId: workspace.id, budgetKey, limits: limitsIn(limits), day }
  const isDeletion = exchange.declared.operation.method === 'DELETE'
  const spent = inTransaction(deps.db, running, (tx) =>
    spending(tx, budget, isDeletion, async () => {
      const result = await work(tx)
      return { result, records: await recordsOf(tx, exchange, result) }
    }),
  )
  return spent.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'BUDGET_EXCEEDED')
      deps.agentCounts?.budgetRefused(String(error.extras.details?.['name']))
    throw error
  })
}

/** Returns the number of records that a call concerned: a change of many counts each of them. */
async function recordsOf(
  tx: Transaction,
  { declared: { key }, recognition: { workspace } }: CrmExchange,
  { body }: Answer,
): Promise<number> {
  if (key !== 'bulkUpdate' && key !== 'bulkDelete') return 1
  const { data } = JSON.parse(body) as { readonly data: { readonly matched?: number; readonly jobId?: string } }
  if (data.jobId === undefined) return data.matched ?? 0
  const [job] = await tx
    .select({ total: jobs.total })
    .from(jobs)
    .where(and(eq(jobs.workspaceId, workspace?.id ?? ''), eq(jobs.id, data.jobId)))
  return job?.total ?? 0
}

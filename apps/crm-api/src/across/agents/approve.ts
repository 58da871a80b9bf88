import { recordOperations, type RecordChange } from '@crm/contract'
import { clientOf, inSavepoint, isSameValue, schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { sendInner } from '@crm/http'
import { readAgentCaller, type Caller, type Queryable } from '@crm/identity'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { decideProposal, findProposal, stateAt, type ProposalRow } from '../../domain/agents/proposals.repository.ts'
import { keyOf, onlookerOf, readSeen } from '../../kinds/in-sight.ts'
import type { CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { withinBudget } from './control.ts'
import { leavingTrace } from './traces.ts'

const { apiKeys, oauthGrants } = schema

/** A proposal that was decided, and how its request was answered. */
export interface Performed {
  readonly proposal: ProposalRow
  readonly status: number
  readonly body: unknown
}

/**
 * Performs the frozen request of a proposal in one transaction with the decision, with the rights that its credential has now. A refusal
 * of the request is the end of the proposal too.
 * @throws ApiError PROPOSAL_CLOSED, VERSION_CONFLICT: then it goes on waiting
 */
export async function approve(
  app: FastifyInstance,
  context: CrmContext,
  id: string,
  comment: string | undefined,
): Promise<Performed> {
  const { workspace, at } = context
  await beginSessionOf(context, id)
  return context.transact(async (tx) => {
    const found = await findProposal(tx, workspace.id, id)
    if (!found) throw new ApiError('NOT_FOUND', { message: 'There is no such proposal' })
    // Ending a credential locks it first and closes its proposals then; the same order here lets one of the two wait.
    const caller = await lockCredential(tx, found, at)
    const row = await findProposal(tx, workspace.id, id, { isLocked: true })
    if (!row || !caller || stateAt(row, at) !== 'PENDING') throw new ApiError('PROPOSAL_CLOSED')
    await requireUnchanged(tx, context, caller, row)
    const { status, body } = await perform(app, tx, context, caller, row)
    if (status >= 500) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterS: 1 })
    const isDone = status < 400
    context.deps.agentCalls.note(workspace, caller, isDone ? 'writes' : 'refusals')
    await audit(tx, context, {
      action: 'proposal.approved',
      outcome: isDone ? 'SUCCESS' : 'FAILURE',
      subjectType: 'PROPOSAL',
      subjectId: id,
      summary: `Approved a change by ${row.viaName}`,
      data: { operation: row.operation, status },
    })
    const { code } = (body ?? {}) as { readonly code?: string }
    const decision = {
      state: isDone ? 'APPROVED' : 'FAILED',
      code: isDone ? null : (code ?? null),
      comment: comment ?? null,
      decidedById: context.caller.employee.id,
    } as const
    return { proposal: await decideProposal(tx, row, decision, at), status, body }
  })
}

/** What is performed now belongs to a session of its agent, as if it called now. */
async function beginSessionOf({ db, deps, workspace, at }: CrmContext, proposalId: string): Promise<void> {
  const found = await findProposal(db, workspace.id, proposalId)
  if (!found || stateAt(found, at) !== 'PENDING') return
  const { credentialClass, credentialId } = found
  const caller = await readAgentCaller(deps.pool, workspace.id, credentialClass, { id: credentialId, at })
  if (caller) await deps.agentCalls.begin(workspace, caller)
}

/** Locks the credential of a proposal, and returns its caller; null when it was ended, or its person may do nothing any more. */
async function lockCredential(
  tx: Transaction,
  { workspaceId, credentialClass, credentialId }: ProposalRow,
  at: string,
): Promise<Caller | null> {
  const table = credentialClass === 'api-key' ? apiKeys : oauthGrants
  await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.workspaceId, workspaceId), eq(table.id, credentialId)))
    .for('share')
  const queryable = clientOf(tx) as unknown as Queryable
  const caller = await readAgentCaller(queryable, workspaceId, credentialClass, { id: credentialId, at })
  return caller?.employee.status === 'ACTIVE' ? caller : null
}

/** Refuses what would overwrite or delete values that somebody changed since the proposal. */
async function requireUnchanged(
  tx: Transaction,
  { workspace }: CrmContext,
  caller: Caller,
  { changes, versions }: ProposalRow,
): Promise<void> {
  const proposed = changes as unknown as readonly RecordChange[]
  const known = proposed.filter(({ id }) => versions[id] !== undefined)
  const links = known.map(({ entityType, id }) => ({ entityType, entityId: id }))
  const present = await readSeen(tx, onlookerOf(workspace, caller), links)
  const conflicts = known.flatMap((change) => {
    const { entityType, id } = change
    const row = present.get(keyOf({ entityType, entityId: id }))?.row
    // A record that is gone is refused by the request itself.
    return !row || row.version === versions[id] ? [] : conflictsOf(change, row as unknown as Values)
  })
  if (conflicts.length > 0) throw new ApiError('VERSION_CONFLICT', { details: { conflicts } })
}

type Values = Readonly<Record<string, unknown>>

/** Returns the fields that are other than they were; what follows from others, such as a score, is no conflict. */
function conflictsOf({ entityType, id, kind, fields }: RecordChange, row: Values) {
  const settable = settableFields(entityType)
  const judged = kind === 'DELETE' ? Object.keys(row) : Object.keys(fields)
  return judged.flatMap((field) => {
    const [before = null, after = null] = fields[field] ?? []
    const { [field]: current = null } = row
    if (!settable.has(field) || isSameValue(current, before)) return []
    return [{ id, field, proposed: kind === 'DELETE' ? null : after, current }]
  })
}

/** Returns the fields of records that people can set. */
function settableFields(entityType: string): ReadonlySet<string> {
  const body = recordOperations(entityType)?.update?.body
  return new Set(body && 'shape' in body ? Object.keys(body.shape as object) : [])
}

/** Sends the request through the whole pipeline once more, as its credential. */
function perform(
  app: FastifyInstance,
  tx: Transaction,
  { deps, workspace, requestHeaders, peer }: CrmContext,
  caller: Caller,
  { request: { method, url, body } }: ProposalRow,
) {
  // The person who approves sits elsewhere than the agent; what their browser sends says nothing about the agent.
  const { host } = requestHeaders
  return sendInner(
    app,
    {
      method,
      url,
      ...(body === null ? {} : { body }),
      headers: host === undefined ? {} : { host: String(host) },
      remoteAddress: peer,
    },
    {
      recognition: { workspace, caller: { ...caller, allowedCidrs: [] }, budget: null, epoch: null },
      perform: (exchange, work) =>
        inSavepoint(tx, (inner) => {
          const asked = exchange as Parameters<typeof withinBudget>[1]
          return withinBudget(deps, asked, leavingTrace(deps, asked, work), inner)
        }),
    },
  )
}

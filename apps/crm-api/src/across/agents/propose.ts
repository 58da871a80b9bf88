import { proposalDays, proposedReply, success, type RecordChange } from '@crm/contract'
import { inTransaction, newId, schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import type { Answer, Exchange } from '@crm/http'
import type { Caller, Workspace } from '@crm/identity'
import type { CrmApiDeps } from '../../platform/deps.ts'
import { rehearse } from '../preview/rehearse.ts'
import { tellOfProposal } from './proposal-notices.ts'

const { proposals } = schema

/**
 * Keeps a write for a person's word instead of doing it. What the write would do is shown by a preview; one that would be refused is
 * refused at once.
 * @throws ApiError NOT_PREVIEWABLE
 */
export async function propose(
  deps: CrmApiDeps,
  exchange: Exchange<Workspace, Caller>,
  work: (tx: Transaction) => Promise<Answer>,
  running?: Transaction,
): Promise<Answer> {
  const { declared, request, recognition } = exchange
  const { workspace, caller } = recognition
  if (!workspace || !caller) throw new Error('Only what somebody does is proposed')
  if (declared.operation.preview === false) throw new ApiError('NOT_PREVIEWABLE')
  const { changes, more = 0, hidden = 0, versions } = await rehearse(deps.db, exchange, work)
  // The version of a record that was not written.
  void exchange.reply.removeHeader('etag')
  const now = deps.clock.now()
  const at = now.toISOString()
  const proposal = {
    workspaceId: workspace.id,
    id: newId(),
    employeeId: caller.employee.id,
    credentialClass: classOf(caller),
    credentialId: caller.credential.id,
    viaType: caller.via.type,
    viaId: caller.via.id ?? caller.credential.id,
    viaName: caller.via.name ?? caller.credential.name,
    operation: declared.id,
    request: { method: methodOf(exchange), url: request.url, body: request.body ?? null },
    changes: changes as unknown as Record<string, unknown>[],
    more,
    hidden,
    versions: { ...versions },
    ...subjectOf(changes),
    createdAt: at,
    expiresAt: new Date(now.getTime() + proposalDays * 86_400_000).toISOString(),
  }
  await inTransaction(deps.db, running, async (tx) => {
    await tx.insert(proposals).values(proposal)
    await tellOfProposal(tx, proposal, at)
  })
  const { id: proposalId, expiresAt } = proposal
  const shown = { proposalId, state: 'PENDING', changes, ...optional({ more, hidden }), expiresAt }
  return { status: proposedReply.status, body: JSON.stringify(success(shown)) }
}

/** Returns the counts that are not zero. */
export function optional(counts: { readonly more: number; readonly hidden: number }) {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) as Partial<typeof counts>
}

/** Returns the record that changes first of all, by which several proposals are decided together. */
function subjectOf([first]: readonly RecordChange[]) {
  return first && first.kind !== 'CREATE'
    ? { entityType: first.entityType, entityId: first.id }
    : { entityType: null, entityId: null }
}

function classOf({ class: kind }: Caller): 'api-key' | 'oauth-token' {
  if (kind === 'api-key' || kind === 'oauth-token') return kind
  throw new Error('Only agents propose')
}

function methodOf({ declared: { operation } }: Pick<Exchange, 'declared'>): 'POST' | 'PUT' | 'PATCH' | 'DELETE' {
  if (operation.method === 'GET') throw new Error('Reading needs no proposal')
  return operation.method
}

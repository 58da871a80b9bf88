import { afterCommit, recordChange, schema, type Actor, type FieldChange, type Transaction } from '@crm/db'
import type { CrmContext } from '../platform/context.ts'

/** One line of the audit log. */
export interface AuditLine {
  /** For example `api-key.created`. */
  readonly action: string
  readonly outcome?: 'SUCCESS' | 'FAILURE'
  readonly subjectType: string
  readonly subjectId: string | null
  readonly summary: string
  /** What it was before and after; never a secret. */
  readonly changes?: readonly FieldChange[]
  readonly data?: Readonly<Record<string, unknown>>
}

/** Who did it and from where. */
interface AuditContext extends Pick<CrmContext, 'workspace' | 'at' | 'address' | 'requestHeaders'> {
  readonly actor: Pick<Actor, 'id' | 'name'> & { readonly type: Actor['type'] | 'ANONYMOUS' }
}

/** Writes who did what from where, in the transaction of what they did. */
export async function audit(
  tx: Transaction,
  { workspace, actor, at, address, requestHeaders }: AuditContext,
  { changes = [], ...line }: AuditLine,
): Promise<void> {
  const actorType = actor.type === 'EXTERNAL' ? 'ANONYMOUS' : actor.type
  const from = { address: address() || null, userAgent: userAgentOf(requestHeaders) }
  await tx.insert(schema.auditLog).values({
    workspaceId: workspace.id,
    at,
    actorType,
    actorId: actor.id,
    actorName: actor.name,
    ...from,
    changes: [...changes],
    ...line,
  })
}

/** How a program names itself, cut to what is worth keeping. */
export function userAgentOf(headers: CrmContext['requestHeaders']): string | null {
  const { 'user-agent': name } = headers
  return typeof name === 'string' ? name.slice(0, 300) : null
}

/**
 * Does something that changes what callers may do or how the workspace is set up, and makes every process forget what it knew.
 * The outbox repeats the message in case this process dies between the commit and the message.
 */
export async function changingWorkspace<T>(context: CrmContext, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { workspace, actor, at, deps } = context
  return context.transact(async (tx) => {
    const outcome = await work(tx)
    await recordChange(tx, {
      workspaceId: workspace.id,
      actor,
      at,
      events: [{ topic: 'access', event: 'access.changed' }],
    })
    // Any earlier, and somebody would read what was there before and take it for what is.
    afterCommit(tx, () => deps.epochs.bump(workspace.id))
    return outcome
  })
}

import { recordChange, schema, type Transaction } from '@crm/db'
import type { CrmContext } from '../context.ts'

/** One line of the audit log. */
export interface AuditLine {
  /** For example `api-key.created`. */
  readonly action: string
  readonly subjectType: string
  readonly subjectId: string | null
  readonly summary: string
  readonly data?: Readonly<Record<string, unknown>>
}

type AuditContext = Pick<CrmContext, 'workspace' | 'actor' | 'at'>

/** Writes who did what, in the transaction of what they did. */
export async function audit(tx: Transaction, { workspace, actor, at }: AuditContext, line: AuditLine): Promise<void> {
  await tx.insert(schema.auditLog).values({ workspaceId: workspace.id, at, actorId: actor.id, actorName: actor.name, ...line })
}

/**
 * Does something that changes what callers may do or how the workspace is set up, and makes every process forget what it knew.
 * The outbox repeats the message in case this process dies between the commit and the message.
 */
export async function changingWorkspace<T>(context: CrmContext, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { workspace, actor, at } = context
  const result = await context.transact(async (tx) => {
    const outcome = await work(tx)
    await recordChange(tx, { workspaceId: workspace.id, actor, at, events: [{ topic: 'access', event: 'access.changed' }] })
    return outcome
  })
  await context.deps.epochs.bump(workspace.id)
  return result
}

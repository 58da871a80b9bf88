import { workspaceTag } from '@crm/redis'
import type { CrmContext } from '../../platform/context.ts'
import { countClient } from '../../platform/count-client.ts'
import { audit } from '../../records/audit.ts'

/** Why a sign-in was refused. */
export type RefusalReason = 'PASSWORD' | 'UNKNOWN' | 'SECOND_FACTOR' | 'DISABLED' | 'SSO' | 'THROTTLED'

/** Writes a refused try to the audit log; of the tries that have to wait only the first is written. */
export async function auditRefusal(
  context: CrmContext,
  email: string,
  person: { readonly id: string } | undefined,
  reason: RefusalReason,
): Promise<void> {
  const actor = { type: 'ANONYMOUS' as const, id: null, name: email.trim().slice(0, 255) }
  await context.transact((tx) =>
    audit(
      tx,
      { ...context, actor },
      {
        action: 'session.refused',
        outcome: 'FAILURE',
        subjectType: 'EMPLOYEE',
        subjectId: person?.id ?? null,
        summary: `A sign-in as ${actor.name} was refused`,
        data: { reason },
      },
    ),
  )
}

/**
 * Writes down a refusal that costs a stranger nothing, such as an answer to a sign-in that nobody has begun. Of these a client and a
 * workspace have some an hour, so that nobody fills the audit log; the others are in the log of requests alone.
 */
export async function auditCheapRefusal(
  context: CrmContext,
  name: string,
  person: { readonly id: string } | undefined,
  reason: RefusalReason,
): Promise<void> {
  const { workspace, deps } = context
  const { ofAddress, ofWorkspace } = deps.cheapRefusals
  const isOwn = (await countClient(context, ofAddress, 100)).allowed
  if (isOwn && (await ofWorkspace.consume(workspaceTag(workspace.id))).allowed)
    await auditRefusal(context, name, person, reason)
}

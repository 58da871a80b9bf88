import type { CrmContext } from '../../platform/context.ts'
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

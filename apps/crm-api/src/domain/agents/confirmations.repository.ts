import { schema, type Transaction } from '@crm/db'
import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'

const { confirmations } = schema

/** The call for which a confirmation is used. */
interface ConfirmedCall {
  readonly workspaceId: string
  readonly id: string
  readonly credentialId: string
  readonly requestDigest: Buffer
  /** ISO 8601. */
  readonly at: string
}

/** Uses up a confirmation that a person gave for exactly this call; false: there is none, or it was used before. */
export async function takeConfirmation(
  tx: Transaction,
  { workspaceId, id, credentialId, requestDigest, at }: ConfirmedCall,
): Promise<boolean> {
  const used = await tx
    .update(confirmations)
    .set({ usedAt: at })
    .where(
      and(
        eq(confirmations.workspaceId, workspaceId),
        eq(confirmations.id, id),
        eq(confirmations.credentialId, credentialId),
        eq(confirmations.requestDigest, requestDigest),
        isNotNull(confirmations.decidedAt),
        isNull(confirmations.usedAt),
        gt(confirmations.expiresAt, at),
      ),
    )
    .returning({ id: confirmations.id })
  return used.length > 0
}

import { newId, schema, type Database } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { and, eq, gt, isNull } from 'drizzle-orm'

const { confirmations } = schema

/** A call that a person is asked about: whose it is, and what it does. */
export interface AskedCall {
  readonly workspaceId: string
  readonly employeeId: string
  readonly credentialId: string
  readonly requestDigest: Buffer
}

/** How long a person may think. */
const thinkingMs = 5 * 60_000

/** Notes a question, and returns the text that its client carries to the answer; nobody can make it up or read anything from it. */
export async function askFor(db: Database, call: AskedCall, at: Date): Promise<string> {
  const state = newSecret()
  await db.insert(confirmations).values({
    ...call,
    id: newId(),
    stateHash: digest(state),
    createdAt: at.toISOString(),
    expiresAt: new Date(at.getTime() + thinkingMs).toISOString(),
  })
  return state
}

/**
 * Notes the answer to a question, and returns the id by which the API lets the call pass. Of several answers one counts. Null for a text
 * that belongs to another call, person or credential, that was answered before, or is too old.
 */
export async function answerTo(
  db: Database,
  { workspaceId, employeeId, credentialId, requestDigest }: AskedCall,
  { state, isAccepted, at }: { readonly state: string; readonly isAccepted: boolean; readonly at: Date },
): Promise<string | null> {
  const now = at.toISOString()
  const [answered] = await db
    .update(confirmations)
    .set({ decidedAt: now, usedAt: isAccepted ? null : now })
    .where(
      and(
        eq(confirmations.workspaceId, workspaceId),
        eq(confirmations.stateHash, digest(state)),
        eq(confirmations.employeeId, employeeId),
        eq(confirmations.credentialId, credentialId),
        eq(confirmations.requestDigest, requestDigest),
        isNull(confirmations.decidedAt),
        gt(confirmations.expiresAt, now),
      ),
    )
    .returning({ id: confirmations.id })
  return answered?.id ?? null
}

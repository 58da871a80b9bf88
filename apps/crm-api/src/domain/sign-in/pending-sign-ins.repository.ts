import { schema, type Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import { digest } from '@crm/identity'
import { and, eq, gt, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { pendingCookie, readOwnCookie } from './cookies.ts'
import { readPerson, type Person } from './people.repository.ts'

const { pendingSignIns } = schema

/** A sign-in that waits for its second factor, with its person. */
export interface PendingSignIn {
  readonly row: typeof pendingSignIns.$inferSelect
  readonly person: Person
}

/** After so many wrong second factors a sign-in begins anew. */
const failuresMax = 5

/** Returns the sign-in of the request that waits for this step. Throws SIGN_IN_EXPIRED. */
export async function requirePending(context: CrmContext, step: PendingSignIn['row']['step']): Promise<PendingSignIn> {
  const { db, workspace, requestHeaders, at } = context
  const token = readOwnCookie(workspace, requestHeaders, pendingCookie)
  const [row] = token
    ? await db
        .select()
        .from(pendingSignIns)
        .where(
          and(isPending(workspace.id, digest(token)), gt(pendingSignIns.expiresAt, at), eq(pendingSignIns.step, step)),
        )
    : []
  const person = row && (await readPerson(db, workspace.id, row.employeeId))
  if (!row || !person) throw new ApiError('SIGN_IN_EXPIRED')
  return { row, person }
}

function isPending(workspaceId: string, tokenHash: Buffer): SQL | undefined {
  return and(eq(pendingSignIns.workspaceId, workspaceId), eq(pendingSignIns.tokenHash, tokenHash))
}

/** Counts a second factor before it is checked, and returns whether it is the last one; the sixth at once finds no sign-in. */
export async function countFactor({ deps }: CrmContext, { row }: PendingSignIn): Promise<{ readonly isLast: boolean }> {
  const [counted] = await deps.db
    .update(pendingSignIns)
    .set({ failures: sql`${pendingSignIns.failures} + 1` })
    .where(
      and(isPending(row.workspaceId, row.tokenHash), sql`${pendingSignIns.failures} < ${sql.raw(String(failuresMax))}`),
    )
    .returning({ failures: pendingSignIns.failures })
  if (!counted) throw new ApiError('SIGN_IN_EXPIRED')
  return { isLast: counted.failures >= failuresMax }
}

/** Whether a sign-in still waits. */
export async function isStillPending(db: Executor, { row }: PendingSignIn): Promise<boolean> {
  const [found] = await db
    .select({ step: pendingSignIns.step })
    .from(pendingSignIns)
    .where(isPending(row.workspaceId, row.tokenHash))
  return found !== undefined
}

/** Ends a sign-in that waits; whether there was one, so that a sign-in is completed once. */
export async function endPending(db: Executor, { row }: PendingSignIn): Promise<boolean> {
  const { rowCount } = await db.delete(pendingSignIns).where(isPending(row.workspaceId, row.tokenHash))
  return rowCount === 1
}

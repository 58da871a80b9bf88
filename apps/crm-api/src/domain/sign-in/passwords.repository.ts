import { schema, type Transaction } from '@crm/db'
import { and, eq, isNull } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { queueAccountMail } from './account-mails.ts'

const { employees, passwordResets, pendingSignIns } = schema

/**
 * Gives a person a password, ends the links and the sign-ins under way that were made before it, and tells the person by mail.
 * Known devices are unknown from then on.
 */
export async function replacePassword(
  tx: Transaction,
  context: CrmContext,
  employeeId: string,
  passwordHash: string,
): Promise<void> {
  const { workspace, at } = context
  await tx
    .update(employees)
    .set({ passwordHash, deviceKey: null, updatedAt: at })
    .where(and(eq(employees.workspaceId, workspace.id), eq(employees.id, employeeId)))
  await endResetLinks(tx, context, employeeId)
  await tx
    .delete(pendingSignIns)
    .where(and(eq(pendingSignIns.workspaceId, workspace.id), eq(pendingSignIns.employeeId, employeeId)))
  await queueAccountMail(tx, context, { kind: 'password-changed', employeeId })
}

/** Ends the links by which a person could choose a password. */
export async function endResetLinks(
  tx: Transaction,
  { workspace, at }: Pick<CrmContext, 'workspace' | 'at'>,
  employeeId: string,
): Promise<void> {
  await tx
    .update(passwordResets)
    .set({ endedAt: at })
    .where(
      and(
        eq(passwordResets.workspaceId, workspace.id),
        eq(passwordResets.employeeId, employeeId),
        isNull(passwordResets.endedAt),
      ),
    )
}

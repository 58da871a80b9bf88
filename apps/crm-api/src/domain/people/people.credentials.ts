import { schema, type Transaction } from '@crm/db'
import { and, eq, isNull } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'

const { apiKeys, oauthGrants } = schema

/** The ended credentials of a person. */
export interface EndedCredentials {
  readonly endedKeys: number
  readonly endedConnections: number
}

/** Ends the API keys and the connected clients of a person; every token of them is dead at once. */
export async function endCredentials(
  tx: Transaction,
  { workspace, at }: Pick<CrmContext, 'workspace' | 'at'>,
  employeeId: string,
): Promise<EndedCredentials> {
  const keys = await tx
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.workspaceId, workspace.id), eq(apiKeys.ownerId, employeeId), isNull(apiKeys.revokedAt)))
  const grants = await tx
    .update(oauthGrants)
    .set({ revokedAt: at })
    .where(
      and(
        eq(oauthGrants.workspaceId, workspace.id),
        eq(oauthGrants.employeeId, employeeId),
        isNull(oauthGrants.revokedAt),
      ),
    )
  return { endedKeys: keys.rowCount ?? 0, endedConnections: grants.rowCount ?? 0 }
}

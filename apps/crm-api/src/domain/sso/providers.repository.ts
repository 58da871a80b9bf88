import { schema, type Executor } from '@crm/db'
import type { Secrets } from '@crm/secrets'
import { and, eq, type SQL } from 'drizzle-orm'
import type { ProviderFacts } from '../../platform/provider-client.ts'

const { identityProviders } = schema

export type ProviderRow = typeof identityProviders.$inferSelect

/** The place for which the secret of a provider is sealed. */
export const secretPlace = ({ workspaceId, id }: Pick<ProviderRow, 'workspaceId' | 'id'>) => ({
  workspaceId,
  table: 'identity_providers',
  column: 'client_secret',
  row: id,
})

/** Returns an active provider by the name in its addresses. */
export function findProvider(db: Executor, workspaceId: string, slug: string): Promise<ProviderRow | undefined> {
  return readOne(db, workspaceId, eq(identityProviders.slug, slug))
}

/** Returns an active provider. */
export function readProvider(db: Executor, workspaceId: string, id: string): Promise<ProviderRow | undefined> {
  return readOne(db, workspaceId, eq(identityProviders.id, id))
}

async function readOne(db: Executor, workspaceId: string, where: SQL): Promise<ProviderRow | undefined> {
  const [row] = await db
    .select()
    .from(identityProviders)
    .where(and(eq(identityProviders.workspaceId, workspaceId), where, eq(identityProviders.isActive, true)))
  return row
}

/** Returns a provider with its secret in the clear. */
export async function withSecret(
  db: Executor,
  secrets: Secrets,
  row: ProviderRow,
): Promise<ProviderRow & ProviderFacts> {
  const { clientSecret } = row
  return { ...row, clientSecret: clientSecret === null ? null : await secrets.open(db, secretPlace(row), clientSecret) }
}

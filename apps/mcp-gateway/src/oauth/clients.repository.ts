import { isId, newId, schema, type Executor } from '@crm/db'
import { and, eq, lt, notExists, sql } from 'drizzle-orm'
import type { NewClient } from './registration.ts'

const { oauthClients, oauthGrants } = schema

export interface Client extends NewClient {
  readonly id: string
  readonly createdAt: string
}

/** Stores a client that registers itself. */
export async function insertClient(
  db: Executor,
  workspaceId: string,
  { name, redirectUris }: NewClient,
  at: Date,
): Promise<Client> {
  const client = { id: newId(), name, redirectUris: [...redirectUris], createdAt: at.toISOString() }
  await db.insert(oauthClients).values({ workspaceId, ...client })
  return client
}

/** Finds a client by the id that it sends; the id may be any text. */
export async function findClient(db: Executor, workspaceId: string, id: string): Promise<Client | null> {
  if (!isId(id)) return null
  const [client] = await db
    .select()
    .from(oauthClients)
    .where(and(eq(oauthClients.workspaceId, workspaceId), eq(oauthClients.id, id)))
  return client ?? null
}

const unusedAfterMs = 7 * 24 * 60 * 60 * 1_000

/** Deletes clients that are older than a week and connected with nobody. */
export async function pruneClients(db: Executor, workspaceId: string, at: Date): Promise<void> {
  const live = db
    .select({ one: sql`1` })
    .from(oauthGrants)
    .where(
      and(
        eq(oauthGrants.workspaceId, oauthClients.workspaceId),
        eq(oauthGrants.clientId, oauthClients.id),
        sql`${oauthGrants.revokedAt} IS NULL`,
      ),
    )
  const before = new Date(at.getTime() - unusedAfterMs).toISOString()
  await db
    .delete(oauthClients)
    .where(and(eq(oauthClients.workspaceId, workspaceId), lt(oauthClients.createdAt, before), notExists(live)))
}

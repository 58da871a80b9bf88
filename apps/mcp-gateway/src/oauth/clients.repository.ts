import { isId, newId, schema, type Executor } from '@crm/db'
import { and, eq, lt, notExists, sql } from 'drizzle-orm'
import { isDocumentUrl } from './client-documents.ts'
import type { NewClient } from './registration.ts'

const { oauthClients, oauthGrants } = schema

export interface Client extends NewClient {
  readonly id: string
  readonly createdAt: string
  readonly documentUrl: string | null
  readonly freshUntil: string | null
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
  return { ...client, documentUrl: null, freshUntil: null }
}

/** Finds a client by the id that it sends: its own, or the address of its document; it may be any text. */
export async function findClient(db: Executor, workspaceId: string, id: string): Promise<Client | null> {
  const isIt = isId(id) ? eq(oauthClients.id, id) : isDocumentUrl(id) ? eq(oauthClients.documentUrl, id) : undefined
  if (!isIt) return null
  const [client] = await db
    .select()
    .from(oauthClients)
    .where(and(eq(oauthClients.workspaceId, workspaceId), isIt))
  return client ?? null
}

/** Stores what the document of a client says. */
export async function keepDocument(
  db: Executor,
  workspaceId: string,
  documentUrl: string,
  { name, redirectUris }: NewClient,
  { at, freshUntil }: { readonly at: Date; readonly freshUntil: Date },
): Promise<Client> {
  const said = { name, redirectUris: [...redirectUris], freshUntil: freshUntil.toISOString() }
  const [client] = await db
    .insert(oauthClients)
    .values({ workspaceId, id: newId(), documentUrl, createdAt: at.toISOString(), ...said })
    .onConflictDoUpdate({ target: [oauthClients.workspaceId, oauthClients.documentUrl], set: said })
    .returning()
  return client as Client
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

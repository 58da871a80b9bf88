import { schema, type Executor } from '@crm/db'
import { SecretUnreadableError } from '@crm/secrets'
import { and, eq } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { ProviderError } from '../../platform/provider-client.ts'
import { readProvider } from './providers.repository.ts'

const { sessions, ssoSessions } = schema

/** The place for which the token of a sign-in is sealed. */
export const idTokenPlace = (workspaceId: string, row: string) => ({
  workspaceId,
  table: 'sso_sessions',
  column: 'id_token',
  row,
})

/** Returns where the caller signs out of the provider as well; null when the session has none that wants it. */
export async function signOutAddress(context: CrmContext): Promise<string | null> {
  const { db, workspace, caller, deps } = context
  const begun = await readSignIn(db, workspace.id, caller.credential.id)
  const provider = begun && (await readProvider(db, workspace.id, begun.providerId))
  if (!begun || !provider?.rpLogout) return null
  const idToken = begun.idToken ? await openIdToken(context, begun.sessionId, begun.idToken) : null
  const { clientSecret: _sealed, ...facts } = provider
  try {
    return await deps.providers.endSession({ ...facts, clientSecret: null }, idToken, `${workspace.baseUrl}/sign-in`)
  } catch (error) {
    // Signing out here does not depend on a provider that does not answer.
    if (error instanceof ProviderError) return null
    throw error
  }
}

/** Returns the kept token; null when its key is lost, which keeps nobody signed in here. */
async function openIdToken({ db, workspace, deps }: CrmContext, sessionId: string, sealed: string) {
  try {
    return await deps.secrets.open(db, idTokenPlace(workspace.id, sessionId), sealed)
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error
    deps.logger.error({ err: error, workspaceId: workspace.id }, 'the token of a sign-in could not be opened')
    return null
  }
}

async function readSignIn(db: Executor, workspaceId: string, sessionId: string) {
  const [row] = await db
    .select({ sessionId: ssoSessions.sessionId, providerId: ssoSessions.providerId, idToken: ssoSessions.idToken })
    .from(sessions)
    .innerJoin(
      ssoSessions,
      and(eq(ssoSessions.workspaceId, sessions.workspaceId), eq(ssoSessions.sessionId, sessions.ssoId)),
    )
    .where(and(eq(sessions.workspaceId, workspaceId), eq(sessions.id, sessionId)))
  return row
}

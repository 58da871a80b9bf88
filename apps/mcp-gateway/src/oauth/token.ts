import { inTransaction } from '@crm/db'
import { digest } from '@crm/identity'
import { randomBytes } from 'node:crypto'
import { isVerifierOf } from './authorization-request.ts'
import { findClient, type Client } from './clients.repository.ts'
import { auditConnection, endingCredentials, type OAuthDeps } from './deps.ts'
import {
  accessTokenLifetimeMs,
  deleteToken,
  findToken,
  insertTokens,
  lockCode,
  newTokens,
  pruneExpired,
  revokeGrant,
  rotateToken,
  successorsOf,
  useCode,
  type TokenPair,
} from './grants.repository.ts'
import { OAuthError } from './oauth-error.ts'
import { checkResource, requireParameter, type Parameters } from './parameters.ts'

/** Within this time a lost answer is given again; later, a repeated token is a sign of theft. */
const raceMs = 60_000

/** The workspace that a request reached, and its sender. */
export interface Place {
  readonly workspaceId: string
  readonly baseUrl: string
  /** The sender's address and the name of its program, which tell one installation of a client from another. */
  readonly sender: string
}

/**
 * Answers a request for tokens (RFC 6749, OAuth 2.1).
 *
 * @throws {OAuthError}
 */
export async function issueTokens(
  deps: OAuthDeps,
  place: Place,
  parameters: Parameters,
): Promise<Readonly<Record<string, unknown>>> {
  const grantType = requireParameter(parameters, 'grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
  const client = await requireClient(deps, place, requireParameter(parameters, 'client_id'))
  checkResource(parameters, place)
  const answer = grantType === 'authorization_code' ? redeemCode : refresh
  return answer(deps, place, parameters, client)
}

/** Finds a client that has asked before; the document of one is not read again, so that no fault there ends a connection. */
async function requireClient({ db }: OAuthDeps, { workspaceId }: Place, clientId: string): Promise<Client> {
  const client = await findClient(db, workspaceId, clientId)
  if (!client) throw new OAuthError('invalid_client', 'There is no such client', { status: 401 })
  return client
}

async function redeemCode(
  deps: OAuthDeps,
  { workspaceId }: Place,
  parameters: Parameters,
  { id: clientId }: Client,
): Promise<Readonly<Record<string, unknown>>> {
  const code = requireParameter(parameters, 'code')
  const redirectUri = requireParameter(parameters, 'redirect_uri')
  const verifier = requireParameter(parameters, 'code_verifier')
  const at = deps.clock.now()
  const outcome = await inTransaction(deps.db, undefined, async (tx) => {
    const held = await lockCode(tx, workspaceId, code)
    if (!held || held.clientId !== clientId) return { kind: 'refused' as const }
    if (held.usedAt !== null) return { kind: 'replayed' as const, grantId: held.grantId, clientId: held.clientId }
    const isGood =
      Date.parse(held.expiresAt) > at.getTime() && held.revokedAt === null && held.personStatus === 'ACTIVE'
    if (!isGood || held.redirectUri !== redirectUri || !isVerifierOf(verifier, held.challenge))
      return { kind: 'refused' as const }
    await useCode(tx, workspaceId, code, at)
    return {
      kind: 'redeemed' as const,
      tokens: await insertTokens(tx, workspaceId, held.grantId, newTokens(), at),
      grantId: held.grantId,
      scopes: held.scopes,
    }
  })
  if (outcome.kind === 'refused')
    throw new OAuthError('invalid_grant', 'The code is not valid, or not for this client, address or verifier')
  if (outcome.kind === 'replayed') {
    // A code that is sent twice may have been stolen, so the tokens that came from it are revoked.
    await endConnection(deps, workspaceId, outcome, 'its code was used twice')
    throw new OAuthError('invalid_grant', 'The code was used before')
  }
  await pruneExpired(deps.db, workspaceId, outcome.grantId, at)
  return tokenAnswer(outcome.tokens, outcome.scopes)
}

async function refresh(
  deps: OAuthDeps,
  { workspaceId, sender }: Place,
  parameters: Parameters,
  { id: clientId }: Client,
): Promise<Readonly<Record<string, unknown>>> {
  const at = deps.clock.now()
  const shown = requireParameter(parameters, 'refresh_token')
  const read = () => findToken(deps.db, workspaceId, shown)
  const token = await read()
  if (!token || token.kind !== 'refresh' || token.clientId !== clientId)
    throw new OAuthError('invalid_grant', 'The refresh token is not valid')
  refuseWiderScope(parameters.get('scope'), token.scopes)
  const [salt, by] = [randomBytes(32), digest(sender)]
  const rotated =
    token.rotatedAt === null &&
    (await inTransaction(deps.db, undefined, async (tx) => {
      const isFirst = await rotateToken(tx, workspaceId, token.id, { salt, by, at })
      if (isFirst) await insertTokens(tx, workspaceId, token.grantId, successorsOf(shown, salt), at)
      return isFirst
    }))
  if (rotated) {
    await pruneExpired(deps.db, workspaceId, token.grantId, at)
    return tokenAnswer(successorsOf(shown, salt), token.scopes)
  }
  return repeatAnswer(deps, workspaceId, { shown, by }, await read())
}

/**
 * Answers a refresh token that was exchanged before. A client that exchanged it a moment ago and has not used the
 * answer gets the same answer again, because the first one was lost or is still on its way; another sender of the same moment gets
 * none. Whoever comes later may have stolen the token, so the connection ends.
 */
async function repeatAnswer(
  deps: OAuthDeps,
  workspaceId: string,
  { shown, by }: { readonly shown: string; readonly by: Buffer },
  token: Awaited<ReturnType<typeof findToken>>,
): Promise<Readonly<Record<string, unknown>>> {
  if (!token?.rotatedAt || !token.rotationSalt || token.revokedAt !== null)
    throw new OAuthError('invalid_grant', 'The refresh token is no longer valid')
  const pair = successorsOf(shown, token.rotationSalt)
  const next = await findToken(deps.db, workspaceId, pair.refreshToken)
  const isFresh = deps.clock.now().getTime() - Date.parse(token.rotatedAt) <= raceMs
  if (isFresh && token.rotatedBy?.equals(by) && next && next.rotatedAt === null) return tokenAnswer(pair, token.scopes)
  // Within the race it may be another process of the same client, whose address or program is another one.
  if (!isFresh) await endConnection(deps, workspaceId, token, 'an old refresh token came again')
  throw new OAuthError('invalid_grant', 'The refresh token was used before')
}

/** Unknown names of rights, such as `offline_access`, are ignored. */
function refuseWiderScope(scope: string | undefined, granted: readonly string[]): void {
  const wider = scope?.split(' ').find((name) => /^[A-Z]+_[A-Z0-9_]+$/.test(name) && !granted.includes(name))
  if (wider !== undefined) throw new OAuthError('invalid_scope', `${wider} was not granted`)
}

function tokenAnswer(
  { accessToken, refreshToken }: TokenPair,
  scopes: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenLifetimeMs / 1_000,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}

/**
 * Revokes a token (RFC 7009): a refresh token ends the whole connection, an access token only itself.
 *
 * @throws {OAuthError} when the named client does not exist, or the token belongs to another client
 */
export async function revokeToken(deps: OAuthDeps, place: Place, parameters: Parameters): Promise<void> {
  const { workspaceId } = place
  const shown = requireParameter(parameters, 'token')
  const named = parameters.get('client_id')
  const clientId = named === undefined ? undefined : (await requireClient(deps, place, named)).id
  const token = await findToken(deps.db, workspaceId, shown)
  if (!token) return
  if (clientId !== undefined && clientId !== token.clientId)
    throw new OAuthError('invalid_grant', 'The token belongs to another client')
  if (token.kind === 'refresh') await endConnection(deps, workspaceId, token, 'the client gave its token back')
  else await endingCredentials(deps, workspaceId, (tx) => deleteToken(tx, workspaceId, token.id))
}

/** Ends a connection and writes the reason to the audit log. */
function endConnection(
  deps: OAuthDeps,
  workspaceId: string,
  { grantId, clientId }: { readonly grantId: string; readonly clientId: string },
  reason: string,
): Promise<void> {
  const at = deps.clock.now()
  return endingCredentials(deps, workspaceId, async (tx) => {
    const hasEnded = await revokeGrant(tx, workspaceId, grantId, at)
    if (hasEnded)
      await auditConnection(
        tx,
        workspaceId,
        {
          actor: { id: null, name: 'Tool server' },
          action: 'connection.ended',
          clientId,
          summary: `Ended a connection: ${reason}`,
        },
        at,
      )
  })
}

import { newId, schema, type Executor } from '@crm/db'
import { accessTokenPrefix, digest, newSecret, refreshTokenPrefix } from '@crm/identity'
import type { AgentLimits, WritesMode } from '@crm/permissions'
import { createHmac } from 'node:crypto'
import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { AuthorizationRequest } from './authorization-request.ts'

const { oauthCodes, oauthGrants, oauthTokens, employees } = schema

const codeLifetimeMs = 60_000
export const accessTokenLifetimeMs = 30 * 24 * 60 * 60 * 1_000
/** This is longer than an access token lives, so that a client which is used once a month stays connected. */
const refreshTokenLifetimeMs = 3 * accessTokenLifetimeMs

const later = (at: Date, ms: number): string => new Date(at.getTime() + ms).toISOString()

/** What a person chose for a client: its rights, and what it may do by itself. */
export interface Choice {
  readonly scopes: readonly string[]
  readonly writes: WritesMode
  readonly limits: Partial<AgentLimits>
  /** Whether the client asks before each destructive call. */
  readonly confirm: boolean
}

/** Returns what a person chose for a client the last time, or null. */
export async function findEarlierChoice(
  db: Executor,
  workspaceId: string,
  { employeeId, clientId }: { employeeId: string; clientId: string },
): Promise<Choice | null> {
  const [grant] = await db
    .select({
      scopes: oauthGrants.scopes,
      writes: oauthGrants.writes,
      limits: oauthGrants.limits,
      confirm: oauthGrants.confirm,
    })
    .from(oauthGrants)
    .where(
      and(
        eq(oauthGrants.workspaceId, workspaceId),
        eq(oauthGrants.employeeId, employeeId),
        eq(oauthGrants.clientId, clientId),
      ),
    )
    .orderBy(desc(oauthGrants.id))
    .limit(1)
  return grant ?? null
}

interface Consent {
  readonly clientId: string
  readonly employeeId: string
  readonly choice: Choice
  readonly request: AuthorizationRequest
}

/** Stores a consent and returns its code, which lives for a minute. */
export async function insertGrant(
  tx: Executor,
  workspaceId: string,
  { employeeId, clientId, choice, request }: Consent,
  at: Date,
): Promise<{ readonly grantId: string; readonly code: string }> {
  const grantId = newId()
  const code = newSecret()
  await tx.insert(oauthGrants).values({
    workspaceId,
    id: grantId,
    clientId,
    employeeId,
    ...choice,
    scopes: [...choice.scopes],
    createdAt: at.toISOString(),
  })
  const { redirectUri, challenge, resource } = request
  await tx.insert(oauthCodes).values({
    workspaceId,
    codeHash: digest(code),
    grantId,
    redirectUri,
    challenge,
    resource,
    expiresAt: later(at, codeLifetimeMs),
  })
  return { grantId, code }
}

/** Returns a code with its consent; the row is locked until the transaction ends. */
export async function lockCode(tx: Executor, workspaceId: string, code: string) {
  const [row] = await tx
    .select({
      grantId: oauthCodes.grantId,
      redirectUri: oauthCodes.redirectUri,
      challenge: oauthCodes.challenge,
      resource: oauthCodes.resource,
      expiresAt: oauthCodes.expiresAt,
      usedAt: oauthCodes.usedAt,
      clientId: oauthGrants.clientId,
      scopes: oauthGrants.scopes,
      revokedAt: oauthGrants.revokedAt,
      personStatus: employees.status,
    })
    .from(oauthCodes)
    .innerJoin(
      oauthGrants,
      and(eq(oauthGrants.workspaceId, oauthCodes.workspaceId), eq(oauthGrants.id, oauthCodes.grantId)),
    )
    .innerJoin(
      employees,
      and(eq(employees.workspaceId, oauthGrants.workspaceId), eq(employees.id, oauthGrants.employeeId)),
    )
    .where(and(eq(oauthCodes.workspaceId, workspaceId), eq(oauthCodes.codeHash, digest(code))))
    .for('update', { of: oauthCodes })
  return row ?? null
}

/** Marks a code as used. */
export async function useCode(tx: Executor, workspaceId: string, code: string, at: Date): Promise<void> {
  await tx
    .update(oauthCodes)
    .set({ usedAt: at.toISOString() })
    .where(and(eq(oauthCodes.workspaceId, workspaceId), eq(oauthCodes.codeHash, digest(code))))
}

/** The secret tokens of a token answer. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Two new tokens. */
export function newTokens(): TokenPair {
  return { accessToken: newSecret(accessTokenPrefix), refreshToken: newSecret(refreshTokenPrefix) }
}

/**
 * Returns the successors of a refresh token. The same salt gives the same successors; it is never stored together with
 * the token.
 */
export function successorsOf(refreshToken: string, salt: Buffer): TokenPair {
  const made = (kind: string): string =>
    createHmac('sha256', refreshToken).update(salt).update(kind).digest('base64url')
  return { accessToken: accessTokenPrefix + made('access'), refreshToken: refreshTokenPrefix + made('refresh') }
}

/** Stores the two tokens of a connection. */
export async function insertTokens(
  tx: Executor,
  workspaceId: string,
  grantId: string,
  pair: TokenPair,
  at: Date,
): Promise<TokenPair> {
  const row = (kind: 'access' | 'refresh', token: string, lifetimeMs: number) => ({
    workspaceId,
    id: newId(),
    grantId,
    kind,
    tokenHash: digest(token),
    createdAt: at.toISOString(),
    expiresAt: later(at, lifetimeMs),
  })
  await tx
    .insert(oauthTokens)
    .values([
      row('access', pair.accessToken, accessTokenLifetimeMs),
      row('refresh', pair.refreshToken, refreshTokenLifetimeMs),
    ])
  return pair
}

/** Returns a token with its connection, valid or not. */
export async function findToken(db: Executor, workspaceId: string, token: string) {
  const [row] = await db
    .select({
      id: oauthTokens.id,
      kind: oauthTokens.kind,
      grantId: oauthTokens.grantId,
      rotatedAt: oauthTokens.rotatedAt,
      rotationSalt: oauthTokens.rotationSalt,
      rotatedBy: oauthTokens.rotatedBy,
      clientId: oauthGrants.clientId,
      scopes: oauthGrants.scopes,
      revokedAt: oauthGrants.revokedAt,
    })
    .from(oauthTokens)
    .innerJoin(
      oauthGrants,
      and(eq(oauthGrants.workspaceId, oauthTokens.workspaceId), eq(oauthGrants.id, oauthTokens.grantId)),
    )
    .where(and(eq(oauthTokens.workspaceId, workspaceId), eq(oauthTokens.tokenHash, digest(token))))
  return row ?? null
}

/** Takes a refresh token out of use. When several requests try at once, exactly one succeeds. */
export async function rotateToken(
  tx: Executor,
  workspaceId: string,
  id: string,
  { salt, by, at }: { readonly salt: Buffer; readonly by: Buffer; readonly at: Date },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(oauthTokens)
    .set({ rotatedAt: at.toISOString(), rotationSalt: salt, rotatedBy: by })
    .from(oauthGrants)
    .innerJoin(
      employees,
      and(eq(employees.workspaceId, oauthGrants.workspaceId), eq(employees.id, oauthGrants.employeeId)),
    )
    .where(
      and(
        eq(oauthTokens.workspaceId, workspaceId),
        eq(oauthTokens.id, id),
        isNull(oauthTokens.rotatedAt),
        gt(oauthTokens.expiresAt, at.toISOString()),
        eq(oauthGrants.workspaceId, oauthTokens.workspaceId),
        eq(oauthGrants.id, oauthTokens.grantId),
        isNull(oauthGrants.revokedAt),
        eq(employees.status, 'ACTIVE'),
      ),
    )
  return rowCount === 1
}

/** Ends a connection and all of its tokens; returns false when it had ended before. */
export async function revokeGrant(tx: Executor, workspaceId: string, grantId: string, at: Date): Promise<boolean> {
  const { rowCount } = await tx
    .update(oauthGrants)
    .set({ revokedAt: at.toISOString() })
    .where(and(eq(oauthGrants.workspaceId, workspaceId), eq(oauthGrants.id, grantId), isNull(oauthGrants.revokedAt)))
  return rowCount === 1
}

/** Revokes one token. */
export async function deleteToken(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await tx.delete(oauthTokens).where(and(eq(oauthTokens.workspaceId, workspaceId), eq(oauthTokens.id, id)))
}

/** Deletes rows that expired long ago: codes of the workspace, tokens of one connection. */
export async function pruneExpired(db: Executor, workspaceId: string, grantId: string, at: Date): Promise<void> {
  await db
    .delete(oauthCodes)
    .where(
      and(
        eq(oauthCodes.workspaceId, workspaceId),
        sql`${oauthCodes.expiresAt} < ${at.toISOString()}::timestamptz - interval '1 day'`,
      ),
    )
  await db
    .delete(oauthTokens)
    .where(
      and(
        eq(oauthTokens.workspaceId, workspaceId),
        eq(oauthTokens.grantId, grantId),
        lt(oauthTokens.expiresAt, at.toISOString()),
      ),
    )
}

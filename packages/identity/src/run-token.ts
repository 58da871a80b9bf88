import { createHmac, timingSafeEqual } from 'node:crypto'
import { runTokenPrefix } from './credential.ts'

/** What a run token says: a workflow run acts as this person until then. */
export interface RunClaims {
  readonly workspaceId: string
  readonly employeeId: string
  readonly runId: string
  /** How many runs led to this one. */
  readonly depth: number
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number
}

/** Makes the credential with which a workflow run calls the CRM API as its creator. */
export function signRunToken(claims: RunClaims, secret: string): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${runTokenPrefix}${payload}.${signature(payload, secret)}`
}

/** Reads a run token; null when it is forged or over. */
export function verifyRunToken(token: string, secret: string, nowMs: number): RunClaims | null {
  const [payload, signed, rest] = token.slice(runTokenPrefix.length).split('.')
  if (!payload || !signed || rest !== undefined) return null
  const expected = Buffer.from(signature(payload, secret))
  const given = Buffer.from(signed)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as RunClaims
  return claims.expiresAtMs > nowMs ? claims : null
}

function signature(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('base64url')
}

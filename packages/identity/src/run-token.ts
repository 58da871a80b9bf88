import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Queryable } from './caller.ts'
import { runTokenPrefix } from './credential.ts'

/** The claims of a run token: a workflow run acts as this person until it expires. */
export interface RunClaims {
  readonly workspaceId: string
  readonly employeeId: string
  readonly runId: string
  /** The epoch of the lease under which the run executes. */
  readonly epoch: number
  /** The number of runs that led to this one. */
  readonly depth: number
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number
}

/** The version of the claims; tokens of before had none. */
const claimsVersion = 1

/** The error for a token of a later version of the service: another process of the installation can read it. */
export class LaterTokenError extends Error {
  constructor() {
    super('The run token belongs to a later version of the service')
    this.name = 'LaterTokenError'
  }
}

/** Makes the credential with which a workflow run calls the CRM API as its creator. */
export function signRunToken(claims: RunClaims, secret: string): string {
  const payload = Buffer.from(JSON.stringify({ version: claimsVersion, ...claims })).toString('base64url')
  return `${runTokenPrefix}${payload}.${signature(payload, secret)}`
}

/**
 * Reads a run token; null when it is forged or expired. Throws LaterTokenError.
 * @param secrets any of them may have signed it
 */
export function verifyRunToken(token: string, secrets: readonly string[], nowMs: number): RunClaims | null {
  const [payload, signed, rest] = token.slice(runTokenPrefix.length).split('.')
  if (!payload || !signed || rest !== undefined) return null
  const given = Buffer.from(signed)
  const isSigned = secrets.some((secret) => {
    const expected = Buffer.from(signature(payload, secret))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
  if (!isSigned) return null
  const { version = claimsVersion, ...claims } = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  ) as RunClaims & { readonly version?: number }
  if (version > claimsVersion) throw new LaterTokenError()
  return claims.expiresAtMs > nowMs ? claims : null
}

const leaseQuery = `SELECT r.workflow_id AS id, w.name FROM workflow_runs r
    LEFT JOIN workflows w ON w.workspace_id = r.workspace_id AND w.id = r.workflow_id
  WHERE r.workspace_id = $1 AND r.id = $2 AND r.run_as_id = $3 AND r.epoch = $4 AND r.state = 'RUNNING' AND r.lease_until > now()`

/** Returns the workflow whose run is being executed under the lease and as the person in a token; null when none is. */
export async function leasedWorkflow(
  pool: Queryable,
  { workspaceId, runId, employeeId, epoch }: RunClaims,
): Promise<{ readonly id: string; readonly name: string | null } | null> {
  const { rows } = await pool.query<{ readonly id: string; readonly name: string | null }>({
    name: 'identity-run-lease',
    text: leaseQuery,
    values: [workspaceId, runId, employeeId, epoch],
  })
  return rows[0] ?? null
}

function signature(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('base64url')
}

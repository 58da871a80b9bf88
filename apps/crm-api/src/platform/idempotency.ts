import {
  fastCommit,
  given,
  inTransaction,
  newId,
  run,
  schema,
  sqlState,
  statement,
  type Database,
  type Transaction,
} from '@crm/db'
import { ApiError } from '@crm/errors'
import type { Answer, IdempotencyClaim } from '@crm/http'
import type { Clock } from '@crm/runtime'
import { and, eq, sql } from 'drizzle-orm'

const keptMs = 24 * 60 * 60 * 1000
const leaseMs = 60_000

interface ClaimRow extends Record<string, unknown> {
  readonly claimId: string
  readonly fingerprint: string
  readonly status: number | null
  readonly body: string | null
}

/**
 * Runs the work of an idempotency key once and keeps its answer for 24 hours (docs/guide/idempotency.md).
 *
 * The key is claimed in a short transaction of its own with a lease; the work and its stored answer are one transaction. So
 * a crash leaves either nothing or the answer, and a failure frees the key.
 */
export function createOnce(db: Database, clock: Clock) {
  return async (claim: IdempotencyClaim, work: (tx: Transaction) => Promise<Answer>): Promise<Answer> => {
    const claimId = newId()
    const held = await takeClaim(db, claim, claimId, clock.now())
    if (held.claimId !== claimId) return replay(held, claim)
    try {
      return await inTransaction(db, undefined, async (tx) => {
        const answer = await work(tx)
        await keepAnswer(tx, claim, claimId, answer)
        return answer
      })
    } catch (error) {
      // A key that cannot be freed now is free when its lease ends.
      await freeClaim(db, claim, claimId).catch(() => undefined)
      throw sqlState(error) === divisionByZero ? new ApiError('IDEMPOTENCY_KEY_IN_FLIGHT') : error
    }
  }
}

const claimKey = statement(sql`
  WITH ${sql.raw(fastCommit)},
  taken AS (
    INSERT INTO idempotency_keys AS k (workspace_id, employee_id, key, fingerprint, claim_id, lease_until, expires_at)
    SELECT ${given('workspaceId')}::uuid, ${given('employeeId')}::uuid, ${given('key')}, ${given('fingerprint')}, ${given('claimId')}::uuid,
      ${given('leaseUntil')}::timestamptz, ${given('expiresAt')}::timestamptz FROM fast
    ON CONFLICT (workspace_id, employee_id, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, claim_id = excluded.claim_id, lease_until = excluded.lease_until,
          expires_at = excluded.expires_at, status = NULL, body = NULL
      WHERE k.expires_at <= ${given('now')}::timestamptz OR (k.status IS NULL AND k.lease_until <= ${given('now')}::timestamptz)
    RETURNING claim_id AS "claimId", fingerprint, status, body
  )
  SELECT * FROM taken`)

/**
 * Claims a key that is new, expired, or left by a request that died; otherwise returns the row that holds it. The claim does
 * not wait for the disk: a lost claim is a free key, and the commit of the work flushes the claim too.
 */
async function takeClaim(db: Database, claim: IdempotencyClaim, claimId: string, now: Date): Promise<ClaimRow> {
  const after = (ms: number): string => new Date(now.getTime() + ms).toISOString()
  const [taken] = await run<ClaimRow>(db, claimKey, {
    ...claim,
    claimId,
    leaseUntil: after(leaseMs),
    expiresAt: after(keptMs),
    now: after(0),
  })
  return taken ?? readClaim(db, claim, claimId)
}

async function readClaim(db: Database, claim: IdempotencyClaim, claimId: string): Promise<ClaimRow> {
  const [row] = await db
    .select({
      claimId: schema.idempotencyKeys.claimId,
      fingerprint: schema.idempotencyKeys.fingerprint,
      status: schema.idempotencyKeys.status,
      body: schema.idempotencyKeys.body,
    })
    .from(schema.idempotencyKeys)
    .where(isClaimed(claim))
  // The key was freed between the two statements: the first request failed just now.
  return row ?? { claimId: `${claimId}-freed`, fingerprint: claim.fingerprint, status: null, body: null }
}

function replay(held: ClaimRow, claim: IdempotencyClaim): Answer {
  if (held.fingerprint !== claim.fingerprint) throw new ApiError('IDEMPOTENCY_KEY_REUSED')
  if (held.status === null || held.body === null) throw new ApiError('IDEMPOTENCY_KEY_IN_FLIGHT', { retryAfterS: 1 })
  return { status: held.status, body: held.body }
}

const storeAnswer = statement(sql`
  WITH kept AS (
    UPDATE idempotency_keys SET status = ${given('status')}::int, body = ${given('body')}
    WHERE workspace_id = ${given('workspaceId')} AND employee_id = ${given('employeeId')} AND key = ${given('key')} AND claim_id = ${given('claimId')}
    RETURNING true
  )
  SELECT 1 / count(*) FROM kept`)

/**
 * Keeps the answer with the work. Another request may have taken the key over after the lease. Then the work of that request
 * counts, and the division by zero undoes this one.
 */
async function keepAnswer(
  tx: Transaction,
  claim: IdempotencyClaim,
  claimId: string,
  { status, body }: Answer,
): Promise<void> {
  await run(tx, storeAnswer, { ...claim, claimId, status, body })
}

const divisionByZero = '22012'

async function freeClaim(db: Database, claim: IdempotencyClaim, claimId: string): Promise<void> {
  await db.delete(schema.idempotencyKeys).where(and(isClaimed(claim), eq(schema.idempotencyKeys.claimId, claimId)))
}

function isClaimed(claim: IdempotencyClaim) {
  const { workspaceId, employeeId, key } = schema.idempotencyKeys
  return and(eq(workspaceId, claim.workspaceId), eq(employeeId, claim.employeeId), eq(key, claim.key))
}

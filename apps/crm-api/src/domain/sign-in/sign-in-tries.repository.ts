import { inPart, inTransaction, schema, type Database, type Transaction } from '@crm/db'
import { digest } from '@crm/identity'
import { doSharedWork, type RoundDeps } from '@crm/jobs'
import { and, lt, sql } from 'drizzle-orm'
import { countTry, forgiveTry, waitOf, type SignInLimit, type Tries } from './sign-in-limits.ts'

const { passkeyChallenges, passwordResets, pendingSignIns, signInTries } = schema

/** A key under which a try is counted. */
export interface CountedUnder {
  readonly limit: SignInLimit
  /** The name that distinguishes it from others of its kind. */
  readonly key: string
  /** Whether a success removes only the failure of its own try, because others may share the key. */
  readonly isShared?: boolean
}

interface CountedTry {
  /** Milliseconds to wait; 0 when the try may be checked. */
  readonly waitMs: number
  /** Whether this try is the last one before a wait. */
  readonly isLast: boolean
}

/** Counts a try under all its keys, or under none when it has to wait for one of them. */
export function countSignInTry(
  db: Database,
  workspaceId: string,
  under: readonly CountedUnder[],
  nowMs: number,
): Promise<CountedTry> {
  return inTransaction(db, undefined, async (tx) => {
    const counted = await lockTries(tx, workspaceId, under)
    const waitMs = Math.max(0, ...counted.map(({ tries }) => waitOf(tries, nowMs)))
    if (waitMs > 0) return { waitMs, isLast: false }
    const after = counted.map((one) => ({ ...one, tries: countTry(one.tries, one.limit, nowMs) }))
    await storeTries(tx, workspaceId, after)
    return { waitMs, isLast: after.some(({ tries }) => tries.blockedUntilMs > nowMs) }
  })
}

/** Removes the failures after a success; under a shared key only the failure that was counted for this try. */
export function forgiveSignInTries(db: Database, workspaceId: string, under: readonly CountedUnder[]): Promise<void> {
  return inTransaction(db, undefined, async (tx) => {
    const counted = await lockTries(tx, workspaceId, under)
    const after = counted.map((one) => ({
      ...one,
      tries: one.isShared ? forgiveTry(one.tries, one.limit) : { failures: 0, blockedUntilMs: 0, endsAtMs: 0 },
    }))
    await storeTries(tx, workspaceId, after)
  })
}

const dayMs = 24 * 3_600_000

/** Deletes tries, sign-ins, challenges and links that no longer count. */
export async function deleteOldTries(deps: RoundDeps): Promise<void> {
  const { db, clock } = deps
  const nowMs = clock.now().getTime()
  const expired = [
    { name: 'delete-sign-in-tries', table: signInTries, end: signInTries.endsAt, before: nowMs },
    { name: 'delete-begun-sign-ins', table: pendingSignIns, end: pendingSignIns.expiresAt, before: nowMs },
    { name: 'delete-passkey-challenges', table: passkeyChallenges, end: passkeyChallenges.expiresAt, before: nowMs },
    { name: 'delete-password-resets', table: passwordResets, end: passwordResets.expiresAt, before: nowMs - dayMs },
  ]
  for (const { name, table, end, before } of expired)
    await doSharedWork(deps, {
      name,
      perform: (part) => db.delete(table).where(and(lt(end, toInstant(before)), inPart(table.workspaceId, part))),
    })
}

interface Counted extends CountedUnder {
  readonly hash: string
  readonly tries: Tries
}

/** Locks the rows in the same order for every try, so that two tries never deadlock. */
async function lockTries(tx: Transaction, workspaceId: string, under: readonly CountedUnder[]): Promise<Counted[]> {
  if (under.length === 0) return []
  const hashed = under
    .map((one) => ({ ...one, hash: digest(one.key).toString('hex') }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  const rows = await tx
    .insert(signInTries)
    .values(hashed.map(({ hash }) => ({ workspaceId, key: hash })))
    // A change of nothing locks the row and returns it, all in one statement.
    .onConflictDoUpdate({
      target: [signInTries.workspaceId, signInTries.key],
      set: { failures: sql`${signInTries.failures}` },
    })
    .returning()
  return hashed.map((one) => {
    const row = rows.find(({ key }) => key === one.hash)
    return {
      ...one,
      tries: {
        failures: row?.failures ?? 0,
        blockedUntilMs: Date.parse(row?.blockedUntil ?? '') || 0,
        endsAtMs: Date.parse(row?.endsAt ?? '') || 0,
      },
    }
  })
}

async function storeTries(tx: Transaction, workspaceId: string, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return
  const rows = counted.map(
    ({ hash, tries: { failures, blockedUntilMs, endsAtMs } }) =>
      sql`(${hash}::text, ${failures}::int, ${toInstant(blockedUntilMs)}::timestamptz, ${toInstant(endsAtMs)}::timestamptz)`,
  )
  await tx.execute(sql`
    UPDATE sign_in_tries AS t SET failures = v.failures, blocked_until = v.blocked_until, ends_at = v.ends_at
    FROM (VALUES ${sql.join(rows, sql`, `)}) AS v (key, failures, blocked_until, ends_at)
    WHERE t.workspace_id = ${workspaceId}::uuid AND t.key = v.key`)
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString()
}

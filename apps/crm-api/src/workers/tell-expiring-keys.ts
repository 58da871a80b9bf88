import { inTransaction, recordChange, type Database, type Transaction } from '@crm/db'
import type { Clock } from '@crm/runtime'
import { sql } from 'drizzle-orm'
import { accountMailEvent, type AccountMail } from '../domain/sign-in/account-mails.ts'

/** Keys of one round. */
const atOnceMax = 200
/** A key is told of this long before its end, and a key with a short life after half of it. */
const daysBefore = 7

interface ExpiringKey {
  readonly [column: string]: unknown
  readonly workspaceId: string
  readonly name: string
  readonly employeeId: string | null
}

/** The tables of keys with an end, each with the condition of a key that still opens something. */
const tables = [
  { table: sql`api_keys`, isValid: sql`c.revoked_at IS NULL` },
  { table: sql`scim_tokens`, isValid: sql`true` },
] as const

/**
 * Mails the owners of API keys and of the tokens of directories that end soon, once for each end; of a service account's key
 * its maker, or else the manager of the account.
 */
export async function tellExpiringKeys({ db, clock }: { readonly db: Database; readonly clock: Clock }): Promise<void> {
  const at = clock.now().toISOString()
  for (const keys of tables) await inTransaction(db, undefined, (tx) => tellOfTable(tx, keys, at))
}

async function tellOfTable(tx: Transaction, { table, isValid }: (typeof tables)[number], at: string): Promise<void> {
  const { rows } = await tx.execute<ExpiringKey>(sql`
    UPDATE ${table} k SET told_expires_at = k.expires_at
    FROM (
      SELECT c.workspace_id, c.id, c.owner_id, c.created_by_id FROM ${table} c
      WHERE ${isValid} AND c.expires_at > ${at}
        AND c.expires_at - least(make_interval(days => ${daysBefore}), (c.expires_at - c.created_at) / 2) <= ${at}
        AND c.told_expires_at IS DISTINCT FROM c.expires_at
      LIMIT ${atOnceMax} FOR UPDATE SKIP LOCKED
    ) AS due
    JOIN employees o ON o.workspace_id = due.workspace_id AND o.id = due.owner_id
    LEFT JOIN employees m ON m.workspace_id = due.workspace_id AND m.id = due.created_by_id AND m.kind = 'PERSON' AND m.status = 'ACTIVE'
    WHERE k.workspace_id = due.workspace_id AND k.id = due.id
    RETURNING k.workspace_id AS "workspaceId", k.name,
      CASE WHEN o.status <> 'ACTIVE' THEN NULL WHEN o.kind = 'PERSON' THEN o.id ELSE coalesce(m.id, o.manager_id) END AS "employeeId"`)
  for (const { workspaceId, name, employeeId } of rows) {
    if (!employeeId) continue
    const event = { at, address: null, userAgent: null }
    const mail: AccountMail = { kind: 'key-expiring', employeeId, name, event }
    const actor = { type: 'SYSTEM', id: null, name: 'System', source: 'SYSTEM' } as const
    await recordChange(tx, {
      workspaceId,
      actor,
      at,
      events: [{ topic: 'job', event: accountMailEvent, payload: { ...mail } }],
    })
  }
}

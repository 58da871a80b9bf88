import { inTransaction, recordChange, type Database } from '@crm/db'
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

/** Mails the owners of keys that end soon, once for each end; of a service account's key its maker, or else the manager of the account. */
export async function tellExpiringKeys({ db, clock }: { readonly db: Database; readonly clock: Clock }): Promise<void> {
  const at = clock.now().toISOString()
  await inTransaction(db, undefined, async (tx) => {
    const { rows } = await tx.execute<ExpiringKey>(sql`
      UPDATE api_keys k SET told_expires_at = k.expires_at
      FROM (
        SELECT c.workspace_id, c.id, c.owner_id, c.created_by_id FROM api_keys c
        WHERE c.revoked_at IS NULL AND c.expires_at > ${at}
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
  })
}

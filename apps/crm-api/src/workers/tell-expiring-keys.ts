import { inTransaction, recordChange, systemActor, type Transaction } from '@crm/db'
import { doDueWork, isNotPutOff, type DueWork, type RoundDeps } from '@crm/jobs'
import { sql } from 'drizzle-orm'
import { accountMailEvent, type AccountMail } from '../domain/sign-in/account-mails.ts'

/** How often keys are looked for that end soon. */
export const expiringKeysRoundMs = 10 * 60_000

const foundAtOnce = 200
const toldTogether = 50
/** A key is told of this long before its end, and a key with a short life after half of it. */
const daysBefore = 7

interface FoundKey extends Record<string, unknown> {
  readonly workspaceId: string
  readonly id: string
}

interface ExpiringKey {
  readonly [column: string]: unknown
  readonly name: string
  readonly employeeId: string | null
}

/** The tables of keys with an end, each with the condition of a key that still opens something. */
const tables = [
  { work: 'tell-expiring-api-keys', table: sql`api_keys`, isValid: sql`c.revoked_at IS NULL` },
  { work: 'tell-expiring-directory-tokens', table: sql`scim_tokens`, isValid: sql`true` },
] as const

/**
 * Mails the owners of API keys and of the tokens of directories that end soon, once for each end; of a service account's key
 * its maker, or else the manager of the account.
 */
export async function tellExpiringKeys(deps: RoundDeps): Promise<void> {
  for (const keys of tables) await doDueWork(deps, noticesOf(deps, keys))
}

type Keys = (typeof tables)[number]

const isDue = ({ isValid }: Keys, at: string) => sql`${isValid} AND c.expires_at > ${at}
  AND c.expires_at - least(make_interval(days => ${daysBefore}), (c.expires_at - c.created_at) / 2) <= ${at}
  AND c.told_expires_at IS DISTINCT FROM c.expires_at`

function noticesOf(deps: RoundDeps, keys: Keys): DueWork<FoundKey> {
  const { work, table } = keys
  return {
    name: work,
    everyMs: expiringKeysRoundMs,
    batch: foundAtOnce,
    together: toldTogether,
    find: async (at, limit) => {
      const { rows } = await deps.db.execute<FoundKey>(sql`
        SELECT c.workspace_id AS "workspaceId", c.id FROM ${table} c
        JOIN employees o ON o.workspace_id = c.workspace_id AND o.id = c.owner_id
        WHERE ${isDue(keys, at)} AND ${isNotPutOff(work, { workspaceId: sql`c.workspace_id`, row: sql`c.id` }, at)}
        ORDER BY c.expires_at LIMIT ${limit}`)
      return rows
    },
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: (found, workspaceId) =>
      inTransaction(deps.db, undefined, (tx) =>
        tellOfSome(tx, keys, { workspaceId, ids: found.map(({ id }) => id), at: deps.clock.now().toISOString() }),
      ),
  }
}

interface FoundKeys {
  readonly workspaceId: string
  readonly ids: readonly string[]
  readonly at: string
}

async function tellOfSome(tx: Transaction, keys: Keys, { workspaceId, ids, at }: FoundKeys): Promise<void> {
  const { rows } = await tx.execute<ExpiringKey>(sql`
    UPDATE ${keys.table} k SET told_expires_at = k.expires_at
    FROM (
      SELECT c.id, c.owner_id, c.created_by_id FROM ${keys.table} c
      WHERE c.workspace_id = ${workspaceId} AND c.id = ANY(${sql.param(ids)}::uuid[]) AND ${isDue(keys, at)} FOR UPDATE SKIP LOCKED
    ) AS due
    JOIN employees o ON o.workspace_id = ${workspaceId} AND o.id = due.owner_id
    LEFT JOIN employees m ON m.workspace_id = ${workspaceId} AND m.id = due.created_by_id AND m.kind = 'PERSON' AND m.status = 'ACTIVE'
    WHERE k.workspace_id = ${workspaceId} AND k.id = due.id
    RETURNING k.name,
      CASE WHEN o.status <> 'ACTIVE' THEN NULL WHEN o.kind = 'PERSON' THEN o.id ELSE coalesce(m.id, o.manager_id) END AS "employeeId"`)
  for (const { name, employeeId } of rows) {
    if (!employeeId) continue
    const event = { at, address: null, userAgent: null }
    const mail: AccountMail = { kind: 'key-expiring', employeeId, name, event }
    await recordChange(tx, {
      workspaceId,
      actor: systemActor,
      at,
      events: [{ topic: 'mail', event: accountMailEvent, payload: { ...mail } }],
    })
  }
}

import { schema, type Executor, type Transaction } from '@crm/db'
import type { AgentLimits, WritesMode } from '@crm/permissions'
import { and, eq, isNull, sql } from 'drizzle-orm'

const { oauthClients, oauthGrants } = schema

/** A client with which a person is connected. */
export interface ConnectionRow {
  readonly clientId: string
  readonly name: string
  readonly scopes: string[]
  readonly employeeId: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string
  readonly connectedAt: string
  readonly lastUsedAt: string | null
  readonly writes: WritesMode
  readonly limits: Partial<AgentLimits>
  readonly confirm: boolean
}

interface Selection {
  readonly workspaceId: string
  /** Null: the connections of everybody. */
  readonly employeeId: string | null
  /** One client only. */
  readonly clientId?: string
  readonly limit: number
  readonly offset: number
}

/** Returns connections, the newest first, and their number; a consent that was never turned into tokens does not count. */
export async function listConnections(
  db: Executor,
  { workspaceId, employeeId, clientId, limit, offset }: Selection,
): Promise<{ readonly items: readonly ConnectionRow[]; readonly total: number }> {
  const { rows } = await db.execute<ConnectionRow & Record<string, unknown> & { readonly total: number }>(sql`
    WITH live AS (
      SELECT g.* FROM oauth_grants g
      WHERE g.workspace_id = ${workspaceId} AND g.revoked_at IS NULL AND (${employeeId}::uuid IS NULL OR g.employee_id = ${employeeId}::uuid)
        AND (${clientId ?? null}::uuid IS NULL OR g.client_id = ${clientId ?? null}::uuid)
        AND EXISTS (SELECT FROM oauth_tokens t WHERE t.workspace_id = g.workspace_id AND t.grant_id = g.id AND t.rotated_at IS NULL AND t.expires_at > now())
    ), connections AS (
      SELECT client_id, employee_id, min(created_at) AS connected_at, max(last_used_at) AS last_used_at,
        (SELECT array_agg(DISTINCT scope ORDER BY scope) FROM live l, unnest(l.scopes) AS scope WHERE l.client_id = live.client_id AND l.employee_id = live.employee_id) AS scopes,
        (array_agg(writes ORDER BY created_at DESC))[1] AS writes, (array_agg(limits ORDER BY created_at DESC))[1] AS limits, bool_or(confirm) AS confirm
      FROM live GROUP BY client_id, employee_id
    )
    SELECT c.client_id AS "clientId", o.name, c.scopes, c.employee_id AS "employeeId", e.first_name AS "firstName", e.last_name AS "lastName", e.email,
      ${instantText('c.connected_at')} AS "connectedAt", ${instantText('c.last_used_at')} AS "lastUsedAt", c.writes, c.limits, c.confirm, (count(*) OVER ())::int AS total
    FROM connections c
      JOIN oauth_clients o ON o.workspace_id = ${workspaceId} AND o.id = c.client_id
      JOIN employees e ON e.workspace_id = ${workspaceId} AND e.id = c.employee_id
    ORDER BY c.connected_at DESC, c.client_id, c.employee_id
    LIMIT ${limit} OFFSET ${offset}`)
  return {
    items: rows,
    total:
      rows[0]?.total ??
      (offset === 0 ? 0 : (await listConnections(db, { workspaceId, employeeId, limit: 1, offset: 0 })).total),
  }
}

/** Changes the settings of every live consent of a person to a client. */
export async function changeControl(
  tx: Transaction,
  { workspaceId, clientId, employeeId }: { workspaceId: string; clientId: string; employeeId: string },
  control: Pick<ConnectionRow, 'writes' | 'limits' | 'confirm'>,
): Promise<void> {
  await tx
    .update(oauthGrants)
    .set(control)
    .where(
      and(
        eq(oauthGrants.workspaceId, workspaceId),
        eq(oauthGrants.clientId, clientId),
        eq(oauthGrants.employeeId, employeeId),
        isNull(oauthGrants.revokedAt),
      ),
    )
}

function instantText(column: string) {
  return sql.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
}

/** Ends every live consent of a person to a client; returns the client's name, or null when there was nothing to end. */
export async function endConnection(
  tx: Transaction,
  { workspaceId, clientId, employeeId, at }: { workspaceId: string; clientId: string; employeeId: string; at: string },
): Promise<string | null> {
  const ended = await tx
    .update(oauthGrants)
    .set({ revokedAt: at })
    .where(
      and(
        eq(oauthGrants.workspaceId, workspaceId),
        eq(oauthGrants.clientId, clientId),
        eq(oauthGrants.employeeId, employeeId),
        isNull(oauthGrants.revokedAt),
      ),
    )
    .returning({ clientId: oauthGrants.clientId })
  if (ended.length === 0) return null
  const [client] = await tx
    .select({ name: oauthClients.name })
    .from(oauthClients)
    .where(and(eq(oauthClients.workspaceId, workspaceId), eq(oauthClients.id, clientId)))
  return client?.name ?? null
}

import {
  deleteInTurn,
  deletingBy,
  eachWorkspace,
  placesWith,
  newId,
  textOfPart,
  valueOfPart,
  type Due,
  type Part,
  type Pool,
  type RoundBounds,
} from '@crm/db'

interface Expired extends Due {
  readonly seq: string
  readonly hash: string
}

/** A workspace may keep less than the installation does, by its retention or by its rules for signing in, never more. */
const periods = eachWorkspace(`min(least(
    nullif($1::float8, 0), nullif((w.retention->>'audit')::float8, 0), (w.sign_in_policy->>'auditRetentionDays')::float8
  )) AS days`)

/**
 * The last entry of the expired beginning of each chain, and for how long its first one has been expired. Entries are numbered when they
 * are sealed, not by their time, so the beginning ends before the first entry that is still kept.
 */
const expired = `SELECT p.id AS "workspaceId", p.days AS "end", last.seq, last.hash,
    extract(epoch FROM now() - first.at)::float8 - p.days * 86400 AS seconds FROM ${periods} p
  LEFT JOIN LATERAL (
    SELECT a.seq FROM audit_log a
    WHERE a.workspace_id = p.id AND a.seq IS NOT NULL AND a.at >= now() - p.days * interval '1 day' ORDER BY a.seq LIMIT 1
  ) kept ON true
  CROSS JOIN LATERAL (SELECT max(a.seq) AS seq FROM audit_log a WHERE a.workspace_id = p.id) newest
  CROSS JOIN LATERAL (
    SELECT a.seq, a.hash FROM audit_log a WHERE a.workspace_id = p.id AND a.seq < coalesce(kept.seq, newest.seq) ORDER BY a.seq DESC LIMIT 1
  ) last
  CROSS JOIN LATERAL (
    SELECT a.at FROM audit_log a WHERE a.workspace_id = p.id AND a.seq <= last.seq ORDER BY a.seq LIMIT 1
  ) first
  WHERE p.days IS NOT NULL AND `

/** The summary and the actor of an entry about a removal. */
const announce = `WITH chain AS (
    UPDATE audit_chains SET pruned_seq = $3 WHERE workspace_id = $1 AND pruned_seq < $3 RETURNING workspace_id
  )
  INSERT INTO audit_log (workspace_id, id, actor_type, actor_name, action, subject_type, subject_id, summary, data)
  SELECT workspace_id, $2, 'SYSTEM', 'Retention', 'audit.pruned', 'AUDIT_LOG', $1::text, 'Removed the oldest entries of the audit log',
    jsonb_build_object('seq', $3::bigint, 'hash', $4::text) FROM chain`

/** Chains whose removal was announced, in this round or in one that ended early. */
const announced = `SELECT c.workspace_id AS "workspaceId", c.pruned_seq::float8 AS "end", 0 AS seconds FROM audit_chains c
  WHERE c.pruned_seq > 0 AND EXISTS (SELECT FROM audit_log a WHERE a.workspace_id = c.workspace_id AND a.seq <= c.pruned_seq) AND `

const remove = `DELETE FROM audit_log t USING (
    SELECT old.* FROM ${placesWith('pruned_seq', '$1', '$2')} CROSS JOIN LATERAL (
      SELECT workspace_id, id FROM audit_log WHERE workspace_id = place.id AND seq <= place.pruned_seq::bigint ORDER BY seq LIMIT $3
    ) old
  ) old WHERE t.workspace_id = old.workspace_id AND t.id = old.id RETURNING t.workspace_id AS "workspaceId"`

/** Returns the workspaces whose audit log has an expired beginning. */
export async function findDueAudit(pool: Pool, days: number, part: Part): Promise<readonly Expired[]> {
  return (await pool.query<Expired>(expired + textOfPart('p.id', part, '$2'), [days, valueOfPart(part)])).rows
}

/**
 * Removes the expired beginnings of audit logs. What is removed is said first, in an entry with the last place and hash, so that the
 * rest of a chain still proves itself. The newest entry of a chain always stays.
 */
export async function pruneAuditLogs(
  pool: Pool,
  days: number,
  { part, bounds }: { readonly part: Part; readonly bounds: RoundBounds },
  count: (rows: number) => void,
): Promise<void> {
  for (const { workspaceId, seq, hash } of await findDueAudit(pool, days, part))
    await pool.query(announce, [workspaceId, newId(), seq, hash])
  const due = await pool.query<Due>(announced + textOfPart('c.workspace_id', part, '$1'), [valueOfPart(part)])
  await deleteInTurn(due.rows, deletingBy(pool, remove), count, bounds)
}

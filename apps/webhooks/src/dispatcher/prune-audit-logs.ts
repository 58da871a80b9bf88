import { newId, type Pool } from '@crm/db'

interface Expired {
  readonly workspaceId: string
  readonly seq: string
  readonly hash: string
}

/** A workspace may keep less than the installation does, by its retention or by its rules for signing in, never more. */
const periods = `SELECT w.id, least(
    nullif($1::float8, 0), nullif((w.retention->>'audit')::float8, 0), (w.sign_in_policy->>'auditRetentionDays')::float8
  ) AS days FROM workspaces w`

/**
 * The last entry of the expired beginning of each chain. Entries are numbered when they are sealed, not by their time, so the beginning
 * ends before the first entry that is still kept.
 */
const expired = `SELECT p.id AS "workspaceId", last.seq, last.hash FROM (${periods}) p
  CROSS JOIN LATERAL (
    SELECT coalesce((
      SELECT a.seq FROM audit_log a
      WHERE a.workspace_id = p.id AND a.seq IS NOT NULL AND a.at >= now() - p.days * interval '1 day' ORDER BY a.seq LIMIT 1
    ), (SELECT max(a.seq) FROM audit_log a WHERE a.workspace_id = p.id)) AS seq
  ) kept
  CROSS JOIN LATERAL (
    SELECT a.seq, a.hash FROM audit_log a WHERE a.workspace_id = p.id AND a.seq < kept.seq ORDER BY a.seq DESC LIMIT 1
  ) last
  WHERE p.days IS NOT NULL`

/** The summary and the actor of an entry about a removal. */
const announce = `WITH chain AS (
    UPDATE audit_chains SET pruned_seq = $3 WHERE workspace_id = $1 AND pruned_seq < $3 RETURNING workspace_id
  )
  INSERT INTO audit_log (workspace_id, id, actor_type, actor_name, action, subject_type, subject_id, summary, data)
  SELECT workspace_id, $2, 'SYSTEM', 'Retention', 'audit.pruned', 'AUDIT_LOG', $1::text, 'Removed the oldest entries of the audit log',
    jsonb_build_object('seq', $3::bigint, 'hash', $4::text) FROM chain`

const remove = `DELETE FROM audit_log t USING (
    SELECT a.workspace_id, a.id FROM audit_chains c JOIN audit_log a ON a.workspace_id = c.workspace_id AND a.seq <= c.pruned_seq
    WHERE c.pruned_seq > 0 ORDER BY a.workspace_id, a.seq LIMIT $1
  ) old WHERE t.workspace_id = old.workspace_id AND t.id = old.id`

/** A round removes up to a million entries. */
const batchesMax = 1_000

/**
 * Removes the expired beginnings of audit logs. What is removed is said first, in an entry with the last place and hash, so that the
 * rest of a chain still proves itself. The newest entry of a chain always stays.
 */
export async function pruneAuditLogs(pool: Pool, days: number, batch: number): Promise<number> {
  const { rows } = await pool.query<Expired>(expired, [days])
  for (const { workspaceId, seq, hash } of rows) await pool.query(announce, [workspaceId, newId(), seq, hash])
  let removed = 0
  for (let n = 0; n < batchesMax; n += 1) {
    const { rowCount } = await pool.query(remove, [batch])
    removed += rowCount ?? 0
    if ((rowCount ?? 0) < batch) break
  }
  return removed
}

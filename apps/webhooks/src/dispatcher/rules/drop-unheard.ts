import type { Pool } from '@crm/db'
import { finishUnheard, type HandedOn, type OutboxRow } from '@crm/jobs'
import { evaluateConditions, type Condition } from '@crm/templates'
import { conditionData, readChangeEvent } from '@crm/contract'

interface ListenedRow extends OutboxRow {
  /** The conditions of every rule and workflow that listens to the event. */
  readonly listening: readonly (readonly Condition[])[]
}

/**
 * Leaves out changes for which no condition holds, many in one query. Most changes of a workspace with rules are like
 * this, and a transaction for each would cost more than the change.
 */
export async function dropUnheard(pool: Pool, rows: readonly HandedOn[]): Promise<readonly HandedOn[]> {
  const changes = rows.filter(({ topic }) => topic === 'change')
  if (changes.length === 0) return rows
  const listened = await readListened(pool, changes)
  const unheard = new Set(listened.filter(isUnheard).map(({ id }) => id))
  if (unheard.size === 0) return rows
  await finishUnheard(
    pool,
    changes.filter(({ id }) => unheard.has(id)),
  )
  return rows.filter(({ id }) => !unheard.has(id))
}

function isUnheard(row: ListenedRow): boolean {
  if (row.listening.length === 0) return true
  const data = conditionData(readChangeEvent(row))
  return row.listening.every((conditions) => !evaluateConditions(conditions, data))
}

async function readListened(pool: Pool, rows: readonly HandedOn[]): Promise<ListenedRow[]> {
  const { rows: found } = await pool.query<ListenedRow>({
    name: 'changes-filter',
    text: `SELECT o.workspace_id AS "workspaceId", o.id, o.event, o.entity_type AS "entityType", o.entity_id AS "entityId", o.payload, o.attempts,
        to_char(o.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
        (SELECT coalesce(jsonb_agg(l.conditions), '[]') FROM (
          SELECT a.conditions FROM automation_rules a WHERE a.workspace_id = o.workspace_id AND a.event = o.event AND a.is_active
          UNION ALL
          SELECT coalesce(v.trigger->'conditions', '[]') FROM workflows w
            JOIN workflow_versions v ON v.workspace_id = w.workspace_id AND v.workflow_id = w.id AND v.version = w.published_version
          WHERE w.workspace_id = o.workspace_id AND w.listens_to = o.event
        ) l) AS listening
      FROM unnest($1::uuid[], $2::uuid[]) AS r (workspace_id, id) JOIN outbox o ON o.workspace_id = r.workspace_id AND o.id = r.id AND o.done_at IS NULL`,
    values: [rows.map(({ workspaceId }) => workspaceId), rows.map(({ id }) => id)],
  })
  return found
}

import { kindTables, schema } from '@crm/db'
import { getTableName } from 'drizzle-orm'
import type { Pool } from 'pg'

/**
 * Compares the ledger of counts with the records that are there, in every combination that it knows, and returns where they differ: by how many
 * the ledger has too many or too few.
 */
export async function miscounted(owner: Pick<Pool, 'query'>): Promise<readonly unknown[]> {
  return (await owner.query(differences)).rows
}

const there = [
  ...Object.entries(kindTables).map(([entity, table]) => [getTableName(table), `'${entity}'`] as const),
  [getTableName(schema.customRecords), 'upper(t.entity_key)'] as const,
].map(
  ([
    table,
    entity,
  ]) => `SELECT t.workspace_id, ${entity}, t.owner_id, coalesce(t.owner_id, t.created_by_id), t.department_id,
    to_jsonb(t) ->> 'pipeline_id', to_jsonb(t) ->> 'stage_id', to_jsonb(t) ->> 'status', -1 FROM ${table} t WHERE t.deleted_at IS NULL`,
)

const differences = `
  SELECT entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, sum(n)::int AS n FROM (
    SELECT workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id::text, stage_id::text, status, n FROM record_counts
    UNION ALL ${there.join(' UNION ALL ')}
  ) AS sides GROUP BY workspace_id, 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0`

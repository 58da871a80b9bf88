import type { Executor } from '@crm/db'
import { getTableName, sql } from 'drizzle-orm'
import { recordKinds } from '../../kinds/kinds.ts'
import type { RecordKind } from '../../records/owned/kind.ts'

/** The keys of the custom fields that people type texts into, by the table of their records. */
export type TextFields = ReadonlyMap<string, ReadonlySet<string>>

/** Reads the custom fields of a workspace that are texts; a key that is a choice in another type of record of the same table is left out. */
export async function readTextFields(db: Executor, workspaceId: string): Promise<TextFields> {
  const { rows } = await db.execute<{ entityType: string | null; key: string; isText: boolean }>(sql`
    SELECT entity_type AS "entityType", key, type = 'TEXT' AS "isText" FROM custom_fields WHERE workspace_id = ${workspaceId}
    UNION ALL SELECT NULL, field->>'key', field->>'type' = 'TEXT' FROM custom_entities, jsonb_array_elements(fields) AS field
      WHERE workspace_id = ${workspaceId}`)
  const tables = Map.groupBy(rows, ({ entityType }) => tableOf(entityType))
  return new Map(
    [...tables].map(([table, fields]) => {
      const others = new Set(fields.filter(({ isText }) => !isText).map(({ key }) => key))
      return [table, new Set(fields.map(({ key }) => key).filter((key) => !others.has(key)))]
    }),
  )
}

function tableOf(entityType: string | null): string {
  const kinds: Readonly<Record<string, RecordKind>> = recordKinds
  const kind = entityType === null ? undefined : Object.values(kinds).find((known) => known.entityType === entityType)
  return kind ? getTableName(kind.table) : 'custom_records'
}

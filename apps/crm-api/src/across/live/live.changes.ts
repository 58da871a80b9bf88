import { firstIdAt, isAnyOf, schema, someWorkspaces, type Executor, type FieldChange } from '@crm/db'
import { and, eq, sql } from 'drizzle-orm'
import { kindOf } from '../../kinds/kinds.ts'
import { customKind } from '../../records/custom-kinds.ts'
import { findHolders, type HeldRecord } from '../../records/owned/repository.ts'
import { holdersBefore, holdingFields, type ChangedRecord } from './live.sight.ts'

const { employees, timeline } = schema

/** A new entry of a history. */
export interface NewEntry {
  readonly workspaceId: string
  readonly id: string
  readonly entityType: string
  readonly entityId: string
  readonly kind: string
  /** The changes of whose the record is. */
  readonly holding: readonly FieldChange[]
}

const isHolding = holdingFields.map((field) => `@.field == "${field}"`).join(' || ')

/** Returns the newest entries of the histories of these workspaces since a moment, oldest first, at most `limit` of each. */
export async function readNewEntries(
  db: Executor,
  workspaceIds: readonly string[],
  sinceMs: number,
  limit: number,
): Promise<readonly NewEntry[]> {
  const { rows } = await db.execute<NewEntry & Record<string, unknown>>(sql`
    SELECT place.id AS "workspaceId", entry.* FROM ${someWorkspaces(sql.param(workspaceIds))} AS place CROSS JOIN LATERAL (
      SELECT ${timeline.id} AS id, ${timeline.entityType} AS "entityType", ${timeline.entityId} AS "entityId", ${timeline.kind} AS kind,
        jsonb_path_query_array(${timeline.changes}, ${`$[*] ? (${isHolding})`}::jsonpath) AS holding
      FROM ${timeline} WHERE ${timeline.workspaceId} = place.id AND ${timeline.id} >= ${firstIdAt(sinceMs)}::uuid
      ORDER BY ${timeline.id} DESC LIMIT ${limit}
    ) AS entry ORDER BY entry.id`)
  return rows
}

/** Returns the records of new entries with their present and their earlier holders. */
export async function readChangedRecords(
  db: Executor,
  workspaceId: string,
  entries: readonly NewEntry[],
): Promise<readonly ChangedRecord[]> {
  const departments = await readDepartments(db, workspaceId, entries)
  const changed: ChangedRecord[] = []
  for (const [entityType, ofType] of Map.groupBy(entries, (entry) => entry.entityType)) {
    const byRecord = Map.groupBy(ofType, ({ entityId }) => entityId)
    const kind = kindOf(entityType) ?? customKind(entityType)
    const held: ReadonlyMap<string, HeldRecord> = await findHolders(db, kind, workspaceId, [...byRecord.keys()])
    for (const [entityId, [first, ...more]] of byRecord) {
      if (!first) continue
      const now = held.get(entityId)
      const holding = [first, ...more].flatMap((entry) => entry.holding)
      const before = now && holding.length > 0 ? holdersBefore(now.holders, holding, departments) : undefined
      changed.push({ entityType, entityId, firstKind: first.kind, before, now })
    }
  }
  return changed
}

/** Reads the departments of the people who owned records before. */
async function readDepartments(
  db: Executor,
  workspaceId: string,
  entries: readonly NewEntry[],
): Promise<ReadonlyMap<string, string | null>> {
  const owners = entries.flatMap(({ holding }) =>
    holding.flatMap(({ field, from }) => (field === 'ownerId' && typeof from === 'string' ? [from] : [])),
  )
  if (owners.length === 0) return new Map()
  const rows = await db
    .select({ id: employees.id, departmentId: employees.departmentId })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), isAnyOf(employees.id, [...new Set(owners)])))
  return new Map(rows.map(({ id, departmentId }) => [id, departmentId]))
}

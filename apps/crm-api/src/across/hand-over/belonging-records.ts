import { isAnyOf, scopeOf, type Executor, type Scope } from '@crm/db'
import { kindOf, personFields } from '@crm/model'
import { and, asc, eq, gt, not, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { CrmContext } from '../../platform/context.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { existing } from '../../records/owned/list.ts'
import { changedKinds } from '../undo/undoable-kinds.ts'

/** How many records of a kind belong to a person, within the rights of somebody who asks. */
export interface CountedRecords {
  readonly entityType: string
  readonly count: number
  readonly movable: number
  readonly over: number
}

type Columns = Readonly<Record<string, PgColumn>>

/** Returns the condition for the records that belong to a person, by every field of the kind that can name one. */
function ofPerson({ entityType, table }: RecordKind, personId: string): SQL {
  const columns = table as unknown as Columns
  return or(
    ...personFields(entityType).map(({ name, isList }) => {
      const column = columns[name] as PgColumn
      return isList ? sql`${column} @> ARRAY[${personId}]::uuid[]` : eq(column, personId)
    }),
  ) as SQL
}

/** Returns the condition for the records that nothing is left to do about; undefined for a kind without an end. */
function isOver({ entityType, table }: RecordKind): SQL | undefined {
  const over = kindOf(entityType)?.over
  const status = (table as unknown as Columns)['status']
  return over && status && isAnyOf(status, [...over])
}

/** Counts the records of a person by kind. */
export async function countRecords(
  db: Executor,
  context: CrmContext,
  personId: string,
): Promise<readonly CountedRecords[]> {
  const counted: CountedRecords[] = []
  for (const { kind } of await changedKinds(db, context)) {
    const view = context.scopeIfAllowed(kind.entityType)
    if (!view) continue
    const change = updateScope(context, kind.entityType)
    const over = isOver(kind) ?? sql`false`
    const { rows } = await db.execute<{ count: number; movable: number; over: number }>(sql`
      SELECT count(*) FILTER (WHERE NOT ${over})::int AS count, count(*) FILTER (WHERE ${over})::int AS over,
        count(*) FILTER (WHERE NOT ${over} AND ${change ? existing(kind, change) : sql`false`})::int AS movable
      FROM ${kind.table} WHERE ${and(existing(kind, view), ofPerson(kind, personId))}`)
    const [row] = rows
    if (row && row.count + row.over > 0) counted.push({ entityType: kind.entityType, ...row })
  }
  return counted
}

/** Returns the scope of changing records of a kind; null when the caller may change none. */
function updateScope({ workspace, caller }: CrmContext, entityType: string): Scope | null {
  return scopeOf(workspace.id, caller, entityType, 'UPDATE')
}

/** Returns the ids of the next records of a person that the caller may change, in order of ids. */
export async function nextRecordIds(
  db: Executor,
  context: CrmContext,
  kind: RecordKind,
  {
    personId,
    includeOver,
    after,
    limit,
  }: {
    readonly personId: string
    readonly includeOver: boolean
    readonly after: string | null
    readonly limit: number
  },
): Promise<readonly string[]> {
  const scope = updateScope(context, kind.entityType)
  if (!scope) return []
  const over = includeOver ? undefined : isOver(kind)
  const { id } = kind.table
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT ${id} AS id FROM ${kind.table}
    WHERE ${and(existing(kind, scope), ofPerson(kind, personId), over && not(over), after === null ? undefined : gt(id, after))}
    ORDER BY ${asc(id)} LIMIT ${limit}`)
  return rows.map((row) => row.id)
}

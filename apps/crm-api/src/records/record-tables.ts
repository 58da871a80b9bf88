import { schema, visible, type Executor, type Scope } from '@crm/db'
import type { EntityType } from '@crm/permissions'
import { and, eq, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { CrmContext } from '../context.ts'

const { activities, companies, contacts, deals, leads, projects, tasks } = schema

/** Where the records of each kind are, for what hangs on records of any kind. */
const tables = {
  LEAD: leads, CONTACT: contacts, COMPANY: companies, DEAL: deals, TASK: tasks, PROJECT: projects, ACTIVITY: activities,
} as const

type TableName = keyof typeof tables

const kinds = Object.keys(tables) as TableName[]

/** A column with a kind of record beside one with an id. */
export interface Reference {
  readonly workspaceId: SQLWrapper
  readonly entityType: SQLWrapper
  readonly entityId: SQLWrapper
}

/** The references to records that the caller may see. */
export function visibleReferences({ scopeIfAllowed }: Pick<CrmContext, 'scopeIfAllowed'>, reference: Reference): SQL {
  const ofKinds = kinds.flatMap((kind) => {
    const scope = scopeIfAllowed(kind)
    return scope ? [and(eq(reference.entityType, sql`${kind}`), isThere(scope, kind, reference.entityId))] : []
  })
  return or(...ofKinds) ?? sql`false`
}

/** Whether a record of any kind exists and the caller may see it. */
export async function isVisibleRecord(db: Executor, { scopeIfAllowed }: Pick<CrmContext, 'scopeIfAllowed'>, entityType: string, id: string): Promise<boolean> {
  const kind = kinds.find((known) => known === entityType)
  const scope = kind && scopeIfAllowed(kind satisfies EntityType)
  if (!scope) return false
  const { rows } = await db.execute(sql`SELECT WHERE ${isThere(scope, kind, sql`${id}::uuid`)}`)
  return rows.length === 1
}

function isThere(scope: Scope, kind: TableName, id: SQLWrapper): SQL {
  const table = tables[kind]
  return sql`EXISTS (SELECT FROM ${table} WHERE ${and(visible(scope, table), sql`${table.id} = ${id}`, isNull(table.deletedAt))})`
}


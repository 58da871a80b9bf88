import { schema } from '@crm/db'
import { and, eq, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

const { employees } = schema

/** A table whose rows belong to a person, a department or the workspace. */
interface SharedTable {
  readonly workspaceId: PgColumn
  readonly ownerId: PgColumn
  readonly visibility: PgColumn
}

/** The person who looks. */
export interface Reader {
  readonly workspaceId: string
  readonly employeeId: string
  readonly departmentId: string | null
}

/** Returns the condition for rows of a person, of colleagues who share with their department, and of the whole workspace. */
export function sharedWith(table: SharedTable, { workspaceId, employeeId, departmentId }: Reader): SQL {
  const isColleagues = and(
    eq(table.visibility, 'DEPARTMENT'),
    sql`EXISTS (SELECT FROM ${employees} WHERE ${employees.workspaceId} = ${workspaceId} AND ${employees.id} = ${table.ownerId} AND ${employees.departmentId} = ${departmentId})`,
  )
  return and(
    eq(table.workspaceId, workspaceId),
    or(
      eq(table.ownerId, employeeId),
      eq(table.visibility, 'WORKSPACE'),
      departmentId === null ? undefined : isColleagues,
    ),
  ) as SQL
}

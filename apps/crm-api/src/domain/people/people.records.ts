import { isAnyOf, recordChange, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { fullName } from '@crm/identity'
import { and, eq, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'

const { employees, employeeRoles } = schema

export type EmployeeRow = typeof employees.$inferSelect

/** Returns the condition for one person of the workspace. */
export function isUser({ workspace }: Pick<CrmContext, 'workspace'>, id: string): SQL {
  return and(eq(employees.workspaceId, workspace.id), eq(employees.id, id)) as SQL
}

/** Returns a person as the settings show them. Throws NOT_FOUND. */
export async function readUser(db: Executor, context: Pick<CrmContext, 'workspace'>, id: string) {
  const [user] = await withRoles(db, context.workspace.id, await db.select().from(employees).where(isUser(context, id)))
  if (!user) throw notFound()
  return user
}

/** Locks a person until the transaction ends. Throws NOT_FOUND. */
export async function lockUser(
  tx: Transaction,
  context: Pick<CrmContext, 'workspace'>,
  id: string,
): Promise<EmployeeRow> {
  const [row] = await tx.select().from(employees).where(isUser(context, id)).for('update')
  if (!row) throw notFound()
  return row
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such user' })
}

/** Returns people with their names and roles, without the values that only signing in and the person's own pages need. */
export async function withRoles(db: Executor, workspaceId: string, rows: readonly EmployeeRow[]) {
  const named = await withNameAndRoles(db, workspaceId, rows)
  return named.map(
    ({
      workspaceId: _workspace,
      passwordHash: _hash,
      deviceKey: _key,
      signedInAt: _at,
      locale: _locale,
      timeFormat: _format,
      theme: _theme,
      density: _density,
      startPage: _start,
      pinned: _pinned,
      unfolded: _unfolded,
      monthlyGoal: _goal,
      ...row
    }) => row,
  )
}

/** Adds their names and roles to people. */
export async function withNameAndRoles<Row extends Pick<EmployeeRow, 'id' | 'email' | 'firstName' | 'lastName'>>(
  db: Executor,
  workspaceId: string,
  rows: readonly Row[],
): Promise<(Row & { name: string; roleIds: string[] })[]> {
  const ids = rows.map((row) => row.id)
  const held =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(employeeRoles)
          .where(and(eq(employeeRoles.workspaceId, workspaceId), isAnyOf(employeeRoles.employeeId, ids)))
  const byPerson = Map.groupBy(held, ({ employeeId }) => employeeId)
  return rows.map((row) => ({
    ...row,
    name: fullName(row),
    roleIds: (byPerson.get(row.id) ?? []).map(({ roleId }) => roleId),
  }))
}

/** Emits an event about a person for rules and workflows, with the person as the settings show them. */
export async function tellOfPerson(
  tx: Transaction,
  context: Pick<CrmContext, 'workspace' | 'actor' | 'at'>,
  event: 'employee.created' | 'employee.updated' | 'employee.deleted',
  id: string,
): Promise<void> {
  const { workspace, actor, at } = context
  await recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    events: [
      {
        topic: 'change',
        event,
        entityType: 'EMPLOYEE',
        entityId: id,
        payload: { record: await readUser(tx, context, id), changes: [] },
      },
    ],
  })
}

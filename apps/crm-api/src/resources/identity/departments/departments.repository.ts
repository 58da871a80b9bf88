import type { DepartmentInput, DepartmentPatch } from '@crm/contract'
import { newId, schema, visible, type Executor, type Page, type Scope, type Transaction, inNameOrder } from '@crm/db'
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm'
import { searchCondition } from '../../../records/search-terms.ts'
import { shownColumns } from '../../../records/shown-columns.ts'
import type { Use } from '../../../records/uses.ts'

const { departments, employees } = schema
const columns = shownColumns(departments, 'departments')

export type DepartmentRow = Omit<typeof departments.$inferSelect, 'workspaceId'>

/** Returns the condition for the departments within a scope: a department belongs to the person who heads it. */
function within(scope: Scope): SQL {
  return visible(scope, {
    workspaceId: departments.workspaceId,
    ownerId: departments.headId,
    createdById: departments.createdById,
    departmentId: departments.id,
  })
}

export interface DepartmentFilter {
  readonly search?: string
  readonly parentId?: string
  readonly headId?: string
}

/** Returns a page of departments by name, and the number of matches. */
export async function listDepartments(
  db: Executor,
  scope: Scope,
  filter: DepartmentFilter,
  page: { readonly limit: number; readonly offset: number; readonly locale: string },
): Promise<Page<DepartmentRow>> {
  const where = and(
    within(scope),
    searchCondition(filter.search, sql`crm_searchable(${departments.name})`),
    filter.parentId ? eq(departments.parentId, filter.parentId) : undefined,
    filter.headId ? eq(departments.headId, filter.headId) : undefined,
  )
  const [{ n: total } = { n: 0 }] = await db.select({ n: count() }).from(departments).where(where)
  if (total === 0) return { items: [], total }
  const items = await db
    .select(columns)
    .from(departments)
    .where(where)
    .orderBy(inNameOrder(departments.name, page.locale), asc(departments.id))
    .limit(page.limit)
    .offset(page.offset)
  return { items, total }
}

/** Returns one department within the scope. */
export async function findDepartment(db: Executor, scope: Scope, id: string): Promise<DepartmentRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(departments)
    .where(and(within(scope), eq(departments.id, id)))
  return row
}

/** The tree of departments. */
export const departmentTree = { table: departments, parentId: departments.parentId }

/** Writes a new department. */
export async function insertDepartment(
  tx: Transaction,
  workspaceId: string,
  createdById: string,
  input: DepartmentInput,
  at: string,
): Promise<DepartmentRow> {
  const [row] = await tx
    .insert(departments)
    .values({ ...input, workspaceId, id: newId(), createdById, createdAt: at, updatedAt: at })
    .returning(columns)
  return row as DepartmentRow
}

/** Changes a department. */
export async function updateDepartment(
  tx: Transaction,
  workspaceId: string,
  id: string,
  patch: DepartmentPatch,
  at: string,
): Promise<DepartmentRow> {
  const [row] = await tx
    .update(departments)
    .set({ ...patch, updatedAt: at })
    .where(isDepartment(workspaceId, id))
    .returning(columns)
  return row as DepartmentRow
}

/** Makes transactions that put a person or a record into a department wait until this transaction ends. */
export async function closeDepartment(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.select({ id: departments.id }).from(departments).where(isDepartment(workspaceId, id)).for('update')
}

/** Counts the direct subdepartments and people of a department, and its records, which the ledger knows by kind; in the order of their types. */
export async function countMembers(tx: Transaction, workspaceId: string, id: string): Promise<Use[]> {
  const { rows } = await tx.execute<{ entityType: string; count: number }>(sql`
    SELECT 'DEPARTMENT' AS "entityType", count(*)::int AS count FROM ${departments}
      WHERE ${departments.workspaceId} = ${workspaceId} AND ${departments.parentId} = ${id}
    UNION ALL SELECT 'EMPLOYEE', count(*)::int FROM ${employees}
      WHERE ${employees.workspaceId} = ${workspaceId} AND ${employees.departmentId} = ${id}
    UNION ALL SELECT entity_type, sum(n)::int FROM record_counts
      WHERE workspace_id = ${workspaceId} AND department_id = ${id} GROUP BY entity_type
    ORDER BY 1`)
  return rows
}

/** Deletes a department. */
export async function deleteDepartment(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.delete(departments).where(isDepartment(workspaceId, id))
}

/** Whether an employee with an account has this id. */
export async function isEmployee(db: Executor, workspaceId: string, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: employees.id })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, id)))
  return rows.length === 1
}

function isDepartment(workspaceId: string, id: string): SQL {
  return and(eq(departments.workspaceId, workspaceId), eq(departments.id, id)) as SQL
}

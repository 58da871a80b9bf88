import { isAnyOf, schema, visible, type Executor, type Page, type Scope, inNameOrder } from '@crm/db'
import { fullName } from '@crm/identity'
import { and, asc, count, desc, eq, ne, sql, type SQL } from 'drizzle-orm'
import { pictureUrl } from '../../../domain/people/people.pictures.ts'
import { withNameAndRoles } from '../../../domain/people/people.records.ts'
import { fullNames, shownName } from '../../../records/person-names.ts'
import { searchCondition } from '../../../records/search-terms.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

const { employees } = schema
const columns = shownColumns(employees, 'employees')

type EmployeeRow = Pick<typeof employees.$inferSelect, keyof typeof columns>

/** An employee as the API shows them. */
export interface EmployeeRecord extends EmployeeRow {
  readonly name: string
  readonly roleIds: string[]
}

/** Returns the condition for the employees within a scope: a person's own entry is their own record. */
function within(scope: Scope): SQL {
  return visible(scope, {
    workspaceId: employees.workspaceId,
    ownerId: employees.id,
    createdById: employees.createdById,
    departmentId: employees.departmentId,
  })
}

export interface EmployeeFilter {
  readonly search?: string
  readonly status?: EmployeeRow['status']
  readonly departmentId?: string
  readonly managerId?: string
}

/** Returns a page of employees, newest first, and the number of matches. */
export async function listEmployees(
  db: Executor,
  scope: Scope,
  filter: EmployeeFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<Page<EmployeeRecord>> {
  const where = and(
    within(scope),
    searchCondition(filter.search, sql`crm_searchable(${fullNames} || ' ' || ${employees.email})`),
    filter.status ? eq(employees.status, filter.status) : undefined,
    filter.departmentId ? eq(employees.departmentId, filter.departmentId) : undefined,
    filter.managerId ? eq(employees.managerId, filter.managerId) : undefined,
  )
  const [{ n: total } = { n: 0 }] = await db.select({ n: count() }).from(employees).where(where)
  if (total === 0) return { items: [], total }
  const rows = await db
    .select(columns)
    .from(employees)
    .where(where)
    .orderBy(desc(employees.createdAt), desc(employees.id))
    .limit(page.limit)
    .offset(page.offset)
  return { items: await withNameAndRoles(db, scope.workspaceId, rows), total }
}

/** Returns one employee within the scope. */
export async function findEmployee(db: Executor, scope: Scope, id: string): Promise<EmployeeRecord | undefined> {
  const rows = await db
    .select(columns)
    .from(employees)
    .where(and(within(scope), eq(employees.id, id)))
  return (await withNameAndRoles(db, scope.workspaceId, rows))[0]
}

/** The entry of an employee in the directory. */
export interface DirectoryEntry extends Pick<EmployeeRow, 'id' | 'departmentId' | 'status'> {
  readonly name: string
  readonly pictureUrl: string | null
}

/** Returns the first employees by name whose names match; with ids only these employees. Terminated ones come last, with ids or where they are wanted. */
export async function lookUpEmployees(
  db: Executor,
  scope: Scope,
  {
    search,
    ids,
    withLeft = false,
    limit,
    locale,
  }: {
    readonly search?: string | undefined
    readonly ids?: readonly string[] | undefined
    readonly withLeft?: boolean | undefined
    readonly limit: number
    readonly locale: string
  },
): Promise<DirectoryEntry[]> {
  const where = and(
    within(scope),
    searchCondition(search, sql`crm_searchable(${shownName})`),
    ids ? isAnyOf(employees.id, ids) : undefined,
    ids || withLeft ? undefined : ne(employees.status, 'TERMINATED'),
  )
  const { id, firstName, lastName, email, departmentId, status } = columns
  const rows = await db
    .select({ id, firstName, lastName, email, departmentId, status, pictureUrl: pictureUrl(scope.workspaceId) })
    .from(employees)
    .where(where)
    .orderBy(...(withLeft ? [eq(status, 'TERMINATED')] : []), inNameOrder(shownName, locale), asc(id))
    .limit(limit)
  return rows.map((row) => ({
    id: row.id,
    name: fullName(row),
    departmentId: row.departmentId,
    status: row.status,
    pictureUrl: row.pictureUrl,
  }))
}

import { scimSchemas } from '@crm/contract'
import {
  isAnyOf,
  schema,
  type Executor,
  type Page,
  type PeopleTransaction,
  type Transaction,
  isAddress,
  isFolded,
} from '@crm/db'
import { and, asc, count, eq, ne, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Concerned } from '../../../reach/concerned-people.ts'
import type { ScimAttribute, ScimAttributes } from './scim.conditions.ts'
import type { AskedPage } from './scim.shape.ts'

const { departments, employees, scimGroupMembers, scimGroups, scimPeople } = schema
const managers = alias(employees, 'managers')

const enterprise = scimSchemas.enterpriseUser.toLowerCase()
const name = (person: typeof employees | typeof managers) =>
  sql<string>`coalesce(nullif(concat_ws(' ', ${person.firstName}, ${person.lastName}), ''), ${person.email})`
const displayName = sql<string>`coalesce(${scimPeople.displayName}, ${name(employees)})`
const department = sql<string | null>`coalesce(${departments.name}, ${scimPeople.department})`

/** The attributes of people that filters know. */
export const personAttributes: ScimAttributes = new Map(
  Object.entries<ScimAttribute>({
    id: { type: 'exact', sql: sql`${employees.id}::text` },
    externalid: { type: 'exact', sql: sql`${scimPeople.externalId}` },
    username: { type: 'text', sql: sql`${employees.email}` },
    displayname: { type: 'text', sql: displayName },
    'name.formatted': { type: 'text', sql: name(employees) },
    'name.givenname': { type: 'text', sql: sql`${employees.firstName}` },
    'name.familyname': { type: 'text', sql: sql`${employees.lastName}` },
    active: { type: 'boolean', sql: sql`(${employees.status} = 'ACTIVE')` },
    timezone: { type: 'text', sql: sql`${employees.timezone}` },
    emails: { type: 'text', sql: sql`${employees.email}` },
    'emails.value': { type: 'text', sql: sql`${employees.email}` },
    'emails.type': { type: 'text', sql: sql`'work'::text` },
    'emails.primary': { type: 'boolean', sql: sql`true` },
    'meta.resourcetype': { type: 'exact', sql: sql`'User'::text` },
    'meta.created': { type: 'instant', sql: sql`${employees.createdAt}` },
    'meta.lastmodified': { type: 'instant', sql: sql`${employees.updatedAt}` },
    [`${enterprise}:department`]: { type: 'text', sql: department },
    [`${enterprise}:manager`]: { type: 'exact', sql: sql`${employees.managerId}::text` },
    [`${enterprise}:manager.value`]: { type: 'exact', sql: sql`${employees.managerId}::text` },
    groups: {
      type: 'many',
      from: sql`FROM scim_group_members gm JOIN scim_groups g ON g.workspace_id = gm.workspace_id AND g.id = gm.group_id
      WHERE gm.workspace_id = ${employees.workspaceId} AND gm.employee_id = ${employees.id}`,
      attributes: new Map(
        Object.entries<ScimAttribute>({
          value: { type: 'exact', sql: sql`g.id::text` },
          display: { type: 'text', sql: sql`g.display_name` },
        }),
      ),
    },
  }),
)

/** Returns the condition for the people whom directories see: those with an account, and no programs. */
function seen(workspaceId: string, where?: SQL): SQL {
  return and(
    eq(employees.workspaceId, workspaceId),
    eq(employees.kind, 'PERSON'),
    ne(employees.status, 'TERMINATED'),
    where,
  ) as SQL
}

function selectPeople(db: Executor, where: SQL) {
  return db
    .select({
      id: employees.id,
      email: employees.email,
      firstName: employees.firstName,
      lastName: employees.lastName,
      status: employees.status,
      timezone: employees.timezone,
      createdAt: employees.createdAt,
      updatedAt: employees.updatedAt,
      managerId: employees.managerId,
      managerName: name(managers),
      externalId: scimPeople.externalId,
      isSuspended: scimPeople.isSuspended,
      formatted: name(employees),
      displayName,
      department,
    })
    .from(employees)
    .leftJoin(
      scimPeople,
      and(eq(scimPeople.workspaceId, employees.workspaceId), eq(scimPeople.employeeId, employees.id)),
    )
    .leftJoin(
      departments,
      and(eq(departments.workspaceId, employees.workspaceId), eq(departments.id, employees.departmentId)),
    )
    .leftJoin(managers, and(eq(managers.workspaceId, employees.workspaceId), eq(managers.id, employees.managerId)))
    .where(where)
    .$dynamic()
}

export type PersonRow = Awaited<ReturnType<typeof selectPeople>>[number]

/** Returns a page of people, oldest first, and the number of matches. */
export async function listPeople(
  db: Executor,
  workspaceId: string,
  where: SQL | undefined,
  { startIndex, count: limit }: AskedPage,
): Promise<Page<PersonRow>> {
  const matching = seen(workspaceId, where)
  const counted = db
    .select({ n: count() })
    .from(employees)
    .leftJoin(
      scimPeople,
      and(eq(scimPeople.workspaceId, employees.workspaceId), eq(scimPeople.employeeId, employees.id)),
    )
    .leftJoin(
      departments,
      and(eq(departments.workspaceId, employees.workspaceId), eq(departments.id, employees.departmentId)),
    )
    .where(matching)
  const [{ n: total } = { n: 0 }] = await counted
  if (total === 0 || limit === 0) return { items: [], total }
  const items = await selectPeople(db, matching)
    .orderBy(asc(employees.createdAt), asc(employees.id))
    .limit(limit)
    .offset(startIndex - 1)
  return { items, total }
}

/** Returns a person whom directories see. */
export async function findPerson(db: Executor, workspaceId: string, id: string): Promise<PersonRow | undefined> {
  const [person] = await selectPeople(db, seen(workspaceId, eq(employees.id, id)))
  return person
}

/** Locks a person whom directories see, until the transaction ends. */
export async function lockPerson(tx: Transaction, workspaceId: string, id: string) {
  const [person] = await tx
    .select()
    .from(employees)
    .where(seen(workspaceId, eq(employees.id, id)))
    .for('update')
  return person
}

/** Locks the account with an address, whoever has it. */
export async function lockByAddress(tx: Transaction, workspaceId: string, email: string) {
  const [account] = await tx
    .select()
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), isAddress(employees.email, email)))
    .for('update')
  return account
}

/** Changes a person. */
export async function updatePerson(
  tx: PeopleTransaction,
  workspaceId: string,
  id: Concerned,
  fields: Partial<typeof employees.$inferInsert>,
): Promise<void> {
  await tx
    .update(employees)
    .set(fields)
    .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, id)))
}

/** Takes a person out of all groups. */
export async function leaveGroups(tx: PeopleTransaction, workspaceId: string, id: Concerned): Promise<void> {
  await tx
    .delete(scimGroupMembers)
    .where(and(eq(scimGroupMembers.workspaceId, workspaceId), eq(scimGroupMembers.employeeId, id)))
}

/** Returns the groups of people, by person. */
export async function groupsOf(db: Executor, workspaceId: string, people: readonly string[]) {
  if (people.length === 0) return new Map<string, { id: string; displayName: string }[]>()
  const rows = await db
    .select({ employeeId: scimGroupMembers.employeeId, id: scimGroups.id, displayName: scimGroups.displayName })
    .from(scimGroupMembers)
    .innerJoin(
      scimGroups,
      and(eq(scimGroups.workspaceId, scimGroupMembers.workspaceId), eq(scimGroups.id, scimGroupMembers.groupId)),
    )
    .where(and(eq(scimGroupMembers.workspaceId, workspaceId), isAnyOf(scimGroupMembers.employeeId, [...people])))
    .orderBy(asc(scimGroups.displayName))
  return Map.groupBy(rows, ({ employeeId }) => employeeId)
}

/** Returns the department with a name; names are compared folded. */
export async function departmentNamed(tx: Transaction, workspaceId: string, text: string): Promise<string | null> {
  const [found] = await tx
    .select({ id: departments.id })
    .from(departments)
    .where(and(eq(departments.workspaceId, workspaceId), isFolded(departments.name, text)))
    .orderBy(asc(departments.createdAt), asc(departments.id))
    .limit(1)
    .for('key share')
  return found?.id ?? null
}

/** Writes the facts that only directories know. */
export async function writeScimFacts(
  tx: Transaction,
  workspaceId: string,
  employeeId: string,
  facts: Partial<Omit<typeof scimPeople.$inferInsert, 'workspaceId' | 'employeeId'>>,
): Promise<void> {
  const insert = tx.insert(scimPeople).values({ workspaceId, employeeId, ...facts })
  const target = [scimPeople.workspaceId, scimPeople.employeeId]
  await (Object.keys(facts).length === 0
    ? insert.onConflictDoNothing()
    : insert.onConflictDoUpdate({ target, set: facts }))
}

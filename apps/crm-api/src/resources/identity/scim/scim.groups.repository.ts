import { isAnyOf, schema, type Executor, type Page, type PeopleTransaction, type Transaction } from '@crm/db'
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm'
import type { Concerned } from '../../../reach/concerned-people.ts'
import type { ScimAttribute, ScimAttributes } from './scim.conditions.ts'
import type { AskedPage } from './scim.shape.ts'

const { employees, scimGroupMembers, scimGroupRoles, scimGroups } = schema

export type GroupRow = typeof scimGroups.$inferSelect

const fullName = sql.raw(`coalesce(nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.email)`)

/** The attributes of members that filters know; `m` is a membership and `p` its person. */
export const memberAttributes: ScimAttributes = new Map(
  Object.entries<ScimAttribute>({
    value: { type: 'exact', sql: sql`p.id::text` },
    display: { type: 'text', sql: sql`${fullName}` },
    type: { type: 'text', sql: sql`'User'::text` },
  }),
)

/** The attributes of groups that filters know. */
export const groupAttributes: ScimAttributes = new Map(
  Object.entries<ScimAttribute>({
    id: { type: 'exact', sql: sql`${scimGroups.id}::text` },
    externalid: { type: 'exact', sql: sql`${scimGroups.externalId}` },
    displayname: { type: 'text', sql: sql`${scimGroups.displayName}` },
    'meta.resourcetype': { type: 'exact', sql: sql`'Group'::text` },
    'meta.created': { type: 'instant', sql: sql`${scimGroups.createdAt}` },
    'meta.lastmodified': { type: 'instant', sql: sql`${scimGroups.updatedAt}` },
    members: {
      type: 'many',
      from: sql`FROM scim_group_members m JOIN employees p ON p.workspace_id = m.workspace_id AND p.id = m.employee_id
      WHERE m.workspace_id = ${scimGroups.workspaceId} AND m.group_id = ${scimGroups.id}`,
      attributes: memberAttributes,
    },
  }),
)

/** Returns a page of groups, oldest first, and the number of matches. */
export async function listGroups(
  db: Executor,
  workspaceId: string,
  matching: SQL | undefined,
  { startIndex, count: limit }: AskedPage,
): Promise<Page<GroupRow>> {
  const where = and(eq(scimGroups.workspaceId, workspaceId), matching)
  const [{ n: total } = { n: 0 }] = await db.select({ n: count() }).from(scimGroups).where(where)
  if (total === 0 || limit === 0) return { items: [], total }
  const items = await db
    .select()
    .from(scimGroups)
    .where(where)
    .orderBy(asc(scimGroups.createdAt), asc(scimGroups.id))
    .limit(limit)
    .offset(startIndex - 1)
  return { items, total }
}

/** A member of a group, as directories see them. */
export interface GroupMember {
  readonly groupId: string
  readonly id: string
  readonly display: string
}

/** Returns the members of groups, at most so many. */
export async function membersOf(
  db: Executor,
  workspaceId: string,
  groupIds: readonly string[],
  limit: number,
): Promise<readonly GroupMember[]> {
  if (groupIds.length === 0) return []
  const display = sql<string>`coalesce(nullif(concat_ws(' ', ${employees.firstName}, ${employees.lastName}), ''), ${employees.email})`
  return db
    .select({ groupId: scimGroupMembers.groupId, id: employees.id, display })
    .from(scimGroupMembers)
    .innerJoin(
      employees,
      and(eq(employees.workspaceId, scimGroupMembers.workspaceId), eq(employees.id, scimGroupMembers.employeeId)),
    )
    .where(and(eq(scimGroupMembers.workspaceId, workspaceId), isAnyOf(scimGroupMembers.groupId, [...groupIds])))
    .orderBy(asc(employees.id))
    .limit(limit)
}

/** Returns which of these people are not in a group yet, and the ids that nobody has whom directories see. */
export async function outsideGroup(
  tx: Transaction,
  workspaceId: string,
  groupId: string,
  people: readonly string[],
): Promise<{ readonly outside: readonly string[]; readonly unknown: readonly string[] }> {
  const { rows } = await tx.execute<{ id: string; isKnown: boolean; isMember: boolean }>(sql`
    SELECT DISTINCT named.id, e.id IS NOT NULL AS "isKnown", m.employee_id IS NOT NULL AS "isMember"
    FROM unnest(${`{${people.join()}}`}::uuid[]) AS named(id)
      LEFT JOIN employees e ON e.workspace_id = ${workspaceId} AND e.id = named.id AND e.kind = 'PERSON' AND e.status <> 'TERMINATED'
      LEFT JOIN scim_group_members m ON m.workspace_id = ${workspaceId} AND m.group_id = ${groupId} AND m.employee_id = named.id`)
  const unknown = rows.filter(({ isKnown }) => !isKnown)
  const outside = rows.filter(({ isKnown, isMember }) => isKnown && !isMember)
  return { outside: outside.map(({ id }) => id), unknown: unknown.map(({ id }) => id) }
}

/** Adds people to a group. */
export async function addMembers(
  tx: PeopleTransaction,
  workspaceId: string,
  groupId: string,
  people: readonly Concerned[],
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO scim_group_members (workspace_id, group_id, employee_id)
    SELECT ${workspaceId}::uuid, ${groupId}::uuid, id FROM unnest(${`{${people.join()}}`}::uuid[]) AS named(id)
    ON CONFLICT DO NOTHING`)
}

/** Returns the members of a group that match. */
export async function matchingMembers(
  tx: Transaction,
  workspaceId: string,
  groupId: string,
  matching: SQL,
): Promise<readonly string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT m.employee_id AS id FROM scim_group_members m
      JOIN employees p ON p.workspace_id = m.workspace_id AND p.id = m.employee_id
    WHERE m.workspace_id = ${workspaceId} AND m.group_id = ${groupId} AND ${matching}`)
  return rows.map(({ id }) => id)
}

/** Removes people from a group. */
export async function removeMembers(
  tx: PeopleTransaction,
  workspaceId: string,
  groupId: string,
  people: readonly Concerned[],
): Promise<void> {
  await tx
    .delete(scimGroupMembers)
    .where(
      and(
        eq(scimGroupMembers.workspaceId, workspaceId),
        eq(scimGroupMembers.groupId, groupId),
        isAnyOf(scimGroupMembers.employeeId, people),
      ),
    )
}

/** Locks a group until the transaction ends; `givesRights`: whether its members have roles or a department because of it. */
export async function lockGroup(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<(GroupRow & { readonly givesRights: boolean }) | undefined> {
  const [group] = await tx
    .select()
    .from(scimGroups)
    .where(and(eq(scimGroups.workspaceId, workspaceId), eq(scimGroups.id, id)))
    .for('update')
  if (!group) return undefined
  const [role] = await tx
    .select({ id: scimGroupRoles.roleId })
    .from(scimGroupRoles)
    .where(and(eq(scimGroupRoles.workspaceId, workspaceId), eq(scimGroupRoles.groupId, id)))
    .limit(1)
  return { ...group, givesRights: group.departmentId !== null || role !== undefined }
}

/** The condition for the members with one of these ids. */
export function isAmong(people: readonly string[]): SQL {
  return sql`m.employee_id = ANY (${`{${people.join()}}`}::uuid[])`
}

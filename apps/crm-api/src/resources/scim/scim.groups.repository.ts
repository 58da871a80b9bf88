import { isAnyOf, schema, type Executor, type Page, type Transaction } from '@crm/db'
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm'
import type { ScimAttributes } from './scim.conditions.ts'
import type { AskedPage } from './scim.shape.ts'

const { employees, scimGroupMembers, scimGroups } = schema

export type GroupRow = typeof scimGroups.$inferSelect

const fullName = sql.raw(`coalesce(nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.email)`)

/** The attributes of members that filters know; `m` is a membership and `p` its person. */
export const memberAttributes: ScimAttributes = {
  value: { type: 'exact', sql: sql`p.id::text` },
  display: { type: 'text', sql: sql`${fullName}` },
  type: { type: 'text', sql: sql`'User'::text` },
}

/** The attributes of groups that filters know. */
export const groupAttributes: ScimAttributes = {
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
}

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

/** Adds people to a group who are not in it, in one statement; returns those who are new and the ids that nobody has. */
export async function addMembers(
  tx: Transaction,
  workspaceId: string,
  groupId: string,
  people: readonly string[],
): Promise<{ readonly added: readonly string[]; readonly unknown: readonly string[] }> {
  const ids = `{${people.join()}}`
  const { rows: unknown } = await tx.execute<{ id: string }>(sql`
    SELECT id FROM unnest(${ids}::uuid[]) AS named(id) WHERE NOT EXISTS (
      SELECT FROM employees e WHERE e.workspace_id = ${workspaceId} AND e.id = named.id AND e.kind = 'PERSON' AND e.status <> 'TERMINATED')`)
  if (unknown.length > 0) return { added: [], unknown: unknown.map(({ id }) => id) }
  const { rows } = await tx.execute<{ id: string }>(sql`
    INSERT INTO scim_group_members (workspace_id, group_id, employee_id)
    SELECT DISTINCT ${workspaceId}::uuid, ${groupId}::uuid, id FROM unnest(${ids}::uuid[]) AS named(id)
    ON CONFLICT DO NOTHING RETURNING employee_id AS id`)
  return { added: rows.map(({ id }) => id), unknown: [] }
}

/** Removes the members of a group that match, in one statement; returns them. */
export async function removeMembers(
  tx: Transaction,
  workspaceId: string,
  groupId: string,
  matching: SQL,
): Promise<readonly string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    DELETE FROM scim_group_members m USING employees p
    WHERE m.workspace_id = ${workspaceId} AND m.group_id = ${groupId} AND p.workspace_id = m.workspace_id AND p.id = m.employee_id
      AND ${matching}
    RETURNING m.employee_id AS id`)
  return rows.map(({ id }) => id)
}

/** The condition for the members with one of these ids. */
export function isAmong(people: readonly string[]): SQL {
  return sql`m.employee_id = ANY (${`{${people.join()}}`}::uuid[])`
}

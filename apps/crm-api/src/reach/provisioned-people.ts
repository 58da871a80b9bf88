import { schema } from '@crm/db'
import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { ReachRequest } from './reach-request.ts'

const { employees, scimGroupMembers, scimGroupRoles, scimGroups } = schema

/** Returns the person of a provisioning request: the one of the path, or whoever has the address of the body. */
export async function provisionedPerson({ db, workspaceId, params, body }: ReachRequest): Promise<readonly string[]> {
  const { id } = params
  if (id !== undefined) return isId(id) ? [id.toLowerCase()] : []
  const address = Object.entries(body).find(([name]) => name.toLowerCase() === 'username')?.[1]
  if (typeof address !== 'string') return []
  const found = await db
    .select({ id: employees.id })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), sql`lower(${employees.email}) = lower(${address.trim()})`))
  return found.map((person) => person.id)
}

/**
 * Returns the people whose rights a request about a group can change: all members, or only the people that it names when it
 * adds and removes no others. A group without rights has none.
 */
export async function groupMembers(request: ReachRequest): Promise<readonly string[]> {
  const { db, workspaceId, params, body } = request
  const groupId = params['id']
  const named = idsIn(body)
  if (groupId === undefined || !isId(groupId)) return []
  const [group] = await db
    .select({ id: scimGroups.id })
    .from(scimGroups)
    .leftJoin(
      scimGroupRoles,
      and(eq(scimGroupRoles.workspaceId, scimGroups.workspaceId), eq(scimGroupRoles.groupId, scimGroups.id)),
    )
    .where(
      and(
        eq(scimGroups.workspaceId, workspaceId),
        eq(scimGroups.id, groupId),
        or(isNotNull(scimGroupRoles.roleId), isNotNull(scimGroups.departmentId)),
      ),
    )
    .limit(1)
  if (!group && !('roleIds' in body || 'departmentId' in body)) return []
  if (changesNamedAlone(body)) return named
  const members = await db
    .select({ id: scimGroupMembers.employeeId })
    .from(scimGroupMembers)
    .where(and(eq(scimGroupMembers.workspaceId, workspaceId), eq(scimGroupMembers.groupId, groupId)))
  return [...new Set([...named, ...members.map(({ id }) => id)])]
}

/** Whether a PATCH only adds people, or removes people that it names one by one. */
function changesNamedAlone(body: ReachRequest['body']): boolean {
  const operations = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1]
  return Array.isArray(operations) && operations.every(namesEveryone)
}

function namesEveryone(operation: unknown): boolean {
  if (typeof operation !== 'object' || operation === null) return false
  const { op, path, value } = operation as { readonly op?: unknown; readonly path?: unknown; readonly value?: unknown }
  const verb = typeof op === 'string' ? op.toLowerCase() : ''
  if (verb === 'add') return true
  if (verb !== 'remove' || typeof path !== 'string') return false
  const hasValues = Array.isArray(value) && value.length > 0
  return /^members\[value eq "[^"]*"\]$/i.test(path) || (/^members$/i.test(path) && hasValues)
}

const idPattern = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

/** Returns every id in a body, wherever it stands. */
function idsIn(body: ReachRequest['body']): readonly string[] {
  return [...new Set((JSON.stringify(body).match(idPattern) ?? []).map((id) => id.toLowerCase()))]
}

function isId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

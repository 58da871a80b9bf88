import { schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { reachOfCaller } from '@crm/identity'
import { mayGive, reachOf } from '@crm/permissions'
import { and, eq } from 'drizzle-orm'
import type { CrmContext } from '../../../platform/context.ts'

const { roles, scimGroupRoles } = schema

/** Whoever would get rights from any roles reaches what these give on records of their own, or everywhere. */
const anybody = { id: '', departmentId: null, departmentTree: new Set<string>() }

/**
 * Refuses to rename or delete a group that gives roles beyond the caller's own, even while it has no members: the name decides who comes into it next.
 *
 * @throws {ApiError} ACCESS_DENIED
 */
export async function requireReachOfGroup(
  tx: Transaction,
  { workspace, caller }: CrmContext,
  groupId: string,
): Promise<void> {
  const given = await tx
    .select({ permissions: roles.permissions, access: roles.access })
    .from(scimGroupRoles)
    .innerJoin(roles, and(eq(roles.workspaceId, scimGroupRoles.workspaceId), eq(roles.id, scimGroupRoles.roleId)))
    .where(and(eq(scimGroupRoles.workspaceId, workspace.id), eq(scimGroupRoles.groupId, groupId)))
  if (given.length > 0 && !mayGive(reachOfCaller(caller), reachOf(anybody, given)))
    throw new ApiError('ACCESS_DENIED', { message: 'This group gives more rights than you have' })
}

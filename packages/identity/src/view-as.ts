import { ApiError, permissionRequired } from '@crm/errors'
import { narrowLevels, uniteLevels, type AccessRule } from '@crm/permissions'
import type { Pool } from 'pg'
import type { Caller } from './caller.ts'

interface RoleRow {
  readonly permissions: readonly string[]
  readonly access: readonly AccessRule[]
}

/**
 * Returns a caller with no more rights than a role gives, so that whoever manages roles sees what its holders see. Rights are only taken
 * away, and the records stay those of the caller.
 * @throws ApiError ACCESS_DENIED for other credentials than sessions, without the right to manage roles, and for an unknown role
 */
export async function viewAsRole(pool: Pool, workspaceId: string, caller: Caller, roleId: string): Promise<Caller> {
  if (caller.class !== 'session' || !caller.effective.has('MANAGE_ROLES')) throw permissionRequired('MANAGE_ROLES')
  const role = isId(roleId) ? await readRole(pool, workspaceId, roleId) : undefined
  if (!role) throw new ApiError('ACCESS_DENIED', { message: 'There is no such role' })
  const granted = new Set(role.permissions)
  const within = (permissions: ReadonlySet<string>) => permissions.intersection(granted)
  return {
    ...caller,
    owned: within(caller.owned),
    effective: within(caller.effective),
    levels: narrowLevels(caller.levels, uniteLevels([role])),
  }
}

async function readRole(pool: Pool, workspaceId: string, roleId: string): Promise<RoleRow | undefined> {
  const { rows } = await pool.query<RoleRow>({
    name: 'identity-role',
    text: 'SELECT permissions, access FROM roles WHERE workspace_id = $1 AND id = $2',
    values: [workspaceId, roleId],
  })
  return rows[0]
}

function isId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

import { schema, type Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, eq } from 'drizzle-orm'
import { customPermissions, entityTypes, moduleOf, permissionCatalogue, type PermissionDescription } from '@crm/permissions'
import type { CrmContext } from '../context.ts'
import { recallCustomEntities } from './custom-kinds.ts'

/** Every permission that exists in the workspace: the built-in ones, then those of the types that it made for itself. */
export async function recallPermissions(db: Executor, context: Pick<CrmContext, 'workspace' | 'remembered'>): Promise<readonly PermissionDescription<string>[]> {
  const custom = await recallCustomEntities(db, context)
  return [...permissionCatalogue, ...custom.flatMap(({ entityType, labels }) => customPermissions({ entityType, plural: labels.plural }))]
}

/** Every entity type that a role can say something about. */
export async function recallEntityTypes(db: Executor, context: Pick<CrmContext, 'workspace' | 'remembered'>): Promise<readonly string[]> {
  return [...entityTypes, ...(await recallCustomEntities(db, context)).map(({ entityType }) => entityType)]
}

/** Whether the module of a permission is switched off: who holds the permission can do nothing with it then. */
export function isSwitchedOff({ workspace: { modulesOff } }: Pick<CrmContext, 'workspace'>, permission: string): boolean {
  const module = moduleOf(permission)
  return module !== null && modulesOff.has(module)
}

/** Nobody can give a right that they do not hold themselves. */
export function refuseBeyondOwn({ caller }: Pick<CrmContext, 'caller'>, permissions: readonly string[]): void {
  const beyond = [...new Set(permissions)].filter((name) => !caller.owned.has(name))
  if (beyond.length > 0) throw new ApiError('ACCESS_DENIED', { message: `You do not hold ${beyond.join(', ')} yourself`, requiredPermission: beyond[0] })
}

/** Nobody can act through somebody with more rights: neither take over their account nor change what runs as them. */
export async function refuseMightier(db: Executor, context: CrmContext, employeeId: string): Promise<void> {
  if (employeeId === context.caller.employee.id) return
  const { employeeRoles, roles } = schema
  const held = await db
    .select({ permissions: roles.permissions })
    .from(employeeRoles)
    .innerJoin(roles, and(eq(roles.workspaceId, employeeRoles.workspaceId), eq(roles.id, employeeRoles.roleId)))
    .where(and(eq(employeeRoles.workspaceId, context.workspace.id), eq(employeeRoles.employeeId, employeeId)))
  refuseBeyondOwn(context, held.flatMap((role) => role.permissions))
}

import type { Executor } from '@crm/db'
import {
  customPermissions,
  entityTypes,
  moduleOf,
  permissionCatalogue,
  type PermissionDescription,
} from '@crm/permissions'
import type { CrmContext } from '../platform/context.ts'
import { recallCustomEntities } from './custom-kinds.ts'

/** Reads every permission that exists in the workspace: the built-in ones, then the permissions of its own types. */
export async function recallPermissions(
  db: Executor,
  context: Pick<CrmContext, 'workspace' | 'remembered'>,
): Promise<readonly PermissionDescription<string>[]> {
  const custom = await recallCustomEntities(db, context)
  return [
    ...permissionCatalogue,
    ...custom.flatMap(({ entityType, labels }) => customPermissions({ entityType, plural: labels.plural })),
  ]
}

/** Reads every entity type for which a role can set a level. */
export async function recallEntityTypes(
  db: Executor,
  context: Pick<CrmContext, 'workspace' | 'remembered'>,
): Promise<readonly string[]> {
  return [...entityTypes, ...(await recallCustomEntities(db, context)).map(({ entityType }) => entityType)]
}

/** Whether the module of a permission is switched off; the permission has no effect then. */
export function isSwitchedOff(
  { workspace: { modulesOff } }: Pick<CrmContext, 'workspace'>,
  permission: string,
): boolean {
  const module = moduleOf(permission)
  return module !== null && modulesOff.has(module)
}

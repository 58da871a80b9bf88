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

/** Every permission that exists in the workspace: the built-in ones, then those of the types that it made for itself. */
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

/** Every entity type that a role can say something about. */
export async function recallEntityTypes(
  db: Executor,
  context: Pick<CrmContext, 'workspace' | 'remembered'>,
): Promise<readonly string[]> {
  return [...entityTypes, ...(await recallCustomEntities(db, context)).map(({ entityType }) => entityType)]
}

/** Whether the module of a permission is switched off: who holds the permission can do nothing with it then. */
export function isSwitchedOff(
  { workspace: { modulesOff } }: Pick<CrmContext, 'workspace'>,
  permission: string,
): boolean {
  const module = moduleOf(permission)
  return module !== null && modulesOff.has(module)
}

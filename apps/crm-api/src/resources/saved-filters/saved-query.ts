import { filteredEntities, namedPermissions, type DeclaredOperation } from '@crm/contract'
import type { Executor } from '@crm/db'
import type { SavedQuery } from '@crm/http'
import type { Caller, Workspace } from '@crm/identity'
import { findSavedFilter } from './saved-filters.repository.ts'

/** The parameters that were saved under an id for a list, when the caller may use them. */
export async function readSavedQuery(
  db: Executor,
  workspace: Workspace,
  { employee }: Caller,
  list: DeclaredOperation,
  id: string,
): Promise<SavedQuery | null> {
  const permissions: readonly string[] = namedPermissions(list.operation.access)
  // Whoever may ask for the list at all may use the filters that were saved for it.
  const entityTypes = filteredEntities.filter((entityType) => permissions.includes(`VIEW_${entityType}`))
  if (entityTypes.length === 0) return null
  const saved = await findSavedFilter(
    db,
    { workspaceId: workspace.id, employeeId: employee.id, departmentId: employee.departmentId, entityTypes },
    id,
  )
  if (!saved) return null
  const { sortBy, sortOrder, query, entityType } = saved
  return { entityType, params: { ...query, ...(sortBy ? { sortBy } : {}), ...(sortOrder ? { sortOrder } : {}) } }
}

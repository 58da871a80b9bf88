import { withoutGone } from '../../../domain/views/without-gone.ts'
import { customFieldKindsOf } from '../../../records/custom-field-filters.ts'
import { namedPermissions, type DeclaredOperation } from '@crm/contract'
import type { Executor } from '@crm/db'
import type { SavedQuery } from '@crm/http'
import type { Caller, Workspace } from '@crm/identity'
import { entityTypeOf } from '../../../records/custom-kinds.ts'
import { sortParams } from '../../../domain/views/list-request.ts'
import { findSavedFilter } from '../../../domain/views/usable-views.ts'

/** Returns the parameters that were saved under an id for a list, when the caller may use them. */
export async function readSavedQuery(
  db: Executor,
  workspace: Workspace,
  { employee }: Caller,
  list: DeclaredOperation,
  id: string,
  params: { readonly key?: string },
): Promise<SavedQuery | null> {
  // A caller who may request the list at all may use the filters that were saved for it.
  const entityTypes = listedTypes(list, params)
  if (entityTypes.length === 0) return null
  const saved = await findSavedFilter(
    db,
    { workspaceId: workspace.id, employeeId: employee.id, departmentId: employee.departmentId, entityTypes },
    id,
  )
  if (!saved) return null
  const { entityType } = saved
  const keys = (await customFieldKindsOf(db, workspace.id, entityType)).map(({ key }) => key)
  const { query, sortBy, gone } = withoutGone(saved, new Set(keys))
  // The order of a list does not apply to its summary.
  const order = list.operation.summarized ? {} : sortParams(list.operation.query?.shape ?? {}, { ...saved, sortBy })
  return { entityType, params: { ...query, ...order }, gone }
}

function listedTypes({ operation: { access } }: DeclaredOperation, { key }: { readonly key?: string }): string[] {
  if (typeof access === 'object' && 'custom' in access) return key ? [entityTypeOf(key)] : []
  return namedPermissions(access).flatMap((name) => (name.startsWith('VIEW_') ? [name.slice('VIEW_'.length)] : []))
}

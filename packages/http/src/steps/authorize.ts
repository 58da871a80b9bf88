import { namedPermissions, type Access, type DeclaredOperation } from '@crm/contract'
import { ApiError, permissionRequired } from '@crm/errors'
import { customEntityOf, entityOf, levelFor, type EntityAction } from '@crm/permissions'
import type { PipelineCaller, PipelineWorkspace, Step } from '../exchange.ts'

/** Checks permission, then module, then access level; for a custom entity they follow from the key in the path. */
export const authorize: Step = ({ declared, recognition, request }) => {
  const { caller, workspace } = recognition
  const { access } = declared.operation
  if (access === 'open' || !caller || !workspace) return
  requireSession(declared, caller)
  if (typeof access === 'object' && 'custom' in access)
    requireCustom(access.custom, request.params as { readonly key?: string }, caller)
  requirePermissions(access, caller)
  requireModule(declared, workspace)
  requireLevel(access, caller)
}

function requireSession(declared: DeclaredOperation, caller: PipelineCaller): void {
  if (declared.resource.surface === 'settings' && !caller.isAmbient) {
    throw new ApiError('ACCESS_DENIED', { message: 'The settings API takes a session only' })
  }
}

/**
 * A caller without the permission of a type is refused before any look-up, whether the workspace has such a type or
 * not. A person who may create types learns from the handler that there is none.
 */
function requireCustom(action: EntityAction, { key = '' }: { readonly key?: string }, caller: PipelineCaller): void {
  const permission = `${action}_${key.toUpperCase()}`
  if (!caller.effective.has(permission) && !caller.effective.has('MANAGE_CUSTOM_FIELDS')) throw lacking([permission])
}

function requirePermissions(access: Access, caller: PipelineCaller): void {
  const named = namedPermissions(access)
  if (typeof access === 'string' || named.length === 0) return
  if ('all' in access) {
    for (const name of named) if (!caller.effective.has(name)) throw lacking([name])
  } else if (!named.some((name) => caller.effective.has(name)) && !('record' in access && seesCustomRecords(caller))) {
    throw lacking(named)
  }
}

/** Whether the record of a request could belong to a custom entity; the handler checks the permission of its kind. */
function seesCustomRecords({ effective }: PipelineCaller): boolean {
  return [...effective].some((name) => customEntityOf(name)?.action === 'VIEW')
}

function lacking(names: readonly string[]): ApiError {
  const [only] = names
  if (only !== undefined && names.length === 1) return permissionRequired(only)
  return new ApiError('ACCESS_DENIED', { message: `One of these permissions is required: ${names.join(', ')}` })
}

function requireModule(declared: DeclaredOperation, workspace: PipelineWorkspace): void {
  const { module } = declared.resource
  const reason = module ? workspace.modulesOff.get(module) : undefined
  if (module && reason)
    throw new ApiError('MODULE_DISABLED', { message: `The module ${module} is switched off`, key: module, reason })
}

function requireLevel(access: Access, caller: PipelineCaller): void {
  if (typeof access === 'string' || !('all' in access)) return
  for (const name of access.all) {
    const entity = entityOf(name)
    if (!entity || entity.action === 'CREATE') continue
    if (levelFor(caller.levels, entity.entityType, entity.action) === 'NONE') {
      throw new ApiError('ACCESS_LEVEL_NONE', { message: `No access level for ${name}`, requiredPermission: name })
    }
  }
}

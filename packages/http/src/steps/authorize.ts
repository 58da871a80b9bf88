import { namedPermissions, type Access, type DeclaredOperation } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { customEntityOf, entityOf, levelFor, type Permission } from '@crm/permissions'
import type { PipelineCaller, PipelineWorkspace } from '../exchange.ts'
import type { Step } from '../pipeline.ts'

/** Permission, then module, then access level (interface 7.3); those of a custom entity its handler asks for, once it knows the type. */
export const authorize: Step = ({ declared, recognition }) => {
  const { caller, workspace } = recognition
  const { access } = declared.operation
  if (access === 'open' || !caller || !workspace) return
  requireSession(declared, caller)
  requirePermissions(access, caller)
  requireModule(declared, workspace)
  requireLevel(access, caller)
}

function requireSession(declared: DeclaredOperation, caller: PipelineCaller): void {
  if (declared.resource.surface === 'settings' && !caller.isAmbient) {
    throw new ApiError('ACCESS_DENIED', { message: 'The settings API takes a session only' })
  }
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

/** Whether the record that a request names could be one of a custom entity; the handler asks for the permission of its kind. */
function seesCustomRecords({ effective }: PipelineCaller): boolean {
  return [...effective].some((name) => customEntityOf(name)?.action === 'VIEW')
}

function lacking(names: readonly Permission[]): ApiError {
  const requiredPermission = names.length === 1 ? names[0] : undefined
  const message = names.length === 1 ? `The permission ${names[0]} is required` : `One of these permissions is required: ${names.join(', ')}`
  return new ApiError('ACCESS_DENIED', { message, requiredPermission })
}

function requireModule(declared: DeclaredOperation, workspace: PipelineWorkspace): void {
  const { module } = declared.resource
  const reason = module ? workspace.modulesOff.get(module) : undefined
  if (module && reason) throw new ApiError('MODULE_DISABLED', { message: `The module ${module} is switched off`, key: module, reason })
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

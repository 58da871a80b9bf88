import { namedPermissions } from '@crm/contract'
import { customEntityOf } from '@crm/permissions'
import type { Tool } from './tool.ts'

/** Whether a credential with these permissions has the exact permission of a tool; the API checks how far it reaches. */
export function isRunnable({ access }: Pick<Tool, 'access'>, effective: ReadonlySet<string>): boolean {
  if (typeof access === 'string') return effective.size > 0
  if ('custom' in access) return holdsForSomeType(access.custom, effective)
  if ('all' in access) return access.all.every((name) => effective.has(name))
  return (
    namedPermissions(access).some((name) => effective.has(name)) ||
    ('record' in access && holdsForSomeType('VIEW', effective))
  )
}

/** Whether a credential has a permission for one of the workspace's custom entities. */
export function holdsForSomeType(action: string, effective: ReadonlySet<string>): boolean {
  return [...effective].some((held) => customEntityOf(held)?.action === action)
}

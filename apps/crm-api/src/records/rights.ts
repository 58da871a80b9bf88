import { ApiError } from '@crm/errors'
import type { CrmContext } from '../context.ts'

/** Nobody can give a right that they do not hold themselves. */
export function refuseBeyondOwn({ caller }: Pick<CrmContext, 'caller'>, permissions: readonly string[]): void {
  const beyond = [...new Set(permissions)].filter((name) => !caller.owned.has(name))
  if (beyond.length > 0) throw new ApiError('ACCESS_DENIED', { message: `You do not hold ${beyond.join(', ')} yourself`, requiredPermission: beyond[0] })
}

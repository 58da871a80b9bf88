import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** Refuses the credentials of a suspended or terminated person at once (docs/guide/access.md). */
export const refuseDisabled: Step = (exchange) => {
  const { caller } = exchange.recognition
  if (caller && caller.employee.status !== 'ACTIVE') throw new ApiError('ACCOUNT_DISABLED')
}

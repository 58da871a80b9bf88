import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/**
 * Refuses the credentials of a suspended or terminated person at once (docs/guide/access.md). Where nobody needs a credential theirs
 * counts as none: their browser still signs in somebody else.
 */
export const refuseDisabled: Step = (exchange) => {
  const { declared, recognition } = exchange
  const { access, evenDisabled } = declared.operation
  if (!recognition.caller || recognition.caller.employee.status === 'ACTIVE' || evenDisabled) return
  if (access !== 'open') throw new ApiError('ACCOUNT_DISABLED')
  exchange.recognition = { ...recognition, caller: null }
}

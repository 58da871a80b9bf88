import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** Requires a valid credential for every operation that is not open (docs/guide/access.md). */
export const authenticate: Step = (exchange) => {
  if (exchange.declared.operation.access === 'open' || exchange.recognition.caller) return
  throw new ApiError('AUTHENTICATION_ERROR')
}

import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** Requires a valid credential for every operation that is not open (docs/guide/access.md). */
export const authenticate: Step = (exchange, ports) => {
  const { declared, recognition } = exchange
  const { access } = declared.operation
  if (access === 'open' || recognition.caller) return
  // The handler checks a sign-in that waits for its second factor.
  if (access === 'signing-in' && ports.isSigningIn?.(exchange)) return
  throw new ApiError('AUTHENTICATION_ERROR')
}

import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** A credential over its rate limit is refused; the count was taken when it was recognised (docs/guide/limits.md). */
export const countRequest: Step = (exchange) => {
  const { budget } = exchange.recognition
  if (!budget || budget.allowed) return
  throw new ApiError('RATE_LIMITED', { retryAfterS: budget.retryAfterS })
}

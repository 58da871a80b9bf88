import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** Refuses a credential over its rate limit; its recognition has counted the request (docs/guide/limits.md). */
export const countRequest: Step = (exchange) => {
  const { budget } = exchange.recognition
  if (!budget || budget.allowed) return
  throw new ApiError('RATE_LIMITED', { retryAfterS: budget.retryAfterS })
}

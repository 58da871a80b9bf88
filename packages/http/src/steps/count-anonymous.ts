import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** Counts requests without a credential by address, where the deployable limits them. */
export const countAnonymous: Step = async (exchange, ports) => {
  if (exchange.declared.operation.access !== 'open' || !ports.countAnonymous) return
  const budget = await ports.countAnonymous(exchange)
  if (!budget.allowed) throw new ApiError('RATE_LIMITED', { retryAfterS: budget.retryAfterS })
}

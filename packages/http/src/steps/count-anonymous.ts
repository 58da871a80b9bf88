import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** Requests without a credential are counted by address, where the deployable has limits for them. */
export const countAnonymous: Step = async (exchange, ports) => {
  if (exchange.declared.operation.access !== 'open' || !ports.countAnonymous) return
  const budget = await ports.countAnonymous(exchange)
  if (!budget.allowed) throw new ApiError('RATE_LIMITED', { retryAfterS: budget.retryAfterS })
}

import type { Operation } from '@crm/contract'
import type { ClientError } from './client-error.ts'

const firstPauseMs = 250
const pauseMsMax = 60_000

/**
 * Returns the delay before a failed call is repeated, in milliseconds, or null to give up (docs/guide/errors.md).
 *
 * A refusal for the rate limit did nothing, so any call may be repeated; after a fault only a call that cannot take effect twice may.
 */
export function planRetry(
  error: ClientError,
  operation: Operation,
  { attempt, retryAfter }: { attempt: number; retryAfter: string | null },
): number | null {
  const isFault = error.status === 0 || error.status >= 500
  if (error.status !== 429 && !(isFault && isRepeatable(operation))) return null
  const toldS = retryAfter === null || retryAfter.trim() === '' ? Number.NaN : Number(retryAfter)
  const pauseMs = Number.isFinite(toldS) ? toldS * 1_000 : firstPauseMs * 2 ** attempt
  return pauseMs <= pauseMsMax ? pauseMs : null
}

function isRepeatable({ method, idempotent }: Operation): boolean {
  return method === 'GET' || idempotent === true
}

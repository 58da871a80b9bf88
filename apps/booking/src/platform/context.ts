import { implementFor } from '@crm/contract'
import { ApiError } from '@crm/errors'
import type { Workspace } from '@crm/identity'
import type { BookingDeps } from './deps.ts'
import type { Limits } from './limits.ts'

/** The data that every handler of the booking API gets besides its input. */
export interface BookingContext {
  readonly deps: BookingDeps
  readonly limits: Limits
  readonly workspace: Workspace
  /** The time of the request, ISO 8601. */
  readonly at: string
}

export const implement = implementFor<BookingContext>()

/** Whether the sales module is on; without it there is nothing to book. */
export function isSalesOn({ workspace }: Pick<BookingContext, 'workspace'>): boolean {
  return !workspace.modulesOff.has('SALES')
}

/** The booking API treats a switched-off module as absent (docs/guide/booking.md). */
export function requireSales(context: Pick<BookingContext, 'workspace'>): void {
  if (!isSalesOn(context)) throw new ApiError('MODULE_DISABLED', { status: 404 })
}

import { implementFor } from '@crm/contract'
import { ApiError } from '@crm/errors'
import type { Workspace } from '@crm/identity'
import type { BookingDeps } from './deps.ts'

/** What every handler of the booking API is given besides its input. */
export interface BookingContext {
  readonly deps: BookingDeps
  readonly workspace: Workspace
  /** The time of the request, ISO 8601. */
  readonly at: string
}

export const implement = implementFor<BookingContext>()

/** Whether the workspace sells at all; without the module there is nothing to book. */
export function isSalesOn({ workspace }: Pick<BookingContext, 'workspace'>): boolean {
  return !workspace.modulesOff.has('SALES')
}

/** To the booking API a module that is off does not exist (docs/guide/booking.md). */
export function requireSales(context: Pick<BookingContext, 'workspace'>): void {
  if (!isSalesOn(context)) throw new ApiError('MODULE_DISABLED', { status: 404 })
}

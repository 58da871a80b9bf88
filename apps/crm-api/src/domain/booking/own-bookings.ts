import { schema } from '@crm/db'
import { and, eq, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'

const { bookings } = schema

/** Returns the condition for the bookings of the workspace for people who manage booking, else for the bookings that the caller holds. */
export function isOwnBooking({ workspace, caller }: CrmContext): SQL {
  const isOwn = caller.effective.has('MANAGE_BOOKING') ? undefined : eq(bookings.organizerId, caller.employee.id)
  return and(eq(bookings.workspaceId, workspace.id), isOwn) as SQL
}

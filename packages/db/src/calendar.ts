import { escapeLiteral } from 'pg'
import type { Database } from './client.ts'
import { settingLocally } from './set-locally.ts'
import { clientOf, inTransaction, type Transaction } from './transaction.ts'

/** The owner of a calendar. */
export interface CalendarOf {
  readonly workspaceId: string
  readonly employeeId: string
}

declare const isLocked: unique symbol

/** A transaction that holds the calendar of one person; only `inCalendar` makes one. */
export type CalendarTransaction = Transaction & { readonly [isLocked]: true }

/**
 * The lock sets the calendar in a setting; the database refuses bookings and events of any other calendar, as long as it is on one machine (`crm_require_calendar`). All
 * is one way to the server.
 */
function lockOf({ workspaceId, employeeId }: CalendarOf): string {
  return `SELECT pg_advisory_xact_lock(hashtextextended(${escapeLiteral(`calendar:${workspaceId}:${employeeId}`)}, 0));
    ${settingLocally('crm.calendar', employeeId)}`
}

/**
 * Runs work in a transaction that locks the calendar of one person. All other writers of bookings or events of that calendar
 * wait until the transaction ends, so a time that is found free stays free until it is taken.
 */
export function inCalendar<T>(
  db: Database,
  running: Transaction | undefined,
  of: CalendarOf,
  work: (tx: CalendarTransaction) => Promise<T>,
): Promise<T> {
  return inTransaction(db, running, async (tx) => {
    await clientOf(tx).query(lockOf(of))
    return work(tx as CalendarTransaction)
  })
}

import { sql } from 'drizzle-orm'
import type { Database } from './client.ts'
import { given, run, statement } from './statement.ts'
import { inTransaction, type Transaction } from './transaction.ts'

/** The owner of a calendar. */
export interface CalendarOf {
  readonly workspaceId: string
  readonly employeeId: string
}

declare const isLocked: unique symbol

/** A transaction that holds the calendar of one person; only `inCalendar` makes one. */
export type CalendarTransaction = Transaction & { readonly [isLocked]: true }

/** The lock sets the calendar in a setting; the databases of tests refuse bookings and events of any other calendar. */
const lock = statement(sql`
  SELECT pg_advisory_xact_lock(hashtextextended('calendar:' || ${given('workspaceId')} || ':' || ${given('employeeId')}, 0)),
    set_config('crm.calendar', ${given('employeeId')}, true)`)

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
    await run(tx, lock, { workspaceId: of.workspaceId, employeeId: of.employeeId })
    return work(tx as CalendarTransaction)
  })
}

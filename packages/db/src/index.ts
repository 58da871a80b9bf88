export { createDatabase, createPool, type Database, type Pool, type PoolOptions } from './client.ts'
export { newId, toInstant } from './columns.ts'
export { knownMigrations, migrate } from './migrate.ts'
export { brokenConstraint, inTransaction, sqlState, type Executor, type Transaction } from './transaction.ts'
export { authorizeScope, systemScope, visible, visibleCounts, type Scope, type ScopeFacts } from './scope.ts'
export { fieldChanges, recordChange, type Actor, type ChangeRecord, type OutboxEvent, type TimelineEntry } from './changes.ts'
export { announceBooking, cancelBooking, lockCalendar, toBookingRecord, type BookingChange, type BookingRow } from './bookings.ts'
export { assignmentsOf, insertOf, rowReader, type RowReader } from './rows.ts'
export { columnsExcept, compactCounts, ledgerFingerprint, ledgerTotal, type LedgerCount, type Page } from './listing.ts'
export type {
  Address, Brand, CustomFieldOption, DateOverride, FieldChange, FrozenRequest, LeadStatus, Messenger, WeeklyHours,
} from './schema/index.ts'
export { createPipeline, provisionWorkspace, type NewWorkspace, type ProvisionedWorkspace } from './provision.ts'
export * as schema from './schema/index.ts'

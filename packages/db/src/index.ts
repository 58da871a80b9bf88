export {
  createDatabase,
  createPool,
  longDeadlines,
  usualDeadlines,
  type Database,
  type Deadlines,
  type Pool,
  type PoolOptions,
} from './client.ts'
export { holdings, type Holding } from './schema/holdings.ts'
export { toInstant } from './columns.ts'
export { brokenReference } from './broken-reference.ts'
export { firstIdAt, newId } from './new-id.ts'
export { everyWorkspace, inPart, isEveryWorkspace, textOfPart, valueOfPart, type Part } from './part.ts'
export { mailTriedHours, waitsForMail } from './mails-of-notifications.ts'
export { allBackfills, backfillRows, runBackfill, runBackfills, type Backfill } from './backfills.ts'
export {
  inTurn,
  migrate,
  migrateInTurn,
  MigrationRefusedError,
  migrateTo,
  pendingMigrations,
  type MigrateOptions,
} from './migrate.ts'
export { newestMigration, readMigrations } from './migrations.ts'
export {
  prepareSession,
  extensionsNeeded,
  isThroughPgpool,
  pgpoolSentence,
  requireFitServer,
  serverVersionMin,
  sessionSettings,
  unfitServer,
  UnfitServerError,
} from './session.ts'
export { isPooled } from './pooled.ts'
export {
  olderProcesses,
  processNeeds,
  startBeat,
  zoneRulesSeen,
  type BeatOptions,
  type ProcessNeeds,
  type ProcessSeen,
  type ZoneRulesSeen,
} from './processes.ts'
export { withClient } from './with-client.ts'
export { maySend, readMaySend } from './pause.ts'
export {
  deleteInTurn,
  deletingBy,
  dueSeconds,
  keptDays,
  usualRound,
  type DeleteBatch,
  type Due,
  type RoundBounds,
} from './delete-in-turn.ts'
export { addInstallationGauges, addPurgeMetrics, readBackupAge, type PurgeMetrics } from './gauges.ts'
export { createSchemaCheck } from './schema-check.ts'
export { onQueued, type OutboxTopic } from './queued.ts'
export {
  afterCommit,
  beforeCommit,
  brokenConstraint,
  checkBeforeCommit,
  clientOf,
  inSavepoint,
  inTransaction,
  noteQueued,
  type Executor,
  type Transaction,
} from './transaction.ts'
export { DatabaseUnavailable, isContention, isUnavailable, sqlState } from './unavailable.ts'
export { isAnyOf } from './any-of.ts'
export { noteStatusByHand, personAction } from './person-status.ts'
export { openPicture, type OpenPicture, type PictureKey } from './pictures.ts'
export { deployableRoles, giveRights, howToGiveRoles, lacksRight, type DeployableRole } from './roles.ts'
export { subquery, subqueryList } from './subquery.ts'
export { heldRoleIds, lockRights, readRights, readRightsHolders } from './rights.ts'
export {
  hasEmergencyAccess,
  keepWayIn,
  readWayIn,
  requireWayIn,
  type EmergencyRules,
  type PeopleTransaction,
  type WayIn,
} from './way-in.ts'
export { findNextInTurn, nextAfter, peopleInTurn, turnValues, type TakingTurns, type TurnPlace } from './turns.ts'
export { fastCommit } from './fast-commit.ts'
export {
  authorizeScope,
  reachedParts,
  reaches,
  scopeOf,
  systemScope,
  visible,
  visibleCounts,
  type RecordHolders,
  type Scope,
  type ScopeFacts,
} from './scope.ts'
export {
  fieldChanges,
  recordChange,
  systemActor,
  type Actor,
  type ChangeRecord,
  type OutboxEvent,
  type TimelineEntry,
} from './changes.ts'
export { plantedRecords, plantedTables, recordPlanted, type PlantedTable } from './demo.ts'
export { announceBooking, cancelBooking, toBookingRecord, type BookingChange, type BookingRow } from './bookings.ts'
export {
  insertRow,
  rowReader,
  updateRow,
  type ComputedColumns,
  type RecordTable,
  type RowKey,
  type RowReader,
} from './rows.ts'
export { given, run, runScoped, scopedStatement, statement, valuesOf, type Statement } from './statement.ts'
export {
  readStatements,
  unboundStatements,
  type RecordedStatement,
  type UnboundStatement,
} from './statements-of-requests.ts'
export { someRows, type LaterRow, type SomeRows } from './some-rows.ts'
export { inCalendar, type CalendarOf, type CalendarTransaction } from './calendar.ts'
export { compactCounts, ledgerFingerprint, ledgerRows, ledgerTotal, type LedgerCount, type Page } from './listing.ts'
export type {
  Address,
  AuditActorType,
  Brand,
  CustomFieldOption,
  DateOverride,
  FieldChange,
  FrozenRequest,
  HookOptions,
  KeptHeader,
  LeadStatus,
  Messenger,
  ToldTimes,
  WeeklyHours,
} from './schema/index.ts'
export { createPipeline, provisionWorkspace, type NewWorkspace, type ProvisionedWorkspace } from './provision.ts'
export * as schema from './schema/index.ts'
export { opaque } from './opaque.ts'
export { usualSequences } from './usual-money.ts'
export { usualHome } from './usual-home.ts'
export type { DashboardWidget } from './schema/dashboards.ts'
export {
  replicaLagSecondsMax,
  watchReplicas,
  type Replica,
  type Replicas,
  type ReplicasOptions,
  type WalPosition,
} from './replicas.ts'

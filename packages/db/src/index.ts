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
export { addressKey, folded, foldedAll, holdsFolded, isAddress, isFolded, isFoldedAny } from './folding.ts'
export { staleCollations } from './collations.ts'
export { inNameOrder, nameCollation } from './name-order.ts'
export { brokenReference } from './broken-reference.ts'
export { firstIdAt, isId, newId } from './new-id.ts'
export { everyWorkspace, inPart, textOfPart, valueOfPart, type Part } from './part.ts'
export { mailTriedHours, waitsForMail } from './mails-of-notifications.ts'
export { allBackfills, openBackfills, runBackfill, runBackfills, type Backfill } from './backfills.ts'
export { composeTexts } from './compose-texts.ts'
export { inTurn, migrate, migrateInTurn, MigrationRefusedError, migrateTo, pendingMigrations } from './migrate.ts'
export {
  distribute,
  isAllDistributed,
  isDistributed,
  joinWorkers,
  referenceTables,
  triggersLeft,
  RowsDifferError,
  type DatabaseNode,
  type DistributedTable,
} from './distribute.ts'
export { kindTables } from './kind-tables.ts'
export { newestMigration, readMigrations } from './migrations.ts'
export {
  prepareSession,
  extensionsNeeded,
  isThroughPgpool,
  pgpoolSentence,
  requireFitServer,
  unfitServer,
  UnfitServerError,
} from './session.ts'
export { isPooled } from './pooled.ts'
export {
  olderProcesses,
  processNeeds,
  startBeat,
  zoneRulesSeen,
  type ProcessNeeds,
  type ZoneRulesSeen,
} from './processes.ts'

export { maySend, readMaySend } from './pause.ts'
export {
  deleteInTurn,
  deletingBy,
  dueSeconds,
  eachWorkspace,
  keptDays,
  placesWith,
  someWorkspaces,
  usualRound,
  type Due,
  type RoundBounds,
} from './delete-in-turn.ts'
export { addInstallationGauges, addPurgeMetrics, readBackupAge } from './gauges.ts'
export { createSchemaCheck } from './schema-check.ts'
export { onQueued, type OutboxTopic, type WorkTopic } from './queued.ts'
export {
  afterCommit,
  brokenConstraint,
  checkBeforeCommit,
  clientOf,
  inSavepoint,
  inTransaction,
  noteQueued,
  type Executor,
  type Transaction,
} from './transaction.ts'
export { isContention, isUnavailable, sqlState } from './unavailable.ts'
export { isAnyOf } from './any-of.ts'
export { noteStatusByHand, personAction } from './person-status.ts'
export { openPicture } from './pictures.ts'
export { deployableRoles, giveRights, howToGiveRoles, lacksRight, type DeployableRole } from './roles.ts'
export { subquery } from './subquery.ts'
export { findPeopleWithoutSight } from './without-sight.ts'
export { heldRoleIds, lockRights, readRights, readRightsHolders } from './rights.ts'
export { hasEmergencyAccess, keepWayIn, readWayIn, requireWayIn, type PeopleTransaction } from './way-in.ts'
export { findNextInTurn, nextAfter, peopleInTurn, turnValues, type TakingTurns } from './turns.ts'
export { fastCommit } from './fast-commit.ts'
export {
  reachedParts,
  reaches,
  scopeOf,
  systemScope,
  visible,
  type RecordHolders,
  type Scope,
  type ScopeFacts,
} from './scope.ts'
export {
  fieldChanges,
  isSameValue,
  recordChange,
  systemActor,
  watchingChanges,
  type Actor,
  type ChangeRecord,
  type OutboxEvent,
  type TimelineEntry,
} from './changes.ts'
export { plantedRecords, plantedTables, recordPlanted, type PlantedTable } from './demo.ts'
export { announceBooking, cancelBooking, toBookingRecord, type BookingRow } from './bookings.ts'
export {
  insertRow,
  rowReader,
  rowsOf,
  updateRow,
  type ComputedColumns,
  type Given,
  type RecordTable,
  type RowReader,
} from './rows.ts'
export { given, run, runScoped, scopedStatement, statement, valuesOf, type Statement } from './statement.ts'
export {
  readStatements,
  refusedStatements,
  unboundStatements,
  type UnboundStatement,
} from './statements-of-requests.ts'
export { someRows, type LaterRow, type SomeRows } from './some-rows.ts'
export { inCalendar, type CalendarOf, type CalendarTransaction } from './calendar.ts'
export { noteAgentCalls, type Agent, type AgentCallCounts } from './agent-sessions.ts'
export { setLocally } from './set-locally.ts'
export { countCopied, counted, countedCopy, returned, writeRows } from './counted.ts'
export { endingTwin, endOfTwin } from './twins.ts'
export { compactCounts, ledgerFingerprint, ledgerRows, ledgerTotal, type Page } from './listing.ts'
export type {
  Address,
  AuditActorType,
  FieldChange,
  FrozenRequest,
  HookOptions,
  KeptHeader,
  LeadStatus,
  RowProblem,
  ToldTimes,
  WeeklyHours,
} from './schema/index.ts'
export { createPipeline, provisionWorkspace, type ProvisionedWorkspace } from './provision.ts'
export * as schema from './schema/index.ts'
export { opaque } from './opaque.ts'
export { usualSequence } from './usual-money.ts'
export { usualHome } from './usual-home.ts'
export type { DashboardWidget } from './schema/dashboards.ts'
export { replicaLagSecondsMax, watchReplicas, type Replicas } from './replicas.ts'
export { isPublishedVersion } from './published-version.ts'

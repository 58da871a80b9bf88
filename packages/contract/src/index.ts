export { bookingContract, publicContract, scimContract, settingsContract } from './contract.ts'
export { own } from './own.ts'
export { plainResource, plainResources } from './plain-resources.ts'
export {
  customFieldPrefix,
  describeCustomField,
  describeCustomRecords,
  describedEntityTypes,
  describeKind,
  customFieldOperators,
  type DeclaredField,
  type DescribedKind,
} from './record-schema.ts'
export { conditionsParam } from './condition-groups.ts'
export {
  conditionsIn,
  filterOperators,
  filterValuesMax,
  readConditions,
  RefusedFilter,
  structuredLimits,
  type Condition,
  type ConditionGroup,
  type ConditionValue,
  type FilterOperator,
  type WrongValue,
} from './read-conditions.ts'
export { isCustomFieldKey } from './custom-field-keys.ts'
export { codeLabel, fieldLabel } from './field-labels.ts'
export { localPath } from './local-path.ts'
export {
  recordFieldGroups,
  recordFieldTypes,
  recordSchema,
  type RecordField,
  type RecordFieldType,
  type RecordKindSchema,
} from './resources/schema.ts'
export {
  bulkFields,
  recordEntityTypes,
  hasSettableOwner,
  recordOperations,
  shownFields,
  shownRecord,
  type RecordOperations,
} from './record-operations.ts'
export {
  customFieldEntities,
  declared,
  declaredOperations,
  isDestructive,
  isWrite,
  namedPermissions,
  reachCheckId,
  reachChecks,
  reachEffects,
  reachObjects,
  surfaces,
  type Access,
  type CustomFieldEntity,
  type DeclaredOperation,
  type Method,
  type ObjectOf,
  type Operation,
  type ReachCheck,
  type ReachDeclaration,
  type ReachEffect,
  type ReachObject,
  type RevealedObject,
  type Reply,
  type Resource,
  type SettingsOperation,
  type Surface,
  type Upload,
} from './operation.ts'
export { bookingResource, resource, scimResource, settingsResource } from './resource.ts'
export {
  bytes,
  BytesReply,
  implementFor,
  InSlices,
  refuse,
  StatusReply,
  type CommonCode,
  type Handler,
  type Handlers,
  type Implemented,
  type IncomingFile,
  type IncomingUpload,
  type Input,
  type Refuse,
  type ReplyOf,
  type Service,
} from './handlers.ts'
export { possibleCodes, statusOf } from './possible-codes.ts'
export { duplicateGroupMax, likelyDuplicatesMax } from './bulk.ts'
export {
  data,
  deleted,
  entityAccess,
  managedBy,
  recordOf,
  referenceAccess,
  standard,
  success,
  undoableSuccess,
} from './standard.ts'
export {
  boundOfDay,
  dayOf,
  daysBeforeMonday,
  plainCalendar,
  weekStarts,
  type Calendar,
  type WeekStart,
} from './days.ts'
export { daysOf, inDaysMax, withDaysAhead, type StepClock } from './in-days.ts'
export {
  commonFilters,
  cursorList,
  limitList,
  lookupList,
  page,
  pagedList,
  isDayParam,
  rangeBound,
  dayParam,
  rangeParam,
  referenceList,
  refusingPages,
  sortQuery,
  furtherSortsMax,
  type SortedBy,
  usualPages,
  type PageRule,
} from './lists.ts'
export {
  byId,
  day,
  email,
  hasStorableYear,
  id,
  instant,
  instantInput,
  requiredText,
  text,
  timeZone,
  withAsciiDomain,
} from './fields.ts'
export {
  conversion,
  lead,
  leadFilters,
  leads,
  leadInput,
  leadPatch,
  leadSortFields,
  leadStatuses,
  originFields,
  temperatures,
  type LeadInput,
  type LeadPatch,
  type LeadRecord,
} from './resources/leads.ts'
export {
  contact,
  contactFilters,
  contactInput,
  contacts,
  contactSortFields,
  type ContactInput,
  type ContactPatch,
  type ContactRecord,
} from './resources/contacts.ts'
export {
  companies,
  company,
  companyFilters,
  companyInput,
  companySortFields,
  type CompanyInput,
  type CompanyPatch,
  type CompanyRecord,
} from './resources/companies.ts'
export {
  dealFilters,
  dealInput,
  deals,
  dealSortFields,
  dealStatuses,
  type DealInput,
  type DealPatch,
  type DealRecord,
} from './resources/deals.ts'
export {
  activities,
  activityStatuses,
  activityTypes,
  directions,
  type ActivityInput,
  type ActivityPatch,
  attachedBytesMax,
  type WrittenMail,
  type ActivityRecord,
} from './resources/activities.ts'
export {
  checklistItemsMax,
  taskChecklist,
  taskComments,
  taskPriorities,
  tasks,
  taskStatuses,
  taskTypes,
  type ChecklistItem,
  type TaskInput,
  type TaskPatch,
  type TaskRecord,
} from './resources/tasks.ts'
export {
  customEntities,
  customEntitySettings,
  customRecords,
  type CustomEntityInput,
  type CustomEntityPatch,
  type CustomEntityRecord,
  type CustomRecord,
  type CustomRecordInput,
  type CustomRecordPatch,
} from './resources/custom-entities.ts'
export {
  discountTypes,
  linesMax,
  taxModes,
  type CommercialInput,
  type CommercialPatch,
  type LineInput,
  type MailInput,
} from './resources/commercial.ts'
export { quotes, quoteStatuses, type QuoteInput, type QuotePatch, type QuoteRecord } from './resources/quotes.ts'
export { orders, orderStatuses, type OrderInput, type OrderPatch, type OrderRecord } from './resources/orders.ts'
export {
  invoices,
  invoiceStatuses,
  paymentMethods,
  type InvoiceInput,
  type InvoicePatch,
  type InvoiceRecord,
  type PaymentInput,
  type PaymentRecord,
} from './resources/invoices.ts'
export {
  documentRecords,
  documentRecordStatuses,
  documents,
  type DocumentInput,
  type DocumentPatch,
  type DocumentRecord,
  type DocumentRecordInput,
  type DocumentRecordPatch,
} from './resources/documents.ts'
export {
  numberedEntities,
  numberSequences,
  resetPeriods,
  type NumberedEntity,
  type NumberSequenceInput,
  type NumberSequencePatch,
} from './resources/number-sequences.ts'
export {
  projects,
  projectStatuses,
  type ProjectInput,
  type ProjectPatch,
  type ProjectRecord,
} from './resources/projects.ts'
export {
  pipelineEntities,
  pipelines,
  pipelineStages,
  stageTypes,
  type PipelineInput,
  type PipelinePatch,
  type StageInput,
  type StagePatch,
} from './resources/pipelines.ts'
export { employees } from './resources/employees.ts'
export { departments, type DepartmentInput, type DepartmentPatch } from './resources/departments.ts'
export { organization, type OrganizationPatch } from './resources/organization.ts'
export { industries, leadSources, referenceData, systemSources } from './resources/reference-data.ts'
export {
  currencies,
  taxRates,
  units,
  type CurrencyInput,
  type CurrencyPatch,
  type CurrencyRecord,
} from './resources/money.ts'
export {
  productImages,
  productInput,
  products,
  productSortFields,
  productStatuses,
  productTypes,
  type ProductImageRecord,
  type ProductInput,
  type ProductPatch,
  type ProductRecord,
} from './resources/products.ts'
export {
  attributeTypes,
  productAttributeAssignments,
  productAttributeGroups,
  productAttributes,
  productAttributeValues,
  productCategories,
  productTags,
} from './resources/product-attributes.ts'
export {
  priceListEntries,
  priceListEntryTiers,
  priceLists,
  priceModes,
  prices,
  tierModes,
  type PriceListEntryRecord,
  type PriceListInput,
  type PriceListPatch,
  type PriceListRecord,
} from './resources/price-lists.ts'
export {
  dashboards,
  dashboardLimits,
  widgetTypes,
  type DashboardInput,
  type DashboardPatch,
  type DashboardRecord,
  type WidgetInput,
} from './resources/dashboards.ts'
export {
  filteredEntities,
  anyOwnedList,
  columnNames,
  filterVisibilities,
  savedFilters,
  savedParameters,
  viewKinds,
  type FilteredEntity,
  type SavedFilterInput,
  type SavedFilterPatch,
  type SavedFilterRecord,
} from './resources/saved-filters.ts'
export {
  changeSources,
  commentedEntities,
  comments,
  timeline,
  timelineKinds,
  entryLinksMax,
  entryQuoteLines,
  type EntryLink,
  type ShownTimelineEntry,
  visibilities,
  type CommentedEntity,
  type CommentInput,
} from './resources/comments.ts'
export {
  fileLinkFields,
  files,
  type FileLinkField,
  type FileMetadata,
  type FilePatch,
  type FileRecord,
} from './resources/files.ts'
export {
  describedMax,
  credentialClasses,
  densities,
  languages,
  me,
  preferencesOfMe,
  themes,
  timeFormats,
  workspaceSections,
  type Language,
  type TimeFormat,
  type WorkspaceDescription,
  type WorkspaceSection,
} from './resources/me.ts'
export { pictureBytesMax, picturePixelsMax, pictures } from './resources/settings/pictures.ts'
export { search, searchTypes, type ResultContext, type ResultInFull, type SearchType } from './resources/search.ts'
export { jobs, jobStates, keptNamedMax, type UndoResult } from './resources/jobs.ts'
export { openapiDocument } from './resources/document.ts'
export { booking, bookingStatuses, reservedSlugs, slugPattern } from './resources/booking.ts'
export {
  bookingLinks,
  bookings,
  calendarEvents,
  notificationKinds,
  notificationsShownMax,
  notifications,
  type NotificationKind,
  type BookingLinkInput,
  type BookingLinkPatch,
  type CalendarEventInput,
  type CalendarEventPatch,
} from './resources/settings/booking.ts'
export { calendarFeed, calendarSubscriptions, subscriptionStates } from './resources/settings/calendar.ts'
export {
  newPassword,
  secondFactorMethods,
  sessions,
  signInOutcome,
  userSessions,
  type Proof,
  type SecondFactorMethod,
  type SignInOutcome,
} from './resources/settings/sessions.ts'
export { passkeyResponse, type PasskeyResponse } from './resources/settings/passkey-response.ts'
export { secondFactors, shownFactor, type ShownFactor } from './resources/settings/second-factors.ts'
export {
  accountLinks,
  invitations,
  invitationStatuses,
  userSignIn,
  type InvitationInput,
} from './resources/settings/invitations.ts'
export { signInPolicy, signInPolicyPatch, type SignInPolicyPatch } from './resources/settings/sign-in.ts'
export { usage, workspace, workspaceModules } from './resources/settings/workspace.ts'
export { demo } from './resources/settings/demo.ts'
export { privacy, privacySubjectTypes } from './resources/settings/privacy.ts'
export { auditStreamPatch, auditStreams } from './resources/settings/audit-stream.ts'
export { auditActorTypes, auditLog, auditOutcomes } from './resources/settings/audit-log.ts'
export {
  employeeKinds,
  employeeStatuses,
  roles,
  users,
  type RoleInput,
  type RolePatch,
  type UserInput,
  type UserPatch,
} from './resources/settings/people.ts'
export { apiKeys } from './resources/settings/api-keys.ts'
export {
  domains,
  identityProviders,
  sso,
  ssoErrors,
  type ProviderInput,
  type ProviderPatch,
  type SsoError,
  type SsoPurpose,
} from './resources/settings/identity.ts'
export {
  belongingTypes,
  handOvers,
  meetingFates,
  type Belongings,
  type BelongingType,
  type HandOver,
  type MeetingFate,
} from './resources/settings/hand-over.ts'
export { scimGroups, scimTokens } from './resources/settings/provisioning.ts'
export {
  scimDirectoryGroups,
  scimDiscovery,
  scimPage,
  scimSchemas,
  scimUsers,
  type ScimGroup,
  type ScimUser,
} from './resources/scim.ts'
export { connections } from './resources/settings/connections.ts'
export { address } from './fields.ts'
export {
  customFieldKey,
  customFields,
  customFieldTypes,
  retiredFields,
  type CustomFieldType,
} from './resources/settings/custom-fields.ts'
export { changeEvents, customEntityEvents, eventBody, eventWord, type ChangeEventDeclaration } from './events.ts'
export {
  automationEvents,
  conditionOps,
  hiddenValue,
  omittedHeaders,
  outboundBodies,
  outboundMethods,
} from './resources/settings/automation.ts'
export {
  automationRules,
  deliveries,
  deliveryStates,
  ruleRunStates,
  type RuleAction,
  type RuleInput,
  type RulePatch,
} from './resources/settings/automation-rules.ts'
export { automations, automationStates, automationTypes } from './resources/settings/automations.ts'
export {
  challengeAnswers,
  challengePlaces,
  hookBodies,
  hookMethods,
  runFailureCodes,
  runStates,
  stepStates,
  workflowRuns,
  workflows,
  workflowStatuses,
  type ConditionStep,
  type AmongPeople,
  type PlainStep,
  type RunFailureCode,
  type WorkflowInput,
  type WorkflowPatch,
  type WorkflowStep,
  type WorkflowTrigger,
} from './resources/settings/workflows.ts'
export {
  channels,
  conversations,
  type ChannelInput,
  type ChannelPatch,
  type ConversationInput,
} from './resources/settings/conversations.ts'
export { paymentLinks, type PaymentLinkRecord } from './resources/settings/payment-links.ts'
export { deletedRecords } from './resources/settings/deleted-records.ts'
export { undo } from './resources/undo.ts'
export {
  decidedMax,
  proposalDays,
  proposals,
  proposalStates,
  proposedReply,
  settingsProposals,
  type ShownProposal,
} from './resources/proposals.ts'
export {
  agentSessions,
  sessionPauseMs,
  sessionUndoableMs,
  type AgentSession,
  type SessionOperation,
} from './resources/settings/agent-sessions.ts'
export { changesOfRequest, preview, previewedChangesMax, type Leave, type RecordChange } from './resources/preview.ts'
export { conditionData, depthOf, readChangeEvent, type ChangeEvent, type QueuedChange } from './change-event.ts'
export { follows, followsMax } from './resources/settings/follows.ts'
export { presence, presenceKeptMs, presenceMax } from './resources/settings/presence.ts'
export { sight, sightMax } from './resources/settings/sight.ts'
export { batch, batchBytesMax, batchReadsMax } from './resources/settings/batch.ts'
export {
  liveChange,
  liveChanges,
  liveIdsMax,
  liveStreamsMax,
  type LiveChange,
} from './resources/settings/live-changes.ts'
export {
  migrationFileBytesMax,
  migrationFilesMax,
  migrationLinesMax,
  migrationMatches,
  migrationRowsMax,
  migrations,
  migrationSources,
  migrationStates,
  type MigrationColumnPlan,
  type MigrationFilePlan,
  type MigrationMatch,
  type MigrationPart,
  type MigrationPlan,
  type MigrationPlanChange,
  type MigrationSource,
  type MigrationState,
} from './resources/settings/migrations.ts'
export {
  everythingKeptDays,
  exportFormats,
  type ExportWish,
  exports,
  finishedImport,
  type FinishedImport,
  imports,
  matchFields,
  exportedIdsMax,
  transferredEntities,
  type ImportWish,
  type MatchField,
  type TransferredEntity,
} from './resources/settings/transfers.ts'
export {
  summarizedOf,
  summaryLimits,
  pagingParams,
  summaryParams,
  timeBuckets,
  type Summary,
  type SummaryQuestion,
  type TimeBucket,
} from './summaries.ts'
export type { Dimension, DimensionType, MeasureType, Shaped, Summarized } from './operation.ts'
export { sharedFilters } from './follow-ups.ts'
export { enumFilter, idFilter, isPersonFilter, personFilter } from './filters.ts'
export { found, hiddenValueOf, objectsWithFindings, partsOf } from './found.ts'
export { shapeParams, type ShapedAs } from './shapes.ts'
export { commaParts, domainName, textForms, type TextForm } from '@crm/model/values'
export { showsVersion, takesIfMatch } from './versions.ts'
export { withSummary } from './summaries.ts'
export { stageTimeMovesMax } from './stage-times.ts'
export { feed, feedAnchors, feedQuoteMax, feedRecordsMax, type FeedItem } from './resources/feed.ts'

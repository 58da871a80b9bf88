import type { publicContract, scimContract, settingsContract, Service } from '@crm/contract'
import type { FastifyInstance } from 'fastify'
import type { CrmContext } from './platform/context.ts'
import { implementedPlainResources } from './domain/plain-records.ts'
import { implementedActivities } from './resources/work/activities/activities.handlers.ts'
import { implementedCalendarEvents } from './resources/work/calendar/calendar-events.handlers.ts'
import { implementedCalendarFeed } from './resources/work/calendar/calendar-feed.handlers.ts'
import { implementedCalendarSubscriptions } from './resources/work/calendar/calendar-subscriptions.handlers.ts'
import { implementedComments } from './resources/work/comments/comments.handlers.ts'
import { createCompany } from './resources/sales/companies/companies.commands.ts'
import { implementedCompanies } from './resources/sales/companies/companies.handlers.ts'
import { writeContact } from './resources/sales/contacts/contacts.commands.ts'
import { implementedContacts } from './resources/sales/contacts/contacts.handlers.ts'
import { implementedCurrencies } from './resources/finance/currencies/currencies.handlers.ts'
import { writeDeal } from './resources/sales/deals/deals.commands.ts'
import { implementedDeals } from './resources/sales/deals/deals.handlers.ts'
import {
  implementedCustomEntities,
  implementedCustomEntitySettings,
} from './resources/workspace/custom-entities/custom-entities.handlers.ts'
import { implementedCustomRecords } from './resources/workspace/custom-entities/custom-records.handlers.ts'
import { implementedDashboards } from './resources/workspace/dashboards/dashboards.handlers.ts'
import { implementedDepartments } from './resources/identity/departments/departments.handlers.ts'
import { implementedDocumentRecords } from './resources/papers/documents/document-records.handlers.ts'
import { implementedDocuments } from './resources/papers/documents/documents.handlers.ts'
import { implementedEmployees } from './resources/identity/employees/employees.handlers.ts'
import { implementedIndustries } from './resources/sales/industries/industries.handlers.ts'
import { implementedFiles } from './resources/papers/files/files.handlers.ts'
import { implementedInvoices } from './resources/finance/invoices/invoices.handlers.ts'
import { implementedPaymentLinks } from './resources/finance/invoices/payment-links.handlers.ts'
import { implementedJobs } from './resources/automation/jobs/jobs.handlers.ts'
import { implementedLeadSources } from './resources/sales/lead-sources/lead-sources.handlers.ts'
import type { ConversionTargets } from './resources/sales/leads/leads.conversion.ts'
import { implementLeads } from './resources/sales/leads/leads.handlers.ts'
import { implementedPreferences, implementMe } from './resources/identity/me/me.handlers.ts'
import { implementedPictures } from './resources/identity/me/pictures.handlers.ts'
import { implementedOpenapi } from './resources/workspace/openapi/openapi.handlers.ts'
import { implementedNumberSequences } from './resources/finance/number-sequences/number-sequences.handlers.ts'
import { implementedOrders } from './resources/finance/orders/orders.handlers.ts'
import { implementedOrganization } from './resources/workspace/organization/organization.handlers.ts'
import { implementedPipelines, implementedPipelineStages } from './resources/sales/pipelines/pipelines.handlers.ts'
import { implementedPriceLists } from './resources/catalogue/price-lists/price-lists.handlers.ts'
import { implementedPriceListEntries } from './resources/catalogue/price-lists/price-list-entries.handlers.ts'
import { implementedPriceListEntryTiers } from './resources/catalogue/price-lists/price-list-entry-tiers.handlers.ts'
import { implementedPrices } from './resources/catalogue/prices/prices.handlers.ts'
import { implementedProductAttributeAssignments } from './resources/catalogue/product-attributes/product-attribute-assignments.handlers.ts'
import {
  implementedProductAttributeGroups,
  implementedProductAttributes,
  implementedProductAttributeValues,
} from './resources/catalogue/product-attributes/product-attributes.handlers.ts'
import { implementedProductCategories } from './resources/catalogue/product-categories/product-categories.handlers.ts'
import { implementedProductTags } from './resources/catalogue/product-tags/product-tags.handlers.ts'
import { implementedProductImages } from './resources/catalogue/products/product-images.handlers.ts'
import { implementedProducts } from './resources/catalogue/products/products.handlers.ts'
import { implementedProjects } from './resources/work/projects/projects.handlers.ts'
import { implementedQuotes } from './resources/finance/quotes/quotes.handlers.ts'
import { implementedSavedFilters } from './resources/workspace/saved-filters/saved-filters.handlers.ts'
import { implementedScimDiscovery } from './resources/identity/scim/scim.discovery.handlers.ts'
import { implementedScimGroups } from './resources/identity/scim/scim.groups.handlers.ts'
import { implementedScimUsers } from './resources/identity/scim/scim.people.handlers.ts'
import { implementedSearch } from './across/search/search.handlers.ts'
import { implementedApiKeys } from './resources/identity/api-keys/api-keys.handlers.ts'
import { implementedAuditLog } from './resources/workspace/audit-log/audit-log.handlers.ts'
import { implementedDemo } from './across/demo/demo.handlers.ts'
import { implementedHandOvers } from './across/hand-over/hand-over.handlers.ts'
import { implementedUndo } from './across/undo/undo.handlers.ts'
import { implementedPrivacy } from './across/privacy/privacy.handlers.ts'
import { implementedAuditStreams } from './resources/workspace/audit-log/audit-stream.handlers.ts'
import { implementedAutomationRules } from './resources/automation/automation-rules/automation-rules.handlers.ts'
import { implementedAutomations } from './resources/automation/automations/automations.handlers.ts'
import { implementedDeliveries } from './resources/automation/automation-rules/deliveries.handlers.ts'
import { implementedBookingLinks } from './resources/booking/booking-links/booking-links.handlers.ts'
import { implementedBookings } from './resources/booking/bookings/bookings.handlers.ts'
import { implementedConnections } from './resources/identity/connections/connections.handlers.ts'
import { implementedChannels } from './resources/conversations/conversations/channels.handlers.ts'
import { implementedConversations } from './resources/conversations/conversations/conversations.handlers.ts'
import {
  implementedCustomFields,
  implementedRetiredFields,
} from './resources/workspace/custom-fields/custom-fields.handlers.ts'
import { implementedNotifications } from './across/notifications/notifications.handlers.ts'
import { implementedScimGroupSettings } from './resources/identity/provisioning/scim-groups.handlers.ts'
import { implementedScimTokens } from './resources/identity/provisioning/scim-tokens.handlers.ts'
import { implementedDomains } from './resources/identity/sso/domains.handlers.ts'
import { implementedIdentityProviders } from './resources/identity/sso/identity-providers.handlers.ts'
import { implementedSso } from './resources/identity/sso/sso.handlers.ts'
import { implementedRoles } from './resources/identity/roles/roles.handlers.ts'
import { implementedSchema } from './resources/workspace/schema/schema.handlers.ts'
import { implementedSessions } from './resources/identity/sessions/sessions.handlers.ts'
import { implementedFeed } from './across/feed/feed.handlers.ts'
import { describeWorkspace } from './across/description/describe-workspace.ts'
import { implementedDeletedRecords } from './across/deleted-records/deleted-records.handlers.ts'
import { implementedFollows } from './across/follows/follows.handlers.ts'
import { implementedPresence } from './across/presence/presence.handlers.ts'
import { implementedSight } from './across/sight/sight.handlers.ts'
import { implementBatch } from './across/batch/batch.handlers.ts'
import { implementedAgentSessions } from './across/agents/sessions.handlers.ts'
import { implementedProposals, implementSettingsProposals } from './across/agents/proposals.handlers.ts'
import { implementPreview } from './across/preview/preview.handlers.ts'
import { implementLiveChanges } from './across/live/live.handlers.ts'
import type { LiveStreams } from './across/live/live.streams.ts'
import { implementedExports } from './across/transfers/exports.handlers.ts'
import { implementedMigrations } from './across/transfers/moving.handlers.ts'
import { implementedImports } from './across/transfers/imports.handlers.ts'
import {
  implementedAccountLinks,
  implementedUserSignIn,
} from './resources/identity/invitations/account-links.handlers.ts'
import { implementedInvitations } from './resources/identity/invitations/invitations.handlers.ts'
import { implementedSecondFactors } from './resources/identity/second-factors/second-factors.handlers.ts'
import { implementedSignInPolicy } from './resources/identity/sign-in/sign-in-policy.handlers.ts'
import { implementedUserSessions } from './resources/identity/users/user-sessions.handlers.ts'
import { implementedUsers } from './resources/identity/users/users.handlers.ts'
import { implementedWorkflowRuns } from './resources/automation/workflows/workflow-runs.handlers.ts'
import { implementedWorkflows } from './resources/automation/workflows/workflows.handlers.ts'
import {
  implementedModules,
  implementedUsage,
  implementedWorkspace,
} from './resources/workspace/workspace/workspace.handlers.ts'
import { implementedTaskChecklist } from './resources/work/tasks/checklist.handlers.ts'
import { implementedTaskComments } from './resources/work/comments/task-comments.handlers.ts'
import { implementedTasks } from './resources/work/tasks/tasks.handlers.ts'
import { implementedTaxRates } from './resources/finance/tax-rates/tax-rates.handlers.ts'
import { implementedTimeline } from './resources/work/timeline/timeline.handlers.ts'
import { implementedUnits } from './resources/catalogue/units/units.handlers.ts'

/** The functions that create the records to which a lead is converted. */
const conversionTargets: ConversionTargets = { createCompany, createContact: writeContact, createDeal: writeDeal }

/** Returns every operation of the public API with its handler; the service is that of the process. */
export const createPublicService = (app: FastifyInstance) =>
  ({
    leads: implementLeads(conversionTargets),
    contacts: implementedContacts,
    companies: implementedCompanies,
    deals: implementedDeals,
    activities: implementedActivities,
    tasks: implementedTasks,
    taskChecklist: implementedTaskChecklist,
    taskComments: implementedTaskComments,
    projects: implementedProjects,
    ...implementedPlainResources,
    customEntities: implementedCustomEntities,
    customRecords: implementedCustomRecords,
    products: implementedProducts,
    productImages: implementedProductImages,
    productCategories: implementedProductCategories,
    productTags: implementedProductTags,
    productAttributeGroups: implementedProductAttributeGroups,
    productAttributes: implementedProductAttributes,
    productAttributeValues: implementedProductAttributeValues,
    productAttributeAssignments: implementedProductAttributeAssignments,
    priceLists: implementedPriceLists,
    priceListEntries: implementedPriceListEntries,
    priceListEntryTiers: implementedPriceListEntryTiers,
    prices: implementedPrices,
    quotes: implementedQuotes,
    orders: implementedOrders,
    invoices: implementedInvoices,
    numberSequences: implementedNumberSequences,
    documents: implementedDocuments,
    documentRecords: implementedDocumentRecords,
    search: implementedSearch,
    comments: implementedComments,
    timeline: implementedTimeline,
    feed: implementedFeed,
    files: implementedFiles,
    pipelines: implementedPipelines,
    pipelineStages: implementedPipelineStages,
    leadSources: implementedLeadSources,
    industries: implementedIndustries,
    currencies: implementedCurrencies,
    units: implementedUnits,
    taxRates: implementedTaxRates,
    savedFilters: implementedSavedFilters,
    dashboards: implementedDashboards,
    employees: implementedEmployees,
    departments: implementedDepartments,
    organization: implementedOrganization,
    jobs: implementedJobs,
    undo: implementedUndo,
    preview: implementPreview(app),
    proposals: implementedProposals,
    recordSchema: implementedSchema,
    me: implementMe(describeWorkspace),
    openapiDocument: implementedOpenapi,
  }) satisfies Service<typeof publicContract, CrmContext>

/** Every operation of the provisioning API with its handler. */
export const scimService = {
  scimUsers: implementedScimUsers,
  scimDirectoryGroups: implementedScimGroups,
  scimDiscovery: implementedScimDiscovery,
} satisfies Service<typeof scimContract, CrmContext>

/** Returns every operation of the settings API with its handler; the service and its streams are those of the process. */
export const createSettingsService = (app: FastifyInstance, streams: LiveStreams) =>
  ({
    sessions: implementedSessions,
    workspace: implementedWorkspace,
    workspaceModules: implementedModules,
    usage: implementedUsage,
    users: implementedUsers,
    accountLinks: implementedAccountLinks,
    secondFactors: implementedSecondFactors,
    preferencesOfMe: implementedPreferences,
    pictures: implementedPictures,
    userSessions: implementedUserSessions,
    handOvers: implementedHandOvers,
    userSignIn: implementedUserSignIn,
    invitations: implementedInvitations,
    signInPolicy: implementedSignInPolicy,
    roles: implementedRoles,
    auditLog: implementedAuditLog,
    auditStreams: implementedAuditStreams,
    privacy: implementedPrivacy,
    demo: implementedDemo,
    apiKeys: implementedApiKeys,
    sso: implementedSso,
    domains: implementedDomains,
    identityProviders: implementedIdentityProviders,
    scimTokens: implementedScimTokens,
    scimGroups: implementedScimGroupSettings,
    connections: implementedConnections,
    settingsProposals: implementSettingsProposals(app),
    agentSessions: implementedAgentSessions,
    customFields: implementedCustomFields,
    retiredFields: implementedRetiredFields,
    customEntitySettings: implementedCustomEntitySettings,
    bookingLinks: implementedBookingLinks,
    bookings: implementedBookings,
    calendarEvents: implementedCalendarEvents,
    calendarSubscriptions: implementedCalendarSubscriptions,
    calendarFeed: implementedCalendarFeed,
    notifications: implementedNotifications,
    automations: implementedAutomations,
    workflows: implementedWorkflows,
    workflowRuns: implementedWorkflowRuns,
    automationRules: implementedAutomationRules,
    deliveries: implementedDeliveries,
    imports: implementedImports,
    migrations: implementedMigrations,
    exports: implementedExports,
    deletedRecords: implementedDeletedRecords,
    liveChanges: implementLiveChanges(streams),
    batch: implementBatch(app),
    follows: implementedFollows,
    presence: implementedPresence,
    sight: implementedSight,
    channels: implementedChannels,
    conversations: implementedConversations,
    paymentLinks: implementedPaymentLinks,
  }) satisfies Service<typeof settingsContract, CrmContext>

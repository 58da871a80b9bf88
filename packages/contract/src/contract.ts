import { activities } from './resources/activities.ts'
import { booking } from './resources/booking.ts'
import { comments, timeline } from './resources/comments.ts'
import { companies } from './resources/companies.ts'
import { contacts } from './resources/contacts.ts'
import { customEntities, customEntitySettings, customRecords } from './resources/custom-entities.ts'
import { dashboards } from './resources/dashboards.ts'
import { deals } from './resources/deals.ts'
import { departments } from './resources/departments.ts'
import { documentRecords, documents } from './resources/documents.ts'
import { openapiDocument } from './resources/document.ts'
import { employees } from './resources/employees.ts'
import { feed } from './resources/feed.ts'
import { files } from './resources/files.ts'
import { invoices } from './resources/invoices.ts'
import { jobs } from './resources/jobs.ts'
import { preview } from './resources/preview.ts'
import { proposals, settingsProposals } from './resources/proposals.ts'
import { agentSessions } from './resources/settings/agent-sessions.ts'
import { undo } from './resources/undo.ts'
import { leads } from './resources/leads.ts'
import { me, preferencesOfMe } from './resources/me.ts'
import { pictures } from './resources/settings/pictures.ts'
import { numberSequences } from './resources/number-sequences.ts'
import { orders } from './resources/orders.ts'
import { organization } from './resources/organization.ts'
import { currencies, taxRates, units } from './resources/money.ts'
import { pipelines, pipelineStages } from './resources/pipelines.ts'
import { priceListEntries, priceListEntryTiers, priceLists, prices } from './resources/price-lists.ts'
import {
  productAttributeAssignments,
  productAttributeGroups,
  productAttributes,
  productAttributeValues,
  productCategories,
  productTags,
} from './resources/product-attributes.ts'
import { productImages, products } from './resources/products.ts'
import { projects } from './resources/projects.ts'
import { quotes } from './resources/quotes.ts'
import { industries, leadSources } from './resources/reference-data.ts'
import { plainResources } from './plain-resources.ts'
import { savedFilters } from './resources/saved-filters.ts'
import { recordSchema } from './resources/schema.ts'
import { scimDirectoryGroups, scimDiscovery, scimUsers } from './resources/scim.ts'
import { search } from './resources/search.ts'
import { taskChecklist, taskComments, tasks } from './resources/tasks.ts'
import { apiKeys } from './resources/settings/api-keys.ts'
import { automationRules, deliveries } from './resources/settings/automation-rules.ts'
import { automations } from './resources/settings/automations.ts'
import { bookingLinks, bookings, calendarEvents, notifications } from './resources/settings/booking.ts'
import { connections } from './resources/settings/connections.ts'
import { calendarFeed, calendarSubscriptions } from './resources/settings/calendar.ts'
import { channels, conversations } from './resources/settings/conversations.ts'
import { customFields, retiredFields } from './resources/settings/custom-fields.ts'
import { auditLog } from './resources/settings/audit-log.ts'
import { auditStreams } from './resources/settings/audit-stream.ts'
import { demo } from './resources/settings/demo.ts'
import { privacy } from './resources/settings/privacy.ts'
import { handOvers } from './resources/settings/hand-over.ts'
import { roles, users } from './resources/settings/people.ts'
import { paymentLinks } from './resources/settings/payment-links.ts'
import { accountLinks, invitations, userSignIn } from './resources/settings/invitations.ts'
import { scimGroups, scimTokens } from './resources/settings/provisioning.ts'
import { secondFactors } from './resources/settings/second-factors.ts'
import { sessions, userSessions } from './resources/settings/sessions.ts'
import { signInPolicy } from './resources/settings/sign-in.ts'
import { domains, identityProviders, sso } from './resources/settings/identity.ts'
import { deletedRecords } from './resources/settings/deleted-records.ts'
import { batch } from './resources/settings/batch.ts'
import { follows } from './resources/settings/follows.ts'
import { presence } from './resources/settings/presence.ts'
import { sight } from './resources/settings/sight.ts'
import { liveChanges } from './resources/settings/live-changes.ts'
import { exports, imports } from './resources/settings/transfers.ts'
import { migrations } from './resources/settings/migrations.ts'
import { workflowRuns, workflows } from './resources/settings/workflows.ts'
import { usage, workspace, workspaceModules } from './resources/settings/workspace.ts'

/** The operations on records. */
const recordResources = {
  leads,
  contacts,
  companies,
  deals,
  activities,
  tasks,
  taskChecklist,
  taskComments,
  projects,
  ...plainResources,
  customEntities,
  customRecords,
  products,
  productImages,
  productCategories,
  productTags,
  productAttributeGroups,
  productAttributes,
  productAttributeValues,
  productAttributeAssignments,
  priceLists,
  priceListEntries,
  priceListEntryTiers,
  prices,
  quotes,
  orders,
  invoices,
  numberSequences,
  documents,
  documentRecords,
} as const

/** The operations that go over all records, and those on what records refer to. */
const sharedResources = {
  search,
  comments,
  timeline,
  feed,
  files,
  pipelines,
  pipelineStages,
  leadSources,
  industries,
  currencies,
  units,
  taxRates,
  savedFilters,
  dashboards,
  employees,
  departments,
  organization,
  jobs,
  undo,
  preview,
  proposals,
  recordSchema,
  me,
  openapiDocument,
} as const

/**
 * The public API (docs/guide/requests.md), which API keys, tokens and sessions may call; docs and tools list it in this order. Its type names its
 * parts, because TypeScript writes no declaration of that length.
 */
export const publicContract: typeof recordResources & typeof sharedResources = {
  ...recordResources,
  ...sharedResources,
}

/** The settings API, by which the console configures the product; it takes a session only. */
export const settingsContract = {
  sessions,
  accountLinks,
  secondFactors,
  preferencesOfMe,
  pictures,
  workspace,
  workspaceModules,
  usage,
  users,
  userSessions,
  handOvers,
  userSignIn,
  invitations,
  signInPolicy,
  roles,
  auditLog,
  auditStreams,
  privacy,
  demo,
  apiKeys,
  sso,
  domains,
  identityProviders,
  scimTokens,
  scimGroups,
  connections,
  settingsProposals,
  agentSessions,
  customFields,
  retiredFields,
  customEntitySettings,
  bookingLinks,
  bookings,
  calendarEvents,
  calendarSubscriptions,
  calendarFeed,
  notifications,
  automations,
  workflows,
  workflowRuns,
  automationRules,
  deliveries,
  imports,
  migrations,
  exports,
  deletedRecords,
  liveChanges,
  follows,
  presence,
  sight,
  batch,
  channels,
  conversations,
  paymentLinks,
} as const

/** The provisioning API (docs/guide/provisioning.md), which directories call to keep people and groups up to date: SCIM 2.0. */
export const scimContract = { scimUsers, scimDirectoryGroups, scimDiscovery } as const

/** The public booking API (docs/guide/booking.md), which visitors of a website call without a credential. */
export const bookingContract = { booking } as const

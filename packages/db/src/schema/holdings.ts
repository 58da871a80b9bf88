import {
  activity,
  company,
  contact,
  deal,
  documentTemplate,
  invoice,
  lead,
  order,
  priceList,
  product,
  project,
  quote,
  resourceName,
  tableOfPlainKinds,
  task,
  type Field,
  type PlainEntity,
  type plainKinds,
} from '@crm/model'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type * as schema from './index.ts'

/**
 * What a column with open text holds, as far as the names, addresses and numbers of people go:
 * - `prose`: people type it, so it may name anybody.
 * - `fields`: values of custom fields; those that are texts are prose.
 * - `copy`: the service copied it out of records and requests, and keeps it for a time.
 * - `person`: the name, address or number of the person whom the row is about.
 * - `name`: the name, address or number of a thing, a setting or an organization.
 * - `fixed`: keys, choices, secrets, hashes and settings.
 */
export type Holding = 'prose' | 'fields' | 'copy' | 'person' | 'name' | 'fixed'

type Tables = {
  [K in keyof typeof schema as (typeof schema)[K] extends PgTable ? K : never]: (typeof schema)[K]
}

/** Whether the types do not list the values of a column: a text, a list or JSON. */
type IsOpen<C> =
  C extends PgColumn<infer Config>
    ? Config['columnType'] extends 'PgJsonb' | 'PgArray'
      ? true
      : Config['columnType'] extends 'PgText'
        ? string extends Config['data']
          ? true
          : false
        : false
    : false

type OpenColumns<T> = {
  readonly [K in Exclude<keyof T, 'searchText'> as IsOpen<T[K]> extends true ? K : never]: Holding
}

type Holdings = {
  readonly [K in keyof Tables as keyof OpenColumns<Tables[K]> extends never ? never : K]: OpenColumns<Tables[K]>
}

/** The types of fields whose columns are open. */
type Open = 'text' | 'email' | 'phone' | 'domain' | 'address' | 'texts' | 'parts' | 'currency' | 'references'

type OpenNames<Fields extends Readonly<Record<string, Field>>> = {
  [Name in keyof Fields]: Fields[Name]['rules'] extends { readonly computed: true }
    ? never
    : Fields[Name]['type'] extends Open
      ? Name
      : never
}[keyof Fields]

/** Returns what the columns of a kind of record hold. */
function holdingsOf<Fields extends Readonly<Record<string, Field>>>({
  fields,
}: {
  readonly fields: Fields
}): { readonly [Name in OpenNames<Fields> | 'tags' | 'customFields' | 'externalSource' | 'externalId']: Holding } {
  const own = Object.entries(fields).flatMap(
    ([
      name,
      {
        type,
        rules: { holds, computed },
      },
    ]) => {
      if (computed) return []
      if (type === 'currency' || type === 'references') return [[name, 'fixed']]
      return holds === undefined ? [] : [[name, holds]]
    },
  )
  return {
    ...Object.fromEntries(own),
    tags: 'fixed',
    customFields: 'fields',
    externalSource: 'fixed',
    externalId: 'fixed',
  } as never
}

const plainHoldings = tableOfPlainKinds<{
  readonly [Entity in PlainEntity as ReturnType<typeof resourceName<(typeof plainKinds)[Entity]['stem']>>]: ReturnType<
    typeof holdingsOf<(typeof plainKinds)[Entity]['fields']>
  >
}>((kind) => [resourceName(kind.stem), holdingsOf(kind)])

/**
 * What every open column of the schema holds; a column that is not here does not compile. The erasure of a person
 * touches columns by it (docs/decisions/erasure.md).
 */
export const holdings: Holdings = {
  agentActs: { entityType: 'fixed', title: 'name', operation: 'fixed', changes: 'copy' },
  agentSessions: { viaName: 'name' },
  activities: holdingsOf(activity),
  apiKeys: {
    name: 'name',
    prefix: 'fixed',
    scopes: 'fixed',
    lastUsedAddress: 'person',
    allowedCidrs: 'fixed',
    limits: 'fixed',
  },
  assignmentTurns: { stepKey: 'fixed' },
  auditChains: { hash: 'fixed' },
  auditLog: {
    actorName: 'person',
    viaName: 'name',
    action: 'fixed',
    address: 'person',
    userAgent: 'person',
    subjectType: 'fixed',
    subjectId: 'fixed',
    summary: 'person',
    changes: 'person',
    data: 'fixed',
    credentialClass: 'fixed',
    credentialId: 'fixed',
    requestId: 'fixed',
    privateSalt: 'fixed',
    privateHash: 'fixed',
    prevHash: 'fixed',
    hash: 'fixed',
  },
  auditStreams: { url: 'fixed', headerName: 'fixed', headerValue: 'fixed', problem: 'fixed' },
  automationRules: { name: 'name', event: 'fixed', conditions: 'fixed', actions: 'fixed' },
  backfills: { name: 'fixed' },
  bookingLinks: {
    slug: 'fixed',
    name: 'name',
    description: 'fixed',
    timezone: 'fixed',
    weeklyHours: 'fixed',
    dateOverrides: 'fixed',
    questions: 'fixed',
  },
  bookingMails: { manageToken: 'fixed' },
  bookings: {
    inviteeName: 'person',
    inviteeEmail: 'person',
    inviteeTimezone: 'fixed',
    toldTimes: 'fixed',
    inviteePhone: 'person',
    inviteeLocale: 'fixed',
    note: 'prose',
    answers: 'prose',
    joinUrl: 'fixed',
    roomId: 'fixed',
    cancelReason: 'prose',
  },
  budgetUses: { budgetKey: 'fixed' },
  calendarEvents: { title: 'prose' },
  calendarSubscriptions: { name: 'name', url: 'fixed', problem: 'fixed', content: 'fixed' },
  channels: { name: 'name', topic: 'prose' },
  checklistItems: { title: 'prose' },
  comments: {
    entityType: 'fixed',
    body: 'prose',
    authorName: 'person',
    authorEmail: 'person',
    externalSource: 'fixed',
    externalId: 'fixed',
    mentions: 'fixed',
    fileIds: 'fixed',
  },
  companies: holdingsOf(company),
  contacts: holdingsOf(contact),
  conversationMessages: { body: 'prose' },
  conversations: { subject: 'prose' },
  currencies: { code: 'fixed', name: 'name' },
  customEntities: { key: 'fixed', labels: 'fixed', fields: 'fixed' },
  customFields: { entityType: 'fixed', key: 'fixed', label: 'name', type: 'fixed', options: 'fixed' },
  customRecords: {
    entityKey: 'fixed',
    title: 'prose',
    tags: 'fixed',
    customFields: 'fields',
    externalSource: 'fixed',
    externalId: 'fixed',
  },
  dashboards: { name: 'name', period: 'fixed', widgets: 'fixed' },
  dataKeys: { wrappedBy: 'fixed' },
  deals: holdingsOf(deal),
  deliveries: { subjectType: 'fixed', request: 'copy', responseBody: 'copy', error: 'copy' },
  demoRecords: { kind: 'fixed' },
  departments: { name: 'name' },
  documentRecords: { entityType: 'fixed', title: 'prose' },
  documents: holdingsOf(documentTemplate),
  domains: { domain: 'fixed', challenge: 'fixed' },
  employees: {
    firstName: 'person',
    email: 'person',

    lastName: 'person',
    passwordHash: 'fixed',
    deviceKey: 'fixed',
    timezone: 'fixed',
    startPage: 'fixed',
    pinned: 'fixed',
    unfolded: 'fixed',
  },
  erasures: { words: 'fixed', targets: 'fixed' },
  merges: { entityType: 'fixed', sourceIds: 'fixed', rows: 'fixed', links: 'fixed' },
  exports: { entityType: 'fixed', filters: 'fixed', problem: 'fixed' },
  fileLinks: { entityType: 'fixed' },
  files: { name: 'prose', contentType: 'fixed', sha256: 'fixed' },
  follows: { entityType: 'fixed' },
  idempotencyKeys: { key: 'fixed', fingerprint: 'fixed', body: 'copy' },
  identities: { issuer: 'fixed', subject: 'person', email: 'person' },
  identityProviders: {
    slug: 'fixed',
    name: 'name',
    issuer: 'fixed',
    clientId: 'fixed',
    clientSecret: 'fixed',
    scopes: 'fixed',
    domains: 'fixed',
    defaultRoleIds: 'fixed',
    groupsClaim: 'fixed',
    groupMapping: 'fixed',
  },
  importRows: { cells: 'copy', typed: 'copy', reason: 'copy', problems: 'copy', changes: 'copy' },
  imports: { fileName: 'copy', entityType: 'fixed', header: 'copy', options: 'fixed', plan: 'copy', problem: 'copy' },
  industries: { name: 'name' },
  invitations: { email: 'person', firstName: 'person', lastName: 'person', roleIds: 'fixed', resentAt: 'fixed' },
  invoices: holdingsOf(invoice),
  jobs: { kind: 'fixed', payload: 'copy', errors: 'copy', cursor: 'fixed', result: 'fixed' },
  leads: holdingsOf(lead),
  leadSources: { name: 'name' },
  migrationKeys: { key: 'fixed' },
  migrations: { source: 'fixed', plan: 'copy', made: 'fixed', remains: 'copy', problem: 'copy' },
  leavingContents: { key: 'fixed' },
  notificationMails: { kinds: 'fixed', digest: 'fixed', off: 'fixed' },
  notifications: { kind: 'fixed', text: 'copy', data: 'copy', entityType: 'fixed' },
  numberPeriods: { period: 'fixed' },
  numberSequences: { name: 'fixed', pattern: 'fixed', period: 'fixed' },
  oauthClients: { name: 'name', redirectUris: 'fixed', documentUrl: 'fixed' },
  oauthCodes: { redirectUri: 'fixed', challenge: 'fixed', resource: 'fixed' },
  oauthGrants: { scopes: 'fixed', limits: 'fixed' },
  orders: holdingsOf(order),
  organizations: {
    legalName: 'name',
    taxId: 'fixed',
    registrationNumber: 'fixed',
    email: 'name',
    phone: 'name',
    website: 'name',
    address: 'fixed',
    bankDetails: 'fixed',
  },
  outbox: { event: 'fixed', entityType: 'fixed', payload: 'copy', traceparent: 'fixed' },
  passkeyChallenges: { challenge: 'fixed' },
  passkeys: { name: 'name', credentialId: 'fixed', transports: 'fixed' },
  payments: { currency: 'fixed', reference: 'fixed', note: 'fixed', reversalReason: 'fixed' },
  pipelines: { name: 'name', color: 'fixed' },
  priceLists: holdingsOf(priceList),
  processes: { kind: 'fixed', version: 'fixed', behind: 'fixed', zoneRules: 'fixed' },
  productAttributeAssignments: { value: 'fixed', valueIds: 'fixed' },
  productAttributeGroups: { name: 'name' },
  productAttributes: { name: 'name', code: 'fixed' },
  productAttributeValues: { name: 'name' },
  productCategories: { name: 'name' },
  productImages: { alt: 'prose' },
  products: holdingsOf(product),
  productTags: { name: 'name', color: 'fixed' },
  ...plainHoldings,
  projects: holdingsOf(project),
  quotes: holdingsOf(quote),
  recordCounts: { entityType: 'fixed', status: 'fixed' },
  recordLinks: { entityType: 'fixed' },
  recordNumbers: { entityType: 'fixed' },
  refusedCalls: { reason: 'fixed' },
  retiredFields: { entityType: 'fixed', key: 'fixed', definition: 'fixed' },
  retiredFieldValues: { value: 'copy' },
  roles: { name: 'name', description: 'fixed', permissions: 'fixed', access: 'fixed' },
  ruleRuns: { event: 'fixed', subjectType: 'fixed', skipped: 'copy' },
  savedFilters: {
    name: 'name',
    entityType: 'fixed',
    query: 'fixed',
    sortBy: 'fixed',
    columns: 'fixed',
    columnWidths: 'fixed',
    groupBy: 'fixed',
    dateField: 'fixed',
    measures: 'fixed',
  },
  scimGroups: { displayName: 'name', externalId: 'fixed' },
  scimPeople: { externalId: 'person', department: 'fixed', displayName: 'person' },
  scimTokens: { name: 'name', prefix: 'fixed', lastUsedAddress: 'person' },
  sessions: { address: 'person', userAgent: 'person' },
  signInTries: { key: 'fixed' },
  ssoSessions: { idToken: 'fixed' },
  proposals: {
    viaName: 'name',
    operation: 'fixed',
    request: 'copy',
    changes: 'copy',
    versions: 'fixed',
    entityType: 'fixed',
    code: 'fixed',
    comment: 'prose',
  },
  ssoStates: { nonce: 'fixed', verifier: 'fixed', next: 'fixed' },
  stages: { name: 'name', color: 'fixed', requiredFields: 'fixed' },
  tasks: holdingsOf(task),
  taxRates: { name: 'name' },
  timeline: {
    entityType: 'fixed',
    kind: 'fixed',
    actorName: 'person',
    source: 'fixed',
    changes: 'prose',
    data: 'prose',
    relatedType: 'fixed',
    viaName: 'name',
  },
  totpFactors: { secret: 'fixed', offered: 'fixed' },
  units: { name: 'name', symbol: 'fixed' },
  webhookTriggers: { path: 'fixed', headerAuth: 'fixed', options: 'fixed', lastRequest: 'copy' },
  workFailures: { work: 'fixed', row: 'fixed', problem: 'fixed' },
  workflowRuns: { trigger: 'copy', failureCode: 'fixed', failureMessage: 'copy', subjectType: 'fixed' },
  workflows: { name: 'name', trigger: 'fixed', steps: 'fixed', listensTo: 'fixed' },
  workflowStepRuns: {
    position: 'fixed',
    stepKey: 'fixed',
    type: 'fixed',
    input: 'copy',
    output: 'copy',
    failureCode: 'fixed',
    failureMessage: 'copy',
  },
  workflowVersions: { trigger: 'fixed', steps: 'fixed' },
  workspaceHosts: { host: 'fixed' },
  workspaceModules: { key: 'fixed' },
  workspaceQuotas: { quota: 'fixed' },
  workspaces: {
    slug: 'fixed',
    name: 'name',
    baseUrl: 'fixed',
    locale: 'fixed',
    timezone: 'fixed',
    currency: 'fixed',
    brand: 'fixed',
    retention: 'fixed',
    limits: 'fixed',
    signInPolicy: 'fixed',
  },
}

import { plainSamples, unique } from '@crm/testkit'
import type { DeclaredOperation } from '@crm/contract'
import { newId, schema } from '@crm/db'
import type { KnownEntity } from '../src/kinds/kinds.ts'
import type { ApiUnderTest, CallAnswer } from './harness.ts'

/** Adds a booking link of the workspace's administrator, with no hours, and returns its id. */
export async function addBookingLink(
  { db, workspace: { workspaceId, adminUserId } }: Pick<ApiUnderTest, 'db' | 'workspace'>,
  values: Partial<typeof schema.bookingLinks.$inferInsert> = {},
): Promise<string> {
  const id = newId()
  const usual = { slug: id, name: 'Intro', timezone: 'UTC', organizerId: adminUserId, weeklyHours: [] }
  await db.insert(schema.bookingLinks).values({ ...usual, ...values, workspaceId, id })
  return id
}

/** An id that no record has. */
export const unknownId = '01890000-0000-7000-8000-000000000000'

/** Returns the path of an operation with ids. */
export function pathOf(declared: DeclaredOperation, values: Readonly<Record<string, string>> = {}): string {
  const params = paramsOf(declared, values)
  return declared.operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => params[name] as string)
}

/** Returns the values in the path of an operation, with ids. */
export function paramsOf(
  { operation }: DeclaredOperation,
  values: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, values[name] ?? wordsOfPaths[name] ?? unknownId]))
}

/** The parts of paths that are no ids. */
const wordsOfPaths: Readonly<Record<string, string>> = { key: 'SALES', entityType: 'LEAD' }

/** The answer of a browser with a passkey that nobody has. */
const noPasskey = { id: 'none', rawId: 'none', type: 'public-key', clientExtensionResults: {}, response: {} }

/** A valid body for each create operation, by operation id, for bodies that a conformance test cannot generate. */
export const createBodies: Readonly<Record<string, (api: ApiUnderTest) => Promise<Record<string, unknown>>>> = {
  'settings.proposals.decide': async () => ({ ids: [unknownId], decision: 'REJECT' }),
  'preview.run': async () => ({ operation: 'leads.create', body: { lastName: 'Sample' } }),
  'leads.create': async () => ({ firstName: 'Sample', email: `sample${unique()}@example.com` }),
  'leads.convert': async () => ({}),
  'leads.merge': async () => ({ sourceIds: [unknownId] }),
  'leads.bulkUpdate': async () => ({ ids: [unknownId], set: { temperature: 'HOT' } }),
  'leads.bulkDelete': async () => ({ ids: [unknownId] }),
  'contacts.create': async () => ({ firstName: 'Sample', email: `sample${unique()}@example.com` }),
  'contacts.merge': async () => ({ sourceIds: [unknownId] }),
  'contacts.bulkUpdate': async () => ({ ids: [unknownId], set: { jobTitle: 'Buyer' } }),
  'contacts.bulkDelete': async () => ({ ids: [unknownId] }),
  'companies.create': async () => ({ name: `Company ${unique()}` }),
  'companies.merge': async () => ({ sourceIds: [unknownId] }),
  'companies.bulkUpdate': async () => ({ ids: [unknownId], set: { size: '11-50' } }),
  'companies.bulkDelete': async () => ({ ids: [unknownId] }),
  'deals.create': async () => ({ name: 'Sample deal' }),
  'deals.bulkUpdate': async () => ({ ids: [unknownId], set: { lostReason: 'Price' } }),
  'deals.bulkDelete': async () => ({ ids: [unknownId] }),
  'activities.create': async () => ({ type: 'CALL', subject: 'Sample call' }),
  'tasks.create': async () => ({ title: 'Sample task' }),
  'tasks.bulkUpdate': async () => ({ ids: [unknownId], set: { priority: 'HIGH' } }),
  'tasks.bulkDelete': async () => ({ ids: [unknownId] }),
  'tasks.checklist.create': async () => ({ title: 'Sample item' }),
  'tasks.comments.create': async () => ({ body: 'A remark' }),
  'projects.create': async () => ({ name: 'Sample project' }),
  ...Object.fromEntries(plainSamples.map(({ resource, body }) => [`${resource}.create`, async () => body('Sample')])),
  'customEntities.create': async () => customEntity(),
  'customEntities.records.create': async () => ({ title: 'Sample record' }),
  'settings.customEntities.create': async () => customEntity(),
  'quotes.create': async () => ({ items: [sampleLine] }),
  'quotes.send': async () => ({ to: ['buyer@example.com'] }),
  'quotes.convert': async () => ({ target: 'ORDER' }),
  'orders.create': async () => ({ items: [sampleLine] }),
  'invoices.create': async () => ({ items: [sampleLine] }),
  'invoices.send': async () => ({ to: ['buyer@example.com'] }),
  'invoices.recordPayment': async () => ({ amount: '10.00', method: 'CASH' }),
  'numberSequences.create': async () => ({
    entityType: 'INVOICE',
    name: `Sequence ${unique()}`,
    pattern: `X${unique()}-{SEQ}`,
  }),
  'documents.create': async () => ({ name: 'Letter', body: 'Dear {{record.name}}' }),
  'documentRecords.create': async () => ({ documentId: unknownId, entityType: 'LEAD', entityId: unknownId }),
  'activities.sendEmail': async (api) => ({
    to: ['buyer@example.com'],
    subject: 'A word',
    message: 'Dear buyer',
    links: [{ entityType: 'LEAD', entityId: await createLead(api) }],
  }),
  'crm.comments.create': async (api) => ({ entityType: 'LEAD', entityId: await createLead(api), body: 'A remark' }),
  'files.upload': async () => ({ filename: 'note.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=' }),
  'settings.migrations.update': async () => ({ plan: {} }),
  'pipelines.create': async () => ({ name: `Pipeline ${unique()}`, entityType: 'LEAD' }),
  'pipelines.transfer': async () => ({ toPipelineId: unknownId, stageMap: {} }),
  'leadSources.create': async () => ({ name: `Source ${unique()}` }),
  'industries.create': async () => ({ name: `Industry ${unique()}` }),
  'currencies.create': async () => ({ code: 'BOB' }),
  'units.create': async () => ({ name: `Unit ${unique()}` }),
  'taxRates.create': async () => ({ name: `Tax ${unique()}`, rate: '19' }),
  'products.create': async () => ({ name: 'Sample product' }),
  'products.bulkUpdate': async () => ({ ids: [unknownId], set: { status: 'ARCHIVED' } }),
  'products.bulkDelete': async () => ({ ids: [unknownId] }),
  'products.images.create': async () => ({ fileId: unknownId }),
  'productCategories.create': async () => ({ name: `Category ${unique()}` }),
  'productTags.create': async () => ({ name: `Tag ${unique()}` }),
  'productAttributeGroups.create': async () => ({ name: `Group ${unique()}` }),
  'productAttributes.create': async () => ({
    name: 'Weight',
    code: `weight${unique()}`,
    type: 'NUMBER',
  }),
  'productAttributeValues.create': async () => ({ attributeId: unknownId, name: 'Red' }),
  'productAttributeAssignments.create': async () => ({ productId: unknownId, attributeId: unknownId, value: 'x' }),
  'priceLists.create': async () => ({ name: 'Sample list' }),
  'priceListEntries.create': async () => ({ priceListId: unknownId, productId: unknownId, price: '10' }),
  'priceListEntryTiers.create': async () => ({ entryId: unknownId, minQuantity: '1', price: '10' }),
  'dashboards.create': async () => ({ name: 'Sales' }),
  'savedFilters.create': async () => ({ name: 'Hot ones', entityType: 'LEAD', query: { temperature: 'HOT' } }),
  'departments.create': async () => ({ name: `Department ${unique()}` }),
  'pipelines.stages.create': async () => ({ name: `Stage ${unique()}` }),
  'auth.login': async () => ({ email: 'nobody@example.com', password: 'nothing at all' }),
  'auth.reauthenticate': async () => ({ password: 'not the password' }),
  'auth.factors.confirmTotp': async () => ({ code: '000000' }),
  'auth.factors.addPasskey': async () => ({ name: 'Key', response: noPasskey }),
  'auth.factors.renamePasskey': async () => ({ name: 'Key' }),
  'auth.factors.passkeySignIn': async () => ({ response: noPasskey }),
  'auth.factors.secondFactor': async () => ({ method: 'TOTP', code: '000000' }),
  'auth.links.lookAtInvitation': async () => ({ token: 'no such token' }),
  'auth.links.acceptInvitation': async () => ({ token: 'no such token', password: 'a long password' }),
  'auth.links.requestReset': async () => ({ email: 'nobody@example.com' }),
  'auth.links.reset': async () => ({ token: 'no such token', password: 'a long password' }),
  'settings.invitations.create': async () => ({ email: `invited${unique()}@example.com`, roleIds: [] }),
  'auth.password': async () => ({ current: 'not the password', next: 'another long password' }),
  'settings.modules.update': async () => ({ enabled: true }),
  'settings.users.create': async () => ({ email: `user${unique()}@example.com`, password: 'a long password' }),
  'settings.users.handOver.run': async ({ workspace }) => ({ toId: workspace.adminUserId }),
  'settings.roles.create': async () => ({ name: `Role ${unique()}` }),
  'settings.domains.create': async () => ({ domain: `d${newId()}.example` }),
  'settings.identityProviders.create': async () => ({
    slug: 'corp',
    name: 'Corporate',
    issuer: 'https://id.example',
    clientId: 'crm',
  }),
  'settings.scimTokens.create': async () => ({ name: 'Directory', ownerId: unknownId }),
  'settings.apiKeys.create': async () => ({ name: 'Key', scopes: ['VIEW_LEAD'] }),
  'settings.workflows.create': async () => ({ name: 'Workflow', trigger: { type: 'WEBHOOK' } }),
  'settings.automationRules.create': async () => ({
    name: 'Rule',
    trigger: { event: 'lead.created' },
    actions: [{ type: 'WEBHOOK', url: 'https://hooks.example.com/crm' }],
  }),
  'settings.deletedRecords.restore': async () => ({ entityType: 'LEAD' }),
  'settings.channels.create': async () => ({ name: `Channel ${unique()}` }),
  'settings.conversations.create': async (api) => ({
    channelId: await createChannel(api),
    subject: 'A sample',
    body: 'Something said',
  }),
  'settings.conversations.say': async () => ({ body: 'Something said' }),
  'settings.exports.create': async () => ({ entityType: 'LEAD' }),
  'settings.customFields.create': async () => ({
    entityType: 'LEAD',
    key: `field${unique()}`,
    label: 'Field',
    type: 'TEXT',
  }),
  'settings.bookingLinks.create': async () => ({ slug: `link-${unique()}`, name: 'Intro call' }),
  'calendar.events.create': async () => ({
    title: 'Away',
    startAt: '2026-06-02T08:00:00Z',
    endAt: '2026-06-02T09:00:00Z',
  }),
}

function customEntity() {
  return { key: `type_${unique()}`, labels: { singular: 'Sample', plural: 'Samples' } }
}

/** The required query parameters of some lists. */
export const requiredQueries: Readonly<Record<string, string>> = {
  'crm.comments.list': `entityType=LEAD&entityId=${unknownId}`,
  'crm.timeline.list': `entityType=LEAD&entityId=${unknownId}`,
  'search.find': 'q=anything',
  'settings.customEntities.uses': 'field=any',
  'settings.deletedRecords.list': 'entityType=LEAD',
  'prices.resolve': `productId=${unknownId}`,
}

/** A line of 100.00 without tax. */
export const sampleLine = { name: 'Sample work', quantity: '2', unitPrice: '50' }

/** Creates a channel and returns its id. */
async function createChannel({ call, workspace }: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  const answer = await call({
    method: 'POST',
    path: '/api/settings/channels',
    cookie: await workspace.session(),
    body: { name: `Channel ${unique()}`, ...body },
  })
  return answer.body.data.id as string
}

/** Creates a quote and returns its id. */
export async function createQuote(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/quotes', { items: [sampleLine], ...body })
}

/** Creates an order and returns its id. */
export async function createOrder(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/orders', { items: [sampleLine], ...body })
}

/** Creates a draft of an invoice and returns its id. */
export async function createInvoice(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/invoices', { items: [sampleLine], ...body })
}

/** Creates and issues an invoice and returns its id. */
export async function issueInvoice(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  const id = await createInvoice(api, body)
  const answer = await api.call({ method: 'POST', path: `/api/invoices/${id}/issue`, key: api.key })
  if (answer.status !== 200) throw new Error(`The invoice was not issued: ${JSON.stringify(answer.body)}`)
  return id
}

/** Issues an invoice with a payment and returns the ids of both. */
export async function payInvoice(api: ApiUnderTest, amount = '10'): Promise<{ id: string; paymentId: string }> {
  const id = await issueInvoice(api)
  return { id, paymentId: await createRecord(api, `/api/invoices/${id}/payments`, { amount }) }
}

/** Creates a lead and returns its id. */
export async function createLead(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  const answer: CallAnswer = await api.call({
    method: 'POST',
    path: '/api/leads',
    key: api.key,
    body: { lastName: 'Sample', ...body },
  })
  if (answer.status !== 201) throw new Error(`No lead was created: ${JSON.stringify(answer.body)}`)
  return answer.body.data.id as string
}

/** Creates a contact and returns its id. */
export async function createContact(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/contacts', { lastName: 'Sample', ...body })
}

/** Creates a company and returns its id. */
export async function createCompany(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/companies', { name: 'Sample', ...body })
}

/** Creates a deal and returns its id. */
export async function createDeal(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/deals', { name: 'Sample', ...body })
}

/** Creates an activity and returns its id. */
export async function createActivity(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/activities', { type: 'NOTE', ...body })
}

/** Creates a task and returns its id. */
export async function createTask(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/tasks', { title: 'Sample', ...body })
}

/** Creates a project and returns its id. */
export async function createProject(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/projects', { name: 'Sample', ...body })
}

/** Creates a product and returns its id. */
export async function createProduct(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/products', { name: 'Sample', ...body })
}

/** Creates a price list and returns its id. */
export async function createPriceList(api: ApiUnderTest, body: Record<string, unknown> = {}): Promise<string> {
  return createRecord(api, '/api/price-lists', { name: 'Sample', ...body })
}

/** Creates a record at a path and returns its id. */
export async function createRecord(api: ApiUnderTest, path: string, body: Record<string, unknown>): Promise<string> {
  const answer: CallAnswer = await api.call({ method: 'POST', path, key: api.key, body })
  if (answer.status !== 201) throw new Error(`Nothing was created at ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data.id as string
}

/**
 * Returns one way to create a record of each owned kind: the entity type, the path of its list, and a function that creates
 * a record and returns its id.
 */
export function ownedSamples(api: ApiUnderTest): readonly (readonly [KnownEntity, string, () => Promise<string>])[] {
  return [
    ['LEAD', '/api/leads', () => createLead(api)],
    ['CONTACT', '/api/contacts', () => createContact(api)],
    ['COMPANY', '/api/companies', () => createCompany(api)],
    ['DEAL', '/api/deals', () => createDeal(api)],
    ['TASK', '/api/tasks', () => createTask(api)],
    ['PROJECT', '/api/projects', () => createProject(api)],
    ['ACTIVITY', '/api/activities', () => createActivity(api)],
    ['PRODUCT', '/api/products', () => createProduct(api)],
    ['PRICE_LIST', '/api/price-lists', () => createPriceList(api)],
    ['QUOTE', '/api/quotes', () => createQuote(api)],
    ['ORDER', '/api/orders', () => createOrder(api)],
    ['INVOICE', '/api/invoices', () => createInvoice(api)],
    ['DOCUMENT', '/api/documents', () => createRecord(api, '/api/documents', { name: 'Letter', body: 'Dear you' })],
    ...plainSamples.map(
      ({ entity, path, body }) => [entity, path, () => createRecord(api, path, body('Sample'))] as const,
    ),
  ]
}

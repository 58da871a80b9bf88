import { plainSamples, unique } from '@crm/testkit'
import type { DeclaredOperation } from '@crm/contract'
import { newId, schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import type { ApiUnderTest } from './harness.ts'
import {
  createActivity,
  createBodies,
  createCompany,
  createContact,
  createDeal,
  createLead,
  createOrder,
  createPriceList,
  createProduct,
  createProject,
  createQuote,
  createRecord,
  createTask,
  payInvoice,
} from './samples.ts'

type Ids = Readonly<Record<string, string>>

const tinyImage = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Creates a record of a resource and returns the answer. */
async function created(api: ApiUnderTest, resource: string, path: string, { isSetting = false } = {}) {
  const credential = isSetting ? { cookie: await api.workspace.session() } : { key: api.key }
  const { status, body } = await api.call({
    method: 'POST',
    path,
    ...credential,
    body: await bodyOf(api, `${resource}.create`),
  })
  if (status !== 201) throw new Error(`Nothing was created at ${path}: ${JSON.stringify(body)}`)
  return body.data as Ids
}

const at =
  (path: string) =>
  async (api: ApiUnderTest, resource: string): Promise<Ids> => ({
    id: (await created(api, resource, path)).id as string,
  })
const setting =
  (path: string) =>
  async (api: ApiUnderTest, resource: string): Promise<Ids> => ({
    id: (await created(api, resource, path, { isSetting: true })).id as string,
  })

/** The functions that create a record for the paths of a resource, or of one operation. */
const makers: Readonly<Record<string, (api: ApiUnderTest, resource: string) => Promise<Ids>>> = {
  leads: async (api) => ({ id: await createLead(api) }),
  contacts: async (api) => ({ id: await createContact(api) }),
  companies: async (api) => ({ id: await createCompany(api) }),
  deals: async (api) => ({ id: await createDeal(api) }),
  activities: async (api) => ({ id: await createActivity(api) }),
  tasks: async (api) => ({ id: await createTask(api) }),
  'tasks.comments': async (api) => ({ id: await createTask(api) }),
  'tasks.checklist': async (api) => {
    const id = await createTask(api)
    return { id, itemId: await createRecord(api, `/api/tasks/${id}/checklist`, { title: 'Sample item' }) }
  },
  projects: async (api) => ({ id: await createProject(api) }),
  ...Object.fromEntries(plainSamples.map(({ resource, path }) => [resource, at(path)])),
  customEntities: async (api) => ({
    key: (await created(api, 'customEntities', '/api/custom-entities')).key as string,
  }),
  'customEntities.records': async (api) => {
    const { key = '' } = await created(api, 'customEntities', '/api/custom-entities')
    const record = await api.call({
      method: 'POST',
      path: `/api/custom-entities/${key}/records`,
      cookie: await api.workspace.session(),
      body: { title: 'Sample' },
    })
    return { key, id: record.body.data.id as string }
  },
  products: async (api) => ({ id: await createProduct(api) }),
  'products.images': async (api, resource) => {
    const id = await createProduct(api)
    return { id, imageId: (await created(api, resource, `/api/products/${id}/images`)).id as string }
  },
  productCategories: at('/api/product-categories'),
  productTags: at('/api/product-tags'),
  productAttributeGroups: at('/api/product-attribute-groups'),
  productAttributes: at('/api/product-attributes'),
  productAttributeValues: at('/api/product-attribute-values'),
  productAttributeAssignments: at('/api/product-attribute-assignments'),
  priceLists: async (api) => ({ id: await createPriceList(api) }),
  priceListEntries: at('/api/price-list-entries'),
  priceListEntryTiers: at('/api/price-list-entry-tiers'),
  quotes: async (api) => ({ id: await createQuote(api) }),
  orders: async (api) => ({ id: await createOrder(api) }),
  invoices: async (api) => payInvoice(api),
  'invoices.update': at('/api/invoices'),
  numberSequences: at('/api/number-sequences'),
  documents: at('/api/documents'),
  documentRecords: at('/api/document-records'),
  search: async (api) => ({ id: `lead:${await createLead(api)}` }),
  'crm.comments': at('/api/crm/comments'),
  files: async (api) => ({ id: await createRecord(api, '/api/files/upload', await bodyOf(api, 'files.upload')) }),
  pipelines: at('/api/pipelines'),
  'pipelines.stages': async (api, resource) => {
    const { id: pipelineId = '' } = await created(api, 'pipelines', '/api/pipelines')
    return { pipelineId, id: (await created(api, resource, `/api/pipelines/${pipelineId}/stages`)).id as string }
  },
  leadSources: at('/api/lead-sources'),
  industries: at('/api/industries'),
  units: at('/api/units'),
  taxRates: at('/api/tax-rates'),
  departments: at('/api/departments'),
  savedFilters: at('/api/saved-filters'),
  dashboards: at('/api/dashboards'),
  employees: async (api) => ({ id: (await api.workspace.employee()).id }),
  'settings.users': async (api) => ({ id: (await api.workspace.employee()).id }),
  'auth.factors': async ({ workspace: { workspaceId, adminUserId }, db }) => {
    const id = newId()
    const values = {
      workspaceId,
      id,
      employeeId: adminUserId,
      name: 'Key',
      credentialId: id,
      publicKey: Buffer.from(''),
    }
    await db.insert(schema.passkeys).values(values)
    return { id }
  },
  'settings.users.signIn': async (api) => ({ id: (await api.workspace.employee()).id }),
  'settings.invitations': setting('/api/settings/invitations'),
  'settings.users.sessions': async ({ workspace, db }) => {
    const { id } = await workspace.employee()
    await workspace.session(id)
    const [session] = await db.select().from(schema.sessions).where(eq(schema.sessions.employeeId, id))
    return { id, sessionId: session?.id ?? '' }
  },
  'settings.roles': setting('/api/settings/roles'),
  'settings.apiKeys': async (api) => ({ id: (await api.workspace.apiKey()).id }),
  'settings.domains': setting('/api/settings/domains'),
  'settings.identityProviders': async ({ workspace, db }) => {
    const { workspaceId } = workspace
    const facts = { name: 'Corporate', issuer: 'https://id.example', clientId: 'crm', authMethod: 'none' as const }
    const id = newId()
    await db.insert(schema.identityProviders).values({ workspaceId, id, slug: id.slice(-12), scopes: [], ...facts })
    return { id }
  },
  'settings.customFields': setting('/api/settings/custom-fields'),
  'settings.customEntities': setting('/api/settings/custom-entities'),
  'settings.bookingLinks': setting('/api/settings/booking-links'),
  'settings.workflows': setting('/api/settings/workflows'),
  'settings.automationRules': setting('/api/settings/automation-rules'),
  'settings.channels': setting('/api/settings/channels'),
  'settings.conversations': setting('/api/settings/conversations'),
  'settings.exports': setting('/api/settings/exports'),
  'calendar.events': setting('/api/calendar/events'),
  'calendar.subscriptions': async (api, resource) => {
    // A person has few of them.
    const { workspaceId } = api.workspace
    await api.db.delete(schema.calendarSubscriptions).where(eq(schema.calendarSubscriptions.workspaceId, workspaceId))
    return setting('/api/calendar/subscriptions')(api, resource)
  },
}

/** Returns values for the path of an operation that name a new record; none where the resource has no records of its own. */
export async function targetOf(api: ApiUnderTest, { id, resource: { name } }: DeclaredOperation): Promise<Ids> {
  return (await (makers[id] ?? makers[name])?.(api, name)) ?? {}
}

const uniqueCode = (): string => `code${unique()}`
const newAttribute = async (api: ApiUnderTest, type: string): Promise<string> =>
  createRecord(api, '/api/product-attributes', { name: 'Sample', code: uniqueCode(), type })
const newEntry = async (api: ApiUnderTest) => ({
  priceListId: await createPriceList(api),
  productId: await createProduct(api),
  price: '10',
})

/** Bodies that name existing records, where the bodies of the samples name none. */
const bodiesWithRecords: Readonly<Record<string, (api: ApiUnderTest) => Promise<Record<string, unknown>>>> = {
  'leads.bulkUpdate': async (api) => ({ ids: [await createLead(api)], set: { temperature: 'HOT' } }),
  'leads.merge': async (api) => ({ sourceIds: [await createLead(api)] }),
  'contacts.bulkUpdate': async (api) => ({ ids: [await createContact(api)], set: { jobTitle: 'Buyer' } }),
  'contacts.merge': async (api) => ({ sourceIds: [await createContact(api)] }),
  'companies.bulkUpdate': async (api) => ({ ids: [await createCompany(api)], set: { size: '11-50' } }),
  'companies.merge': async (api) => ({ sourceIds: [await createCompany(api)] }),
  'deals.bulkUpdate': async (api) => ({ ids: [await createDeal(api)], set: { lostReason: 'Price' } }),
  'tasks.bulkUpdate': async (api) => ({ ids: [await createTask(api)], set: { priority: 'HIGH' } }),
  'products.bulkUpdate': async (api) => ({ ids: [await createProduct(api)], set: { status: 'ARCHIVED' } }),
  'products.images.create': async (api) => ({
    fileId: await createRecord(api, '/api/files/upload', {
      filename: 'a.png',
      contentType: 'image/png',
      contentBase64: tinyImage,
    }),
  }),
  'productAttributeValues.create': async (api) => ({ attributeId: await newAttribute(api, 'SELECT'), name: 'Red' }),
  'productAttributeAssignments.create': async (api) => ({
    productId: await createProduct(api),
    attributeId: await newAttribute(api, 'TEXT'),
    value: 'Sample',
  }),
  'priceListEntries.create': newEntry,
  'priceListEntryTiers.create': async (api) => ({
    entryId: await createRecord(api, '/api/price-list-entries', await newEntry(api)),
    minQuantity: '5',
    price: '1',
  }),
  'documentRecords.create': async (api) => ({
    documentId: await createRecord(api, '/api/documents', { name: 'Letter', body: 'Dear {{record.name}}' }),
    entityType: 'LEAD',
    entityId: await createLead(api),
  }),
  'pipelines.transfer': async (api) => ({
    toPipelineId: await createRecord(api, '/api/pipelines', { name: `Pipeline ${unique()}`, entityType: 'LEAD' }),
    stageMap: {},
  }),
  'calendar.subscriptions.create': async () => ({ name: 'Private', url: 'https://calendar.example.com/a.ics' }),
}

/** Returns a new body that an operation accepts, for each call. */
export async function bodyOf(api: ApiUnderTest, id: string): Promise<Record<string, unknown>> {
  return (await (bodiesWithRecords[id] ?? createBodies[id])?.(api)) ?? {}
}

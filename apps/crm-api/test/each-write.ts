import type { DeclaredOperation } from '@crm/contract'
import { unique } from '@crm/testkit'
import type { ApiUnderTest } from './harness.ts'
import {
  createCompany,
  createContact,
  createDeal,
  createInvoice,
  createLead,
  createOrder,
  createProduct,
  createQuote,
  createTask,
  issueInvoice,
} from './samples.ts'
import { bodyOf, targetOf } from './targets.ts'

type Ids = Readonly<Record<string, string>>

/** A request of a write that does something, as a preview takes it. */
export interface WriteRequest {
  readonly operation: string
  readonly params: Ids
  readonly body?: object
}

/** Patches that differ from what the samples make. */
const patches: Readonly<Record<string, object>> = {
  'contacts.update': { lastName: 'Changed' },
  'leads.update': { lastName: 'Changed' },
  'tasks.update': { title: 'Changed' },
  'activities.update': { subject: 'Changed' },
  'tasks.checklist.update': { title: 'Changed' },
  'customEntities.update': { labels: { singular: 'Car', plural: 'Cars' } },
  'customEntities.records.update': { title: 'Changed' },
  'products.images.update': { position: 3 },
  'productAttributeAssignments.update': { value: 'Changed' },
  'priceListEntries.update': { price: '77' },
  'priceListEntryTiers.update': { price: '7' },
  'quotes.update': { notes: 'Changed' },
  'orders.update': { notes: 'Changed' },
  'invoices.update': { notes: 'Changed' },
  'documentRecords.update': { title: 'Changed' },
  'crm.comments.update': { body: 'Changed' },
  'files.update': { name: 'changed.png' },
  'currencies.update': { rate: '1.5' },
  'taxRates.update': { name: 'Changed' },
  'organization.update': { name: 'Changed' },
}

export async function did(
  { call, key }: ApiUnderTest,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body: object = {},
) {
  const answer = await call({ method, path, key, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** A currency that nothing uses. */
async function currency(api: ApiUnderTest): Promise<Ids> {
  const { body } = await api.call({ path: '/api/currencies', key: api.key })
  const known = (body.data as { id: string; code: string }[]).find(({ code }) => code === 'CHF')
  const made = () => did(api, 'POST', '/api/currencies', { code: 'CHF', name: 'Franc', rate: '1.1' })
  return { id: known?.id ?? (await made()).data.id }
}

async function sentQuote(api: ApiUnderTest): Promise<Ids> {
  const id = await createQuote(api)
  await did(api, 'POST', `/api/quotes/${id}/send`, { to: ['buyer@example.com'] })
  return { id }
}

async function acceptedQuote(api: ApiUnderTest): Promise<Ids> {
  const { id = '' } = await sentQuote(api)
  await did(api, 'POST', `/api/quotes/${id}/accept`)
  return { id }
}

async function confirmedOrder(api: ApiUnderTest): Promise<Ids> {
  const id = await createOrder(api)
  await did(api, 'POST', `/api/orders/${id}/confirm`)
  return { id }
}

async function stageOfTwo(api: ApiUnderTest): Promise<Ids> {
  const { data } = await did(api, 'POST', '/api/pipelines', { name: `Pipeline ${unique()}`, entityType: 'LEAD' })
  const path = `/api/pipelines/${data.id}/stages`
  await did(api, 'POST', path, { name: 'First' })
  return { pipelineId: data.id, id: (await did(api, 'POST', path, { name: 'Second' })).data.id }
}

const draft = async (api: ApiUnderTest): Promise<Ids> => ({ id: await createInvoice(api) })

/** Records in the state that some verbs need. */
const targets: Readonly<Record<string, (api: ApiUnderTest) => Promise<Ids>>> = {
  'invoices.issue': draft,
  'invoices.send': draft,
  'invoices.delete': draft,
  'invoices.void': async (api) => ({ id: await issueInvoice(api) }),
  'currencies.update': currency,
  'currencies.delete': currency,
  'undo.run': async (api) => ({ undoId: (await did(api, 'DELETE', `/api/leads/${await createLead(api)}`)).undoId }),
  'quotes.accept': sentQuote,
  'quotes.decline': sentQuote,
  'quotes.convert': acceptedQuote,
  'orders.fulfil': confirmedOrder,
  'orders.invoice': confirmedOrder,
  'pipelines.stages.delete': stageOfTwo,
}

/** Bodies that name records of ours. */
const bodies: Readonly<Record<string, (api: ApiUnderTest) => Promise<object>>> = {
  'leads.bulkDelete': async (api) => ({ ids: [await createLead(api)] }),
  'contacts.bulkDelete': async (api) => ({ ids: [await createContact(api)] }),
  'companies.bulkDelete': async (api) => ({ ids: [await createCompany(api)] }),
  'deals.bulkDelete': async (api) => ({ ids: [await createDeal(api)] }),
  'tasks.bulkDelete': async (api) => ({ ids: [await createTask(api)] }),
  'products.bulkDelete': async (api) => ({ ids: [await createProduct(api)] }),
}

/** Returns a request of a write that does something, with new records that it names. */
export async function requestOf(api: ApiUnderTest, one: DeclaredOperation): Promise<WriteRequest> {
  const { id: operation, key } = one
  const params = await (targets[operation]?.(api) ?? targetOf(api, one))
  const given = await (bodies[operation]?.(api) ?? bodyOf(api, operation))
  const body = patches[operation] ?? (key === 'update' ? { name: 'Changed' } : given)
  return { operation, params, ...(one.operation.body ? { body } : {}) }
}

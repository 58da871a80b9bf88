import { publicContract } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { httpRequestOf, toolCatalogue, WrongKindError, type ToolArguments } from './index.ts'

const catalogue = toolCatalogue(publicContract)
const id = '0197b2f0-0000-7000-8000-000000000001'

function requestOf(name: string, args: ToolArguments) {
  const tool = catalogue.find(name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return httpRequestOf(tool, args)
}
const queryOf = (name: string, args: ToolArguments) => Object.fromEntries(requestOf(name, args).query)
const bodyOf = (name: string, args: ToolArguments) => requestOf(name, args).body

describe('ids', () => {
  it('may name their kind, as search gives them, at every depth', () => {
    expect(requestOf('leads_get', { id: `lead:${id}` }).path).toBe(`/api/leads/${id}`)
    expect(queryOf('deals_list', { companyId: `company:${id},none`, ownerId: [`employee:${id}`, 'me'] })).toEqual({
      companyId: `${id},none`,
      ownerId: `${id},me`,
    })
    expect(
      bodyOf('tasks_create', {
        title: 'T',
        parentTaskId: `task:${id}`,
        assigneeId: `employee:${id}`,
        memberIds: [`employee:${id}`],
        links: [{ entityType: 'deal', entityId: `deal:${id}` }],
      }),
    ).toEqual({
      title: 'T',
      parentTaskId: id,
      assigneeId: id,
      memberIds: [id],
      links: [{ entityType: 'DEAL', entityId: id }],
    })
    expect(bodyOf('leads_convert', { id: `lead:${id}`, contact: { mode: 'existing', id: `contact:${id}` } })).toEqual({
      contact: { mode: 'EXISTING', id },
    })
    expect(bodyOf('leads_merge', { id, sourceIds: [`lead:${id}`] })).toEqual({ sourceIds: [id] })
    expect(requestOf('custom_entities_records_get', { key: 'vehicle', id: `vehicle:${id}` }).path).toBe(
      `/api/custom-entities/vehicle/records/${id}`,
    )
  })

  it.each([
    ['leads_get', { id: `deal:${id}` }],
    ['custom_entities_records_get', { key: 'vehicle', id: `lead:${id}` }],
    ['deals_list', { companyId: [id, `contact:${id}`] }],
    ['tasks_create', { title: 'T', links: [{ entityType: 'DEAL', entityId: `lead:${id}` }] }],
    ['leads_convert', { id, contact: { mode: 'EXISTING', id: `company:${id}` } }],
    ['crm_comments_get', { id: `lead:${id}` }],
  ])('of %s of another kind are refused', (name, args) => {
    expect(() => requestOf(name, args)).toThrow(WrongKindError)
  })

  it('that are none are left to the API, and texts are no ids', () => {
    expect(requestOf('leads_get', { id: 'lead:1' }).path).toBe('/api/leads/lead%3A1')
    expect(requestOf('fetch', { id: `lead:${id}` }).path).toBe(`/api/search/lead%3A${id}`)
    expect(bodyOf('leads_create', { description: `deal:${id}` })).toEqual({ description: `deal:${id}` })
    expect(queryOf('leads_list', { search: `deal:${id}` })).toEqual({ search: `deal:${id}` })
  })
})

describe('values', () => {
  it('may be numbers where decimal strings are meant, and stay numbers elsewhere', () => {
    expect(
      bodyOf('deals_create', { name: 'D', amount: 1200.5, probability: 40, items: [{ name: 'I', quantity: 2 }] }),
    ).toEqual({ name: 'D', amount: '1200.5', probability: 40, items: [{ name: 'I', quantity: '2' }] })
    expect(bodyOf('deals_update', { id, amount: null })).toEqual({ amount: null })
    expect(bodyOf('invoices_record_payment', { id, amount: 12 })).toEqual({ amount: '12' })
    expect(bodyOf('currencies_create', { code: 'USD', rate: 0.9 })).toEqual({ code: 'USD', rate: '0.9' })
    expect(bodyOf('leads_create', { firstName: 7, lastName: 1.5 })).toEqual({ firstName: '7', lastName: 1.5 })
    expect(queryOf('deals_list', { amountMin: 10_000 })).toEqual({ amountMin: '10000' })
  })

  it('may be known words in any case, and lists of them', () => {
    expect(queryOf('leads_list', { status: ['new', 'In_Progress'], sortBy: 'createdat', sortOrder: 'DESC' })).toEqual({
      status: 'NEW,IN_PROGRESS',
      sortBy: 'createdAt',
      sortOrder: 'desc',
    })
    expect(queryOf('leads_list', { temperature: 'hot, NONE' })).toEqual({ temperature: 'HOT,none' })
    expect(queryOf('leads_list', { status: '["new","qualified"]' })).toEqual({ status: 'NEW,QUALIFIED' })
    expect(queryOf('deals_summary', { groupBy: ['stageId', 'closedAt:month'], status: 'open' })).toEqual({
      groupBy: 'stageId,closedAt:month',
      status: 'OPEN',
    })
    expect(bodyOf('activities_create', { type: 'call', direction: 'out' })).toEqual({ type: 'CALL', direction: 'OUT' })
    expect(queryOf('crm_timeline_list', { entityType: 'price list', entityId: `price_list:${id}` })).toEqual({
      entityType: 'PRICE_LIST',
      entityId: id,
    })
  })

  it('that are unknown words are left as they are, for the API to refuse', () => {
    expect(queryOf('leads_list', { status: 'neww' })).toEqual({ status: 'neww' })
    expect(queryOf('leads_list', { status: 'in progress' })).toEqual({ status: 'IN_PROGRESS' })
    expect(bodyOf('activities_create', { type: 'toString' })).toEqual({ type: 'toString' })
  })
})

import { describe, expect, it } from 'vitest'
import { ownApi } from './harness.ts'
import {
  createActivity,
  createDeal,
  createInvoice,
  createLead,
  createOrder,
  createQuote,
  createTask,
} from './samples.ts'

const api = await ownApi()
const { call, key, clock } = api
const hour = 3_600_000
const inHours = (hours: number): string => new Date(clock.now().getTime() + hours * hour).toISOString()
const onLead = (entityId: string) => [{ entityType: 'LEAD', entityId }]

// Days are computed from the time of the machine, so the last lead is created at that time.
clock.advance(-48 * hour)

/** Leads in the order of their creation, each named after its part in the tests. */
await createLead(api, { lastName: 'silent' })
clock.advance(48 * hour)
const called = await createLead(api, { lastName: 'called' })
await createActivity(api, { type: 'CALL', endAt: inHours(-1), links: onLead(called) })
const backdated = await createLead(api, { lastName: 'backdated' })
await createActivity(api, { type: 'CALL', endAt: inHours(-24 * 40), links: onLead(backdated) })
const busy = await createLead(api, { lastName: 'busy' })
await createTask(api, { dueAt: inHours(-2), links: onLead(busy) })
const planned = await createLead(api, { lastName: 'planned' })
await createTask(api, { dueAt: inHours(30), links: onLead(planned) })
await createTask(api, { links: onLead(called) })

const names = async (query: string, path = '/api/leads') => {
  const { status, body } = await call({ path: `${path}?${query}`, key })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.total).toBe(body.items.length)
  return body.items.map((item: { lastName: string }) => item.lastName)
}

const time = encodeURIComponent

describe('leads by what happens with them', () => {
  it.each([
    ['lastActivity=never', ['planned', 'busy', 'silent']],
    [`lastActivityFrom=${time(inHours(-2))}`, ['called']],
    ['lastActivityTo=-30d', ['backdated']],
    [`inactiveSince=${time(inHours(-3))}`, ['backdated', 'silent']],
    ['inactiveSince=-30d', ['backdated']],
    ['inactiveSince=1d', ['planned', 'busy', 'backdated', 'called', 'silent']],
    ['inactiveSince=-30d&search=silent', []],
    ['hasOpenTask=true', ['planned', 'busy', 'called']],
    ['hasOpenTask=false', ['backdated', 'silent']],
    ['hasOverdueTask=true', ['busy']],
    ['hasOverdueTask=false', ['planned', 'backdated', 'called', 'silent']],
    [`nextTaskFrom=${time(inHours(1))}`, ['planned']],
    [`nextTaskTo=${time(inHours(1))}`, ['busy']],
    [`stageChangedTo=${time(inHours(-40))}`, ['silent']],
    [`stageChangedFrom=${time(inHours(-40))}&hasOpenTask=false`, ['backdated']],
    ['isRotting=true', []],
    ['convertedFrom=-50y', []],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
    // The second request uses the remembered total.
    expect(await names(query)).toEqual(expected)
    const { body } = await call({ path: `/api/leads/summary?${query}`, key })
    expect(body.totals).toEqual({ count: expected.length })
    const rehearsal = await call({
      method: 'PATCH',
      path: '/api/leads',
      key,
      body: {
        filter: Object.fromEntries(new URLSearchParams(query)),
        set: { temperature: 'HOT' },
        dryRun: true,
        expectedCount: expected.length,
      },
    })
    expect(rehearsal).toMatchObject({ status: 200, body: { data: { matched: expected.length } } })
  })

  it('page by page where some were made after the day and others before it', async () => {
    const since = time(inHours(-3))
    const pageOf = async (n: number, sortOrder: string) => {
      const query = `inactiveSince=${since}&sortOrder=${sortOrder}&pageSize=1&page=${n}`
      const { items, total } = (await call({ path: `/api/leads?${query}`, key })).body
      expect(total).toBe(2)
      return items.map(({ lastName }: { lastName: string }) => lastName)
    }
    expect([await pageOf(1, 'desc'), await pageOf(2, 'desc')]).toEqual([['backdated'], ['silent']])
    expect([await pageOf(1, 'asc'), await pageOf(2, 'asc')]).toEqual([['silent'], ['backdated']])
  })

  it('page by page, with those whose last activity is older than they are among them', async () => {
    const page = async (n: number) =>
      (await call({ path: `/api/leads?inactiveSince=1d&pageSize=2&page=${n}`, key })).body
    const pages = [await page(1), await page(2), await page(3)]
    expect(pages.flatMap(({ items }) => items.map(({ lastName }: { lastName: string }) => lastName))).toEqual([
      'planned',
      'busy',
      'backdated',
      'called',
      'silent',
    ])
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5])
  })

  it.each([
    ['lastActivityAt', 'asc', ['backdated', 'called']],
    ['lastActivityAt', 'desc', ['called', 'backdated']],
    ['nextTaskAt', 'asc', ['busy', 'planned']],
    ['nextTaskAt', 'desc', ['planned', 'busy']],
  ])('sorted by %s %s, those without one last', async (sortBy, sortOrder, expected) => {
    expect((await names(`sortBy=${sortBy}&sortOrder=${sortOrder}`)).slice(0, 2)).toEqual(expected)
  })

  it('sorted by stageChangedAt', async () => {
    expect((await names('sortBy=stageChangedAt&sortOrder=asc'))[0]).toBe('silent')
  })

  it('by a saved filter, which keeps the words', async () => {
    const { body } = await call({
      method: 'POST',
      path: '/api/saved-filters',
      key,
      body: { name: 'Left alone', entityType: 'LEAD', query: { inactiveSince: '-30d', hasOpenTask: 'false' } },
    })
    expect(body.data.query.inactiveSince).toBe('-30d')
    expect(await names(`savedFilterId=${body.data.id}`)).toEqual(['backdated'])
  })

  it.each([
    ['inactiveSince=now', 'inactiveSince'],
    ['inactiveSince=-1x', 'inactiveSince'],
    ['lastActivityFrom=startOfDecade', 'lastActivityFrom'],
    ['lastActivity=always', 'lastActivity'],
    ['hasOverdueTask=yes', 'hasOverdueTask'],
    ['isRotting=1', 'isRotting'],
    ['sortBy=rottingAt', 'sortBy'],
  ])('400 for %s', async (query, param) => {
    expect(await call({ path: `/api/leads?${query}`, key })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY_PARAM', details: { param } },
    })
  })
})

describe('other lists', () => {
  it('deals by when they were closed', async () => {
    const won = await createDeal(api, { name: 'won', status: 'WON' })
    await createDeal(api, { name: 'open' })
    const found = async (query: string) =>
      (await call({ path: `/api/deals?${query}`, key })).body.items.map(({ id }: { id: string }) => id)
    expect([await found('closedFrom=today'), await found('closedTo=-1d')]).toEqual([[won], []])
  })

  it('leads by when they were converted', async () => {
    const id = await createLead(api, { lastName: 'converted' })
    await call({ method: 'POST', path: `/api/leads/${id}/convert`, key, body: {} })
    expect(await names('convertedFrom=today&convertedTo=today')).toEqual(['converted'])
  })

  it('tasks by when they were completed, and overdue ones', async () => {
    const done = await createTask(api, { title: 'done', status: 'DONE', dueAt: inHours(-1) })
    const overdue = await createTask(api, { title: 'overdue', dueAt: inHours(-1) })
    const found = async (query: string) =>
      (await call({ path: `/api/tasks?${query}`, key })).body.items.map(({ id }: { id: string }) => id)
    expect(await found('completedFrom=today&completedTo=today')).toEqual([done])
    const late = await found('isOverdue=true')
    expect([late.includes(overdue), late.includes(done)]).toEqual([true, false])
    expect(await found('isOverdue=false')).toContain(done)
    clock.advance(31 * hour)
    expect((await found('isOverdue=true')).length).toBe(late.length + 1)
    clock.advance(-31 * hour)
  })

  it.each([
    ['/api/quotes', createQuote],
    ['/api/orders', createOrder],
    ['/api/invoices', createInvoice],
  ])('%s by the date of issue', async (path, create) => {
    const id = await create(api, { issueDate: '2026-03-05' })
    await create(api, { issueDate: '2026-04-05' })
    const { body } = await call({ path: `${path}?issueFrom=2026-03-01&issueTo=2026-03-31`, key })
    expect(body).toMatchObject({ total: 1, items: [{ id }] })
  })
})

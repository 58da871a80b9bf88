import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { movingInto } from '../../../test/moving.ts'

const api = await ownApi()
const { app, call, newWorkspace } = api
const jobs = await jobsUnderTest(api)
const moving = movingInto(api, jobs)
type Workspace = Awaited<ReturnType<typeof newWorkspace>>

async function posting(workspace: Workspace) {
  const { key } = await workspace.apiKey()
  return async (path: string, body: object) => {
    const made = await call({ method: 'POST', path, key, body }, workspace)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body.data.id as string
  }
}

async function exported(workspace: Workspace, what: { entityType: string } | { kind: 'WORKSPACE' }, part?: string) {
  const cookie = await workspace.session()
  const asked = await call({ method: 'POST', path: '/api/settings/exports', cookie, body: what }, workspace)
  expect(asked.status, JSON.stringify(asked.body)).toBe(201)
  await jobs.settled()
  const url = `/api/settings/exports/${asked.body.data.id}/file${part === undefined ? '' : `?part=${part}`}`
  const { rawPayload } = await app.inject({ method: 'GET', url, headers: { host: workspace.host, cookie } })
  return new Uint8Array(rawPayload)
}

/** What a round trip may change: ids, and what the service writes of each change. */
const own =
  /^(id|version|createdAt|updatedAt|createdById|ownerId|.*Id|.*Ids|external.*|lastActivityAt|stageEnteredAt|.*Count|next.*|sortOrder|position|links)$/

const paths = {
  COMPANY: '/api/companies',
  CONTACT: '/api/contacts',
  LEAD: '/api/leads',
  DEAL: '/api/deals',
  PRODUCT: '/api/products',
  PROJECT: '/api/projects',
  TASK: '/api/tasks',
  ACTIVITY: '/api/activities',
} as const

/** Returns a value without ids and what else is the service's own, in lines as well. */
function withoutOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (own.test(name) ? [] : [[name, withoutOwn(one)]])),
  )
}

/** The lines of records, which stand in files of their own. */
const parts = [
  ['DEAL', 'items'],
  ['TASK', 'checklist'],
  ['ACTIVITY', 'participants'],
] as const

async function expectSame(to: Workspace, from: Workspace) {
  for (const path of Object.values(paths)) expect(await seen(to, path), path).toEqual(await seen(from, path))
  const lists = await checklists(from)
  expect(lists).toMatchObject([[{ title: 'Find the number' }, { title: 'Call, then write', isDone: true }]])
  expect(await checklists(to)).toEqual(lists)
  const [product] = await readAll(to, '/api/products')
  const lines = (await readAll(to, '/api/deals')).flatMap(({ items }) => items as { productId: string | null }[])
  expect(lines.map(({ productId }) => productId)).toEqual([product?.['id'], null])
}

async function readAll(workspace: Workspace, path: string, order = ''): Promise<Record<string, unknown>[]> {
  const { key } = await workspace.apiKey()
  return (await call({ path: `${path}?pageSize=100${order}`, key }, workspace)).body.items
}

async function seen(workspace: Workspace, path: string) {
  return (await readAll(workspace, path))
    .map(withoutOwn)
    .toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
}

async function checklists(workspace: Workspace) {
  const { key } = await workspace.apiKey()
  const tasks = await readAll(workspace, '/api/tasks')
  const lists = tasks.map(
    async ({ id }) => (await call({ path: `/api/tasks/${String(id)}/checklist`, key }, workspace)).body.items,
  )
  return withoutOwn(await Promise.all(lists))
}

/** Returns a workspace with a record of each kind that can be moved. */
async function filled(): Promise<Workspace> {
  const from = await newWorkspace()
  const post = await posting(from)
  const company = await post('/api/companies', {
    name: 'Harbour Works',
    domain: 'harbour.example',
    email: 'office@harbour.example',
    phone: '+4940123456',
    website: 'https://harbour.example',
    billingAddress: { line1: 'Quay 1', postalCode: '01067', city: 'Hamburg', country: 'Germany' },
    tags: ['port', 'big', 'Berlin, Mitte', 'a;b', '5" pipe', '"quoted"'],
    description: 'Two lines,\nand a "quote"; =1+1',
  })
  await post('/api/companies', { name: 'Dock', parentId: company })
  const contact = await post('/api/contacts', {
    firstName: 'Jürgen',
    lastName: 'Łódź-İlker',
    email: 'j@harbour.example',
    emails: ['b@harbour.example', 'c@harbour.example'],
    phone: '+4930123456',
    phones: ['+4930654321'],
    birthday: '1990-04-03',
    address: { line1: 'Hauptstr. 1', postalCode: '01067', city: 'Dresden', country: 'Germany' },
    messengers: [{ type: 'SIGNAL', handle: 'ada;b, c' }],
    companyId: company,
    tags: ['vip'],
  })
  const lead = await post('/api/leads', {
    firstName: 'Rita',
    lastName: 'New',
    email: 'rita@new.example',
    companyName: 'New GmbH',
    temperature: 'HOT',
  })
  await post('/api/deals', {
    name: '-Crane',
    amount: '12500.50',
    currency: 'EUR',
    companyId: company,
    contactId: contact,
    expectedCloseDate: '2026-12-24',
    tags: ['crane'],
  })
  const { key } = await from.apiKey()
  const converted = await call({ method: 'POST', path: `/api/leads/${lead}/convert`, key, body: {} }, from)
  expect(converted.status, JSON.stringify(converted.body)).toBe(200)
  const anvil = await post('/api/products', { name: 'Anvil', sku: '007', basePrice: '12.50', description: 'Heavy' })
  const project = await post('/api/projects', { name: 'Quay', startDate: '2026-01-02' })
  await post('/api/deals', {
    name: 'With lines',
    currency: 'EUR',
    companyId: company,
    items: [
      { productId: anvil, name: 'Anvil', quantity: '3', unitPrice: '12.50' },
      { name: '=Delivery, "by hand"', quantity: '1.5', unitPrice: '100.10', discount: '0.10' },
    ],
  })
  await post('/api/activities', {
    type: 'CALL',
    subject: 'First call',
    startAt: '2026-11-02T09:00:00.000Z',
    participants: [
      { name: 'Jürgen', email: 'j@harbour.example', entityType: 'CONTACT', entityId: contact },
      { name: 'Somebody else' },
    ],
    links: [{ entityType: 'COMPANY', entityId: company }],
  })
  await post('/api/activities', { type: 'NOTE', subject: 'Without a time' })
  await post('/api/tasks', {
    title: 'Call',
    checklist: [{ title: 'Find the number' }, { title: 'Call, then write', isDone: true }],
    dueAt: '2026-12-24T10:00:00.000Z',
    priority: 'HIGH',
    projectId: project,
    links: [{ entityType: 'CONTACT', entityId: contact }],
  })

  return from
}

it('what was exported makes the same records in another workspace', async () => {
  const from = await filled()
  const files = []
  for (const entityType of Object.keys(paths))
    files.push({ name: `${entityType.toLowerCase()}.csv`, content: await exported(from, { entityType }) })
  // The lines come before their records, which makes no difference.
  for (const [entityType, part] of parts)
    files.unshift({ name: `${part}.csv`, content: await exported(from, { entityType }, part) })
  const to = await newWorkspace()
  const brought = await moving.bring(to, files)
  const done = await moving.go(to, brought.id, 'start')
  expect(done.result, JSON.stringify(done.result)).toMatchObject({ created: 14, failed: 0, merged: 6 })
  for (const { problems } of done.result.files) expect(problems).toEqual([])
  await expectSame(to, from)
  const { key } = await to.apiKey()
  const [lead] = (await call({ path: '/api/leads?expand=contact,company', key }, to)).body.items
  const deal = (await call({ path: `/api/deals/${lead.dealId}`, key }, to)).body.data
  expect([lead.contact.name, lead.company.name, deal.leadId]).toEqual(['Rita New', 'New GmbH', lead.id])
  const { items } = (await call({ path: '/api/deals?expand=company,contact,stage', key }, to)).body
  expect(items.filter(({ leadId }: { leadId: string | null }) => leadId === null)).toMatchObject([
    { company: { name: 'Harbour Works' }, contact: null },
    { company: { name: 'Harbour Works' }, contact: { name: 'Jürgen Łódź-İlker' } },
  ])
  const parents = (await call({ path: '/api/companies?expand=parent', key }, to)).body.items
  expect(parents.map(({ parent }: { parent: { name: string } | null }) => parent?.name ?? null).toSorted()).toEqual([
    'Harbour Works',
    null,
    null,
  ])
})

it('the archive of a whole workspace makes the same records in another one', async () => {
  const from = await filled()
  const to = await newWorkspace()
  const brought = await moving.bring(to, [
    { name: 'workspace.zip', content: await exported(from, { kind: 'WORKSPACE' }) },
  ])
  const files = brought.plan.files as {
    name: string
    kind: string | null
    part: object | null
    problemCode: string | null
  }[]
  expect(files.filter(({ kind }) => kind !== null)).toHaveLength(Object.keys(paths).length)
  expect(files.filter(({ part }) => part !== null).map(({ part }) => part)).toEqual(
    expect.arrayContaining(parts.map(([kind, field]) => ({ kind, field }))),
  )
  expect(new Set(files.map(({ problemCode }) => problemCode))).toEqual(new Set([null, 'OTHER_RECORDS', 'LEFT_OUT']))
  const done = await moving.go(to, brought.id, 'start')
  for (const { problems } of done.result.files) expect(problems).toEqual([])
  expect(done.result, JSON.stringify(done.result)).toMatchObject({ created: 14, failed: 0, merged: 6 })
  await expectSame(to, from)
})

describe('lines of deals in a file of their own', () => {
  const deals = 'id,name,currency\nd-1,Crane,EUR\nd-2,Quay,EUR\n'
  const header = 'dealId,productId,name,quantity,unitPrice,discount'
  const items = `${header}\nd-1,,Hook,2,10.00,0\nd-2,gone,Rope,1,5.00,0\nd-1,,Chain,1,,\nd-9,,Nobody's,1,1,0\n`

  it('fill the deals of the same import, those of others are named, and a second start changes nothing', async () => {
    const to = await newWorkspace()
    const brought = await moving.bring(to, [
      { name: 'deals-items.csv', content: items },
      { name: 'deals.csv', content: deals },
    ])
    expect(brought.plan.files).toMatchObject([
      { kind: null, part: { kind: 'DEAL', field: 'items' }, rows: 4, problem: null },
      { kind: 'DEAL', part: null },
    ])
    const tried = await moving.go(to, brought.id, 'check')
    expect(tried.result).toMatchObject({ created: 2, merged: 3, failed: 1 })
    expect(await readAll(to, '/api/deals')).toEqual([])
    const done = await moving.go(to, brought.id, 'start')
    expect(done.result).toMatchObject({ created: 2, merged: 3, failed: 1 })
    const [ofLines, ofDeals] = done.result.files
    expect(ofLines.problems).toMatchObject([{ line: 5, code: 'NOT_FOUND', values: { to: 'DEAL', text: 'd-9' } }])
    expect(ofDeals.problems).toMatchObject([{ line: 3, field: 'items', isRow: false, values: { text: 'gone' } }])
    const known = await readAll(to, '/api/deals', '&sortBy=name&sortOrder=asc')
    expect(known).toMatchObject([
      {
        name: 'Crane',
        amount: '20.00',
        items: [
          { name: 'Hook', quantity: '2' },
          { name: 'Chain', unitPrice: '0' },
        ],
      },
      { name: 'Quay', amount: '5.00', items: [{ name: 'Rope', productId: null }] },
    ])
    const again = await moving.go(to, brought.id, 'start')
    expect(again.result).toMatchObject({ created: 0, updated: 0, merged: 3 })
    expect(await readAll(to, '/api/deals', '&sortBy=name&sortOrder=asc')).toEqual(known)
  })

  it('are refused with their deal where they are none', async () => {
    const to = await newWorkspace()
    const wrong = `${header}\nd-1,,Hook,many,10.00,0\n`
    const brought = await moving.bring(to, [
      { name: 'deals.csv', content: deals },
      { name: 'items.csv', content: wrong },
    ])
    const done = await moving.go(to, brought.id, 'start')
    expect(done.result).toMatchObject({ created: 1, merged: 0, failed: 2 })
    expect(done.result.files[0].problems).toMatchObject([{ line: 2, field: 'items.0.quantity', isRow: true }])
  })
})

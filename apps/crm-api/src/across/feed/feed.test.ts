import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'
import { createCompany, createContact, createDeal, createLead, createRecord, unknownId } from '../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const cookie = await workspace.session()
const send = async (method: 'POST' | 'PATCH', path: string, body: object) => {
  const answer = await call({ method, path, key, body })
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}
const feed = async (query: string, credential = key) => {
  const answer = await call({ path: `/api/feed?${query}`, key: credential })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}
interface Item {
  readonly kind: string
  readonly text: string
  readonly entityType: string
  readonly entityId: string
  readonly record: { readonly title: string; readonly url: string }
}
const itemsOf = async (query: string, credential = key): Promise<readonly Item[]> =>
  (await feed(query, credential)).items
const textsOf = async (query: string, credential = key) => (await itemsOf(query, credential)).map(({ text }) => text)
const linkTo = (entityType: string, entityId: string) => ({ entityType, entityId })

describe('the feed of a company', () => {
  it('brings the history of what hangs on it, newest first, each thing once', async () => {
    const companyId = await createCompany(api, { name: 'Acme' })
    const contactId = await createContact(api, { firstName: 'Grace', lastName: 'Hopper', companyId })
    const dealId = await createDeal(api, { name: 'Fleet', companyId, contactId })
    const links = [linkTo('COMPANY', companyId), linkTo('DEAL', dealId), linkTo('CONTACT', contactId)]
    await send('POST', '/api/activities', { type: 'CALL', subject: 'Price talk', links })
    const task = await send('POST', '/api/tasks', { title: 'Send the offer', links })
    await send('PATCH', `/api/tasks/${task.id}`, { status: 'DONE' })
    await send('POST', '/api/crm/comments', { ...linkTo('DEAL', dealId), body: 'They want\n blue ones' })
    await createCompany(api, { name: 'Another one' })
    const items = await itemsOf(`companyId=${companyId}`)
    const of = (kind: string) => items.filter((item) => item.kind === kind)
    expect(of('CALL_LOGGED')).toHaveLength(1)
    expect(of('TASK_ADDED')).toHaveLength(1)
    expect(of('TASK_COMPLETED')).toHaveLength(1)
    expect(items.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'Ada Admin created the company Acme.',
        'Ada Admin created the contact Grace Hopper.',
        'Ada Admin created the deal Fleet.',
        expect.stringMatching(/^Ada Admin logged a call “Price talk” with the (company|deal|contact) /),
        expect.stringMatching(/^Ada Admin completed the task “Send the offer” of the /),
        'Ada Admin commented on the deal Fleet: “They want blue ones”',
        'Ada Admin moved the task Send the offer from to do to done.',
      ]),
    )
    expect(items[0]).toMatchObject({
      kind: 'COMMENT_ADDED',
      entityType: 'DEAL',
      actor: { id: workspace.adminUserId },
      record: {
        entityType: 'DEAL',
        id: dealId,
        title: 'Fleet',
        url: expect.stringMatching(new RegExp(`/deals/${dealId}$`)),
      },
    })
    expect(items.map(({ record }) => record.title)).not.toContain('Another one')
    expect(await itemsOf(`entityType=COMPANY&entityId=${companyId}`)).toEqual(items)
  })

  it('brings its projects with their tasks, quotes, orders and invoices', async () => {
    const companyId = await createCompany(api, { name: 'Hanging' })
    const project = await send('POST', '/api/projects', { name: 'Roof', companyId })
    await send('POST', '/api/tasks', { title: 'Order tiles', projectId: project.id })
    const item = { name: 'Tile', quantity: '1', unitPrice: '10' }
    for (const path of ['quotes', 'orders', 'invoices'])
      await send('POST', `/api/${path}`, { companyId, items: [item] })
    const types = (await itemsOf(`companyId=${companyId}&kinds=CREATED`)).map(({ entityType }) => entityType)
    expect(types.toSorted()).toEqual(['COMPANY', 'INVOICE', 'ORDER', 'PROJECT', 'QUOTE', 'TASK'])
  })
})

describe('a feed', () => {
  it('of a deal has its lead, of a contact its leads and deals, of a project its tasks', async () => {
    const contactId = await createContact(api, { firstName: 'Lin' })
    const leadId = await createLead(api, { firstName: 'Lin' })
    const dealId = await createDeal(api, { name: 'From a lead', leadId, contactId })
    expect((await itemsOf(`dealId=${dealId}`)).map(({ entityId }) => entityId)).toEqual(
      expect.arrayContaining([dealId, leadId]),
    )
    expect((await itemsOf(`contactId=${contactId}`)).map(({ entityId }) => entityId)).toEqual([dealId, contactId])
    expect((await itemsOf(`leadId=${leadId}`)).every(({ entityId }) => entityId === leadId)).toBe(true)
    const { id } = await send('POST', '/api/projects', { name: 'P' })
    const task = await send('POST', '/api/tasks', { title: 'T', projectId: id })
    expect((await itemsOf(`projectId=${id}&types=TASK`)).map(({ entityId }) => entityId)).toEqual([task.id])
  })

  it('says changes in the words of people', async () => {
    await call({
      method: 'POST',
      path: '/api/settings/custom-fields',
      cookie,
      body: {
        entityType: 'DEAL',
        key: 'sz',
        label: 'Size',
        type: 'SELECT',
        options: [
          { value: 'L', label: 'Large' },
          { value: 'S', label: 'Small' },
        ],
      },
    })
    const { id: colleague } = await workspace.employee()
    const dealId = await createDeal(api, { name: 'Words', amount: '100', customFields: { sz: 'S' } })
    const { body: pipelines } = await call({ path: '/api/pipelines?entityType=DEAL', key })
    const stages: { id: string; name: string; type: string }[] = pipelines.items[0].stages
    const [first, second] = stages
    await send('PATCH', `/api/deals/${dealId}`, { amount: '250.5', description: 'x'.repeat(500) })
    await send('PATCH', `/api/deals/${dealId}`, { customFields: { sz: 'L' } })
    await send('PATCH', `/api/deals/${dealId}`, { stageId: second?.id })
    await send('PATCH', `/api/deals/${dealId}`, { ownerId: colleague })
    const texts = await textsOf(`dealId=${dealId}`)
    expect(texts).toEqual(
      expect.arrayContaining([
        expect.stringContaining('changed the amount from 100.00 to 250.50 and description of the deal Words.'),
        'Ada Admin changed the size from Small to Large of the deal Words.',
        `Ada Admin moved the deal Words from ${first?.name} to ${second?.name}.`,
        expect.stringMatching(/^Ada Admin gave the deal Words to .+\.$/),
      ]),
    )
    for (const text of texts) expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}|[a-z][A-Z]|cf_|[A-Z]_[A-Z]/)
  })

  it('quotes 200 signs of a text, and fewer where it is compact', async () => {
    const leadId = await createLead(api, { firstName: 'Q' })
    await send('POST', '/api/crm/comments', { ...linkTo('LEAD', leadId), body: 'word '.repeat(100) })
    const [item] = await itemsOf(`leadId=${leadId}&kinds=COMMENT_ADDED`)
    expect(/“(.*)”/.exec(item?.text ?? '')?.[1]?.length).toBe(200)
    const [short] = (await feed(`leadId=${leadId}&kinds=COMMENT_ADDED&compact=true`)).items
    expect(Object.keys(short)).toEqual(['occurredAt', 'kind', 'record', 'text'])
    expect(short).toMatchObject({ kind: 'COMMENT_ADDED', record: `lead:${leadId}` })
    expect(short.text.length).toBeLessThan(item?.text.length ?? 0)
  })

  it('is narrowed by kinds, types, people and time', async () => {
    const leadId = await createLead(api, { firstName: 'N' })
    await send('PATCH', `/api/leads/${leadId}`, { jobTitle: 'Boss' })
    const kindsOf = async (query: string) => (await itemsOf(`leadId=${leadId}&${query}`)).map(({ kind }) => kind)
    expect(await kindsOf('')).toEqual(['UPDATED', 'CREATED'])
    expect(await kindsOf('kinds=CREATED,MERGED')).toEqual(['CREATED'])
    expect(await kindsOf('types=LEAD,TASK')).toEqual(['UPDATED', 'CREATED'])
    expect(await kindsOf('types=TASK')).toEqual([])
    expect(await kindsOf('actorId=me')).toEqual(['UPDATED', 'CREATED'])
    expect(await kindsOf(`actorId=${unknownId}`)).toEqual([])
    expect(await kindsOf('occurredFrom=today&occurredTo=today')).toEqual(['UPDATED', 'CREATED'])
    expect(await kindsOf('occurredTo=-1d')).toEqual([])
    expect(await kindsOf('occurredFrom=1d')).toEqual([])
  })

  it('is read page by page without a gap and without a repetition', async () => {
    const companyId = await createCompany(api, { name: 'Pages' })
    const dealId = await createDeal(api, { name: 'Paged', companyId })
    const links = [linkTo('COMPANY', companyId), linkTo('DEAL', dealId)]
    for (let n = 0; n < 7; n++) await send('POST', '/api/activities', { type: 'CALL', subject: `Call ${n}`, links })
    for (const anchor of [`companyId=${companyId}`, 'types=ACTIVITY,DEAL,COMPANY']) {
      const whole = await itemsOf(`${anchor}&limit=100`)
      const paged: Item[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: { items: Item[]; nextCursor: string | null; hasMore: boolean } = await feed(
          `${anchor}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
        )
        expect(page.hasMore).toBe(page.nextCursor !== null)
        paged.push(...page.items)
        cursor = page.nextCursor
      }
      expect(paged).toEqual(whole)
    }
  })

  it('has records of types of one’s own, called as people call them', async () => {
    const labels = { singular: 'Vehicle', plural: 'Vehicles' }
    const fields = [{ key: 'seats', label: 'Seats', type: 'NUMBER' }]
    await call({ method: 'POST', path: '/api/settings/custom-entities', cookie, body: { key: 'veh', labels, fields } })
    const path = '/api/custom-entities/veh/records'
    const { body } = await call({ method: 'POST', path, cookie, body: { title: 'Van', values: { seats: 2 } } })
    await call({ method: 'PATCH', path: `${path}/${body.data.id}`, cookie, body: { values: { seats: 3 } } })
    const answer = await call({ path: `/api/feed?entityType=VEH&entityId=${body.data.id}`, cookie })
    expect(answer.body.items.map(({ text }: Item) => text)).toEqual([
      'Ada Admin changed the seats from 2 to 3 of the Vehicle Van.',
      'Ada Admin created the Vehicle Van.',
    ])
    expect(answer.body.items[0].record.url).toMatch(new RegExp(`/records/veh/${body.data.id}$`))
    expect((await call({ path: '/api/feed?types=VEH', cookie })).body.items).toHaveLength(2)
  })

  it('forgets a record that is deleted', async () => {
    const leadId = await createLead(api, { firstName: 'Gone' })
    await call({ method: 'DELETE', path: `/api/leads/${leadId}`, key })
    expect((await itemsOf('types=LEAD')).map(({ entityId }) => entityId)).not.toContain(leadId)
    expect(await call({ path: `/api/feed?leadId=${leadId}`, key })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })
})

describe('what the caller may not see', () => {
  it('is not there: neither the anchor, nor what hangs on it, nor what a sentence would call by name', async () => {
    const { id } = await workspace.employee({
      grant: {
        permissions: ['VIEW_COMPANY', 'VIEW_DEAL'],
        access: [{ entityType: 'DEAL', VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }],
      },
    })
    const theirs = (await workspace.apiKey({ ownerId: id })).key
    const companyId = await createCompany(api, { name: 'Seen' })
    const dealId = await createDeal(api, { name: 'Unseen', companyId })
    await createContact(api, { firstName: 'Unseen', companyId })
    await send('POST', '/api/tasks', { title: 'Secret', links: [linkTo('COMPANY', companyId)] })
    const items = await itemsOf(`companyId=${companyId}`, theirs)
    expect(items.every(({ entityId }) => entityId === companyId)).toBe(true)
    expect(items.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Ada Admin added a task to the company Seen.']),
    )
    expect(JSON.stringify(items)).not.toMatch(/Unseen|Secret/)
    expect(JSON.stringify(await itemsOf('', theirs))).not.toMatch(/Unseen|Secret/)
    for (const anchor of [
      `dealId=${dealId}`,
      `leadId=${unknownId}`,
      `entityType=EMPLOYEE&entityId=${id}`,
      `entityType=NOTHING&entityId=${id}`,
    ])
      expect(await call({ path: `/api/feed?${anchor}`, key: theirs })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      })
  })

  it('is refused to who may see no record at all', async () => {
    const { key: none } = await workspace.apiKey({ scopes: ['VIEW_AUDIT_LOG'] })
    expect(await call({ path: '/api/feed', key: none })).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
  })

  it('is also what is switched off', async () => {
    const leadId = await createLead(api, { firstName: 'Off' })
    const sales = (enabled: boolean) =>
      call({ method: 'PATCH', path: '/api/settings/modules/SALES', cookie, body: { enabled } })
    await sales(false)
    const anchored = await call({ path: `/api/feed?leadId=${leadId}`, key })
    const types = (await itemsOf('limit=100')).map(({ entityType }) => entityType)
    await sales(true)
    expect(anchored.status).toBe(404)
    expect(types).not.toContain('LEAD')
  })
})

describe('400', () => {
  it.each([
    [`companyId=${unknownId}&dealId=${unknownId}`, 'INVALID_QUERY_PARAM'],
    [`companyId=${unknownId}&entityType=DEAL&entityId=${unknownId}`, 'INVALID_QUERY_PARAM'],
    ['entityType=DEAL', 'INVALID_QUERY_PARAM'],
    [`entityId=${unknownId}`, 'INVALID_QUERY_PARAM'],
    ['kinds=CREATED,NOTHING', 'INVALID_QUERY_PARAM'],
    ['types=NOTHING', 'INVALID_QUERY_PARAM'],
    ['types=', 'INVALID_QUERY_PARAM'],
    ['occurredFrom=yesterday', 'INVALID_QUERY_PARAM'],
    ['cursor=nothing', 'INVALID_QUERY_PARAM'],
    ['compact=1', 'INVALID_QUERY_PARAM'],
    ['companyId=7', 'INVALID_ID'],
    ['company=7', 'UNKNOWN_QUERY_PARAM'],
    ['limit=1&limit=2', 'DUPLICATE_QUERY_PARAM'],
  ])('answers %s', async (query, code) => {
    expect(await call({ path: `/api/feed?${query}`, key })).toMatchObject({ status: 400, body: { code } })
  })

  it('names the nearest type', async () => {
    expect(await call({ path: '/api/feed?types=DAEL', key })).toMatchObject({
      body: { details: { suggestions: { DAEL: 'DEAL' } } },
    })
  })
})

describe('a company with more than 2,000 records', () => {
  it('tells of the newest, and says so', async () => {
    const companyId = await createCompany(api, { name: 'Large' })
    const first = await createRecord(api, '/api/deals', { name: 'The first', companyId })
    await createManyDeals(companyId, 2_001)
    const { truncated } = await feed(`companyId=${companyId}&limit=1`)
    expect(truncated).toBe(true)
    expect(
      (await itemsOf(`companyId=${companyId}&kinds=CREATED&limit=100`)).map(({ entityId }) => entityId),
    ).not.toContain(first)
    expect((await itemsOf(`companyId=${companyId}&types=COMPANY`)).map(({ entityId }) => entityId)).toEqual([companyId])
    expect(await feed(`dealId=${first}`)).not.toHaveProperty('truncated')
  })
})

/** Creates deals beside an existing one, as an import would write them. */
async function createManyDeals(companyId: string, count: number): Promise<void> {
  await api.db.execute(sql`
    INSERT INTO deals (workspace_id, id, name, company_id, currency, pipeline_id, stage_id, status, owner_id, created_at, updated_at)
    SELECT workspace_id, gen_random_uuid(), 'One of many', company_id, currency, pipeline_id, stage_id, status, owner_id, now() + n * interval '1 ms', now()
    FROM deals CROSS JOIN generate_series(1, ${count}) AS n WHERE company_id = ${companyId}`)
}

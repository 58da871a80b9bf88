import { newId, recordPlanted, schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { sampleLine } from '../../../test/samples.ts'

const api = await ownApi()
const { db, workspace, key } = api
const { settled } = await jobsUnderTest(api)
const { workspaceId, adminUserId } = workspace
const cookie = await workspace.session()
const path = '/api/settings/demo'

async function make(at: string, body: object, by = key): Promise<string> {
  const made = await api.call({ method: 'POST', path: at, key: by, body })
  expect(made, at).toMatchObject({ status: 201 })
  return made.body.data.id as string
}
const statusOf = async (at: string) => (await api.call({ path: at, key })).status
const look = async () => (await api.call({ path, cookie })).body.data
const remove = (name: string, by: object = { cookie }) => api.call({ method: 'DELETE', path, body: { name }, ...by })
async function removeAll(): Promise<void> {
  const answer = await remove((await look()).name)
  expect(answer).toMatchObject({ status: 202, body: { data: { jobId: expect.any(String) } } })
  await settled()
  const job = await api.call({ path: `/api/jobs/${answer.body.data.jobId}`, cookie })
  expect(job.body.data).toMatchObject({ kind: 'demo.remove', state: 'DONE' })
  expect(job.body.data.processed).toBe(job.body.data.total)
}

const planted = await plant()

/** Makes a demo of a few records by the API, and records it as the seed does. */
async function plant() {
  const [departmentId, parentId] = [newId(), newId()]
  await db.insert(schema.departments).values([
    { workspaceId, id: parentId, name: 'Everybody' },
    { workspaceId, id: departmentId, name: 'Sales', parentId },
  ])
  const { id: person } = await workspace.employee({ roles: ['Member'], departmentId })
  const bytes = Buffer.from('a picture')
  await db.insert(schema.employeePictures).values({
    workspaceId,
    employeeId: person,
    version: newId(),
    mediaType: 'image/png',
    size: bytes.length,
    bytes,
  })
  const companies = [
    await make('/api/companies', { name: 'Demo Bakery' }),
    await make('/api/companies', { name: 'Demo Mill' }),
  ] as const
  const contact = await make('/api/contacts', { firstName: 'Rita', companyId: companies[0], ownerId: person })
  const deal = await make('/api/deals', { name: 'Ovens', companyId: companies[0], contactId: contact })
  const leads = [
    await make('/api/leads', { firstName: 'Lea' }),
    await make('/api/leads', { firstName: 'Leo', ownerId: person }),
  ] as const
  const task = await make('/api/tasks', { title: 'Call Lea', assigneeId: person })
  const invoice = await make('/api/invoices', { items: [sampleLine], companyId: companies[0] })
  await api.call({ method: 'POST', path: `/api/invoices/${invoice}/issue`, key, body: {} })
  const paid = await api.call({
    method: 'POST',
    path: `/api/invoices/${invoice}/payments`,
    key,
    body: { amount: '1.00', method: 'CASH' },
  })
  expect(paid.status).toBeLessThan(300)
  const product = await make('/api/products', { name: 'Oven', sku: 'OVEN-1' })
  await make('/api/crm/comments', { entityType: 'LEAD', entityId: leads[0], body: 'Hello' })
  await recordPlanted(db, workspaceId, adminUserId)
  const all = [
    ...companies.map((id) => `/api/companies/${id}`),
    `/api/contacts/${contact}`,
    `/api/deals/${deal}`,
    ...leads.map((id) => `/api/leads/${id}`),
    `/api/tasks/${task}`,
    `/api/invoices/${invoice}`,
    `/api/products/${product}`,
  ]
  return { companies, contact, deal, leads, task, person, departmentId, all }
}

describe('the demo', () => {
  it('is told by kind, without the administrator', async () => {
    const counts = Object.fromEntries(
      (await look()).kinds.map(({ kind, count }: { kind: string; count: number }) => [kind, count]),
    )
    expect(counts).toMatchObject({ COMPANY: 2, CONTACT: 1, DEAL: 1, LEAD: 2, TASK: 1, INVOICE: 1, EMPLOYEE: 1 })
    expect(await look()).toMatchObject({ isDemo: true, kept: 0, job: null })
  })

  it.each([
    ['another name', 'Somebody else'],
    ['no name', ''],
  ])('is not removed by %s: 400 VALIDATION_ERROR', async (_what, name) => {
    expect(await remove(name)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(await look()).toMatchObject({ job: null })
  })

  it('is not removed without a body: 400', async () => {
    expect((await api.call({ method: 'DELETE', path, cookie })).status).toBe(400)
  })

  it('is not removed by people who may not manage the workspace, or who reach less than everybody: 403', async () => {
    const { name } = await look()
    const { id } = await workspace.employee({ roles: ['Member'] })
    const member = { cookie: await workspace.session(id) }
    expect(await remove(name, member)).toMatchObject({ status: 403 })
    expect(await api.call({ path, ...member })).toMatchObject({ status: 403 })
    const { id: half } = await workspace.employee({ grant: { permissions: ['MANAGE_WORKSPACE'] } })
    expect(await remove(name, { cookie: await workspace.session(half) })).toMatchObject({
      status: 403,
      body: { error: 'This concerns somebody who may do more than you' },
    })
    expect(await look()).toMatchObject({ job: null })
  })

  it('goes, except what people’s own records refer to; their records, the administrator and keys stay', async () => {
    const own = {
      company: await make('/api/companies', { name: 'My company' }),
      lead: await make('/api/leads', { firstName: 'Mine' }),
      deal: await make('/api/deals', { name: 'My deal', companyId: planted.companies[1] }),
      task: await make('/api/tasks', {
        title: 'My task',
        links: [{ entityType: 'LEAD', entityId: planted.leads[1] }],
      }),
    }
    await removeAll()
    for (const gone of planted.all.filter((at) => !at.includes(planted.companies[1]) && !at.includes(planted.leads[1])))
      expect(await statusOf(gone), gone).toBe(404)
    expect(await statusOf(`/api/companies/${own.company}`)).toBe(200)
    expect(await statusOf(`/api/leads/${own.lead}`)).toBe(200)
    expect((await api.call({ path: `/api/deals/${own.deal}`, key })).body.data.companyId).toBe(planted.companies[1])
    expect(await statusOf(`/api/tasks/${own.task}`)).toBe(200)
    // The person owns the lead that stays, so both stay, and so do their departments.
    expect((await look()).kinds).toEqual([
      { kind: 'COMPANY', count: 1, kept: 1 },
      { kind: 'DEPARTMENT', count: 2, kept: 2 },
      { kind: 'EMPLOYEE', count: 1, kept: 1 },
      { kind: 'LEAD', count: 1, kept: 1 },
    ])
    const entries = await db.select().from(schema.auditLog).where(eq(schema.auditLog.action, 'demo.removed'))
    expect(entries).toMatchObject([{ actorId: adminUserId, subjectType: 'WORKSPACE' }])

    for (const at of [`/api/deals/${own.deal}`, `/api/tasks/${own.task}`])
      await api.call({ method: 'DELETE', path: at, key })
    await db.delete(schema.deals).where(eq(schema.deals.id, own.deal))
    await db.delete(schema.recordLinks).where(eq(schema.recordLinks.fromId, own.task))
    await removeAll()
    expect(await look()).toMatchObject({ isDemo: false, total: 0, kept: 0, kinds: [] })
    expect(await db.select().from(schema.employees).where(eq(schema.employees.id, planted.person))).toEqual([])
    const { employeePictures } = schema
    expect(await db.select().from(employeePictures).where(eq(employeePictures.employeeId, planted.person))).toEqual([])
    expect(await statusOf(`/api/leads/${own.lead}`)).toBe(200)
  })

  it('removed again changes nothing', async () => {
    const before = await db
      .select({ id: schema.leads.id })
      .from(schema.leads)
      .where(eq(schema.leads.workspaceId, workspaceId))
    await removeAll()
    expect(
      await db.select({ id: schema.leads.id }).from(schema.leads).where(eq(schema.leads.workspaceId, workspaceId)),
    ).toEqual(before)
  })
})

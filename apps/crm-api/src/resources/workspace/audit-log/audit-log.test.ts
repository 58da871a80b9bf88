import { newId, schema } from '@crm/db'
import { expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'
import { jobsUnderTest } from '../../../../test/jobs.ts'
import { createLead } from '../../../../test/samples.ts'

const api = await ownApi()
const jobs = await jobsUnderTest(api)
const cookie = await api.workspace.session()
const headers = { 'user-agent': 'tester/2', 'x-forwarded-for': '192.0.2.99' }
const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  api.call({ method, path, body, cookie, headers })

/** Returns the audit entries of an action, each with its actor and origin. */
async function entriesOf(action: string) {
  const { items } = (await send('GET', `/api/settings/audit-log?action=${action}`)).body
  for (const item of items) {
    expect(item).toMatchObject({
      actorType: 'EMPLOYEE',
      actorId: api.workspace.adminUserId,
      actorName: 'Ada Admin',
      outcome: 'SUCCESS',
      address: '192.0.2.99',
      userAgent: 'tester/2',
    })
  }
  return items
}

it('knows who restored a record', async () => {
  const id = await createLead(api)
  await send('DELETE', `/api/leads/${id}`)
  expect((await send('POST', `/api/settings/deleted-records/${id}/restore`, { entityType: 'LEAD' })).status).toBe(200)
  expect(await entriesOf('record.restored')).toMatchObject([{ subjectType: 'LEAD', subjectId: id }])
})

it('knows who created and turned off the payment link of an invoice, and not its address', async () => {
  const { id } = (await send('POST', '/api/invoices', { items: [{ name: 'Work', quantity: '1', unitPrice: '10.00' }] }))
    .body.data
  await send('POST', `/api/invoices/${id}/issue`, {})
  const { token } = (await send('POST', `/api/invoices/${id}/payment-link`, {})).body.data
  expect((await send('DELETE', `/api/settings/invoices/${id}/payment-link`)).status).toBe(200)
  const entries = [...(await entriesOf('payment-link.opened')), ...(await entriesOf('payment-link.closed'))]
  expect(entries).toMatchObject([
    { subjectType: 'INVOICE', subjectId: id },
    { subjectType: 'INVOICE', subjectId: id },
  ])
  expect(JSON.stringify(entries)).not.toContain(token)
})

it('knows who exported records, and who fetched the file', async () => {
  const { id } = (await send('POST', '/api/settings/exports', { entityType: 'LEAD' })).body.data
  await jobs.settled()
  await api.app.inject({
    method: 'GET',
    url: `/api/settings/exports/${id}/file`,
    headers: { host: api.workspace.host, cookie, ...headers },
  })
  expect([...(await entriesOf('export.started')), ...(await entriesOf('export.downloaded'))]).toMatchObject([
    { subjectId: id },
    { subjectId: id },
  ])
})

it('knows who started a workflow by hand', async () => {
  const { workspaceId, adminUserId } = api.workspace
  const workflowId = newId()
  const trigger = { type: 'MANUAL' }
  await api.db.insert(schema.workflows).values({
    workspaceId,
    id: workflowId,
    name: 'Flow',
    status: 'PUBLISHED',
    trigger,
    steps: [],
    publishedVersion: 1,
    runAsId: adminUserId,
  })
  await api.db.insert(schema.workflowVersions).values({ workspaceId, workflowId, version: 1, trigger, steps: [] })
  const { runId } = (await send('POST', `/api/settings/workflows/${workflowId}/run`, {})).body.data
  expect(await entriesOf('workflow.started')).toMatchObject([{ subjectId: workflowId, data: { runId } }])
})

it('knows what a setting was before and after', async () => {
  await send('PATCH', '/api/settings/workspace', { name: 'Renamed' })
  expect(await entriesOf('workspace.changed')).toMatchObject([
    { changes: [{ field: 'name', from: `Workspace ${api.workspace.slug}`, to: 'Renamed' }] },
  ])
  await send('PATCH', '/api/settings/modules/FILES', { enabled: false })
  expect(await entriesOf('module.switched')).toMatchObject([{ changes: [{ field: 'enabled', from: true, to: false }] }])
})

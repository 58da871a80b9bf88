import { expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'

const api = await apiUnderTest()
const { call, newWorkspace } = api

it('shows somebody who is invited on the first day the customers, and the hint of a known address', async () => {
  const workspace = await newWorkspace()
  const { key: admin } = await workspace.apiKey()
  const { id } = await workspace.employee({ roles: ['Member'] })
  const { key } = await workspace.apiKey({ ownerId: id })
  const contact = { lastName: 'Known', email: 'known@example.com' }
  const made = (await call({ method: 'POST', path: '/api/contacts', body: contact, key: admin }, workspace)).body.data
  expect((await call({ path: '/api/contacts', key }, workspace)).body).toMatchObject({ total: 1 })
  const patch = { method: 'PATCH', path: `/api/contacts/${made.id}`, body: { jobTitle: 'Buyer' }, key } as const
  expect((await call(patch, workspace)).status).toBe(404)
  const { body } = await call(
    { method: 'POST', path: '/api/contacts/duplicates', body: { email: 'KNOWN@example.com' }, key },
    workspace,
  )
  expect(body.items).toMatchObject([{ contact: { id: made.id } }])
  const task = { method: 'POST', path: '/api/tasks', body: { title: 'Call', assigneeId: id }, key: admin } as const
  expect((await call(task, workspace)).status).toBe(201)
  expect((await call({ path: '/api/tasks', key }, workspace)).body.total).toBe(1)
})

it('names the active people who see none of the records that are there, and nobody before there are some', async () => {
  const workspace = await newWorkspace()
  const { key } = await workspace.apiKey()
  const cookie = await workspace.session()
  const level = (VIEW: 'DEPARTMENT_TREE' | 'OWN') => ({
    permissions: ['VIEW_CONTACT'],
    access: [{ entityType: 'CONTACT', VIEW, UPDATE: VIEW, DELETE: VIEW } as const],
  })
  const sales = await workspace.department('Sales')
  const field = await workspace.department('Field', sales)
  const blind = await workspace.employee({ grant: level('DEPARTMENT_TREE') })
  const seeing = await workspace.employee({ grant: level('DEPARTMENT_TREE'), departmentId: sales })
  const owner = await workspace.employee({ grant: level('OWN'), departmentId: field })
  const nothingToSee = await workspace.employee({ grant: { permissions: ['VIEW_INVOICE'] } })
  const gone = await workspace.employee({ grant: level('OWN'), status: 'SUSPENDED' })
  const ask = async (): Promise<string[]> =>
    (await call({ path: '/api/settings/users/without-sight', cookie }, workspace)).body.data.map(
      (person: { id: string }) => person.id,
    )
  expect(await ask()).toEqual([])
  const body = { lastName: 'Known', ownerId: owner.id }
  await call({ method: 'POST', path: '/api/contacts', body, key }, workspace)
  expect(await ask()).toEqual([blind.id])
  expect([seeing.id, nothingToSee.id, gone.id].every(Boolean)).toBe(true)
  const refused = await call(
    { path: '/api/settings/users/without-sight', cookie: await workspace.session(owner.id) },
    workspace,
  )
  expect(refused.status).toBe(403)
})

it('tells a person how far their rights reach, and whom to ask for more', async () => {
  const workspace = await newWorkspace()
  const { id } = await workspace.employee({ roles: ['Member'] })
  await workspace.employee({ roles: ['Administrator'], status: 'SUSPENDED' })
  const { key } = await workspace.apiKey({ ownerId: id })
  const { body } = await call({ path: '/api/me/scopes', key }, workspace)
  expect(body.levels).toMatchObject({
    LEAD: { VIEW: 'ALL', UPDATE: 'DEPARTMENT_TREE' },
    INVOICE: { VIEW: 'DEPARTMENT_TREE' },
  })
  expect(body.administrators.map((person: { id: string }) => person.id)).toEqual([workspace.adminUserId])
})

it('says whom a comment does not reach', async () => {
  const workspace = await newWorkspace()
  const { key } = await workspace.apiKey()
  const blind = await workspace.employee({ grant: { permissions: ['VIEW_DEAL'] } })
  const seeing = await workspace.employee({ roles: ['Member'] })
  const lead = (await call({ method: 'POST', path: '/api/leads', body: { lastName: 'X' }, key }, workspace)).body.data
  const mentions = [blind.id, seeing.id, workspace.adminUserId]
  const body = { entityType: 'LEAD', entityId: lead.id, body: 'Look', mentions }
  const written = await call({ method: 'POST', path: '/api/crm/comments', body, key }, workspace)
  expect(written.body).toMatchObject({ success: true, notReached: [blind.id] })
  const path = `/api/crm/comments/${written.body.data.id}`
  const changed = await call({ method: 'PATCH', path, body: { mentions: [seeing.id] }, key }, workspace)
  expect(changed.body.notReached).toEqual([])
})

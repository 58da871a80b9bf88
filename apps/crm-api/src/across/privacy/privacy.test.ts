import { newId, schema } from '@crm/db'
import type { AccessLevel } from '@crm/permissions'
import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { ownApi, type Call } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'

const api = await ownApi()
const jobs = await jobsUnderTest(api)
const { db } = api

const at = (entityType: string, level: AccessLevel) => ({ entityType, VIEW: level, UPDATE: level, DELETE: level })
const everything = [
  'VIEW_CONTACT',
  'VIEW_DEAL',
  'VIEW_TASK',
  'VIEW_ACTIVITY',
  'VIEW_INVOICE',
  'VIEW_FILE',
  'EXPORT_DATA',
] as const

/** A workspace with a contact on whom much hangs, made by its administrator. */
async function world() {
  const workspace = await api.newWorkspace()
  const admin = await workspace.session()
  const as = (cookie: string) => (method: Call['method'], path: string, body?: unknown) =>
    api.call({ method, path, cookie, body }, workspace)
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await as(admin)('POST', path, body)
    expect({ path, status: answer.status }, JSON.stringify(answer.body)).toEqual({ path, status: 201 })
    return answer.body.data.id as string
  }
  const contact = await made('/api/contacts', { lastName: 'Subject', email: `${newId()}@subject.example` })
  const link = [{ entityType: 'CONTACT', entityId: contact }]
  const records = {
    deals: await made('/api/deals', { name: 'Secret deal', contactId: contact }),
    invoices: await made('/api/invoices', {
      contactId: contact,
      items: [{ name: 'Advice', quantity: '1', unitPrice: '10' }],
    }),
    activities: await made('/api/activities', { type: 'CALL', subject: 'Secret call', links: link }),
    tasks: await made('/api/tasks', { title: 'Secret task', links: link }),
    comments: await made('/api/crm/comments', { entityType: 'CONTACT', entityId: contact, body: 'Said' }),
  }
  return { workspace, as, admin, contact, records }
}

/** Collects the data of a contact and returns which ids of other records the file has, by table. */
async function collect(run: ReturnType<Awaited<ReturnType<typeof world>>['as']>, contact: string) {
  const subject = { type: 'CONTACT', id: contact }
  const asked = await run('POST', '/api/settings/privacy/exports', { subject })
  expect(asked.status).toBe(202)
  await jobs.settled()
  const file = () => run('GET', `/api/settings/privacy/exports/${asked.body.data.jobId}/file`)
  return { jobId: asked.body.data.jobId as string, file }
}

const idsIn = (body: { readonly data: Record<string, readonly { readonly id: string }[]> }) =>
  Object.fromEntries(Object.entries(body.data).flatMap(([table, rows]) => rows.map(({ id }) => [table, id])))

it('the data of a contact has what its collector sees, and nothing of what they do not', async () => {
  const { workspace, as, admin, contact, records } = await world()
  const [first, second] = [
    await workspace.employee({ grant: { permissions: ['VIEW_CONTACT', 'EXPORT_DATA'] } }),
    await workspace.employee({
      grant: {
        permissions: everything,
        access: [at('CONTACT', 'ALL'), at('DEAL', 'OWN'), at('TASK', 'OWN'), at('INVOICE', 'ALL')],
      },
    }),
  ]
  const whole = await (await collect(as(admin), contact)).file()
  expect(idsIn(whole.body)).toMatchObject({ ...records, contacts: contact })
  const bare = await (await collect(as(await workspace.session(first.id)), contact)).file()
  expect(Object.keys(idsIn(bare.body)).toSorted()).toEqual(['comments', 'contacts', 'timeline'])
  const some = idsIn((await (await collect(as(await workspace.session(second.id)), contact)).file()).body)
  expect(some).toMatchObject({ contacts: contact, invoices: records.invoices, activities: records.activities })
  expect(some).not.toHaveProperty('deals')
  expect(some).not.toHaveProperty('tasks')
  expect(JSON.stringify(bare.body)).not.toContain('Secret')
})

it('and shows less when it is downloaded after rights were taken', async () => {
  const { workspace, as, contact, records } = await world()
  const { id } = await workspace.employee({ grant: { permissions: everything } })
  const me = as(await workspace.session(id))
  const { file } = await collect(me, contact)
  expect(idsIn((await file()).body)).toMatchObject({ deals: records.deals, contacts: contact })
  const [held] = await db.select().from(schema.employeeRoles).where(eq(schema.employeeRoles.employeeId, id))
  const grant = async (permissions: readonly string[]) => {
    await db
      .update(schema.roles)
      .set({ permissions: [...permissions] })
      .where(eq(schema.roles.id, held!.roleId))
    await api.epochs.bump(workspace.workspaceId)
  }
  await grant(everything.filter((name) => name !== 'VIEW_DEAL'))
  const later = await file()
  expect(idsIn(later.body)).toMatchObject({ contacts: contact, tasks: records.tasks })
  expect(JSON.stringify(later.body)).not.toContain('Secret deal')
  await grant(['VIEW_CONTACT'])
  expect(await file()).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
  await grant(['EXPORT_DATA'])
  expect((await file()).status).toBe(403)
  await grant(everything)
  await db
    .update(schema.contacts)
    .set({ deletedAt: api.clock.now().toISOString() })
    .where(eq(schema.contacts.id, contact))
  expect((await file()).status).toBe(404)
})

it('is not written for somebody who lost the right before', async () => {
  const { workspace, as, contact } = await world()
  const { id } = await workspace.employee({ grant: { permissions: everything } })
  const cookie = await workspace.session(id)
  const { workspaceId } = workspace
  const jobId = newId()
  const mine = { workspaceId, id: jobId, employeeId: id }
  const payload = { subject: { type: 'CONTACT', id: contact } }
  await db
    .delete(schema.employeeRoles)
    .where(and(eq(schema.employeeRoles.workspaceId, workspaceId), eq(schema.employeeRoles.employeeId, id)))
  await db.insert(schema.jobs).values({ ...mine, kind: 'privacy.export', total: 1, payload })
  await db.insert(schema.exports).values({ ...mine, entityType: 'PERSON_DATA' })
  await db
    .insert(schema.outbox)
    .values({ workspaceId, topic: 'job', event: 'privacy.export', payload: { jobId, actor: { id } } })
  await jobs.settled()
  const [made] = await db.select().from(schema.exports).where(eq(schema.exports.id, jobId))
  expect(made?.state).toBe('FAILED')
  expect((await as(cookie)('GET', `/api/settings/privacy/exports/${jobId}/file`)).body.code).toBe('INVALID_TRANSITION')
})

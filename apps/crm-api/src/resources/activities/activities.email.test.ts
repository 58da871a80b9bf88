import { schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { createLead, unknownId } from '../../../test/samples.ts'
import { handleJob } from '../../workers/start-jobs.ts'

const api = await apiUnderTest()
const jobs = await jobsUnderTest(api)
const { workspace, key } = api
const send = (body: object, credential = key, headers = {}) =>
  api.call({
    method: 'POST',
    path: '/api/emails',
    key: credential,
    headers,
    body: { to: ['rita@example.com'], subject: 'Our offer', message: 'Dear Rita\n\nSee you.', ...body },
  })
const about = (entityId: string) => [{ entityType: 'LEAD', entityId }]

it('sends the mail with the address of its sender for answers, and keeps it on the record', async () => {
  const leadId = await createLead(api)
  const author = await workspace.employee({ roles: ['Administrator'] })
  const { key: own } = await workspace.apiKey({ ownerId: author.id })
  const first = await send({ cc: ['boss@example.com'], links: about(leadId) }, own, { 'idempotency-key': 'mail-1' })
  expect(first).toMatchObject({
    status: 201,
    body: {
      data: {
        type: 'EMAIL',
        direction: 'OUT',
        status: 'DONE',
        subject: 'Our offer',
        participants: [{ email: 'rita@example.com' }, { email: 'boss@example.com' }],
        links: about(leadId),
      },
    },
  })
  await send({ cc: ['boss@example.com'], links: about(leadId) }, own, { 'idempotency-key': 'mail-1' })
  await jobs.settled()
  expect(jobs.mails).toMatchObject([
    {
      to: { address: 'rita@example.com' },
      cc: [{ address: 'boss@example.com' }],
      replyTo: { address: author.email },
      subject: 'Our offer',
      text: 'Dear Rita\n\nSee you.\n',
    },
  ])
  const timeline = await api.call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${leadId}`, key })
  expect(timeline.body.items[0]).toMatchObject({ kind: 'EMAIL_SENT', relatedId: first.body.data.id })
})

it('cancels the activity and tells the sender when the mail cannot be sent', async () => {
  const { id } = (await send({ links: about(await createLead(api)) })).body.data
  const { outbox, notifications } = schema
  await jobs.settled()
  const row = (await api.db.select().from(outbox)).find(
    ({ payload }) => (payload as { entityId?: string }).entityId === id,
  )
  const mailer = { from: 'crm@service.test', send: () => Promise.reject(new Error('The mail server is away')) }
  const attempt = (attempts: number) => jobs.run({ ...row!, attempts }, { mailer }, handleJob)
  await expect(attempt(1)).rejects.toThrow('The mail server is away')
  await attempt(8)
  expect((await api.call({ path: `/api/activities/${id}`, key })).body.data).toMatchObject({
    status: 'CANCELLED',
    outcome: 'The email could not be sent',
  })
  const told = await api.db
    .select()
    .from(notifications)
    .where(and(eq(notifications.employeeId, workspace.adminUserId), eq(notifications.kind, 'mail.failed')))
  expect(told).toMatchObject([{ data: { entityType: 'ACTIVITY', entityId: id } }])
})

it.each([
  ['no recipient', { to: [] }, 'to'],
  ['something that is no address', { to: ['rita'] }, 'to', 0],
  ['21 recipients', { to: Array.from({ length: 21 }, (_, at) => `a${at}@example.com`) }, 'to'],
  ['no subject', { subject: ' ' }, 'subject'],
  ['a subject of two lines', { subject: 'One\r\nBcc: other@example.com' }, 'subject'],
  ['no text', { message: '' }, 'message'],
  ['no record', { links: [] }, 'links'],
])('400: %s', async (_, body, ...path) => {
  const answer = await send({ links: about(await createLead(api)), ...body })
  expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path }] } })
})

it('refuses records that its sender does not see, and people who may not record activities', async () => {
  const mailsBefore = jobs.mails.length
  expect((await send({ links: about(unknownId) })).status).toBe(400)
  const hidden = await createLead(api)
  const { id } = await workspace.employee({
    grant: {
      permissions: ['CREATE_ACTIVITY', 'VIEW_LEAD'],
      access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }],
    },
  })
  const { key: narrow } = await workspace.apiKey({ ownerId: id })
  expect((await send({ links: about(hidden) }, narrow)).status).toBe(400)
  const { key: none } = await workspace.apiKey({
    ownerId: (await workspace.employee({ grant: { permissions: ['VIEW_LEAD'] } })).id,
  })
  expect(await send({ links: about(hidden) }, none)).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
  await jobs.settled()
  expect(jobs.mails).toHaveLength(mailsBefore)
})

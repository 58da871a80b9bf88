import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'
import { jobsUnderTest } from '../../../../test/jobs.ts'
import { createLead, unknownId } from '../../../../test/samples.ts'

const api = await ownApi()
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

describe('attachments', () => {
  const upload = async (filename: string) => {
    const body = {
      filename,
      contentType: 'text/plain',
      contentBase64: Buffer.from(`Text of ${filename}`).toString('base64'),
    }
    const made = await api.call({ method: 'POST', path: '/api/files/upload', key, body })
    expect(made.status).toBe(201)
    return made.body.data.id as string
  }

  it('go with the mail, and their names stay in the activity', async () => {
    const fileIds = [await upload('offer.txt'), await upload('terms.txt')]
    const sent = await send({ links: about(await createLead(api)), fileIds })
    expect(sent).toMatchObject({
      status: 201,
      body: { data: { body: 'Dear Rita\n\nSee you.\n\n📎 offer.txt\n📎 terms.txt' } },
    })
    await jobs.settled()
    const { attachments = [], text } = jobs.mails.at(-1) ?? {}
    expect(text).toBe('Dear Rita\n\nSee you.\n')
    expect(attachments.map(({ filename, content }) => [filename, Buffer.from(content).toString()])).toEqual([
      ['offer.txt', 'Text of offer.txt'],
      ['terms.txt', 'Text of terms.txt'],
    ])
  })

  it('are refused when the sender may not see them: 400 INVALID_REFERENCE', async () => {
    const author = await workspace.employee({ roles: ['Member'] })
    const { key: own } = await workspace.apiKey({ ownerId: author.id })
    const links = about(
      (await api.call({ method: 'POST', path: '/api/leads', key: own, body: { firstName: 'Mine' } })).body.data.id,
    )
    for (const fileIds of [[await upload('secret.txt')], [unknownId]])
      expect(await send({ links, fileIds }, own)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REFERENCE' },
      })
    expect((await send({ links }, own)).status).toBe(201)
  })

  it('are refused when they are larger than 10 MB in all: 400 VALIDATION_ERROR', async () => {
    const fileIds = [await upload('large.txt'), await upload('small.txt')]
    await api.db
      .update(schema.files)
      .set({ size: 10 * 1024 ** 2 })
      .where(eq(schema.files.id, fileIds[0] as string))
    const links = about(await createLead(api))
    expect(await send({ links, fileIds })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect((await send({ links, fileIds: Array(11).fill(fileIds[1]) })).status).toBe(400)
  })
})

import { schema } from '@crm/db'
import { createLogger } from '@crm/runtime'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createLead, unknownId } from '../../../../test/samples.ts'
import { sweepFiles } from '../../../workers/sweep-files.ts'

const api = await apiUnderTest()
const { call, clock, db, key, storage, workspace } = api
const dayMs = 24 * 60 * 60 * 1000
const send = (method: 'POST' | 'PATCH' | 'DELETE' | 'GET', path: string, body?: unknown, as = key) =>
  call({ method, path, key: as, body })
const template = async (body = '# {{record.name}}\n\nDear **{{record.name}}**, {{today}}\n\n- one\n- two') =>
  (await send('POST', '/api/documents', { name: 'Contract', kind: 'CONTRACT', body })).body.data

describe('templates', () => {
  it('warn of variables that nothing stands for, and refuse what is broken', async () => {
    expect(await template('{{record.name}} {{record.nme}} {{nobody}} {{organization.name}}')).toMatchObject({
      kind: 'CONTRACT',
      warnings: [{ path: ['body'] }, { path: ['body'] }],
    })
    expect((await send('POST', '/api/documents', { name: 'x', body: 'Hi {{record.' })).body).toMatchObject({
      code: 'TEMPLATE_INVALID',
      issues: [{ path: ['body'] }],
    })
    const { id } = await template()
    expect((await send('PATCH', `/api/documents/${id}`, { body: 'Bye {{x}}' })).body.data).toMatchObject({
      version: 2,
      warnings: [{}],
    })
    expect((await send('GET', '/api/documents?kind=CONTRACT&search=contract')).body.total).toBeGreaterThan(1)
  })
})

describe('documents of records', () => {
  it('are a PDF that belongs to the record', async () => {
    const entityId = await createCompany(api, { name: 'Überlingen 株式会社 & Söhne' })
    const { id: documentId } = await template()
    const { status, body } = await send('POST', '/api/document-records', {
      documentId,
      entityType: 'COMPANY',
      entityId,
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ status: 'DRAFT', title: 'Contract, Überlingen 株式会社 & Söhne', entityId })
    const file = await send('GET', `/api/files/${body.data.fileId}`)
    expect(file.body.data).toMatchObject({
      contentType: 'application/pdf',
      links: [{ entityType: 'COMPANY', entityId }],
    })
    const path = `/api/document-records/${body.data.id}`
    expect((await send('PATCH', path, { status: 'SIGNED' })).body.data.status).toBe('SIGNED')
    expect(await send('PATCH', path, { status: 'SENT' })).toMatchObject({
      status: 409,
      body: { code: 'INVALID_TRANSITION' },
    })
    expect(await send('DELETE', `/api/documents/${documentId}`)).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', details: { count: 1 } },
    })
    expect((await send('GET', `/api/document-records?entityType=COMPANY&entityId=${entityId}`)).body.total).toBe(1)
  })

  it('are refused when what fills the template makes it too long', async () => {
    const entityId = await createCompany(api, { description: 'x'.repeat(10_000) })
    const { id: documentId } = await template('{{record.description}} '.repeat(22))
    const { status, body } = await send('POST', '/api/document-records', {
      documentId,
      entityType: 'COMPANY',
      entityId,
    })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'TEMPLATE_INVALID', issues: [{ path: ['documentId'] }] },
    })
    expect((await send('GET', `/api/document-records?entityId=${entityId}`)).body.total).toBe(0)
  })

  it('follow their record when it is merged', async () => {
    const { id: documentId } = await template()
    const [kept, merged] = [await createCompany(api, { name: 'Kept' }), await createCompany(api, { name: 'Merged' })]
    const made = (await send('POST', '/api/document-records', { documentId, entityType: 'COMPANY', entityId: merged }))
      .body.data
    expect((await send('POST', `/api/companies/${kept}/merge`, { sourceIds: [merged] })).status).toBe(200)
    expect((await send('GET', `/api/document-records/${made.id}`)).body.data.entityId).toBe(kept)
  })

  describe('and their files', () => {
    const made = async () => {
      const entityId = await createCompany(api)
      const { id: documentId } = await template()
      const { id, fileId } = (
        await send('POST', '/api/document-records', { documentId, entityType: 'COMPANY', entityId })
      ).body.data
      return { id, fileId, entityId, path: `/api/document-records/${id}` }
    }
    const { files } = schema
    const sweep = (days: number) =>
      sweepFiles({
        db,
        storage,
        clock: { now: () => new Date(clock.now().getTime() + days * dayMs) },
        logger: createLogger({ name: 'sweep', level: 'silent' }),
      })
    const isKept = async (id: string) => (await db.$count(files, eq(files.id, id))) === 1

    it('leave the record together, the file after 30 days for good', async () => {
      const { path, fileId, entityId } = await made()
      expect((await send('DELETE', path)).status).toBe(200)
      expect((await send('GET', `/api/files?entityType=COMPANY&entityId=${entityId}`)).body.total).toBe(0)
      const { items } = (await send('GET', `/api/crm/timeline?entityType=COMPANY&entityId=${entityId}`)).body
      expect(items).toContainEqual(expect.objectContaining({ kind: 'FILE_REMOVED', relatedId: fileId }))
      await sweep(29.9)
      expect(await isKept(fileId)).toBe(true)
      await sweep(30.1)
      expect(await isKept(fileId)).toBe(false)
    })

    it('part when somebody deletes the file: the document is left without one', async () => {
      const { path, fileId } = await made()
      await send('DELETE', `/api/files/${fileId}`)
      await sweep(30.1)
      expect([await isKept(fileId), (await send('GET', path)).body.data.fileId]).toEqual([false, null])
    })

    it('stay together when the file only lost its links, and go with the document', async () => {
      const { path, fileId } = await made()
      await send('PATCH', `/api/files/${fileId}`, { links: [] })
      await sweep(31)
      expect([await isKept(fileId), (await send('GET', path)).body.data.fileId]).toEqual([true, fileId])
      await send('DELETE', path)
      await sweep(31)
      expect(await isKept(fileId)).toBe(false)
    })

    it('leave a file alone that belongs to another record as well', async () => {
      const { path, fileId, entityId } = await made()
      const other = await createLead(api)
      await send('PATCH', `/api/files/${fileId}`, {
        links: [
          { entityType: 'COMPANY', entityId },
          { entityType: 'LEAD', entityId: other },
        ],
      })
      await send('DELETE', path)
      await sweep(31)
      expect((await send('GET', `/api/files/${fileId}`)).body.data.links).toEqual([
        { entityType: 'LEAD', entityId: other },
      ])
    })
  })

  it('are seen with their record, and refuse what is not there', async () => {
    const { id: documentId } = await template()
    const entityId = await createLead(api)
    const made = (await send('POST', '/api/document-records', { documentId, entityType: 'LEAD', entityId })).body.data
    const { id } = await workspace.employee({
      grant: {
        permissions: ['VIEW_DOCUMENT', 'CREATE_DOCUMENT', 'VIEW_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    const theirs = (await workspace.apiKey({ ownerId: id })).key
    expect((await send('GET', `/api/document-records/${made.id}`, undefined, theirs)).status).toBe(404)
    expect((await send('GET', '/api/document-records', undefined, theirs)).body.total).toBe(0)
    expect(
      (await send('POST', '/api/document-records', { documentId, entityType: 'LEAD', entityId }, theirs)).body,
    ).toMatchObject({ code: 'INVALID_REFERENCE', details: { field: 'entityId' } })
    expect(
      (await send('POST', '/api/document-records', { documentId: unknownId, entityType: 'LEAD', entityId })).body,
    ).toMatchObject({ code: 'INVALID_REFERENCE', details: { field: 'documentId' } })
    expect((await send('POST', '/api/document-records', { documentId, entityType: 'ROBOT', entityId })).body.code).toBe(
      'INVALID_REFERENCE',
    )
  })
})

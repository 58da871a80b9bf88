import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'
import { createCompany, createLead, unknownId } from '../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const send = (method: 'POST' | 'PATCH' | 'DELETE' | 'GET', path: string, body?: unknown, as = key) => call({ method, path, key: as, body })
const template = async (body = '# {{record.name}}\n\nDear **{{record.name}}**, {{today}}\n\n- one\n- two') => (await send('POST', '/api/documents', { name: 'Contract', kind: 'CONTRACT', body })).body.data

describe('templates', () => {
  it('warn of variables that nothing stands for, and refuse what is broken', async () => {
    expect(await template('{{record.name}} {{record.nme}} {{nobody}} {{organization.name}}')).toMatchObject({ kind: 'CONTRACT', warnings: [{ path: ['body'] }, { path: ['body'] }] })
    expect((await send('POST', '/api/documents', { name: 'x', body: 'Hi {{record.' })).body).toMatchObject({ code: 'TEMPLATE_INVALID', issues: [{ path: ['body'] }] })
    const { id } = await template()
    expect((await send('PATCH', `/api/documents/${id}`, { body: 'Bye {{x}}' })).body.data).toMatchObject({ version: 2, warnings: [{}] })
    expect((await send('GET', '/api/documents?kind=CONTRACT&search=contract')).body.total).toBeGreaterThan(1)
  })
})

describe('documents of records', () => {
  it('are a PDF that belongs to the record', async () => {
    const entityId = await createCompany(api, { name: 'Überlingen 株式会社 & Söhne' })
    const { id: documentId } = await template()
    const { status, body } = await send('POST', '/api/document-records', { documentId, entityType: 'COMPANY', entityId })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ status: 'DRAFT', title: 'Contract, Überlingen 株式会社 & Söhne', entityId })
    const file = await send('GET', `/api/files/${body.data.fileId}`)
    expect(file.body.data).toMatchObject({ contentType: 'application/pdf', links: [{ entityType: 'COMPANY', entityId }] })
    const path = `/api/document-records/${body.data.id}`
    expect((await send('PATCH', path, { status: 'SIGNED' })).body.data.status).toBe('SIGNED')
    expect(await send('PATCH', path, { status: 'SENT' })).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(await send('DELETE', `/api/documents/${documentId}`)).toMatchObject({ status: 409, body: { code: 'IN_USE', details: { count: 1 } } })
    expect((await send('GET', `/api/document-records?entityType=COMPANY&entityId=${entityId}`)).body.total).toBe(1)
  })

  it('follow their record when it is merged', async () => {
    const { id: documentId } = await template()
    const [kept, merged] = [await createCompany(api, { name: 'Kept' }), await createCompany(api, { name: 'Merged' })]
    const made = (await send('POST', '/api/document-records', { documentId, entityType: 'COMPANY', entityId: merged })).body.data
    expect((await send('POST', `/api/companies/${kept}/merge`, { sourceIds: [merged] })).status).toBe(200)
    expect((await send('GET', `/api/document-records/${made.id}`)).body.data.entityId).toBe(kept)
  })

  it('are seen with their record, and refuse what is not there', async () => {
    const { id: documentId } = await template()
    const entityId = await createLead(api)
    const made = (await send('POST', '/api/document-records', { documentId, entityType: 'LEAD', entityId })).body.data
    const { id } = await workspace.employee({ grant: { permissions: ['VIEW_DOCUMENT', 'CREATE_DOCUMENT', 'VIEW_LEAD'], access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] } })
    const theirs = (await workspace.apiKey({ ownerId: id })).key
    expect((await send('GET', `/api/document-records/${made.id}`, undefined, theirs)).status).toBe(404)
    expect((await send('GET', '/api/document-records', undefined, theirs)).body.total).toBe(0)
    expect((await send('POST', '/api/document-records', { documentId, entityType: 'LEAD', entityId }, theirs)).body).toMatchObject({ code: 'INVALID_REFERENCE', details: { field: 'entityId' } })
    expect((await send('POST', '/api/document-records', { documentId: unknownId, entityType: 'LEAD', entityId })).body).toMatchObject({ code: 'INVALID_REFERENCE', details: { field: 'documentId' } })
    expect((await send('POST', '/api/document-records', { documentId, entityType: 'ROBOT', entityId })).body.code).toBe('INVALID_REFERENCE')
  })
})

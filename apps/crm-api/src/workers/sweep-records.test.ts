import { schema } from '@crm/db'
import { createLogger } from '@crm/runtime'
import { and, eq, getTableName, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../test/harness.ts'
import {
  createCompany,
  createContact,
  createDeal,
  createInvoice,
  createLead,
  createOrder,
  createRecord,
  createTask,
  ownedSamples,
} from '../../test/samples.ts'
import { recordKinds, type KnownEntity } from '../kinds/kinds.ts'
import { sweepRecords } from './sweep-records.ts'

const api = await ownApi()
const { call, db, clock, key, workspace } = api
const dayMs = 24 * 60 * 60 * 1000

const sweep = (days: number) =>
  sweepRecords({
    db,
    clock: { now: () => new Date(clock.now().getTime() + days * dayMs) },
    logger: createLogger({ name: 'sweep', level: 'silent' }),
  })
const send = (method: 'POST' | 'PATCH', path: string, body: unknown) => call({ method, path, key, body })
const remove = async (path: string) =>
  expect(await call({ method: 'DELETE', path, key })).toMatchObject({ status: 200 })
const rowsOf = async (entityType: KnownEntity, id: string): Promise<number> => {
  const { table } = recordKinds[entityType]
  return (
    await db
      .select({ id: sql`1` })
      .from(table)
      .where(and(eq(table.workspaceId, workspace.workspaceId), eq(table.id, id)))
  ).length
}
const hanging = async (entityId: string) => {
  const { comments, timeline, recordLinks, fileLinks, documentRecords, follows } = schema
  const counts = await Promise.all(
    [comments, timeline, recordLinks, fileLinks, documentRecords, follows].map((table) =>
      db.$count(table, eq(table.entityId, entityId)),
    ),
  )
  const [notes, entries, links, files, documents, followers] = counts
  return { comments: notes, timeline: entries, links, files, documents, followers }
}

it.each(ownedSamples(api))(
  'a deleted %s is kept for 30 days and then goes for good; others stay, and the total',
  async (entityType, path, create) => {
    const [id, other] = [await create(), await create()]
    await remove(`${path}/${id}`)
    const { total } = (await call({ path, key })).body
    await sweep(29.9)
    expect(await rowsOf(entityType, id)).toBe(1)
    await sweep(30.1)
    expect([await rowsOf(entityType, id), await rowsOf(entityType, other)]).toEqual([0, 1])
    expect(await hanging(id)).toEqual({ comments: 0, timeline: 0, links: 0, files: 0, documents: 0, followers: 0 })
    expect((await call({ path, key })).body.total).toBe(total)
  },
)

describe('a purged record', () => {
  it('takes along what hangs on it, and is named by nothing any more', async () => {
    const companyId = await createCompany(api)
    const [contactId, dealId] = [await createContact(api, { companyId }), await createDeal(api, { companyId })]
    const { id: parent } = (
      await send('POST', '/api/crm/comments', { entityType: 'COMPANY', entityId: companyId, body: 'First' })
    ).body.data
    await send('POST', '/api/crm/comments', {
      entityType: 'COMPANY',
      entityId: companyId,
      body: 'Answer',
      parentId: parent,
    })
    const taskId = await createTask(api, { links: [{ entityType: 'COMPANY', entityId: companyId }] })
    const documentId = await createRecord(api, '/api/documents', { name: 'Letter', body: 'Dear {{record.name}}' })
    const { fileId } = (
      await send('POST', '/api/document-records', { documentId, entityType: 'COMPANY', entityId: companyId })
    ).body.data
    const upload = { filename: 'note.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=' }
    const shared = (await send('POST', '/api/files/upload', { ...upload, companyId, dealId })).body.data.id
    const cookie = await workspace.session()
    await call({ method: 'PUT', path: `/api/me/follows/COMPANY/${companyId}`, cookie })
    expect(await hanging(companyId)).toMatchObject({ comments: 2, links: 1, files: 2, documents: 1, followers: 1 })
    await remove(`/api/companies/${companyId}`)
    await sweep(30.1)
    expect(await rowsOf('COMPANY', companyId)).toBe(0)
    expect(await hanging(companyId)).toEqual({
      comments: 0,
      timeline: 0,
      links: 0,
      files: 0,
      documents: 0,
      followers: 0,
    })
    expect((await call({ path: `/api/contacts/${contactId}`, key })).body.data).toMatchObject({
      companyId: null,
      version: 1,
    })
    expect((await call({ path: `/api/deals/${dealId}`, key })).body.data.companyId).toBeNull()
    expect((await call({ path: `/api/tasks/${taskId}`, key })).body.data.links).toEqual([])
    const leaving = async (id: string) =>
      (await db.select({ leavesAt: schema.files.leavesAt }).from(schema.files).where(eq(schema.files.id, id)))[0]
        ?.leavesAt
    expect([await leaving(fileId), await leaving(shared)]).toEqual([expect.any(String), null])
  })

  it('lets the file of its document go, whose link was taken away long before', async () => {
    const [companyId, documentId] = [
      await createCompany(api),
      await createRecord(api, '/api/documents', { name: 'Letter', body: 'Dear {{record.name}}' }),
    ]
    const { fileId } = (
      await send('POST', '/api/document-records', { documentId, entityType: 'COMPANY', entityId: companyId })
    ).body.data
    const { files } = schema
    await db.delete(schema.fileLinks).where(eq(schema.fileLinks.fileId, fileId))
    await remove(`/api/companies/${companyId}`)
    await sweep(30.1)
    expect(await db.select({ leavesAt: files.leavesAt }).from(files).where(eq(files.id, fileId))).toEqual([
      { leavesAt: expect.any(String) },
    ])
  })

  it('is no template that a document was made from at the same time', async () => {
    const [companyId, documentId] = [
      await createCompany(api),
      await createRecord(api, '/api/documents', { name: 'Letter', body: 'Dear {{record.name}}' }),
    ]
    await send('POST', '/api/document-records', { documentId, entityType: 'COMPANY', entityId: companyId })
    await db
      .update(schema.documents)
      .set({ deletedAt: clock.now().toISOString() })
      .where(eq(schema.documents.id, documentId))
    await sweep(30.1)
    expect(await rowsOf('DOCUMENT', documentId)).toBe(1)
  })

  it('is one of a custom entity as well', async () => {
    await createRecord(api, '/api/custom-entities', { key: 'boat', labels: { singular: 'Boat', plural: 'Boats' } })
    const { key: fresh } = await workspace.apiKey({ scopes: ['VIEW_BOAT', 'CREATE_BOAT', 'DELETE_BOAT'] })
    const path = '/api/custom-entities/boat/records'
    const { id } = (await call({ method: 'POST', path, key: fresh, body: { title: 'Dinghy' } })).body.data
    expect(
      await call({
        method: 'POST',
        path: '/api/crm/comments',
        key: fresh,
        body: { entityType: 'BOAT', entityId: id, body: 'Leaks' },
      }),
    ).toMatchObject({ status: 201 })
    await call({ method: 'DELETE', path: `${path}/${id}`, key: fresh })
    await sweep(30.1)
    expect(await db.$count(schema.customRecords, eq(schema.customRecords.id, id))).toBe(0)
    expect(await hanging(id)).toMatchObject({ comments: 0, timeline: 0 })
  })

  it('goes once when several sweep at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => createLead(api)))
    await send('PATCH', '/api/leads', { ids, set: { temperature: 'HOT' } })
    for (const id of ids) await remove(`/api/leads/${id}`)
    await Promise.all([sweep(30.1), sweep(30.1), sweep(30.1)])
    for (const id of ids) expect(await rowsOf('LEAD', id)).toBe(0)
  })
})

describe('what stays', () => {
  it('a merged record leads to the one that it lives on in', async () => {
    const [survivor, source] = [await createContact(api), await createContact(api)]
    await send('POST', `/api/contacts/${survivor}/merge`, { sourceIds: [source] })
    await sweep(31)
    expect(await call({ path: `/api/contacts/${source}`, key })).toMatchObject({
      status: 404,
      body: { details: { mergedIntoId: survivor } },
    })
  })

  it('the parties of a document with a number', async () => {
    const companyId = await createCompany(api)
    const invoiceId = await createInvoice(api, { companyId })
    expect(await send('POST', `/api/invoices/${invoiceId}/issue`, {})).toMatchObject({ status: 200 })
    expect(await call({ method: 'DELETE', path: `/api/invoices/${invoiceId}`, key })).toMatchObject({
      status: 409,
      body: { code: 'INVOICE_LOCKED' },
    })
    await remove(`/api/companies/${companyId}`)
    await sweep(31)
    expect(await rowsOf('COMPANY', companyId)).toBe(1)
    expect((await call({ path: `/api/invoices/${invoiceId}`, key })).body.data.companyId).toBe(companyId)
  })

  it('a number that was drawn, so that it is never given again', async () => {
    const orderId = await createOrder(api)
    expect(await send('POST', `/api/orders/${orderId}/confirm`, {})).toMatchObject({ status: 200 })
    await remove(`/api/orders/${orderId}`)
    await sweep(31)
    expect(await rowsOf('ORDER', orderId)).toBe(1)
  })
})

it('finds what names a purged record or file by an index, however large the tables are', async () => {
  const { rows } = await db.execute<{ reference: string }>(sql`
    SELECT c.conrelid::regclass || '.' || last_column.attname AS reference
    FROM pg_constraint c
    JOIN pg_attribute last_column ON last_column.attrelid = c.conrelid AND last_column.attnum = c.conkey[array_length(c.conkey, 1)]
    WHERE c.contype = 'f' AND c.confrelid::regclass::text = ANY(${sql.param(purgedTables)}::text[]) AND NOT EXISTS (
      SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND (string_to_array(i.indkey::text, ' ')::int2[])[1:2] = c.conkey
        AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', last_column.attname)))`)
  expect(rows).toEqual([])
})

const purgedTables = [
  ...new Set([
    ...Object.values(recordKinds).map(({ table }) => getTableName(table)),
    'custom_records',
    'comments',
    'files',
  ]),
]

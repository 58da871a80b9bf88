import { schema } from '@crm/db'
import { createLogger } from '@crm/runtime'
import { eq } from 'drizzle-orm'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'
import { createLead, unknownId } from '../../../../test/samples.ts'
import { uploadFile } from '../../../../test/uploads.ts'
import { sweepContents } from '../../../workers/sweep-contents.ts'
import { sweepFiles } from '../../../workers/sweep-files.ts'

const api = await ownApi()
const { call, key, workspace, db, clock } = api
const path = '/api/files'
const notFound = { status: 404, body: { code: 'NOT_FOUND' } }
const dayMs = 24 * 60 * 60 * 1000
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const get = (id: string, as = key) => call({ path: `${path}/${id}`, key: as })
const list = async (query: string, as = key) => (await call({ path: `${path}?${query}`, key: as })).body
const patch = (id: string, body: unknown, as = key) => call({ method: 'PATCH', path: `${path}/${id}`, key: as, body })
const remove = (id: string, as = key) => call({ method: 'DELETE', path: `${path}/${id}`, key: as })
const history = async (leadId: string, kind: string) =>
  (await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${leadId}&kind=${kind}`, key })).body.items
const download = (id: string, headers: Record<string, string> = {}, as = key) =>
  api.app.inject({
    url: `${path}/${id}/content`,
    headers: { host: workspace.host, authorization: `Bearer ${as}`, ...headers },
  })

type Level = 'NONE' | 'OWN' | 'DEPARTMENT' | 'ALL'
const allOfFiles = ['VIEW_FILE', 'CREATE_FILE', 'UPDATE_FILE', 'DELETE_FILE'] as const

/** Creates a person with this level for leads and files. */
async function person({
  leads = 'ALL',
  fileLevels = {},
  permissions = allOfFiles,
}: {
  leads?: Level
  fileLevels?: Partial<Record<'VIEW' | 'UPDATE' | 'DELETE', Level>>
  permissions?: readonly string[]
} = {}) {
  const levels = { VIEW: 'ALL', UPDATE: 'ALL', DELETE: 'ALL', ...fileLevels } as const
  const { id } = await workspace.employee({
    grant: {
      permissions: [...permissions, 'VIEW_LEAD', 'CREATE_LEAD'],
      access: [
        { entityType: 'LEAD', VIEW: leads, UPDATE: leads, DELETE: leads },
        { entityType: 'FILE', ...levels },
      ],
    },
  })
  return { id, key: (await workspace.apiKey({ ownerId: id })).key }
}

describe('the content', () => {
  it('comes whole, with what keeps a browser from running it', async () => {
    const { id, sha256 } = await uploadFile(api, { name: 'Größe.txt', content: 'hello world' })
    const { statusCode, headers, body } = await download(id)
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: 'hello world' })
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '11',
      'content-disposition': `inline; filename="Groe.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      etag: `"${sha256}"`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
    })
  })

  it.each([
    ['page.html', '<!doctype html><script>alert(1)</script>', 'text/html'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml'],
    ['data.json', '{}', 'application/json'],
  ])('of %s is saved, not opened', async (name, content, contentType) => {
    const { headers } = await download((await uploadFile(api, { name, content, contentType })).id)
    expect(headers['content-disposition']).toMatch(/^attachment; /)
  })

  it('of a picture opens', async () => {
    const { headers, rawPayload } = await download((await uploadFile(api, { name: 'a.png', content: png })).id)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringMatching(/^inline; /),
    })
    expect(rawPayload.equals(png)).toBe(true)
  })

  it('comes in parts', async () => {
    const { id, sha256 } = await uploadFile(api, { content: '0123456789' })
    const partOf = async (headers: Record<string, string>) => {
      const answer = await download(id, headers)
      return [answer.statusCode, answer.body, answer.headers['content-range'], answer.headers['content-length']]
    }
    expect(await partOf({ range: 'bytes=2-4' })).toEqual([206, '234', 'bytes 2-4/10', '3'])
    expect(await partOf({ range: 'bytes=8-' })).toEqual([206, '89', 'bytes 8-9/10', '2'])
    expect(await partOf({ range: 'bytes=-1' })).toEqual([206, '9', 'bytes 9-9/10', '1'])
    expect(await partOf({ range: 'bytes=0-1,3-4' })).toEqual([200, '0123456789', undefined, '10'])
    expect(await partOf({ range: 'bytes=2-4', 'if-range': `"${sha256}"` })).toEqual([206, '234', 'bytes 2-4/10', '3'])
    expect(await partOf({ range: 'bytes=2-4', 'if-range': '"another"' })).toEqual([200, '0123456789', undefined, '10'])
  })

  it('416 RANGE_NOT_SATISFIABLE past the end, with the size', async () => {
    const { id } = await uploadFile(api, { content: '0123456789' })
    const { statusCode, headers, body } = await download(id, { range: 'bytes=10-' })
    expect({ statusCode, range: headers['content-range'], code: JSON.parse(body).code }).toEqual({
      statusCode: 416,
      range: 'bytes */10',
      code: 'RANGE_NOT_SATISFIABLE',
    })
  })

  it('304 when the client has it', async () => {
    const { id, sha256 } = await uploadFile(api, {})
    const { statusCode, body, headers } = await download(id, { 'if-none-match': `"${sha256}"` })
    expect({ statusCode, body, etag: headers['etag'] }).toEqual({ statusCode: 304, body: '', etag: `"${sha256}"` })
  })

  it('of an empty file is empty', async () => {
    const { statusCode, body, headers } = await download((await uploadFile(api, { content: '' })).id)
    expect({ statusCode, body, length: headers['content-length'] }).toEqual({ statusCode: 200, body: '', length: '0' })
  })

  it('404 when the storage lost it', async () => {
    const { id } = await uploadFile(api, {})
    await api.storage.remove(`${workspace.workspaceId}/${id}`)
    expect((await download(id)).statusCode).toBe(404)
  })

  it('comes from the storage of its own workspace only', async () => {
    const { id } = await uploadFile(api, {})
    const elsewhere = await api.newWorkspace()
    const answer = await api.app.inject({
      url: `${path}/${id}/content`,
      headers: { host: elsewhere.host, authorization: `Bearer ${(await elsewhere.apiKey()).key}` },
    })
    expect(answer.statusCode).toBe(404)
  })
})

describe('the list', () => {
  it('is newest first, in pages, and of one record when asked', async () => {
    const leadId = await createLead(api)
    const names = ['a.txt', 'b.txt', 'c.txt']
    const ids: string[] = []
    for (const name of names) ids.push((await uploadFile(api, { name, metadata: { leadId } })).id)
    await uploadFile(api, { name: 'other.txt' })
    for (const query of [`leadId=${leadId}`, `entityType=LEAD&entityId=${leadId}`]) {
      const { items, ...envelope } = await list(query)
      expect(envelope).toEqual({ total: 3, page: 1, pageSize: 50, pageCount: 1 })
      expect(new Set(items.map(({ id }: { id: string }) => id))).toEqual(new Set(ids))
    }
    expect(await list(`leadId=${leadId}&sortBy=name&sortOrder=asc&page=2&pageSize=2`)).toMatchObject({
      total: 3,
      page: 2,
      pageSize: 2,
      pageCount: 2,
      items: [{ name: 'c.txt' }],
    })
    expect(await list(`leadId=${leadId}&page=9`)).toMatchObject({ total: 3, items: [] })
    expect((await list(`leadId=${leadId}&pageSize=500`)).pageSize).toBe(100)
  })

  it('is found by words of the name, the uploader and the time', async () => {
    const { id: uploadedById, key: theirs } = await person()
    const { id } = await uploadFile(api, { name: 'Jahresabschluss Müller 2026.pdf' }, theirs)
    const found = (query: string) => list(`${query}&uploadedById=${uploadedById}`, theirs)
    for (const query of [
      'search=muller',
      'search=abschluss%20müller',
      'search=MÜLL',
      'createdFrom=2020-01-01',
      'sortBy=size',
    ]) {
      expect((await found(query)).items, query).toMatchObject([{ id }])
    }
    for (const query of ['search=meier', 'search=mu%25er', 'createdTo=2020-01-01'])
      expect((await found(query)).total, query).toBe(0)
    expect((await list(`uploadedById=${unknownId}`, theirs)).total).toBe(0)
  })

  it.each([
    ['sortBy=sha256', 'INVALID_QUERY_PARAM'],
    ['entityType=LEAD', 'INVALID_QUERY_PARAM'],
    [`entityId=${unknownId}`, 'INVALID_QUERY_PARAM'],
    ['leadId=x', 'INVALID_ID'],
    ['pageSize=0', 'INVALID_QUERY_PARAM'],
    ['ownerId=x', 'UNKNOWN_QUERY_PARAM'],
    ['search=a&search=b', 'DUPLICATE_QUERY_PARAM'],
  ])('400 for %s', async (query, code) =>
    expect(await call({ path: `${path}?${query}`, key })).toMatchObject({ status: 400, body: { code } }),
  )

  it('404 for a record that is not there or out of sight, both alike', async () => {
    const hidden = await createLead(api)
    const { key: theirs } = await person({ leads: 'OWN' })
    const refusals = await Promise.all(
      [hidden, unknownId].map((id) => call({ path: `${path}?entityType=LEAD&entityId=${id}`, key: theirs })),
    )
    expect(refusals[0]).toMatchObject(notFound)
    expect(refusals[0]?.body).toEqual(refusals[1]?.body)
  })
})

describe('who sees a file', () => {
  it('whoever uploaded it, and nobody else while it belongs to nothing', async () => {
    const { id: uploadedById, key: theirs } = await person()
    const { id } = await uploadFile(api, {}, theirs)
    expect((await get(id, theirs)).status).toBe(200)
    expect(await get(id)).toMatchObject(notFound)
    expect((await download(id)).statusCode).toBe(404)
    expect((await list(`uploadedById=${uploadedById}`)).total).toBe(0)
  })

  it.each<[Level, boolean]>([
    ['OWN', false],
    ['DEPARTMENT', false],
    ['ALL', true],
  ])('with the level %s for leads a file on a lead of others: %s', async (leads, sees) => {
    const leadId = await createLead(api)
    const { id } = await uploadFile(api, { name: `level ${leads}.txt`, metadata: { leadId } })
    const { key: theirs } = await person({ leads })
    const status = sees ? 200 : 404
    expect((await get(id, theirs)).status).toBe(status)
    expect((await download(id, {}, theirs)).statusCode).toBe(status)
    expect((await patch(id, { name: 'x.txt' }, theirs)).status).toBe(status)
    expect(
      (await list(`uploadedById=${workspace.adminUserId}`, theirs)).items.some(
        (file: { id: string }) => file.id === id,
      ),
    ).toBe(sees)
    expect((await remove(id, theirs)).status).toBe(status)
  })

  it('whoever may see any one of its records, and of the others they learn nothing', async () => {
    const { id: ownerId, key: theirs } = await person({ leads: 'OWN' })
    const [shown, hidden] = [await createLead(api, { ownerId }), await createLead(api)]
    const { id, links } = await uploadFile(api, {
      metadata: { links: [shown, hidden].map((entityId) => ({ entityType: 'LEAD', entityId })) },
    })
    expect(links).toHaveLength(2)
    expect((await get(id, theirs)).body.data.links).toEqual([{ entityType: 'LEAD', entityId: shown }])
    expect((await list(`leadId=${shown}`, theirs)).items).toMatchObject([{ id, links: [{ entityId: shown }] }])
    expect((await list(`leadId=${hidden}`)).items).toMatchObject([{ id }])
  })

  it('nobody by a record that was deleted', async () => {
    const { key: theirs } = await person()
    const leadId = await createLead(api)
    const { id } = await uploadFile(api, { metadata: { leadId } })
    expect((await get(id, theirs)).status).toBe(200)
    await call({ method: 'DELETE', path: `/api/leads/${leadId}`, key })
    expect(await get(id, theirs)).toMatchObject(notFound)
    expect((await get(id)).body.data).toMatchObject({ id, links: [] })
  })

  it('with VIEW_DOCUMENT alone as well', async () => {
    const { id } = await uploadFile(api, { metadata: { leadId: await createLead(api) } })
    expect((await get(id, (await person({ permissions: ['VIEW_DOCUMENT'] })).key)).status).toBe(200)
  })

  it('with the level OWN for files only their own', async () => {
    const leadId = await createLead(api)
    const { id } = await uploadFile(api, { metadata: { leadId } })
    const { key: theirs } = await person({ fileLevels: { VIEW: 'OWN' } })
    const own = await uploadFile(api, { metadata: { leadId } }, theirs)
    expect(await get(id, theirs)).toMatchObject(notFound)
    expect(await list(`leadId=${leadId}`, theirs)).toMatchObject({ total: 1, items: [{ id: own.id }] })
  })

  it('403 ACCESS_LEVEL_NONE with the level NONE for files', async () => {
    const { key: theirs } = await person({ fileLevels: { VIEW: 'NONE' } })
    for (const one of [path, `${path}/${unknownId}`, `${path}/${unknownId}/content`]) {
      expect(await call({ path: one, key: theirs })).toMatchObject({
        status: 403,
        body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: 'VIEW_FILE' },
      })
    }
  })

  it.each(['UPDATE', 'DELETE'] as const)('and who with the level OWN for %s reaches only their own', async (action) => {
    const { key: theirs } = await person({ fileLevels: { [action]: 'OWN' } })
    const leadId = await createLead(api)
    const { id } = await uploadFile(api, { metadata: { leadId } })
    const own = await uploadFile(api, {}, theirs)
    const attempt = (file: string) =>
      action === 'UPDATE' ? patch(file, { name: 'x.txt' }, theirs) : remove(file, theirs)
    expect(await attempt(id)).toMatchObject(notFound)
    expect((await attempt(own.id)).status).toBe(200)
  })
})

describe('a change', () => {
  it('renames, never to another place', async () => {
    const { id } = await uploadFile(api, {})
    expect((await patch(id, { name: '../../secret.txt' })).body.data).toMatchObject({ id, name: 'secret.txt' })
    expect((await get(id)).body.data.name).toBe('secret.txt')
  })

  it('replaces the links, and the records remember', async () => {
    const [first, second] = [await createLead(api), await createLead(api)]
    const { id } = await uploadFile(api, { metadata: { leadId: first } })
    const { body } = await patch(id, { links: [{ entityType: 'LEAD', entityId: second }] })
    expect(body.data.links).toEqual([{ entityType: 'LEAD', entityId: second }])
    expect(await history(first, 'FILE_REMOVED')).toMatchObject([{ relatedId: id, data: { name: 'note.txt' } }])
    expect(await history(second, 'FILE_ADDED')).toMatchObject([{ relatedId: id }])
    await patch(id, { links: [{ entityType: 'LEAD', entityId: second }] })
    expect(await history(second, 'FILE_ADDED')).toHaveLength(1)
  })

  it('leaves the links alone that its maker does not see', async () => {
    const { id: ownerId, key: theirs } = await person({ leads: 'OWN' })
    const [shown, hidden] = [await createLead(api, { ownerId }), await createLead(api)]
    const { id } = await uploadFile(api, {
      metadata: { links: [shown, hidden].map((entityId) => ({ entityType: 'LEAD', entityId })) },
    })
    expect((await patch(id, { name: 'seen.txt' }, theirs)).status).toBe(200)
    await patch(id, { links: [] }, theirs)
    expect((await get(id)).body.data.links).toEqual([{ entityType: 'LEAD', entityId: hidden }])
  })

  it('400 INVALID_REFERENCE for a link to what is not there or out of sight', async () => {
    const { key: theirs } = await person({ leads: 'OWN' })
    const { id } = await uploadFile(api, {}, theirs)
    for (const entityId of [unknownId, await createLead(api)]) {
      expect(await patch(id, { links: [{ entityType: 'LEAD', entityId }] }, theirs)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REFERENCE', details: { field: 'links' } },
      })
    }
  })

  it.each([{ name: '' }, { name: 'x'.repeat(256) }, { links: 'none' }, { size: 1 }, { contentType: 'text/html' }])(
    '400 for %j',
    async (body) => {
      const { id } = await uploadFile(api, {})
      expect(await patch(id, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    },
  )
})

const bytesOf = (id: string) =>
  access(join(api.filesDirectory, workspace.workspaceId, id)).then(
    () => true,
    () => false,
  )
const rowOf = async (id: string) => (await db.select().from(schema.files).where(eq(schema.files.id, id)))[0]
const later = (days: number) => ({ now: () => new Date(clock.now().getTime() + days * dayMs) })
const sweeping = (days: number) => ({
  db,
  storage: api.storage,
  clock: later(days),
  logger: createLogger({ name: 'sweep', level: 'silent' }),
})
const sweep = async (days: number): Promise<void> => {
  await sweepFiles(sweeping(days))
  await sweepContents(sweeping(days))
}

describe('a deleted file', () => {
  it('is gone for everybody at once, and the records remember', async () => {
    const leadId = await createLead(api)
    const { id } = await uploadFile(api, { metadata: { leadId } })
    expect(await remove(id)).toMatchObject({ status: 200, body: { success: true, data: { id } } })
    for (const answer of [await get(id), await patch(id, { name: 'x' }), await remove(id)])
      expect(answer).toMatchObject(notFound)
    expect((await download(id)).statusCode).toBe(404)
    expect((await list(`leadId=${leadId}`)).total).toBe(0)
    expect(await history(leadId, 'FILE_REMOVED')).toMatchObject([{ relatedId: id }])
  })

  it('is kept for 30 days, then its row goes, and two days later its bytes, which a running backup still copies', async () => {
    const { id } = await uploadFile(api, {})
    await remove(id)
    await sweep(29.9)
    expect([(await rowOf(id)) !== undefined, await bytesOf(id)]).toEqual([true, true])
    await sweep(30.1)
    expect([await rowOf(id), await bytesOf(id)]).toEqual([undefined, true])
    await sweep(32)
    expect(await bytesOf(id)).toBe(true)
    await sweep(32.2)
    expect(await bytesOf(id)).toBe(false)
  })
})

describe('a file that loses its last link', () => {
  const withLink = async () => {
    const leadId = await createLead(api)
    return { leadId, id: (await uploadFile(api, { metadata: { leadId } })).id as string }
  }

  it('is kept for 30 days, then it goes', async () => {
    const { id } = await withLink()
    await patch(id, { links: [] })
    await sweep(29.9)
    expect((await get(id)).status).toBe(200)
    await sweep(30.1)
    await sweep(33)
    expect([await rowOf(id), await bytesOf(id)]).toEqual([undefined, false])
  })

  it('stays when it is linked again', async () => {
    const { id, leadId } = await withLink()
    await patch(id, { links: [] })
    await patch(id, { links: [{ entityType: 'LEAD', entityId: leadId }] })
    await sweep(31)
    expect([(await rowOf(id)) !== undefined, await bytesOf(id)]).toEqual([true, true])
  })

  it('stays while another link is left, and when it never had one', async () => {
    const { id, leadId } = await withLink()
    const other = await createLead(api)
    await patch(id, { links: [leadId, other].map((entityId) => ({ entityType: 'LEAD', entityId })) })
    await patch(id, { links: [{ entityType: 'LEAD', entityId: other }] })
    const { id: free } = await uploadFile(api, {})
    await sweep(31)
    expect([await bytesOf(id), await bytesOf(free)]).toEqual([true, true])
  })

  it('leaves its bytes for later when the storage does not let them go', async () => {
    const [one, other] = [await withLink(), await withLink()]
    for (const { id } of [one, other]) await patch(id, { links: [] })
    await sweep(31)
    const failing = vi.spyOn(api.storage, 'remove').mockRejectedValue(new Error('The storage is away'))
    await sweep(34)
    failing.mockRestore()
    expect([await rowOf(one.id), await bytesOf(one.id), await bytesOf(other.id)]).toEqual([undefined, true, true])
    // They are tried again an hour later.
    await sweep(34)
    expect(await bytesOf(one.id)).toBe(true)
    await sweep(34.1)
    expect([await bytesOf(one.id), await bytesOf(other.id)]).toEqual([false, false])
    expect(await db.select().from(schema.leavingContents)).toEqual([])
  })

  it('goes once when several processes sweep', async () => {
    const { id } = await withLink()
    await patch(id, { links: [] })
    await Promise.all([sweep(31), sweep(31), sweep(31)])
    await Promise.all([sweep(34), sweep(34), sweep(34)])
    expect([await rowOf(id), await bytesOf(id)]).toEqual([undefined, false])
  })
})

describe('an upload whose process died', () => {
  it('is taken back after an hour, bytes and all', async () => {
    const id = unknownId.replace('7000', '7001')
    await db
      .insert(schema.fileUploads)
      .values({ workspaceId: workspace.workspaceId, id, startedAt: clock.now().toISOString() })
    await api.storage.write(
      `${workspace.workspaceId}/${id}`,
      (async function* () {
        yield Buffer.from('half')
      })(),
    )
    await sweep(0)
    expect(await bytesOf(id)).toBe(true)
    await sweep(0.1)
    expect(await bytesOf(id)).toBe(false)
    expect(await db.select().from(schema.fileUploads)).toEqual([])
  })
})

describe('a comment', () => {
  const comment = (fileIds: string[], entityId: string, as = key) =>
    call({
      method: 'POST',
      path: '/api/crm/comments',
      key: as,
      body: { entityType: 'LEAD', entityId, body: 'See here', fileIds },
    })

  it('names files that its author sees', async () => {
    const entityId = await createLead(api)
    const { id } = await uploadFile(api, {})
    expect(await comment([id, id], entityId)).toMatchObject({ status: 201, body: { data: { fileIds: [id, id] } } })
  })

  it('400 INVALID_REFERENCE for a file that is not there or out of sight', async () => {
    const entityId = await createLead(api)
    const { id } = await uploadFile(api, {})
    const refused = { status: 400, body: { code: 'INVALID_REFERENCE', details: { field: 'fileIds' } } }
    expect(await comment([id, unknownId], entityId)).toMatchObject(refused)
    expect(await comment([id], entityId, (await person()).key)).toMatchObject(refused)
    expect(await comment([id], entityId, (await person({ permissions: [] })).key)).toMatchObject(refused)
  })
})

import { eventually, noise } from '@crm/testkit'
import { schema } from '@crm/db'
import { MissingContentError } from '@crm/storage'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'
import { createLead, unknownId } from '../../../../test/samples.ts'
import { encodeForm, formOf, sendForm, type Form } from '../../../../test/uploads.ts'

const fileBytesMax = 2 * 1024 * 1024
const api = await ownApi({ fileBytesMax })
const { call, key, workspace, db } = api

const path = '/api/files/upload'
const post = (form: Form, as = key) => sendForm(api, formOf(form), as)
const base64 = (body: Record<string, unknown>, as = key) =>
  call({
    method: 'POST',
    path,
    key: as,
    body: { filename: 'note.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=', ...body },
  })
const history = async (leadId: string) =>
  (await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${leadId}`, key })).body.items
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Expects that nothing is left of an upload: no row, no bytes, no record of the upload. */
async function expectNothingLeft(before: number): Promise<void> {
  expect(await db.select().from(schema.fileUploads)).toEqual([])
  expect(await db.$count(schema.files)).toBe(before)
  expect(await keptFiles()).toHaveLength(before)
}

async function keptFiles(): Promise<string[]> {
  return readdir(join(api.filesDirectory, workspace.workspaceId)).catch(() => [])
}

describe('201', () => {
  it('for a form with a file and links, which the records remember', async () => {
    const leadId = await createLead(api)
    const { status, body } = await post({
      name: 'plan.png',
      content: png,
      contentType: 'image/png',
      metadata: { leadId },
    })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        name: 'plan.png',
        contentType: 'image/png',
        size: png.length,
        sha256: sha256(png),
        links: [{ entityType: 'LEAD', entityId: leadId }],
        uploadedById: workspace.adminUserId,
        createdById: workspace.adminUserId,
      },
    })
    expect((await call({ path: `/api/files/${body.data.id}`, key })).body.data).toEqual(body.data)
    expect((await history(leadId))[0]).toMatchObject({
      kind: 'FILE_ADDED',
      relatedType: 'FILE',
      relatedId: body.data.id,
      data: { name: 'plan.png', contentType: 'image/png', size: png.length },
      actor: { id: workspace.adminUserId },
    })
  })

  it('for JSON with base64, with the same record', async () => {
    const leadId = await createLead(api)
    const { status, body } = await base64({ leadId })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        name: 'note.txt',
        contentType: 'text/plain',
        size: 5,
        sha256: sha256('hello'),
        links: [{ entityType: 'LEAD', entityId: leadId }],
      },
    })
  })

  it('for a file that belongs to nothing', async () =>
    expect(await post({})).toMatchObject({ status: 201, body: { data: { links: [] } } }))

  it('for a file without bytes', async () => {
    expect(await post({ content: '' })).toMatchObject({ status: 201, body: { data: { size: 0 } } })
    expect(await base64({ contentBase64: '' })).toMatchObject({ status: 201, body: { data: { size: 0 } } })
  })

  it('for metadata before the file, and links in full and in short, each once', async () => {
    const [one, two] = [await createLead(api), await createLead(api)]
    const form = new FormData()
    form.append(
      'metadata',
      JSON.stringify({
        name: 'named.txt',
        leadId: one,
        links: [
          { entityType: 'LEAD', entityId: one },
          { entityType: 'LEAD', entityId: two.toUpperCase() },
        ],
      }),
    )
    form.append('file', new Blob(['x']), 'sent.txt')
    const { body } = await sendForm(api, form)
    expect(body.data).toMatchObject({ name: 'named.txt' })
    expect(body.data.links).toHaveLength(2)
    expect(body.data.links).toEqual(
      expect.arrayContaining([
        { entityType: 'LEAD', entityId: one },
        { entityType: 'LEAD', entityId: two },
      ]),
    )
  })

  it.each([{ type: 'application/json' }, { type: 'application/octet-stream' }, {}])(
    'for metadata as a part with a file name and %j',
    async (options) => {
      const leadId = await createLead(api)
      const metadata = new Blob([JSON.stringify({ name: 'named.txt', leadId })], options)
      for (const isFirst of [true, false]) {
        const form = new FormData()
        if (isFirst) form.append('metadata', metadata, 'metadata.json')
        form.append('file', new Blob(['x']), 'sent.txt')
        if (!isFirst) form.append('metadata', metadata, 'blob')
        expect(await sendForm(api, form)).toMatchObject({
          status: 201,
          body: { data: { name: 'named.txt', links: [{ entityType: 'LEAD', entityId: leadId }] } },
        })
      }
    },
  )

  it('for names in any script', async () =>
    expect((await post({ name: 'Größe 日本.txt' })).body.data.name).toBe('Größe 日本.txt'))

  it('for names that would lead elsewhere, which lead nowhere', async () => {
    for (const name of ['../../etc/passwd', '..\\..\\etc\\passwd', '/etc/passwd']) {
      expect((await post({ name })).body.data.name).toBe('passwd')
      expect((await base64({ filename: name })).body.data.name).toBe('passwd')
      expect((await base64({ name })).body.data.name).toBe('passwd')
    }
    expect(await keptFiles()).toHaveLength(await db.$count(schema.files))
  })

  it('for bytes that are not what their sender says: they are what they are', async () => {
    expect((await post({ name: 'page.html', content: png, contentType: 'text/html' })).body.data.contentType).toBe(
      'image/png',
    )
    expect(
      (await post({ name: 'photo.png', content: '<script>alert(1)</script>', contentType: 'image/png' })).body.data
        .contentType,
    ).toBe('text/plain')
    expect(
      (await base64({ contentType: 'image/png', contentBase64: Buffer.from([0, 1, 2]).toString('base64') })).body.data
        .contentType,
    ).toBe('application/octet-stream')
  })

  it('for exactly the largest size, both ways', async () => {
    const content = new Uint8Array(noise(fileBytesMax))
    expect((await post({ content })).body.data).toMatchObject({ size: fileBytesMax, sha256: sha256(content) })
    expect((await base64({ contentBase64: Buffer.from(content).toString('base64') })).body.data).toMatchObject({
      size: fileBytesMax,
      sha256: sha256(content),
    })
  })

  it('for base64 with escaped slashes, as PHP writes it', async () => {
    const content = Buffer.alloc(3000, 0xff)
    const text = JSON.stringify({
      filename: 'a.bin',
      contentType: 'x/y',
      contentBase64: content.toString('base64'),
    }).replaceAll('//', '\\/\\/')
    expect(await call({ method: 'POST', path, key, body: text })).toMatchObject({
      status: 201,
      body: { data: { sha256: sha256(content) } },
    })
  })
})

describe('413 PAYLOAD_TOO_LARGE', () => {
  it.each([1, 200_000, 3 * fileBytesMax])('for %i bytes too many, both ways, and nothing is left', async (excess) => {
    const before = await db.$count(schema.files)
    const content = new Uint8Array(fileBytesMax + excess)
    const tooLarge = { status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } }
    expect(await post({ content })).toMatchObject(tooLarge)
    expect(await base64({ contentBase64: Buffer.from(content).toString('base64') })).toMatchObject(tooLarge)
    await expectNothingLeft(before)
  })

  it('for too much beside the file', async () => {
    expect(await base64({ filename: 'x'.repeat(1_100_000) })).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE' },
    })
  })
})

describe('400 VALIDATION_ERROR', () => {
  const fileOnly = () => formOf({})
  const withField = (name: string, value: string | Blob, filename?: string, again?: string) => {
    const form = fileOnly()
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, filename)
    if (again !== undefined) form.append(name, again)
    return form
  }
  const namedFile = (name: string) => {
    const form = new FormData()
    form.append('file', new Blob(['x']), name)
    return form
  }
  const empty = new FormData()
  const textFile = new FormData()
  textFile.append('file', 'not a file')
  const metadataOnly = new FormData()
  metadataOnly.append('metadata', '{}')

  it.each<[string, FormData, (string | number)[]]>([
    ['an unknown field', withField('colour', 'red'), ['colour']],
    ['a name with NUL', namedFile('a\0b.txt'), ['file']],
    ['a file in another field', withField('other', new Blob(['x']), 'x.txt'), ['other']],
    ['a second file', withField('file', new Blob(['x']), 'x.txt'), ['file']],
    ['metadata that is not JSON', withField('metadata', '{"leadId":'), ['metadata']],
    ['metadata that is no object', withField('metadata', '[]'), ['metadata']],
    ['unknown metadata', withField('metadata', '{"colour":"red"}'), ['metadata', 'colour']],
    ['an id that is none', withField('metadata', '{"leadId":"x"}'), ['metadata', 'leadId']],
    ['NUL characters', withField('metadata', '{"name":"a\\u0000b"}'), ['metadata', 'name']],
    ['too much metadata', withField('metadata', JSON.stringify({ name: 'x'.repeat(70_000) })), ['metadata']],
    [
      'too much metadata with a file name',
      withField('metadata', new Blob(['"', 'x'.repeat(70_000), '"']), 'm'),
      ['metadata'],
    ],
    [
      'metadata with a file name in no UTF-8',
      withField('metadata', new Blob([Uint8Array.of(0x22, 0xff, 0x22)]), 'm'),
      ['metadata'],
    ],
    ['metadata given twice', withField('metadata', new Blob(['{}']), 'm', '{}'), ['metadata']],
    ['a form without a file', metadataOnly, ['file']],
    ['a text in place of the file', textFile, ['file']],
    ['an empty form', empty, ['file']],
  ])('for %s, and nothing is left', async (_what, form, field) => {
    const before = await db.$count(schema.files)
    const answer = await sendForm(api, form)
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: field, message: expect.any(String) }] },
    })
    await expectNothingLeft(before)
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['no name', { filename: undefined }, 'filename'],
    ['no content', { contentBase64: undefined }, 'contentBase64'],
    ['content that is no text', { contentBase64: 5 }, 'contentBase64'],
    ['content that is not base64', { contentBase64: 'no base64!' }, 'contentBase64'],
    ['content that is cut', { contentBase64: 'QUJDR' }, 'contentBase64'],
    ['an unknown member', { colour: 'red' }, 'colour'],
    ['an entity type in lower case', { links: [{ entityType: 'lead', entityId: unknownId }] }, 'links'],
  ])('for JSON with %s, and nothing is left', async (_what, body, field) => {
    const before = await db.$count(schema.files)
    const answer = await base64(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.issues[0].path[0]).toBe(field)
    await expectNothingLeft(before)
  })

  it.each([{}, 'blob', null])('for a file in JSON as clients made from the document send it: %j', async (file) => {
    const answer = await call({ method: 'POST', path, key, body: { file } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path: ['file'] }] } })
    expect(answer.body.issues[0].message).toContain('multipart/form-data')
  })

  it('for content that is given twice', async () => {
    const body = '{"filename":"a","contentBase64":"QQ==","contentBase64":"Qg=="}'
    expect(await call({ method: 'POST', path, key, body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['contentBase64'] }] },
    })
  })

  it.each(['multipart/form-data', 'multipart/form-data; boundary=other'])(
    'for a form that cannot be read: %s',
    async (contentType) => {
      const { payload } = await encodeForm(formOf({}))
      const answer = await api.app.inject({
        method: 'POST',
        url: path,
        headers: { host: workspace.host, authorization: `Bearer ${key}`, 'content-type': contentType },
        payload,
      })
      expect({ status: answer.statusCode, code: answer.json().code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    },
  )

  it('for a form that ends too early', async () => {
    const before = await db.$count(schema.files)
    const { contentType, payload } = await encodeForm(formOf({ content: 'a long text '.repeat(1000) }))
    const headers = { host: workspace.host, authorization: `Bearer ${key}`, 'content-type': contentType }
    const answer = await api.app.inject({ method: 'POST', url: path, headers, payload: payload.subarray(0, 5000) })
    expect({ status: answer.statusCode, code: answer.json().code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    await expectNothingLeft(before)
  })
})

describe('400', () => {
  it.each(['leadId', 'dealId', 'contactId', 'companyId', 'taskId', 'projectId', 'productId'])(
    'INVALID_REFERENCE for a %s that is not there, and nothing is left',
    async (field) => {
      const before = await db.$count(schema.files)
      const refused = { status: 400, body: { code: 'INVALID_REFERENCE', details: { field } } }
      expect(await post({ metadata: { [field]: unknownId } })).toMatchObject(refused)
      expect(await base64({ [field]: unknownId })).toMatchObject(refused)
      await expectNothingLeft(before)
    },
  )

  it('INVALID_REFERENCE for links to what is not there or of no known kind', async () => {
    for (const link of [
      { entityType: 'LEAD', entityId: unknownId },
      { entityType: 'UNICORN', entityId: unknownId },
      { entityType: 'DEAL', entityId: await createLead(api) },
    ]) {
      expect(await base64({ links: [link] })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REFERENCE', details: { field: 'links' } },
      })
    }
  })

  it('INVALID_REFERENCE for a record out of sight, as for one that is not there', async () => {
    const hidden = await createLead(api)
    const { id: ownerId } = await workspace.employee({
      grant: {
        permissions: ['CREATE_FILE', 'VIEW_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    const theirs = (await workspace.apiKey({ ownerId })).key
    const refusals = [await base64({ leadId: hidden }, theirs), await base64({ leadId: unknownId }, theirs)]
    expect(refusals[0]?.body).toEqual(refusals[1]?.body)
    expect(refusals[0]).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'leadId' } },
    })
  })

  it('for JSON that is none', async () => {
    for (const body of ['{"open":', 'nothing', '{"contentBase64":"QQ=="']) {
      expect(await call({ method: 'POST', path, key, body })).toMatchObject({
        status: 400,
        body: { error: 'Invalid JSON body' },
      })
    }
  })
})

describe('403', () => {
  it('without CREATE_FILE, before a byte is read', async () => {
    const { id: ownerId } = await workspace.employee({ grant: { permissions: ['VIEW_FILE', 'UPDATE_FILE'] } })
    expect(await post({}, (await workspace.apiKey({ ownerId })).key)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
  })
})

describe('an upload over the wire', async () => {
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  const head = (contentType: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nhost: ${workspace.host}\r\nauthorization: Bearer ${key}\r\ncontent-type: ${contentType}\r\ncontent-length: ${length}\r\n\r\n`

  it.each(['multipart/form-data', 'application/json'])(
    'that is cut off midway leaves nothing behind: %s',
    async (kind) => {
      const before = await db.$count(schema.files)
      const { contentType, payload } =
        kind === 'application/json'
          ? {
              contentType: kind,
              payload: Buffer.from(JSON.stringify({ filename: 'a', contentBase64: 'A'.repeat(1_000_000) })),
            }
          : await encodeForm(formOf({ content: new Uint8Array(1_000_000) }))
      const socket = connect(port, '127.0.0.1')
      socket.write(head(contentType, payload.length))
      socket.write(payload.subarray(0, 500_000))
      if (kind !== 'application/json')
        await eventually(async () => expect((await db.select().from(schema.fileUploads)).length).toBe(1))
      socket.destroy()
      await eventually(() => expectNothingLeft(before))
    },
  )

  it('that is refused leaves the connection usable for the next request', async () => {
    const { contentType, payload } = await encodeForm(formOf({ content: new Uint8Array(fileBytesMax + 500_000) }))
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString()))
    socket.write(head(contentType, payload.length))
    socket.write(payload)
    await eventually(() => expect(heard).toContain('413 Payload Too Large'))
    socket.write(`GET /api/files HTTP/1.1\r\nhost: ${workspace.host}\r\nauthorization: Bearer ${key}\r\n\r\n`)
    await eventually(() => expect(heard).toContain('200 OK'))
    socket.destroy()
  })
})

describe('storage that fails', () => {
  it('is a fault of the service, and nothing is left', async () => {
    const before = await db.$count(schema.files)
    const { write } = api.storage
    const failing = vi.spyOn(api.storage, 'write').mockImplementation(async (storageKey, content) => {
      await write(storageKey, content)
      throw new Error('The disk is full')
    })
    const { status, body } = await post({})
    failing.mockRestore()
    expect({ status, body }).toMatchObject({ status: 500, body: { errorId: expect.any(String) } })
    expect(JSON.stringify(body)).not.toContain('disk')
    await expectNothingLeft(before)
    await expect(api.storage.read(`${workspace.workspaceId}/${unknownId}`)).rejects.toThrow(MissingContentError)
  })
})

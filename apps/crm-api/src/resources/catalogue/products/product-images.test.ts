import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createProduct, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const upload = async (
  filename: string,
  contentType: string,
  contentBase64: string,
  credential = key,
): Promise<string> =>
  (
    await call({
      method: 'POST',
      path: '/api/files/upload',
      key: credential,
      body: { filename, contentType, contentBase64 },
    })
  ).body.data.id
const base64 = (text: string) => Buffer.from(text).toString('base64')
const add = (id: string, body: unknown, credential = key) =>
  call({ method: 'POST', path: `/api/products/${id}/images`, key: credential, body })
const read = async (id: string) => (await call({ path: `/api/products/${id}`, key })).body.data

describe('/api/products/{id}/images', () => {
  it('shows an uploaded image with the product, in order, and takes it off again', async () => {
    const id = await createProduct(api)
    const [first, second] = [await upload('a.png', 'image/png', png), await upload('b.png', 'image/png', png)]
    const { status, body } = await add(id, { fileId: first, alt: 'Front' })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        productId: id,
        fileId: first,
        url: `/api/files/${first}/content`,
        contentType: 'image/png',
        alt: 'Front',
        position: 0,
        createdById: expect.any(String),
        updatedAt: body.data.createdAt,
      },
    })
    const { body: added } = await add(id, { fileId: second })
    expect((await read(id)).images.map(({ fileId }: { fileId: string }) => fileId)).toEqual([first, second])
    const one = `/api/products/${id}/images/${body.data.id}`
    expect((await call({ method: 'PATCH', path: one, key, body: { position: 9, alt: null } })).body.data).toMatchObject(
      { position: 9, alt: null },
    )
    expect((await call({ path: `/api/products/${id}/images`, key })).body).toMatchObject({
      total: 2,
      items: [{ id: added.data.id }, { id: body.data.id }],
    })
    expect((await call({ method: 'DELETE', path: one, key })).body).toEqual({
      success: true,
      data: { id: body.data.id },
    })
    expect((await call({ method: 'DELETE', path: one, key })).status).toBe(404)
    expect((await read(id)).images).toHaveLength(1)
  })

  it('belongs to the product from then on, so that whoever sees the product sees the image', async () => {
    const id = await createProduct(api)
    const fileId = await upload('c.png', 'image/png', png)
    await add(id, { fileId })
    const { id: ownerId } = await workspace.employee({ grant: { permissions: ['VIEW_PRODUCT', 'VIEW_FILE'] } })
    const reader = (await workspace.apiKey({ ownerId })).key
    expect((await call({ path: `/api/files/${fileId}`, key: reader })).body.data.links).toEqual([
      { entityType: 'PRODUCT', entityId: id },
    ])
    const { items } = (await call({ path: `/api/crm/timeline?entityType=PRODUCT&entityId=${id}`, key })).body
    expect(items[0]).toMatchObject({ kind: 'FILE_ADDED', relatedId: fileId })
    await call({ method: 'DELETE', path: `/api/files/${fileId}`, key })
    expect((await read(id)).images).toEqual([])
  })

  it.each([
    ['text', 'x.png', 'image/png', base64('not an image at all')],
    [
      'a script that says it is one',
      'x.svg',
      'image/svg+xml',
      base64('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
    ],
    ['a PDF', 'x.pdf', 'application/pdf', base64('%PDF-1.7\n%%EOF')],
  ])('refuses %s', async (_what, name, type, content) => {
    const { status, body } = await add(await createProduct(api), { fileId: await upload(name, type, content) })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['fileId'] }] },
    })
  })

  it('refuses a file that is unknown, of another workspace, or out of sight', async () => {
    const id = await createProduct(api)
    const refused = { status: 400, body: { code: 'INVALID_REFERENCE', details: { field: 'fileId' } } }
    expect(await add(id, { fileId: unknownId })).toMatchObject(refused)
    const elsewhere = await api.newWorkspace()
    const { body } = await call(
      {
        method: 'POST',
        path: '/api/files/upload',
        key: (await elsewhere.apiKey()).key,
        body: { filename: 'a.png', contentType: 'image/png', contentBase64: png },
      },
      elsewhere,
    )
    expect(await add(id, { fileId: body.data.id })).toMatchObject(refused)
    const { id: ownerId } = await workspace.employee({
      grant: { permissions: ['VIEW_PRODUCT', 'UPDATE_PRODUCT', 'CREATE_FILE'] },
    })
    const editor = (await workspace.apiKey({ ownerId })).key
    expect(await add(id, { fileId: await upload('d.png', 'image/png', png) }, editor)).toMatchObject(refused)
    expect((await add(id, { fileId: await upload('e.png', 'image/png', png, editor) }, editor)).status).toBe(201)
  })

  it('409 NAME_TAKEN for an image that the product has', async () => {
    const id = await createProduct(api)
    const fileId = await upload('f.png', 'image/png', png)
    await add(id, { fileId })
    expect(await add(id, { fileId })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'fileId' } },
    })
  })
})

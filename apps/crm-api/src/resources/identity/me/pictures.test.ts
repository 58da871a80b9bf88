import { noise } from '@crm/testkit'
import { pictureBytesMax } from '@crm/contract'
import { newId, schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi, type CallAnswer } from '../../../../test/harness.ts'
import { jobsUnderTest } from '../../../../test/jobs.ts'
import { encodeForm, formOf } from '../../../../test/uploads.ts'

const api = await ownApi()
const jobs = await jobsUnderTest(api)
const { app, call, db, workspace } = api
type Workspace = typeof workspace

/** Returns a PNG by its header, followed by noise, so that it has exactly this size. */
function png({ width = 256, height = 256, size = 600 } = {}): Buffer {
  const header = Buffer.alloc(33)
  header.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  header.write('IHDR', 12, 'latin1')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return Buffer.concat([header, noise(size - header.length)])
}

interface Sent {
  readonly content: Buffer
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function put({ content, contentType = 'image/png', headers = {} }: Sent, at = workspace): Promise<CallAnswer> {
  const form = await encodeForm(formOf({ name: 'me.png', content: new Uint8Array(content), contentType }))
  const answer = await app.inject({
    method: 'PUT',
    url: '/api/me/picture',
    headers: { host: at.host, origin: `http://${at.host}`, 'content-type': form.contentType, ...headers },
    payload: form.payload,
  })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

/** A new person of a workspace with their session. */
async function hire(at: Workspace = workspace) {
  const { id } = await at.employee()
  const cookie = await at.session(id)
  const choose = async (content = png()): Promise<string> => {
    const { status, body } = await put({ content, headers: { cookie } }, at)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.pictureUrl as string
  }
  return { id, cookie, choose }
}

async function load(path: string, headers: Readonly<Record<string, string>>, host = workspace.host) {
  return app.inject({ method: 'GET', url: path, headers: { host, ...headers } })
}

const usedBy = async (at: Workspace): Promise<number> =>
  (await call({ path: '/api/settings/usage', cookie: await at.session() }, at)).body.data.find(
    ({ quota }: { quota: string }) => quota === 'storage',
  ).used

describe('the picture of a person', () => {
  it('is what they chose, for every colleague who is signed in, under an address that never changes its content', async () => {
    const [ada, bob] = [await hire(), await hire()]
    const content = png({ size: 200_000 })
    const pictureUrl = await ada.choose(content)
    expect(pictureUrl).toMatch(new RegExp(`^/api/employees/${ada.id}/picture/[\\da-f-]{36}$`))
    const { statusCode, headers, rawPayload } = await load(pictureUrl, { cookie: bob.cookie })
    expect({ statusCode, isWhole: rawPayload.equals(content) }).toEqual({ statusCode: 200, isWhole: true })
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '200000',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    })
    expect((await call({ path: '/api/me', cookie: ada.cookie })).body.pictureUrl).toBe(pictureUrl)
    const { items } = (await call({ path: `/api/employees/directory?ids=${ada.id},${bob.id}`, key: api.key })).body
    const shown = Object.fromEntries(
      items.map((person: { id: string; pictureUrl: string | null }) => [person.id, person.pictureUrl]),
    )
    expect(shown).toEqual({ [ada.id]: pictureUrl, [bob.id]: null })
  })

  it('gets another address when it is replaced, and the former one is gone; so it is when it is removed', async () => {
    const ada = await hire()
    const [first, second] = [await ada.choose(), await ada.choose(png({ size: 700 }))]
    expect(second).not.toBe(first)
    const { cookie } = ada
    const seen = async () => [(await load(first, { cookie })).statusCode, (await load(second, { cookie })).statusCode]
    expect(await seen()).toEqual([404, 200])
    const removed = await call({ method: 'DELETE', path: '/api/me/picture', cookie })
    expect(removed).toMatchObject({ status: 200, body: { data: { id: ada.id, pictureUrl: null } } })
    expect(await seen()).toEqual([404, 404])
    expect((await call({ method: 'DELETE', path: '/api/me/picture', cookie })).status).toBe(200)
    const entries = await db
      .select({ action: schema.auditLog.action })
      .from(schema.auditLog)
      .where(and(eq(schema.auditLog.actorId, ada.id), eq(schema.auditLog.subjectId, ada.id)))
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'picture.changed',
      'picture.changed',
      'picture.removed',
    ])
  })

  it('is one, however many are chosen at once', async () => {
    const ada = await hire()
    const urls = await Promise.all(Array.from({ length: 6 }, (_, at) => ada.choose(png({ size: 600 + at }))))
    const { body } = await call({ path: '/api/me', cookie: ada.cookie })
    expect(urls).toContain(body.pictureUrl)
    // Two answers may both name the picture that was chosen last.
    const found = await Promise.all(
      [...new Set(urls)].map(async (url) => (await load(url, { cookie: ada.cookie })).statusCode),
    )
    expect(found.filter((status) => status === 200)).toHaveLength(1)
  })

  it('keeps the type that its bytes show, whatever the sender calls it', async () => {
    const { cookie } = await hire()
    const { status, body } = await put({ content: png(), contentType: 'image/svg+xml', headers: { cookie } })
    expect(status).toBe(200)
    expect((await load(body.data.pictureUrl, { cookie })).headers['content-type']).toBe('image/png')
  })
})

describe('a picture is refused', () => {
  const refused = (message: string) => ({
    status: 400,
    body: { code: 'VALIDATION_ERROR', issues: [{ path: ['file'], message }] },
  })

  it.each([
    ['a drawing that may run scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', Buffer.alloc(0)],
  ])('that is %s', async (_name, content) => {
    const { cookie } = await hire()
    expect(await put({ content, headers: { cookie } })).toMatchObject(refused('Expected a PNG, JPEG or WebP picture'))
    expect((await call({ path: '/api/me', cookie })).body.pictureUrl).toBeNull()
  })

  it('that has too many pixels, in either direction', async () => {
    const { cookie, choose } = await hire()
    for (const size of [{ width: 1025 }, { height: 1025 }])
      expect(await put({ content: png(size), headers: { cookie } })).toMatchObject(
        refused('Expected at most 1024 pixels in each direction'),
      )
    await choose(png({ width: 1024, height: 1024 }))
  })

  it('that has too many bytes; the one before stays', async () => {
    const { cookie, choose } = await hire()
    const before = await choose(png({ size: pictureBytesMax }))
    expect(await put({ content: png({ size: pictureBytesMax + 1 }), headers: { cookie } })).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', error: 'A picture has at most 512 KiB' },
    })
    expect((await call({ path: '/api/me', cookie })).body.pictureUrl).toBe(before)
  })

  it('without a file, or beside unknown fields', async () => {
    const { cookie } = await hire()
    const headers = { cookie, origin: `http://${workspace.host}` }
    const json = await call({ method: 'PUT', path: '/api/me/picture', body: {}, headers })
    expect(json).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(png())]), 'me.png')
    form.append('options', JSON.stringify({ employeeId: newId() }))
    const { contentType, payload } = await encodeForm(form)
    const url = '/api/me/picture'
    const sent = { host: workspace.host, ...headers, 'content-type': contentType }
    const { statusCode } = await app.inject({ method: 'PUT', url, headers: sent, payload })
    expect(statusCode).toBe(400)
  })

  it('from somebody who is not signed in, from an API key, and from another site', async () => {
    const { cookie, choose } = await hire()
    const url = await choose()
    const key = { authorization: `Bearer ${api.key}` }
    expect((await put({ content: png() })).status).toBe(401)
    expect((await put({ content: png(), headers: key })).status).toBe(403)
    expect((await call({ method: 'DELETE', path: '/api/me/picture', key: api.key })).status).toBe(403)
    expect((await call({ method: 'DELETE', path: '/api/me/picture' })).status).toBe(401)
    const elsewhere = { cookie, origin: 'https://elsewhere.example' }
    expect((await put({ content: png(), headers: elsewhere })).body.code).toBe('ORIGIN_REFUSED')
    expect((await load(url, {})).statusCode).toBe(401)
    expect((await load(url, key)).statusCode).toBe(403)
    expect((await load(url, { cookie })).statusCode).toBe(200)
  })

  it('to a session of another workspace, and by an address that is none', async () => {
    const [ada, other] = [await hire(), await api.newWorkspace()]
    const url = await ada.choose()
    const theirs = await other.session()
    expect((await load(url, { cookie: theirs }, other.host)).statusCode).toBe(404)
    expect((await load(url, { cookie: theirs })).statusCode).toBe(401)
    const { cookie } = ada
    expect((await load(`/api/employees/${ada.id}/picture/${newId()}`, { cookie })).statusCode).toBe(404)
    expect((await load(`/api/employees/${newId()}/picture/${url.split('/').at(-1)}`, { cookie })).statusCode).toBe(404)
    expect((await load(`/api/employees/${ada.id}/picture/nonsense`, { cookie })).statusCode).toBe(404)
  })

  it('where the storage of the workspace is full; a replacement uses the space of the one before', async () => {
    const at = await api.newWorkspace()
    await db.insert(schema.workspaceQuotas).values({ workspaceId: at.workspaceId, quota: 'storage', limit: 1 })
    const people = [await hire(at), await hire(at), await hire(at)] as const
    const half = 500_000
    await people[0].choose(png({ size: half }))
    await people[1].choose(png({ size: half }))
    expect(await usedBy(at)).toBe(2 * half)
    expect(await put({ content: png({ size: half }), headers: { cookie: people[2].cookie } }, at)).toMatchObject({
      status: 413,
      body: { code: 'STORAGE_QUOTA_EXCEEDED', details: { used: 2 * half } },
    })
    await people[1].choose(png({ size: half + 1 }))
    expect(await usedBy(at)).toBe(2 * half + 1)
    await call({ method: 'DELETE', path: '/api/me/picture', cookie: people[0].cookie }, at)
    expect(await usedBy(at)).toBe(half + 1)
  })
})

describe('the data of a person', () => {
  it('holds their picture, and erasing them removes it', async () => {
    const at = await api.newWorkspace()
    const admin = await at.session()
    const ada = await hire(at)
    const content = png()
    const url = await ada.choose(content)
    const as = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
      call({ method, path, cookie: admin, body }, at)
    const subject = { type: 'EMPLOYEE', id: ada.id }
    const { jobId } = (await as('POST', '/api/settings/privacy/exports', { subject })).body.data
    await jobs.settled()
    const file = await as('GET', `/api/settings/privacy/exports/${jobId}/file`)
    expect(file.body.data.employee_pictures).toEqual([
      { created_at: expect.any(String), picture: `data:image/png;base64,${content.toString('base64')}` },
    ])
    expect((await as('PATCH', `/api/settings/users/${ada.id}`, { status: 'TERMINATED' })).status).toBe(200)
    const [person] = await db.select().from(schema.employees).where(eq(schema.employees.id, ada.id))
    const erased = await as('POST', '/api/settings/privacy/erasures', { subject, confirm: person?.email })
    expect(erased, JSON.stringify(erased.body)).toMatchObject({
      status: 200,
      body: { data: { erased: { employee_pictures: 1 } } },
    })
    expect((await load(url, { cookie: admin }, at.host)).statusCode).toBe(404)
  })
})

import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { fromBuffer, type Entry, type ZipFile } from 'yauzl'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'

const api = await ownApi()
const { app, call, newWorkspace, db } = api
const jobs = await jobsUnderTest(api)

type Workspace = Awaited<ReturnType<typeof newWorkspace>>

async function started(workspace: Workspace, body: object, cookie?: string) {
  const session = cookie ?? (await workspace.session())
  const asked = await call({ method: 'POST', path: '/api/settings/exports', cookie: session, body }, workspace)
  expect(asked.status, JSON.stringify(asked.body)).toBe(201)
  await jobs.settled()
  const path = `/api/settings/exports/${asked.body.data.id}`
  const { data } = (await call({ path, cookie: session }, workspace)).body
  const fetched = (query = '') =>
    app.inject({
      method: 'GET',
      url: `${path}/file${query}`,
      headers: { host: workspace.host, cookie: session },
    })
  return { data, fetched, path, session }
}

const linesOf = (payload: string): string[][] =>
  payload
    .replace('\uFEFF', '')
    .trim()
    .split('\n')
    .map((line) => line.split(','))

const asRecord = ([header = [], cells = []]: string[][]) =>
  Object.fromEntries(header.map((title, at) => [title, cells[at]]))

/** Reads the entries of an archive, by name. */
async function unzipped(archive: Buffer): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>()
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(archive, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error)
        const pieces: Buffer[] = []
        stream.on('data', (piece: Buffer) => pieces.push(piece))
        stream.on('end', () => {
          contents.set(entry.fileName, Buffer.concat(pieces).toString('utf8'))
          zip.readEntry()
        })
      }),
    )
    zip.on('end', resolve)
    zip.on('error', reject)
    zip.readEntry()
  })
  return contents
}

async function withCustomers() {
  const workspace = await newWorkspace()
  const { key } = await workspace.apiKey()
  const post = async (path: string, body: object) => {
    const made = await call({ method: 'POST', path, key, body }, workspace)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body.data.id as string
  }
  const contact = await post('/api/contacts', {
    lastName: 'Lovelace',
    email: 'a@example.com',
    phone: '+4930123456',
    emails: ['b@example.com', 'c@example.com'],
    phones: ['+4930654321'],
    address: { line1: 'Hauptstr. 1', postalCode: '01067', city: 'Dresden', country: 'Germany' },
    messengers: [{ type: 'SIGNAL', handle: 'ada' }],
    tags: ['vip', 'press'],
  })
  const items = [
    { name: 'Oars', quantity: '2', unitPrice: '50.00' },
    { name: '=Mast', quantity: '1', unitPrice: '7.50' },
  ]
  const deal = await post('/api/deals', { name: 'Boat', contactId: contact, items })
  return { workspace, key, post, contact, deal }
}

describe('an export', () => {
  it('holds addresses, all emails and phones, messengers, tags and names beside ids', async () => {
    const { workspace, contact } = await withCustomers()
    const { fetched } = await started(workspace, { entityType: 'CONTACT' })
    expect(asRecord(linesOf((await fetched()).payload))).toMatchObject({
      id: contact,
      lastName: 'Lovelace',
      phone: '+4930123456',
      emails: '"b@example.com;c@example.com"',
      phones: '+4930654321',
      'address.line1': 'Hauptstr. 1',
      'address.postalCode': '01067',
      messengers: 'SIGNAL:ada',
      tags: '"vip;press"',
      owner: expect.stringMatching(/./),
    })
  })

  it('has the lines of a record in a second file, and refuses a part that is not there', async () => {
    const { workspace, deal } = await withCustomers()
    const { data, fetched } = await started(workspace, { entityType: 'DEAL' })
    expect(data.parts).toEqual(['items'])
    const main = asRecord(linesOf((await fetched()).payload))
    expect(main).toMatchObject({ name: 'Boat', stage: expect.stringMatching(/./), contact: 'Lovelace' })
    expect(Object.keys(main)).toEqual(expect.arrayContaining(['closedAt', 'stageChangedAt']))
    expect(Object.keys(main).filter((title) => title.startsWith('items'))).toEqual([])
    expect(linesOf((await fetched('?part=items')).payload)).toEqual([
      ['dealId', 'productId', 'name', 'quantity', 'unitPrice', 'discount'],
      [deal, '', 'Oars', '2', '50.00', '0'],
      [deal, '', "'=Mast", '1', '7.50', '0'],
    ])
    expect((await fetched('?part=colours')).statusCode).toBe(404)
  })

  it('says to what a task belongs and who has left, each column once', async () => {
    const { workspace, post, contact } = await withCustomers()
    const { id: gone } = await workspace.employee()
    await post('/api/tasks', {
      title: 'Call',
      memberIds: [gone, workspace.adminUserId],
      links: [{ entityType: 'CONTACT', entityId: contact }],
      checklist: [{ title: 'First' }],
    })
    await db
      .update(schema.employees)
      .set({ status: 'TERMINATED', firstName: 'Sam', lastName: 'Gone' })
      .where(eq(schema.employees.id, gone))
    const { data, fetched } = await started(workspace, { entityType: 'TASK' })
    const [header = [], cells = []] = linesOf((await fetched()).payload)
    expect(new Set(header).size).toBe(header.length)
    const task = asRecord([header, cells])
    expect(task['links']).toBe(`CONTACT:${contact}`)
    expect(task['members']).toContain('Sam Gone (left)')
    expect(data.parts).toEqual(['checklist'])
    expect((await fetched('?part=checklist')).payload).toContain('First')
  })

  it('is a workbook in which phones, ids, codes and texts are texts, and amounts are numbers', async () => {
    const { workspace } = await withCustomers()
    const contacts = await started(workspace, { entityType: 'CONTACT', format: 'XLSX' })
    const file = await contacts.fetched()
    expect(file.headers['content-type']).toContain('spreadsheetml')
    expect(file.headers['content-disposition']).toContain('.xlsx')
    const cells = await cellsOf(file.rawPayload)
    expect(cells).toMatchObject({ phone: '+4930123456', 'address.postalCode': '01067', lastName: 'Lovelace' })
    const deals = await started(workspace, { entityType: 'DEAL', format: 'XLSX' })
    expect(await cellsOf((await deals.fetched()).rawPayload)).toMatchObject({ amount: 107.5, name: 'Boat' })
    const items = await cellsOf((await deals.fetched('?part=items')).rawPayload)
    expect(items).toMatchObject({ name: 'Oars', quantity: '2' })
  })
})

/** Reads the first record of a workbook by a library of its own. */
async function cellsOf(bytes: Buffer): Promise<Record<string, unknown>> {
  const { read, utils } = await import('@e965/xlsx')
  const book = read(bytes)
  const [record = {}] = utils.sheet_to_json<Record<string, unknown>>(book.Sheets[book.SheetNames[0] ?? ''] ?? {})
  return record
}

describe('an export of everything', () => {
  it('is a zip of every kind, comments, history and files by name, with a page about it', async () => {
    const { workspace, key, post, contact } = await withCustomers()
    await post('/api/crm/comments', { entityType: 'CONTACT', entityId: contact, body: 'Likes tea; and "cake"' })
    const contentBase64 = Buffer.from('contents').toString('base64')
    const file = { filename: '../Ångström.txt', contentType: 'text/plain', contentBase64 }
    const uploaded = await call({ method: 'POST', path: '/api/files/upload', key, body: file }, workspace)
    expect(uploaded.status, JSON.stringify(uploaded.body)).toBeLessThan(300)
    const { data, fetched } = await started(workspace, { kind: 'WORKSPACE' })
    expect(data).toMatchObject({ kind: 'WORKSPACE', format: 'ZIP', entityType: null, state: 'DONE', rows: 2 })
    const archive = await fetched()
    expect(archive.headers['content-type']).toBe('application/zip')
    const entries = await unzipped(archive.rawPayload)
    expect([...entries.keys()]).toEqual(
      expect.arrayContaining([
        'records/contacts.csv',
        'records/deals-items.csv',
        'comments.csv',
        'history.csv',
        'index.html',
      ]),
    )
    expect(entries.get('records/contacts.csv')).toContain('Hauptstr. 1')
    expect(entries.get('records/deals-items.csv')).toContain('Oars')
    expect(entries.get('comments.csv')).toContain('Likes tea')
    expect(entries.get('history.csv')).toContain('CREATED')
    const [name = ''] = [...entries.keys()].filter((one) => one.startsWith('files/'))
    expect(name).toMatch(/ngström\.txt$/)
    expect(name).not.toContain('..')
    expect(entries.get(name)).toBe('contents')
    expect(entries.get('index.html')).toContain('records/contacts.csv')
  })

  it('is refused to whoever does not see everything, when it is made and when it is fetched', async () => {
    const { workspace } = await withCustomers()
    const partly = await workspace.employee({ grant: { permissions: ['EXPORT_DATA', 'VIEW_CONTACT'] } })
    const ask = (body: object, cookie: string) =>
      call({ method: 'POST', path: '/api/settings/exports', cookie, body }, workspace)
    const cookie = await workspace.session(partly.id)
    expect(await ask({ kind: 'WORKSPACE' }, cookie)).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
    const admin = await workspace.session()
    for (const body of [{}, { kind: 'WORKSPACE', entityType: 'LEAD' }, { entityType: 'LEAD', format: 'PDF' }])
      expect((await ask(body, admin)).body.code).toBe('VALIDATION_ERROR')
    expect((await ask({ kind: 'WORKSPACE', filters: { status: 'NEW' } }, admin)).body.code).toBe('VALIDATION_ERROR')

    const second = await workspace.employee({ roles: ['Manager'] })
    const { path, fetched } = await started(workspace, { kind: 'WORKSPACE' }, await workspace.session(second.id))
    expect((await call({ path: `${path}/file`, cookie: admin }, workspace)).status).toBe(404)
    expect((await fetched()).statusCode).toBe(200)
    const own = { entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' } as const
    await db
      .update(schema.roles)
      .set({ access: [own] })
      .where(eq(schema.roles.id, workspace.roleIds['Manager'] ?? ''))
    await api.epochs.bump(workspace.workspaceId)
    expect((await fetched()).statusCode).toBe(403)
  })

  it('is gone after seven days', async () => {
    const workspace = await newWorkspace()
    const { path } = await started(workspace, { kind: 'WORKSPACE' })
    api.clock.advance(8 * 86_400_000)
    const late = await call({ path: `${path}/file`, cookie: await workspace.session() }, workspace)
    expect(late).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })
})

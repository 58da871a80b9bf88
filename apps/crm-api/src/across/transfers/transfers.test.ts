import { schema } from '@crm/db'
import { and, count, eq, isNull } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi, type CallAnswer } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { postFormInSession } from '../../../test/uploads.ts'

const api = await ownApi()
const jobs = await jobsUnderTest(api)
const { call, app, db, newWorkspace } = api
const { leads } = schema

type Workspace = typeof api.workspace

/** Sends a file to the import, in a person's session. */
async function send(
  workspace: Workspace,
  content: string | Uint8Array<ArrayBuffer>,
  options: unknown,
  cookie?: string,
): Promise<CallAnswer> {
  const form = new FormData()
  form.append('options', JSON.stringify(options))
  form.append('file', new Blob([content], { type: 'text/csv' }), 'people.csv')
  return postFormInSession(api, workspace, '/api/settings/imports', form, cookie)
}

/** Imports a file to its end and returns the reported state. */
async function imported(
  workspace: Workspace,
  content: string | Uint8Array<ArrayBuffer>,
  options: unknown,
  cookie?: string,
): Promise<CallAnswer['body']> {
  const sent = await send(workspace, content, options, cookie)
  expect(sent.status, JSON.stringify(sent.body)).toBe(201)
  await jobs.settled()
  return readImport(workspace, sent.body.data.id)
}

async function readImport(workspace: Workspace, id: string): Promise<CallAnswer['body']> {
  return (await call({ path: `/api/settings/imports/${id}`, cookie: await workspace.session() }, workspace)).body.data
}

async function list(
  workspace: Workspace,
  path = '/api/leads?sortBy=lastName&sortOrder=asc&pageSize=100',
): Promise<CallAnswer['body'][]> {
  return (await call({ path, key: (await workspace.apiKey()).key }, workspace)).body.items
}

/** Exports records and returns the reported state with the file. */
async function exported(workspace: Workspace, body: object, cookie?: string) {
  const session = cookie ?? (await workspace.session())
  const asked = await call({ method: 'POST', path: '/api/settings/exports', cookie: session, body }, workspace)
  expect(asked.status, JSON.stringify(asked.body)).toBe(201)
  await jobs.settled()
  const { data } = (await call({ path: `/api/settings/exports/${asked.body.data.id}`, cookie: session }, workspace))
    .body
  const file = await app.inject({
    method: 'GET',
    url: `/api/settings/exports/${asked.body.data.id}/file`,
    headers: { host: workspace.host, cookie: session },
  })
  return { data, file }
}

const mast = { key: 'mast', label: 'Mast', type: 'NUMBER' }

describe('an import', () => {
  it.each<[string, string]>([
    ['at its beginning', ''],
    ['far behind', 'plain,rows\n'.repeat(40_000)],
  ])('refuses bytes that are no UTF-8 and names their encoding, %s', async (_, rows) => {
    const workspace = await newWorkspace()
    const file = new Uint8Array(Buffer.from(`firstName,lastName\n${rows}Jürgen,Müller\n`, 'latin1'))
    const sent = await send(workspace, file, { entityType: 'LEAD' })
    expect(sent).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_ERROR',
        issues: [
          {
            path: ['file'],
            message: 'The file holds bytes that are no UTF-8. It seems to be in windows-1252. Save it as CSV in UTF-8',
          },
        ],
      },
    })
    expect(await list(workspace)).toEqual([])
  })

  it('refuses half a letter in UTF-16', async () => {
    const workspace = await newWorkspace()
    const file = new Uint8Array(Buffer.from('\ufefffirstName,lastName\nJ\ud800rgen,Müller\n', 'utf16le'))
    const sent = await send(workspace, file, { entityType: 'LEAD' })
    expect(sent).toMatchObject({ status: 400, body: { issues: [{ path: ['file'] }] } })
  })

  it.each<[string, Uint8Array<ArrayBuffer> | string]>([
    ['in UTF-16', new Uint8Array(Buffer.from('\ufefffirstName,lastName\nJürgen,Müller\n', 'utf16le'))],
    ['whose first line names the separator', 'sep=;\nfirstName;lastName\nJürgen;Müller\n'],
    ['with more commas than semicolons in its header', 'firstName;lastName;"a,b,c,d,e"\nJürgen;Müller;x\n'],
  ])('reads a file %s', async (_, content) => {
    const workspace = await newWorkspace()
    expect(await imported(workspace, content, { entityType: 'LEAD' })).toMatchObject({ created: 1, failed: 0 })
    expect(await list(workspace)).toMatchObject([{ firstName: 'Jürgen', lastName: 'Müller' }])
  })

  it('makes records of the rows, by headers that are called like fields', async () => {
    const workspace = await newWorkspace()
    const made = await imported(
      workspace,
      'First Name,last_name,email,phone,tags,nonsense\nAda,Lovelace,ada@example.com,+4915112345678,vip;math,x\n"Grace, B.",Hopper,,,,\n',
      { entityType: 'LEAD' },
    )
    expect(made).toMatchObject({
      state: 'DONE',
      total: 2,
      processed: 2,
      created: 2,
      failed: 0,
      fileName: 'people.csv',
      mapping: { 'First Name': 'firstName', last_name: 'lastName' },
    })
    expect(await list(workspace)).toMatchObject([
      { firstName: 'Grace, B.', lastName: 'Hopper', email: null, ownerId: workspace.adminUserId, status: 'NEW' },
      {
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada@example.com',
        phone: '+4915112345678',
        tags: ['vip', 'math'],
      },
    ])
    const [entry] = await db
      .select()
      .from(schema.timeline)
      .where(and(eq(schema.timeline.workspaceId, workspace.workspaceId), eq(schema.timeline.entityType, 'LEAD')))
    expect(entry).toMatchObject({ kind: 'CREATED', source: 'IMPORT' })
  })

  it.each([
    [
      '3 MB behind a quote that is never closed',
      `lastName,email\nGood,good@example.com\n"never ${'closed,x\n'.repeat(400_000)}`,
    ],
    ['3 MB in one line', `lastName,email\n${'x'.repeat(3 * 1024 * 1024)}\nGood,good@example.com\n`],
    ['a quote that is never closed in the header', `"lastName,email\n${'Good,x\n'.repeat(500_000)}`],
  ])('refuses a file with %s, and nothing is left', async (_what, content) => {
    const workspace = await newWorkspace()
    expect(await send(workspace, content, { entityType: 'LEAD' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['file'], message: expect.any(String) }] },
    })
    expect(await db.$count(schema.importRows, eq(schema.importRows.workspaceId, workspace.workspaceId))).toBe(0)
  })

  it('takes the rows around many broken ones, each line once', async () => {
    const workspace = await newWorkspace()
    const content = `lastName,email\nGood,\n${'a"b,x\n'.repeat(50)}Last,\n`
    const made = await imported(workspace, content, { entityType: 'LEAD' })
    expect(made).toMatchObject({ state: 'DONE', failed: 50, created: 2 })
    expect((await list(workspace)).map(({ lastName }) => lastName)).toEqual(['Good', 'Last'])
  })

  it('reads semicolons, a BOM, quotes over lines and other headers, and custom fields', async () => {
    const workspace = await newWorkspace()
    const cookie = await workspace.session()
    await call(
      {
        method: 'POST',
        path: '/api/settings/custom-fields',
        cookie,
        body: { entityType: 'COMPANY', key: 'seats', label: 'Seats', type: 'NUMBER' },
      },
      workspace,
    )
    const made = await imported(workspace, '\uFEFFFirma;Plätze;Notiz\r\nMüller GmbH;12;"zwei\r\nZeilen"\r\n', {
      entityType: 'COMPANY',
      mapping: { Firma: 'name', Plätze: 'cf_seats', Notiz: 'description' },
    })
    expect(made).toMatchObject({ state: 'DONE', created: 1 })
    expect(await list(workspace, '/api/companies')).toMatchObject([
      { name: 'Müller GmbH', customFields: { seats: 12 }, description: 'zwei\r\nZeilen' },
    ])
  })

  it('tells each bad row with its line and reason, and imports the others', async () => {
    const workspace = await newWorkspace()
    const made = await imported(
      workspace,
      'lastName,email,phone,temperature\nGood,good@example.com,,HOT\nBad,no address,,\nWorse,,0151 234,\n,,,\nAlso bad,,,BOILING\n"broken ""quote,x\nGone,,,\n',
      { entityType: 'LEAD' },
    )
    expect(made).toMatchObject({ state: 'DONE', created: 1 })
    expect(made.errors).toEqual(
      expect.arrayContaining([
        { line: 3, reason: expect.stringContaining('email') },
        { line: 4, reason: expect.stringContaining('phone') },
        { line: 6, reason: expect.stringContaining('temperature') },
      ]),
    )
    const file = await app.inject({
      method: 'GET',
      url: `/api/settings/imports/${made.id}/errors.csv`,
      headers: { host: workspace.host, cookie: await workspace.session() },
    })
    expect(file.statusCode).toBe(200)
    expect(file.payload.split('\n')[0]).toBe('line,reason,lastName,email,phone,temperature')
    expect(file.payload).toContain('Bad,no address')
  })

  it.each([
    [
      'SKIP',
      { created: 1, skipped: 2, updated: 0 },
      [{ email: 'ada@example.com', jobTitle: null }, { email: 'new@example.com' }],
    ],
    [
      'UPDATE',
      { created: 1, skipped: 0, updated: 2 },
      [
        { email: 'ada@example.com', jobTitle: 'Countess' },
        { email: 'new@example.com', jobTitle: 'Second' },
      ],
    ],
    ['CREATE', { created: 3, skipped: 0, updated: 0 }, [{}, {}, {}, {}]],
  ])('treats duplicates by email as it is told: %s', async (onDuplicate, figures, expected) => {
    const workspace = await newWorkspace()
    await call(
      {
        method: 'POST',
        path: '/api/contacts',
        key: (await workspace.apiKey()).key,
        body: { lastName: 'Ada', email: 'ada@example.com' },
      },
      workspace,
    )
    const made = await imported(
      workspace,
      'lastName,email,jobTitle\nAda,ADA@example.com,Countess\nNew,new@example.com,First\nNew,new@example.com,Second\n',
      { entityType: 'CONTACT', onDuplicate },
    )
    expect(made).toMatchObject({ state: 'DONE', failed: 0, ...figures })
    const items = await list(workspace, '/api/contacts?sortBy=email&sortOrder=asc')
    expect(items).toHaveLength(expected.length)
    if (onDuplicate !== 'CREATE') expect(items).toMatchObject(expected)
  })

  it('goes through many steps, each row once', { timeout: 60_000 }, async () => {
    const workspace = await newWorkspace()
    const rows = Array.from({ length: 1_234 }, (_, n) => `Person ${n},person${n}@example.com`)
    expect(await imported(workspace, ['lastName,email', ...rows].join('\n'), { entityType: 'LEAD' })).toMatchObject({
      state: 'DONE',
      total: 1_234,
      processed: 1_234,
      created: 1_234,
    })
    const [row] = await db
      .select({ n: count() })
      .from(leads)
      .where(and(eq(leads.workspaceId, workspace.workspaceId), isNull(leads.deletedAt)))
    expect(row?.n).toBe(1_234)
    const finished = await db
      .select({ payload: schema.outbox.payload })
      .from(schema.outbox)
      .where(and(eq(schema.outbox.workspaceId, workspace.workspaceId), eq(schema.outbox.event, 'import.finished')))
    expect(finished).toMatchObject([{ payload: { record: { created: 1_234, kinds: ['LEAD'], source: 'FILES' } } }])
  })

  it('that fails tells its maker', async () => {
    const workspace = await newWorkspace()
    const { status } = await send(workspace, 'lastName\nDoe', { entityType: 'LEAD' })
    expect(status).toBeLessThan(300)
    await db.update(schema.employees).set({ status: 'SUSPENDED' }).where(eq(schema.employees.id, workspace.adminUserId))
    await jobs.settled()
    const told = await db
      .select()
      .from(schema.notifications)
      .where(eq(schema.notifications.workspaceId, workspace.workspaceId))
    expect(told).toMatchObject([
      {
        kind: 'import.failed',
        employeeId: workspace.adminUserId,
        text: expect.stringMatching(/^The import of .* failed: /),
      },
    ])
  })

  it('keeps to the plan limit exactly', async () => {
    const workspace = await newWorkspace()
    await db.insert(schema.workspaceQuotas).values({ workspaceId: workspace.workspaceId, quota: 'leads', limit: 3 })
    await api.epochs.bump(workspace.workspaceId)
    const made = await imported(
      workspace,
      ['lastName', ...Array.from({ length: 5 }, (_, n) => `Person ${n}`)].join('\n'),
      { entityType: 'LEAD' },
    )
    expect(made).toMatchObject({
      created: 3,
      failed: 2,
      errors: [{ line: 5, reason: 'The plan allows 3 leads' }, { line: 6 }],
    })
  })

  it('is taken back: what it made goes, what it changed is as before, and what was changed since stays', async () => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    const known = (
      await call(
        {
          method: 'POST',
          path: '/api/leads',
          key,
          body: { lastName: 'Known', email: 'known@example.com', jobTitle: 'Before' },
        },
        workspace,
      )
    ).body.data.id
    const made = await imported(
      workspace,
      'lastName,email,jobTitle\nKnown,known@example.com,After\nNew,new@example.com,\nTouched,touched@example.com,\n',
      { entityType: 'LEAD', onDuplicate: 'UPDATE' },
    )
    const touched = (await list(workspace)).find(({ lastName }) => lastName === 'Touched')?.id
    await call({ method: 'PATCH', path: `/api/leads/${touched}`, key, body: { description: 'mine now' } }, workspace)
    const asked = await call(
      { method: 'POST', path: `/api/settings/imports/${made.id}/revert`, cookie: await workspace.session() },
      workspace,
    )
    expect(asked, JSON.stringify(asked.body)).toMatchObject({ status: 200, body: { data: { state: 'REVERTING' } } })
    await jobs.settled()
    expect(await readImport(workspace, made.id)).toMatchObject({ state: 'REVERTED', reverted: 2 })
    expect(await list(workspace)).toMatchObject([{ id: known, jobTitle: 'Before' }, { lastName: 'Touched' }])
    const again = await call(
      { method: 'POST', path: `/api/settings/imports/${made.id}/revert`, cookie: await workspace.session() },
      workspace,
    )
    expect(again).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
  })

  it.each([
    ['an unknown kind', 'lastName\nx', { entityType: 'ROBOT' }, ['options', 'entityType']],
    [
      'a header that is not there',
      'lastName\nx',
      { entityType: 'LEAD', mapping: { Name: 'lastName' } },
      ['options', 'mapping', 'Name'],
    ],
    [
      'a field that does not exist',
      'lastName\nx',
      { entityType: 'LEAD', mapping: { lastName: 'shoeSize' } },
      ['options', 'mapping', 'lastName'],
    ],
    [
      'two headers for one field',
      'a,b\nx,y',
      { entityType: 'LEAD', mapping: { a: 'lastName', b: 'lastName' } },
      ['options', 'mapping'],
    ],
    ['headers that say nothing', 'a,b\nx,y', { entityType: 'LEAD' }, ['options', 'mapping']],
    ['no rows', 'lastName\n', { entityType: 'LEAD' }, ['file']],
    ['nothing', '', { entityType: 'LEAD' }, ['file']],
  ])('refuses %s and keeps nothing', async (_what, content, options, path) => {
    const workspace = await newWorkspace()
    const { status, body } = await send(workspace, content, options)
    expect({ status, code: body.code, path: body.issues?.[0]?.path }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      path,
    })
    expect(await db.select().from(schema.imports).where(eq(schema.imports.workspaceId, workspace.workspaceId))).toEqual(
      [],
    )
  })

  it('needs the right to import, and to create or update what is imported', async () => {
    const workspace = await newWorkspace()
    const as = async (permissions: string[]) => {
      const { id } = await workspace.employee({ grant: { permissions } })
      return workspace.session(id)
    }
    const refused = async (permissions: string[], options: object) =>
      (await send(workspace, 'lastName\nx', { entityType: 'LEAD', ...options }, await as(permissions))).body
    expect(await refused(['CREATE_LEAD'], {})).toMatchObject({
      code: 'ACCESS_DENIED',
      requiredPermission: 'IMPORT_DATA',
    })
    expect(await refused(['IMPORT_DATA'], {})).toMatchObject({
      code: 'ACCESS_DENIED',
      requiredPermission: 'CREATE_LEAD',
    })
    expect(await refused(['IMPORT_DATA', 'CREATE_LEAD'], { onDuplicate: 'UPDATE' })).toMatchObject({
      code: 'ACCESS_DENIED',
      requiredPermission: 'UPDATE_LEAD',
    })
  })
})

describe('products', () => {
  const file =
    'sku,name,basePrice,currency,tags,type\nA-1,Anvil,12.5,EUR,heavy;iron,GOODS\na-2,Advice,90,EUR,,SERVICE\n'

  it('come in, are found again by SKU in any case, and come out as they went in', async () => {
    const workspace = await newWorkspace()
    expect(await imported(workspace, file, { entityType: 'PRODUCT' })).toMatchObject({
      state: 'DONE',
      created: 2,
      failed: 0,
      matchBy: 'sku',
    })
    expect(await imported(workspace, file, { entityType: 'PRODUCT' })).toMatchObject({ created: 0, skipped: 2 })
    const again = 'sku,name,basePrice\nA-2,Better advice,100\nA-3,New,1\na-3,Newer,2\n,Without,3\n'
    expect(await imported(workspace, again, { entityType: 'PRODUCT', onDuplicate: 'UPDATE' })).toMatchObject({
      created: 2,
      updated: 2,
      failed: 0,
    })
    expect(await list(workspace, '/api/products?sortBy=sku&sortOrder=asc')).toMatchObject([
      { sku: 'A-1', name: 'Anvil', basePrice: '12.50', tags: ['heavy', 'iron'], type: 'GOODS' },
      { sku: 'a-2', name: 'Better advice', basePrice: '100.00', type: 'SERVICE' },
      { sku: 'A-3', name: 'Newer', basePrice: '2.00' },
      { sku: null, name: 'Without' },
    ])
    const {
      data,
      file: { payload },
    } = await exported(workspace, { entityType: 'PRODUCT', filters: { type: 'GOODS', search: 'anvil' } })
    expect(data).toMatchObject({ state: 'DONE', rows: 1 })
    const elsewhere = await newWorkspace()
    const mapping = Object.fromEntries(
      ['sku', 'name', 'basePrice', 'currency', 'tags', 'type'].map((field) => [field, field]),
    )
    expect(await imported(elsewhere, payload, { entityType: 'PRODUCT', mapping })).toMatchObject({ created: 1 })
    expect(await list(elsewhere, '/api/products')).toMatchObject([
      { sku: 'A-1', basePrice: '12.50', tags: ['heavy', 'iron'] },
    ])
  })

  it('tell of an SKU that is taken, by whomever, without failing the others', async () => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    await call({ method: 'POST', path: '/api/products', key, body: { name: 'Theirs', sku: 'Ä-1' } }, workspace)
    const rows = 'sku,name\nä-1,Mine\nB-1,Fine\nb-1,Twin\nC-1,\n'
    const bad = {
      2: 'sku: There is another record with the number “ä-1”',
      4: 'sku: There is another record with the number “b-1”',
      5: expect.stringContaining('name'),
    }
    const made = await imported(workspace, rows, { entityType: 'PRODUCT', onDuplicate: 'CREATE' })
    expect(made).toMatchObject({ state: 'DONE', created: 1, failed: 3 })
    expect(
      Object.fromEntries(made.errors.map(({ line, reason }: { line: number; reason: string }) => [line, reason])),
    ).toEqual(bad)
    const { id } = await workspace.employee({
      grant: {
        permissions: ['IMPORT_DATA', 'VIEW_PRODUCT', 'CREATE_PRODUCT', 'UPDATE_PRODUCT'],
        access: [{ entityType: 'PRODUCT', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    const theirs = await imported(
      workspace,
      'sku,name\nä-1,Mine\nD-1,Fine\n',
      { entityType: 'PRODUCT', onDuplicate: 'UPDATE' },
      await workspace.session(id),
    )
    expect(theirs).toMatchObject({
      state: 'DONE',
      created: 1,
      updated: 0,
      failed: 1,
      errors: [{ line: 2, reason: 'sku: There is another record with the number “ä-1”' }],
    })
  })

  it('are taken back, but for those that have variants by now', async () => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    await call(
      { method: 'POST', path: '/api/products', key, body: { name: 'Old', sku: 'A-1', basePrice: '5' } },
      workspace,
    )
    const made = await imported(workspace, file + 'P-1,Parent,,,,\n', { entityType: 'PRODUCT', onDuplicate: 'UPDATE' })
    expect(made).toMatchObject({ created: 2, updated: 1 })
    const [parent] = await list(workspace, '/api/products?sku=P-1')
    await call(
      { method: 'POST', path: '/api/products', key, body: { name: 'Variant', parentId: parent?.id } },
      workspace,
    )
    await call(
      { method: 'POST', path: `/api/settings/imports/${made.id}/revert`, cookie: await workspace.session() },
      workspace,
    )
    await jobs.settled()
    expect(await readImport(workspace, made.id)).toMatchObject({ state: 'REVERTED', reverted: 2 })
    expect(await list(workspace, '/api/products?sortBy=name&sortOrder=asc')).toMatchObject([
      { name: 'Old', basePrice: '5.00' },
      { name: 'Parent' },
      { name: 'Variant' },
    ])
  })

  it('are found by nothing but their SKU, which other kinds have not', async () => {
    const workspace = await newWorkspace()
    expect(await imported(workspace, file, { entityType: 'PRODUCT', matchBy: 'email' })).toMatchObject({
      created: 2,
      matchBy: 'sku',
    })
    expect((await send(workspace, 'lastName\nx', { entityType: 'LEAD', matchBy: 'sku' })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['options', 'matchBy'] }],
    })
  })
})

describe('the fields that columns can go to', () => {
  it('are those of the kind and the custom fields, for whoever may import records of it', async () => {
    const workspace = await newWorkspace()
    await call(
      {
        method: 'POST',
        path: '/api/settings/custom-fields',
        cookie: await workspace.session(),
        body: { entityType: 'LEAD', key: 'seats', label: 'Seats', type: 'NUMBER' },
      },
      workspace,
    )
    const { id } = await workspace.employee({ grant: { permissions: ['IMPORT_DATA', 'CREATE_LEAD'] } })
    const cookie = await workspace.session(id)
    const fields = async (entityType: string) =>
      call({ path: `/api/settings/imports/fields?entityType=${entityType}`, cookie }, workspace)
    const { status, body } = await fields('LEAD')
    expect(status).toBe(200)
    expect(body.data).toEqual(
      expect.arrayContaining([
        { field: 'lastName', label: null },
        { field: 'cf_seats', label: 'Seats' },
      ]),
    )
    expect(await fields('PRODUCT')).toMatchObject({ status: 403, body: { requiredPermission: 'CREATE_PRODUCT' } })
    expect(await fields('ROBOT')).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY_PARAM' } })
  })
})

describe('an export', () => {
  it('holds exactly what its maker may see, and comes back as it went', async () => {
    const workspace = await newWorkspace()
    const { id } = await workspace.employee({
      grant: {
        permissions: ['VIEW_LEAD', 'CREATE_LEAD', 'EXPORT_DATA'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    const { key } = await workspace.apiKey()
    for (const [lastName, ownerId] of [
      ['=Mine', id],
      ['Theirs', workspace.adminUserId],
    ]) {
      await call(
        {
          method: 'POST',
          path: '/api/leads',
          key,
          body: { lastName, ownerId, phone: '+4915112345678', tags: ['a', 'b'] },
        },
        workspace,
      )
    }
    const { data, file } = await exported(workspace, { entityType: 'LEAD' }, await workspace.session(id))
    expect(data).toMatchObject({ state: 'DONE', rows: 1, problem: null })
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(file.payload).not.toContain('Theirs')
    expect(file.payload).toContain("'=Mine")
    const elsewhere = await newWorkspace()
    expect(
      await imported(elsewhere, file.payload, {
        entityType: 'LEAD',
        mapping: { lastName: 'lastName', phone: 'phone', tags: 'tags' },
      }),
    ).toMatchObject({ created: 1 })
    expect(await list(elsewhere)).toMatchObject([{ lastName: '=Mine', phone: '+4915112345678', tags: ['a', 'b'] }])
  })

  it('keeps to filters, and refuses those that the list has not', async () => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    for (const temperature of ['HOT', 'COLD'])
      await call({ method: 'POST', path: '/api/leads', key, body: { lastName: temperature, temperature } }, workspace)
    expect((await exported(workspace, { entityType: 'LEAD', filters: { temperature: 'HOT' } })).data.rows).toBe(1)
    const refused = await call(
      {
        method: 'POST',
        path: '/api/settings/exports',
        cookie: await workspace.session(),
        body: { entityType: 'LEAD', filters: { colour: 'red' } },
      },
      workspace,
    )
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  it('holds any kind of record, with the names behind ids as far as they are in sight', async () => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    const cookie = await workspace.session()
    const post = async (path: string, body: object) =>
      (await call({ method: 'POST', path, key, body }, workspace)).body.data.id as string
    const customEntity = { key: 'boat', labels: { singular: 'Boat', plural: 'Boats' }, fields: [mast] }
    await call({ method: 'POST', path: '/api/settings/custom-entities', cookie, body: customEntity }, workspace)
    const boatKey = await workspace.apiKey({ scopes: ['CREATE_BOAT'] })
    const boat = { title: 'Argo', values: { mast: 12 } }
    await call({ method: 'POST', path: '/api/custom-entities/boat/records', key: boatKey.key, body: boat }, workspace)
    const companyId = await post('/api/companies', { name: '=Acme' })
    const items = [{ name: 'Oars', quantity: '2', unitPrice: '50.00' }]
    for (const path of ['/api/invoices', '/api/quotes', '/api/orders']) await post(path, { companyId, items })
    await post('/api/tasks', { title: 'Row', tags: ['sea', 'lake'] })
    await post('/api/projects', { name: 'Trip', companyId })
    await post('/api/activities', { type: 'CALL', subject: 'Hello' })
    const rowOf = async (entityType: string, session = cookie): Promise<Readonly<Record<string, string>>> => {
      const { data, file } = await exported(workspace, { entityType }, session)
      expect(data, entityType).toMatchObject({ state: 'DONE', rows: 1 })
      const [header = [], cells = []] = file.payload
        .replace('\uFEFF', '')
        .split('\n')
        .map((line) => line.split(','))
      return Object.fromEntries(header.map((column, at) => [column, cells[at] ?? '']))
    }
    for (const entityType of ['INVOICE', 'QUOTE', 'ORDER'])
      expect(await rowOf(entityType)).toMatchObject({ status: 'DRAFT', total: '100.00', companyId, company: "'=Acme" })
    expect(await rowOf('TASK')).toMatchObject({ title: 'Row', status: 'TODO', tags: '"sea;lake"', project: '' })
    expect(await rowOf('PROJECT')).toMatchObject({ name: 'Trip', company: "'=Acme" })
    expect(await rowOf('ACTIVITY')).toMatchObject({ type: 'CALL', subject: 'Hello' })
    expect(await rowOf('BOAT')).toMatchObject({ title: 'Argo', cf_mast: '12' })

    const { id } = await workspace.employee({ grant: { permissions: ['EXPORT_DATA', 'VIEW_INVOICE'] } })
    const theirs = await workspace.session(id)
    expect(await rowOf('INVOICE', theirs)).toMatchObject({ companyId, company: '', owner: expect.stringMatching(/./) })
    const refused = async (body: object) => {
      const path = '/api/settings/exports'
      const { status, body: answer } = await call({ method: 'POST', path, cookie: theirs, body }, workspace)
      return [status, answer.code, answer.issues?.[0].path[0]]
    }
    expect(await refused({ entityType: 'BOAT' })).toEqual([403, 'ACCESS_DENIED', undefined])
    expect(await refused({ entityType: 'CAR' })).toEqual([403, 'ACCESS_DENIED', undefined])
    expect(await refused({ entityType: 'COMMENT' })).toEqual([403, 'ACCESS_DENIED', undefined])
  })

  it('holds the records that are named by id, as far as they are in sight', async () => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    const make = async (lastName: string) =>
      (await call({ method: 'POST', path: '/api/leads', key, body: { lastName } }, workspace)).body.data.id as string
    const [one, , third] = [await make('One'), await make('Two'), await make('Three')]
    const { data, file } = await exported(workspace, { entityType: 'LEAD', ids: [one, third, workspace.adminUserId] })
    expect(data).toMatchObject({ rows: 2, filters: { ids: `${one},${third},${workspace.adminUserId}` } })
    expect(file.payload).toContain('Three')
    expect(file.payload).not.toContain('Two')
    const cookie = await workspace.session()
    const refuse = async (body: object) =>
      (await call({ method: 'POST', path: '/api/settings/exports', cookie, body }, workspace)).body.issues[0].path[0]
    expect(await refuse({ entityType: 'LEAD', ids: [one], filters: { status: 'NEW' } })).toBe('ids')
    expect(await refuse({ entityType: 'LEAD', ids: [] })).toBe('ids')
    expect(await refuse({ entityType: 'NOTHING' })).toBe('entityType')
  })

  it('is its maker’s alone, and needs the rights to export and to see', async () => {
    const workspace = await newWorkspace()
    const { data } = await exported(workspace, { entityType: 'LEAD' })
    const { id } = await workspace.employee({ grant: { permissions: ['EXPORT_DATA'] } })
    const cookie = await workspace.session(id)
    expect(await call({ path: `/api/settings/exports/${data.id}`, cookie }, workspace)).toMatchObject({ status: 404 })
    expect(await call({ path: `/api/settings/exports/${data.id}/file`, cookie }, workspace)).toMatchObject({
      status: 404,
    })
    expect(
      await call({ method: 'POST', path: '/api/settings/exports', cookie, body: { entityType: 'LEAD' } }, workspace),
    ).toMatchObject({ status: 403, body: { requiredPermission: 'VIEW_LEAD' } })
  })

  it('is nothing for somebody without a level, as taking an import back and updating by one are', async () => {
    const workspace = await newWorkspace()
    const made = await imported(workspace, 'lastName\nOne\n', { entityType: 'LEAD' })
    const permissions = ['EXPORT_DATA', 'IMPORT_DATA', 'VIEW_LEAD', 'CREATE_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD']
    const { id } = await workspace.employee({
      grant: { permissions, access: [{ entityType: 'LEAD', VIEW: 'NONE', UPDATE: 'NONE', DELETE: 'NONE' }] },
    })
    const cookie = await workspace.session(id)
    const refused = (requiredPermission: string) => ({
      status: 403,
      body: { code: 'ACCESS_LEVEL_NONE', requiredPermission },
    })
    expect(
      await call({ method: 'POST', path: '/api/settings/exports', cookie, body: { entityType: 'LEAD' } }, workspace),
    ).toMatchObject(refused('VIEW_LEAD'))
    expect(
      await call({ method: 'POST', path: `/api/settings/imports/${made.id}/revert`, cookie }, workspace),
    ).toMatchObject(refused('DELETE_LEAD'))
    expect(await send(workspace, 'lastName\nx', { entityType: 'LEAD', onDuplicate: 'UPDATE' }, cookie)).toMatchObject(
      refused('UPDATE_LEAD'),
    )
  })

  it('quotes what a spreadsheet could take for the end of a cell, and guards what it could take for a formula', async () => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    const titles = ['Head;=cmd()', '=SUM(A1)', '＝SUM(A1)', '＋SUM(A1)', '－SUM(A1)', '＠SUM(A1)', '@SUM(A1)']
    for (const jobTitle of titles)
      await call({ method: 'POST', path: '/api/leads', key, body: { lastName: 'L', jobTitle } }, workspace)
    const { file } = await exported(workspace, { entityType: 'LEAD' })
    expect(file.payload).toContain('"Head;=cmd()"')
    for (const jobTitle of titles.slice(1)) expect(file.payload).toContain(`,'${jobTitle},`)
  })

  it('file holds only what its maker may still see when it is fetched, and nothing once the right is gone', async () => {
    const workspace = await newWorkspace()
    const grant = {
      permissions: ['VIEW_LEAD', 'EXPORT_DATA'],
      access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] as const,
    }
    const { id } = await workspace.employee({ grant })
    const { key } = await workspace.apiKey()
    const make = async (lastName: string) =>
      (await call({ method: 'POST', path: '/api/leads', key, body: { lastName, ownerId: id } }, workspace)).body.data
        .id as string
    const given = await make('Given away')
    await make('Kept')
    const cookie = await workspace.session(id)
    const { data } = await exported(workspace, { entityType: 'LEAD' }, cookie)
    await call(
      { method: 'PATCH', path: `/api/leads/${given}`, key, body: { ownerId: workspace.adminUserId } },
      workspace,
    )
    const fetchFile = () =>
      app.inject({
        method: 'GET',
        url: `/api/settings/exports/${data.id}/file`,
        headers: { host: workspace.host, cookie },
      })
    const file = await fetchFile()
    expect([file.statusCode, file.payload.includes('Kept'), file.payload.includes('Given away')]).toEqual([
      200,
      true,
      false,
    ])
    await db
      .update(schema.roles)
      .set({ permissions: ['EXPORT_DATA'] })
      .where(eq(schema.roles.id, (await roleOf(id)) ?? ''))
    await api.epochs.bump(workspace.workspaceId)
    const refused = await fetchFile()
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'ACCESS_DENIED', requiredPermission: 'VIEW_LEAD' }),
    ])
  })
})

async function roleOf(employeeId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ roleId: schema.employeeRoles.roleId })
    .from(schema.employeeRoles)
    .where(eq(schema.employeeRoles.employeeId, employeeId))
  return row?.roleId
}

describe('an import of somebody else', () => {
  const csv = 'lastName,email,temperature\nGood,good@example.com,HOT\nPlanted,planted@example.com,BLAZING\n'
  const path = (id: string, rest: string) => `/api/settings/imports/${id}/${rest}`

  it('shows its bad rows only to its maker and to whoever sees every record of the kind', async () => {
    const workspace = await newWorkspace()
    const made = await imported(workspace, csv, { entityType: 'LEAD' })
    const session = async (permissions: string[], level: 'OWN' | 'ALL') => {
      const { id } = await workspace.employee({
        grant: { permissions, access: [{ entityType: 'LEAD', VIEW: level, UPDATE: level, DELETE: level }] },
      })
      return workspace.session(id)
    }
    const errors = (cookie: string) =>
      app.inject({ method: 'GET', url: path(made.id, 'errors.csv'), headers: { host: workspace.host, cookie } })
    for (const cookie of [await session(['IMPORT_DATA'], 'ALL'), await session(['IMPORT_DATA', 'VIEW_LEAD'], 'OWN')]) {
      const refused = await errors(cookie)
      expect([refused.statusCode, refused.payload.includes('planted')]).toEqual([403, false])
      expect((await call({ path: `/api/settings/imports/${made.id}`, cookie }, workspace)).body.data.errors).toEqual([])
    }
    expect((await errors(await session(['IMPORT_DATA', 'VIEW_LEAD'], 'ALL'))).payload).toContain('planted@example.com')
    expect((await errors(await workspace.session())).payload).toContain('planted@example.com')
  })

  it('is taken back only by who may delete, and only as far as they reach', async () => {
    const workspace = await newWorkspace()
    const made = await imported(workspace, 'lastName,email\nOne,one@example.com\nTwo,two@example.com\n', {
      entityType: 'LEAD',
    })
    const access = [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] as const
    const { id: importer } = await workspace.employee({ grant: { permissions: ['IMPORT_DATA', 'VIEW_LEAD'] } })
    const { id: deleter } = await workspace.employee({
      grant: { permissions: ['IMPORT_DATA', 'VIEW_LEAD', 'DELETE_LEAD'], access },
    })
    const revert = async (cookie: string) => call({ method: 'POST', path: path(made.id, 'revert'), cookie }, workspace)
    expect(await revert(await workspace.session(importer))).toMatchObject({
      status: 403,
      body: { requiredPermission: 'DELETE_LEAD' },
    })
    await jobs.settled()
    expect(await list(workspace)).toHaveLength(2)
    const [one] = await list(workspace)
    await db
      .update(leads)
      .set({ ownerId: deleter })
      .where(eq(leads.id, one?.id as string))
    expect((await revert(await workspace.session(deleter))).status).toBe(200)
    await jobs.settled()
    expect(await list(workspace)).toMatchObject([{ lastName: 'Two' }])
  })
})

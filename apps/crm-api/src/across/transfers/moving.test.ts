import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest, type CallAnswer } from '../../../test/harness.ts'
import { exportsOfPrograms } from '../../../test/exports-of-programs.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { movingInto } from '../../../test/moving.ts'

const api = await apiUnderTest()
const jobs = await jobsUnderTest(api)
const { call, newWorkspace } = api
const moving = movingInto(api, jobs)

type Workspace = typeof api.workspace

const csv = (name: string, ...lines: readonly string[]) => ({ name, content: `${lines.join('\n')}\n` })

async function list(workspace: Workspace, path: string): Promise<CallAnswer['body'][]> {
  const { key } = await workspace.apiKey()
  return (await call({ path: `${path}${path.includes('?') ? '&' : '?'}pageSize=100`, key }, workspace)).body.items
}

describe('a file of contacts', () => {
  it('is planned, tried, imported and taken back', async () => {
    const workspace = await newWorkspace()
    const file = csv(
      'contacts.csv',
      'Vorname,Nachname,E-Mail,Unfug',
      'Ada,Lovelace,ada@example.com,x',
      'Grace,Hopper,no mail,y',
    )
    const brought = await moving.bring(workspace, [file])
    expect(brought).toMatchObject({ state: 'ANALYSED', plan: { files: [{ kind: 'CONTACT', rows: 2 }] } })
    expect(brought.plan.files[0].columns).toMatchObject([
      { header: 'Vorname', field: 'firstName', samples: ['Ada', 'Grace'] },
      { field: 'lastName' },
      { field: 'email' },
      { field: null },
    ])
    const tried = await moving.go(workspace, brought.id, 'check')
    expect(tried).toMatchObject({ state: 'CHECKED', result: { phase: 'CHECK', created: 2, failed: 0 } })
    expect(tried.result.files[0].problems).toMatchObject([
      { line: 3, header: 'E-Mail', field: 'email', code: 'NO_EMAIL', values: { text: 'no mail' }, isRow: false },
    ])
    expect(await list(workspace, '/api/contacts')).toEqual([])
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done).toMatchObject({ state: 'DONE', result: { phase: 'IMPORT', created: 2 } })
    expect(await list(workspace, '/api/contacts?sortBy=lastName&sortOrder=desc')).toMatchObject([
      { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      { firstName: 'Grace', email: null },
    ])
    expect(await moving.go(workspace, brought.id, 'revert')).toMatchObject({ state: 'REVERTED', reverted: 2 })
    expect(await list(workspace, '/api/contacts')).toEqual([])
  })
})

/** Returns the field of each column, by its title. */
function fieldsOf(brought: CallAnswer['body'], at = 0): Record<string, string | null> {
  const { columns } = brought.plan.files[at] as { columns: { header: string; field: string | null }[] }
  return Object.fromEntries(columns.map(({ header, field }) => [header, field]))
}

async function stageNames(workspace: Workspace): Promise<Map<string, string>> {
  const { key } = await workspace.apiKey()
  const { items } = (await call({ path: '/api/pipelines?entityType=DEAL', key }, workspace)).body
  return new Map(items[0].stages.map(({ id, name }: { id: string; name: string }) => [id, name]))
}

describe('a file of deals', () => {
  it('is linked to its company, owner and stage, with amounts and days as they are meant', async () => {
    const workspace = await newWorkspace()
    const seller = await workspace.employee()
    const stages = await stageNames(workspace)
    const [, second = ''] = stages.values()
    const file = csv(
      'deals.csv',
      'Deal Name,Amount,Company,Owner,Stage,Close date',
      `Fleet,"12,500.00",Acme GmbH,${seller.email},${second.toUpperCase()},03/04/2026`,
      `Boats,1,Acme GmbH,Sam Left,Nowhere,29/04/2026`,
    )
    const brought = await moving.bring(workspace, [file])
    expect(brought.plan).toMatchObject({
      owners: expect.arrayContaining([
        { text: 'Sam Left', rows: 1, employeeId: null },
        { text: seller.email, rows: 1, employeeId: seller.id },
      ]),
      files: [{ kind: 'DEAL', order: 'DAY_FIRST', decimal: 'POINT' }],
    })
    expect(await moving.go(workspace, brought.id, 'check')).toMatchObject({
      result: { created: 2, failed: 0, made: { COMPANY: 1 } },
    })
    expect(await list(workspace, '/api/companies')).toEqual([])
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done).toMatchObject({ state: 'DONE', result: { created: 2, made: { COMPANY: 1 } } })
    const [company] = await list(workspace, '/api/companies')
    const [boats, fleet] = await list(workspace, '/api/deals?sortBy=name&sortOrder=asc')
    expect(fleet).toMatchObject({
      name: 'Fleet',
      amount: '12500.00',
      companyId: company.id,
      ownerId: seller.id,
      expectedCloseDate: '2026-04-03',
    })
    expect(stages.get(fleet.stageId)).toBe(second)
    expect(boats).toMatchObject({
      companyId: company.id,
      ownerId: workspace.adminUserId,
      description: 'Owner: Sam Left',
    })
    expect(await moving.go(workspace, brought.id, 'revert')).toMatchObject({ state: 'REVERTED', reverted: 3 })
    expect(await list(workspace, '/api/companies')).toEqual([])
  })
})

describe('numbers of phones', () => {
  it.each([
    ['+49 30 123456', null],
    ['030 123456', 'DE'],
  ])('are matched as they are stored: %s', async (cell, defaultCountry) => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    await call(
      { method: 'POST', path: '/api/contacts', key, body: { lastName: 'Ada', phone: '+4930123456' } },
      workspace,
    )
    const brought = await moving.bring(workspace, [csv('contacts.csv', 'Last Name,Phone', `Lovelace,${cell}`)])
    await moving.change(workspace, brought.id, { matchBy: 'phone', defaultCountry })
    expect(await moving.go(workspace, brought.id, 'start')).toMatchObject({
      result: { created: 0, skipped: 1, failed: 0 },
    })
  })
})

describe('products', () => {
  it('come in but for the one that the database refuses, which is named', async () => {
    const workspace = await newWorkspace()
    const file = csv('products.csv', 'Name,SKU', 'One,GOOD-1', 'Two,İZ-9', 'Three,iz-9', 'Four,GOOD-2')
    const brought = await moving.bring(workspace, [file])
    expect(fieldsOf(brought)).toEqual({ Name: 'name', SKU: 'sku' })
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done.result).toMatchObject({ created: 3, failed: 1 })
    expect(done.result.files[0].problems).toMatchObject([
      { line: 4, code: 'NUMBER_TAKEN', values: { text: 'iz-9' }, isRow: true },
    ])
  })
})

describe('the exports of a program', () => {
  const deals = 8
  const programs = ['HUBSPOT', 'PIPEDRIVE', 'SALESFORCE', 'ZOHO', 'ESPOCRM'].map((source, at) => [source, at] as const)

  it.each(programs)('of %s come in with their links, and a second time change nothing', async (_, at) => {
    const workspace = await newWorkspace()
    const seller = await workspace.employee()
    const { key } = await workspace.apiKey()
    const who = (await call({ path: `/api/employees/${seller.id}`, key }, workspace)).body.data
    const { source, files } = exportsOfPrograms(deals, { name: who.name ?? seller.email, email: seller.email })[at] ?? {
      source: '',
      files: [],
    }
    const brought = await moving.bring(workspace, files, { source })
    expect(brought.plan.files.map(({ kind }: { kind: string }) => kind)).toEqual(['DEAL', 'CONTACT', 'COMPANY'])
    const tried = await moving.go(workspace, brought.id, 'check')
    expect(tried.result).toMatchObject({ created: deals + 4, failed: 0, made: {} })
    expect(await list(workspace, '/api/deals')).toEqual([])
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done.result, JSON.stringify(done.result.files)).toMatchObject({ created: deals + 4, failed: 0, made: {} })
    const made = await list(workspace, '/api/deals')
    expect(made).toHaveLength(deals)
    const [companies, contacts] = [await list(workspace, '/api/companies'), await list(workspace, '/api/contacts')]
    for (const deal of made) {
      expect(companies.map(({ id }) => id)).toContain(deal.companyId)
      expect(contacts.map(({ id }) => id)).toContain(deal.contactId)
      expect(deal.ownerId).toBe(seller.id)
      expect(deal.expectedCloseDate ?? '2026-03').toMatch(/^2026-03/)
    }
    expect(made.filter(({ status }) => status === 'WON')).toHaveLength(3)
    for (const contact of contacts) expect(companies.map(({ id }) => id)).toContain(contact.companyId)
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({ created: 0, failed: 0 })
    const again = await moving.bring(workspace, files, { source })
    expect((await moving.go(workspace, again.id, 'start')).result).toMatchObject({ created: 0, updated: 0, failed: 0 })
  })
})

/** Returns a text in an encoding of one or two bytes a letter, by what a decoder makes of all bytes. */
function encoded(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-8') return new Uint8Array(Buffer.from(text))
  if (encoding === 'utf-16le') return new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
  if (encoding === 'utf-16be') return new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())
  const decoder = new TextDecoder(encoding)
  const bytesOf = (letter: string): readonly number[] => {
    for (let byte = 0x80; byte < 0x100; byte++) if (decoder.decode(Uint8Array.of(byte)) === letter) return [byte]
    for (let pair = 0x8140; pair < 0xff00; pair++) {
      const bytes = [pair >> 8, pair & 0xff]
      if (decoder.decode(Uint8Array.from(bytes)) === letter) return bytes
    }
    throw new Error(`${encoding} has no ${letter}`)
  }
  return Uint8Array.from(
    Array.from(text).flatMap((letter) => (letter < '\u0080' ? [letter.charCodeAt(0)] : bytesOf(letter))),
  )
}

describe('letters', () => {
  it.each<[string, string, string]>([
    ['windows-1252', 'Jürgen', 'Müller'],
    ['windows-1250', 'Łukasz', 'Wiśniewski'],
    ['windows-1251', 'Юрий', 'Мельник'],
    ['iso-8859-15', 'Jürgen', 'Müller'],
    ['macintosh', 'Jürgen', 'Müller'],
    ['shift_jis', '健太', '田中'],
    ['gb18030', '小明', '王'],
    ['euc-kr', '민준', '김'],
    ['utf-8', 'Jürgen', 'Müller'],
    ['utf-16le', 'Jürgen', 'Müller'],
    ['utf-16be', 'Jürgen', 'Müller'],
  ])('in %s come in as they are, once the encoding is chosen', async (encoding, first, last) => {
    const workspace = await newWorkspace()
    const content = encoded(
      `Vorname;Nachname;E-Mail\n${first};${last};a@example.com\n${first};${last};b@example.com\n`,
      encoding,
    )
    const brought = await moving.bring(workspace, [{ name: 'kontakte.csv', content }])
    const [file] = brought.plan.files
    expect(file.encodings).toContain(encoding)
    if (file.encodings.length > 1) expect(file.previews[0].texts[encoding]).toContain(last)
    if (file.encoding !== encoding) {
      await moving.change(workspace, brought.id, { files: [{ id: file.id, encoding }] })
      await jobs.settled()
    }
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done.result).toMatchObject({ created: 2, failed: 0 })
    expect(await list(workspace, '/api/contacts')).toMatchObject([
      { firstName: first, lastName: last },
      { firstName: first, lastName: last },
    ])
  })

  it('of an unknown encoding are proposed as they most probably are', async () => {
    const workspace = await newWorkspace()
    const content = encoded('Vorname;Nachname;E-Mail\nJürgen;Müller;j@example.com\n', 'windows-1252')
    const brought = await moving.bring(workspace, [{ name: 'kontakte.csv', content }])
    await moving.go(workspace, brought.id, 'start')
    expect(await list(workspace, '/api/contacts')).toMatchObject([{ firstName: 'Jürgen', lastName: 'Müller' }])
  })
})

describe('records that are there', () => {
  it('are found by the address of one that was merged into them', async () => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    const make = async (email: string) =>
      (await call({ method: 'POST', path: '/api/contacts', key, body: { lastName: 'Ada', email } }, workspace)).body
        .data.id
    const [a, b] = [await make('a@example.com'), await make('b@example.com')]
    const merged = await call(
      { method: 'POST', path: `/api/contacts/${a}/merge`, key, body: { sourceIds: [b] } },
      workspace,
    )
    expect(merged.status, JSON.stringify(merged.body)).toBe(200)
    const brought = await moving.bring(workspace, [csv('contacts.csv', 'Last Name,Email', 'Lovelace,B@example.com')])
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({ created: 0, skipped: 1 })
  })

  it('are found by further addresses and numbers, and updated but for these', async () => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    const body = { lastName: 'Ada', email: 'a@example.com', emails: ['b@example.com'], phones: ['+525512345678'] }
    await call({ method: 'POST', path: '/api/contacts', key, body }, workspace)
    const file = csv(
      'contacts.csv',
      'Last Name,Email,Phone,Job Title',
      'Byron,b@example.com,,Countess',
      'King,,+52 1 55 1234 5678,Queen',
    )
    const brought = await moving.bring(workspace, [file])
    await moving.change(workspace, brought.id, { onDuplicate: 'UPDATE' })
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({
      created: 0,
      updated: 2,
      failed: 0,
    })
    expect(await list(workspace, '/api/contacts')).toMatchObject([
      { lastName: 'King', email: 'a@example.com', jobTitle: 'Queen' },
    ])
  })

  it('make a lead that is merged count as merged', async () => {
    const workspace = await newWorkspace()
    const cookie = await workspace.session()
    const set = await call(
      { method: 'PATCH', path: '/api/settings/workspace', cookie, body: { mergeExactDuplicates: true } },
      workspace,
    )
    expect(set.status, JSON.stringify(set.body)).toBe(200)
    const { key } = await workspace.apiKey()
    await call({ method: 'POST', path: '/api/leads', key, body: { lastName: 'Ada', phone: '+4930123456' } }, workspace)
    const brought = await moving.bring(workspace, [csv('leads.csv', 'Last Name,Phone,Company', 'Ada,+4930123456,Acme')])
    await moving.change(workspace, brought.id, { onDuplicate: 'CREATE' })
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({ created: 0, merged: 1 })
  })
})

describe('a report', () => {
  it('has lines above and below its table, which are named', async () => {
    const workspace = await newWorkspace()
    const lines = [
      'Companies of the North',
      '',
      'Account Name,Phone,City',
      'Acme,+4930123456,Berlin',
      'Beta,,Bonn',
      ',,',
      'Gamma,,Köln',
      '',
      'Grand Totals (3 Records)',
      'Confidential Information - Do Not Distribute',
    ]
    const brought = await moving.bring(workspace, [csv('report.csv', ...lines)])
    expect(brought.plan.files[0]).toMatchObject({ kind: 'COMPANY', headerLine: 3, rows: 3, skippedRows: 3 })
    expect(brought.plan.files[0].skipped.map(({ text }: { text: string }) => text)).toEqual([
      lines[0],
      lines[8],
      lines[9],
    ])
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({
      created: 3,
      failed: 0,
      skipped: 0,
    })
  })
})

describe('digits without a plus', () => {
  const numbers = Array.from({ length: 40 }, (_, n) => `30 ${String(1_234_000 + n * 7)}`)

  it.each([
    ['whose plus was lost', (digits: string) => `49${digits.replaceAll(' ', '')}`, 'INTERNATIONAL', 1],
    ['as they are dialled at home', (digits: string) => `0${digits}`, 'NATIONAL', 0],
  ] as const)('%s are told by their column', async (_, write, phones, validWithPlus) => {
    const workspace = await newWorkspace()
    const rows = numbers.map((digits, n) => `Person ${n},${write(digits)}`)
    const brought = await moving.bring(workspace, [csv('contacts.csv', 'Last Name,Phone', ...rows)])
    expect(brought.plan.files[0].columns[1]).toMatchObject({ field: 'phone', format: { phones, validWithPlus } })
    await moving.change(workspace, brought.id, { defaultCountry: 'DE' })
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({ created: 40, failed: 0 })
    const [first] = await list(workspace, '/api/contacts?sortBy=lastName&sortOrder=asc')
    expect(first.phone).toBe('+49301234000')
  })
})

describe('what records do besides', () => {
  it('is kept from automation, unless somebody wants it', async () => {
    const workspace = await newWorkspace()
    const brought = await moving.bring(workspace, [
      csv('leads.csv', 'Last Name,Email', 'Ada,a@example.com', 'Bob,b@example.com'),
    ])
    await moving.go(workspace, brought.id, 'start')
    const events = async () =>
      (
        await api.db
          .select({ event: schema.outbox.event })
          .from(schema.outbox)
          .where(eq(schema.outbox.workspaceId, workspace.workspaceId))
      )
        .map(({ event }) => event)
        .filter((event) => event.startsWith('lead.'))
    expect(await events()).toEqual([])
    await moving.go(workspace, brought.id, 'revert')
    await moving.change(workspace, brought.id, { automation: 'RUN' })
    await moving.go(workspace, brought.id, 'start')
    expect(await events()).toEqual(['lead.created', 'lead.created'])
  })
})

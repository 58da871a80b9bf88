import { finishedImport } from '@crm/contract'
import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi, type CallAnswer } from '../../../test/harness.ts'
import { exportsOfPrograms } from '../../../test/exports-of-programs.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { movingInto } from '../../../test/moving.ts'

const api = await ownApi()
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

it('two people who bring the same rows at once make each record once', async () => {
  const workspace = await newWorkspace()
  const rows = Array.from({ length: 300 }, (_, at) => `Name ${at},c${at}@same.example,Works ${at % 20}`)
  const bring = () => moving.bring(workspace, [csv('contacts.csv', 'Last Name,Email,Company', ...rows)])
  const both = [await bring(), await bring()]
  const cookie = await workspace.session()
  const start = ({ id }: CallAnswer['body']) =>
    call({ method: 'POST', path: `/api/settings/migrations/${id}/start`, cookie }, workspace)
  expect((await Promise.all(both.map(start))).map(({ status }) => status)).toEqual([200, 200])
  await jobs.settled()
  const results = await Promise.all(both.map(async ({ id }) => (await moving.read(workspace, id)).result))
  const sum = (name: string) => results.reduce((all, result) => all + result[name], 0)
  expect([sum('created'), sum('skipped'), sum('failed')]).toEqual([300, 300, 0])
  const { key } = await workspace.apiKey()
  const companies = await call({ path: '/api/companies?pageSize=1', key }, workspace)
  expect(companies.body.total).toBe(20)
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

describe('columns that are written in two ways', () => {
  const lines = [
    'Deal Name,Close date,Start date,Amount',
    'Fleet,04/29/2026,29/04/2026,1',
    'Boats,03/04/2026,03/04/2026,2',
  ]
  const days = async (workspace: Workspace) => {
    const deals = await list(workspace, '/api/deals?sortBy=name&sortOrder=asc')
    return deals.map(({ expectedCloseDate, customFields }: CallAnswer['body']) => [
      expectedCloseDate,
      customFields.start,
    ])
  }
  const withStart = async () => {
    const workspace = await newWorkspace()
    const body = { entityType: 'DEAL', key: 'start', label: 'Start date', type: 'DATE' }
    const cookie = await workspace.session()
    const made = await call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body }, workspace)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return workspace
  }

  it('have each its own order, and nothing is asked', async () => {
    const workspace = await withStart()
    const brought = await moving.bring(workspace, [csv('deals.csv', ...lines)])
    const [file] = brought.plan.files
    expect([file.order, file.orders]).toEqual([null, []])
    expect(file.columns.slice(1, 3)).toMatchObject([
      { field: 'expectedCloseDate', format: { order: 'MONTH_FIRST' } },
      { field: 'cf_start', format: { order: 'DAY_FIRST' } },
    ])
    expect(file.columns.map(({ reads }: { reads?: string[] }) => reads)).toEqual([
      undefined,
      ['2026-04-29', '2026-03-04'],
      ['2026-04-29', '2026-04-03'],
      ['1', '2'],
    ])
    expect(await moving.go(workspace, brought.id, 'start')).toMatchObject({ result: { created: 2, failed: 0 } })
    expect(await days(workspace)).toEqual([
      ['2026-03-04', '2026-04-03'],
      ['2026-04-29', '2026-04-29'],
    ])
  })

  it('are asked about where they could be either, and say it for themselves', async () => {
    const workspace = await withStart()
    const brought = await moving.bring(workspace, [csv('deals.csv', lines[0] ?? '', lines[2] ?? '')])
    const [file] = brought.plan.files
    expect([file.order, file.orders]).toEqual([null, ['DAY_FIRST', 'MONTH_FIRST']])
    expect(file.columns[1].reads).toEqual([null])
    const columns = [{ at: 1, format: { order: 'MONTH_FIRST' } }]
    await moving.change(workspace, brought.id, { files: [{ id: file.id, order: 'DAY_FIRST', columns }] })
    expect(await moving.go(workspace, brought.id, 'start')).toMatchObject({ result: { created: 1, failed: 0 } })
    expect(await days(workspace)).toEqual([['2026-03-04', '2026-04-03']])
  })
})

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

describe('a column that is called like a kind', () => {
  it.each([
    ['Company,City,Phone', 'Acme,Berlin,+4930123456', 'COMPANY', 'name'],
    ['Firma;Ort;Telefon', 'Acme;Berlin;+4930123456', 'COMPANY', 'name'],
    ['Организация;Город;Телефон', 'Acme;Berlin;+4930123456', 'COMPANY', 'name'],
    ['Deal,Amount,Stage,Company', 'Big,12.00,Proposal,Acme', 'DEAL', 'name'],
    ['Task,Due date,Status', 'Call,2026-03-14,TODO', 'TASK', 'title'],
    ['Name,Company,Phone', 'Ann Smith,Acme,+4930123456', 'CONTACT', 'fullName'],
  ])('%s holds its names, where no other does', async (header, row, kind, field) => {
    const brought = await moving.bring(await newWorkspace(), [csv('export.csv', header, row)])
    const [{ kind: proposed, columns }] = brought.plan.files
    expect([proposed, columns[0].field]).toEqual([kind, field])
  })
})

describe('a closed deal', () => {
  it('was closed on its close date, where the file says no other day', async () => {
    const workspace = await newWorkspace()
    const rows = [
      'Acme,Won one,Closed Won,28/02/2024,',
      'Acme,Lost one,Closed Lost,29/02/2024,',
      'Acme,Told,Closed Won,28/02/2024,2024-03-05T10:00:00Z',
      'Acme,Ahead,Closed Won,28/02/2999,',
      'Acme,Open,Proposal,28/02/2024,',
    ]
    const brought = await moving.bring(workspace, [
      csv('report.csv', 'Account Name,Opportunity Name,Stage,Close Date,Won time', ...rows),
    ])
    await moving.change(workspace, brought.id, { zone: 'Europe/Berlin' })
    await moving.go(workspace, brought.id, 'start')
    const deals = await list(workspace, '/api/deals')
    const closed = (name: string) => deals.find((deal: { name: string }) => deal.name === name).closedAt
    expect(closed('Won one')).toBe('2024-02-27T23:00:00.000Z')
    expect(closed('Lost one')).toBe('2024-02-28T23:00:00.000Z')
    expect(closed('Told')).toBe('2024-03-05T10:00:00.000Z')
    expect(closed('Ahead').slice(0, 4)).not.toBe('2999')
    expect(closed('Open')).toBeNull()
    expect(await list(workspace, '/api/companies')).toMatchObject([{ name: 'Acme' }])
  })
})

describe('names that cells give', () => {
  it('make one record each, however they are spelt', async () => {
    const workspace = await newWorkspace()
    const spellings = [
      'Straße GmbH',
      'STRASSE GMBH',
      'İstanbul A',
      'istanbul a',
      'ΟΔΥΣΣΕΥΣ',
      'οδυσσευς',
      'O’Brien',
      "O'Brien",
    ]
    const rows = [...spellings, 'Cafe\u0301', 'Café', 'Ｆｕｌｌ', 'full'].map((name, n) => `Person ${n};${name}`)
    const brought = await moving.bring(workspace, [csv('contacts.csv', 'Last Name;Company', ...rows)])
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done.result).toMatchObject({ created: 12, failed: 0, made: { COMPANY: 6 } })
    expect(await list(workspace, '/api/contacts?companyId=none')).toEqual([])
  })

  it('of people in one cell count where a row has no parts', async () => {
    const workspace = await newWorkspace()
    const rows = ['Ada Lovelace,,', 'Somebody Else,Grace,Hopper', 'Madonna Ciccone,Madonna,']
    const brought = await moving.bring(workspace, [csv('contacts.csv', 'Full Name,First Name,Last Name', ...rows)])
    await moving.go(workspace, brought.id, 'start')
    const names = (await list(workspace, '/api/contacts')).map(
      ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`,
    )
    expect(names.toSorted()).toEqual(['Ada Lovelace', 'Grace Hopper', 'Madonna null'])
  })
})

it('the days on which a record changed its stage or status stay', async () => {
  const workspace = await newWorkspace()
  const brought = await moving.bring(workspace, [
    csv('deals.csv', 'Deal Name,Amount,Stage,Last Stage Change Date', 'Crane,10,Proposal,2025-03-14'),
    csv('leads.csv', 'Lead,Last Name,Status,Last Status Change,stageChangedAt', 'x,Ada,NEW,2025-03-15,2025-03-16'),
  ])
  await moving.go(workspace, brought.id, 'start')
  expect(await list(workspace, '/api/deals')).toMatchObject([{ stageChangedAt: '2025-03-14T00:00:00.000Z' }])
  expect(await list(workspace, '/api/leads')).toMatchObject([
    { statusChangedAt: '2025-03-15T00:00:00.000Z', stageChangedAt: '2025-03-16T00:00:00.000Z' },
  ])
})

describe('digits without a plus', () => {
  it('are of the country in which the workspace is, however it is written', async () => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    const body = { address: { country: 'Österreich' } }
    expect((await call({ method: 'PATCH', path: '/api/organization', key, body }, workspace)).status).toBe(200)
    const brought = await moving.bring(workspace, [csv('contacts.csv', 'Last Name,Phone', 'Ada,01 5331234')])
    expect(brought.plan.defaultCountry).toBe('AT')
    await moving.go(workspace, brought.id, 'start')
    expect(await list(workspace, '/api/contacts')).toMatchObject([{ phone: '+4315331234' }])
  })

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
    const finished = async () =>
      (await api.db.select().from(schema.outbox).where(eq(schema.outbox.workspaceId, workspace.workspaceId))).filter(
        ({ event }) => event === 'import.finished',
      )
    expect(await events()).toEqual([])
    const [told, ...more] = await finished()
    expect(more).toEqual([])
    expect(told).toMatchObject({ topic: 'change', entityType: 'IMPORT', entityId: brought.id })
    const { record } = told!.payload as { record: object }
    expect(finishedImport.strict().parse(record)).toMatchObject({
      kinds: ['LEAD'],
      fileNames: ['leads.csv'],
      source: 'FILES',
      automation: 'SILENT',
      created: 2,
      failed: 0,
    })
    await moving.go(workspace, brought.id, 'revert')
    expect(await finished()).toHaveLength(1)
    await moving.change(workspace, brought.id, { automation: 'RUN' })
    await moving.go(workspace, brought.id, 'start')
    expect(await events()).toEqual(['lead.created', 'lead.created'])
    expect(await finished()).toHaveLength(2)
  })
})

describe('links', () => {
  it('hold whatever the order of files and rows, and several starts are one import for a revert', async () => {
    const workspace = await newWorkspace()
    const companies = csv('companies.csv', 'ID,Company Name,Parent Company', 'c1,Daughter,c2', 'c2,Mother,')
    const notes = csv(
      'notes.csv',
      'Note ID,Body,Contact ID,Deal ID,Created At',
      'n1,Called them,p1;p2,,2024-05-01 10:00',
    )
    const people = csv('people.csv', 'ID,Last Name,Company ID', 'p1,Lovelace,c1', 'p2,Hopper,gone')
    const brought = await moving.bring(workspace, [notes, people, companies])
    expect(brought.plan.files).toMatchObject([
      { kind: 'ACTIVITY', constants: { type: 'NOTE' } },
      { kind: 'CONTACT' },
      { kind: 'COMPANY' },
    ])
    const tried = await moving.go(workspace, brought.id, 'check')
    const expected = { created: 5, failed: 0, files: [{ problemCount: 0 }, { problemCount: 1 }, { problemCount: 0 }] }
    expect(tried.result, JSON.stringify(tried.result)).toMatchObject(expected)
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done.result, JSON.stringify(done.result)).toMatchObject(expected)
    expect(done.result.files[1].problems).toMatchObject([
      { line: 3, header: 'Company ID', code: 'NOT_FOUND', values: { text: 'gone' } },
    ])
    const [daughter, mother] = await list(workspace, '/api/companies?sortBy=name&sortOrder=asc')
    expect(daughter).toMatchObject({ name: 'Daughter', parentId: mother.id, externalSource: 'FILES', externalId: 'c1' })
    const [note] = await list(workspace, '/api/activities')
    expect(note).toMatchObject({
      type: 'NOTE',
      body: 'Called them',
      createdAt: '2024-05-01T10:00:00.000Z',
      startAt: '2024-05-01T10:00:00.000Z',
    })
    expect(note.links.map(({ entityType }: { entityType: string }) => entityType)).toEqual(['CONTACT', 'CONTACT'])
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({ created: 0, failed: 0 })
    expect(await moving.go(workspace, brought.id, 'revert')).toMatchObject({ state: 'REVERTED', reverted: 5 })
    for (const path of ['/api/companies', '/api/contacts', '/api/activities'])
      expect(await list(workspace, path)).toEqual([])
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({ created: 5, failed: 0 })
  })

  it('are filtered by the key of the program', async () => {
    const workspace = await newWorkspace()
    await moving.go(
      workspace,
      (await moving.bring(workspace, [csv('people.csv', 'ID,Last Name', 'aB1,Ada', 'ab1,Bob')], { source: 'ZOHO' })).id,
      'start',
    )
    expect(await list(workspace, '/api/contacts?externalSource=ZOHO&externalId=aB1')).toMatchObject([
      { lastName: 'Ada' },
    ])
    expect(await list(workspace, '/api/contacts?externalSource=HUBSPOT')).toEqual([])
  })

  it.each([
    ['EMPTY', { created: 1, skipped: 0, failed: 0 }],
    ['SKIP', { created: 0, skipped: 1, failed: 0 }],
    ['FAIL', { created: 0, skipped: 0, failed: 1 }],
    ['CREATE', { created: 1, skipped: 0, failed: 0, made: { COMPANY: 1 } }],
  ])('to what is not here: %s', async (onMissing, figures) => {
    const workspace = await newWorkspace()
    const brought = await moving.bring(workspace, [csv('people.csv', 'Last Name,Company', 'Ada,Acme')])
    const [{ id }] = brought.plan.files
    await moving.change(workspace, brought.id, { files: [{ id, columns: [{ at: 1, onMissing }] }] })
    expect((await moving.go(workspace, brought.id, 'check')).result).toMatchObject(figures)
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject(figures)
  })
})

describe('a record that was deleted', () => {
  it('comes back without its key where a later import gave that to another one', async () => {
    const workspace = await newWorkspace()
    const file = csv('contacts.csv', 'Record ID,First Name,Last Name', '77,Ada,Lovelace')
    await moving.go(workspace, (await moving.bring(workspace, [file])).id, 'start')
    const [first] = await list(workspace, '/api/contacts')
    const { key } = await workspace.apiKey()
    await call({ method: 'DELETE', path: `/api/contacts/${first.id}`, key }, workspace)
    await moving.go(workspace, (await moving.bring(workspace, [file])).id, 'start')
    const path = `/api/settings/deleted-records/${first.id}/restore`
    const cookie = await workspace.session()
    const restored = await call({ method: 'POST', path, cookie, body: { entityType: 'CONTACT' } }, workspace)
    expect(restored.status, JSON.stringify(restored.body)).toBe(200)
    const keys = (await list(workspace, '/api/contacts')).map(({ id, externalId }) => [id === first.id, externalId])
    expect(keys).toHaveLength(2)
    expect(keys).toEqual(
      expect.arrayContaining([
        [false, '77'],
        [true, null],
      ]),
    )
  })
})

describe('a plan', () => {
  it('makes custom fields when the import starts, with the words of their column', async () => {
    const workspace = await newWorkspace()
    const brought = await moving.bring(workspace, [
      csv('people.csv', 'Last Name,Shoe size,Mood', 'Ada,38,Good', 'Bob,big,Bad'),
    ])
    const [{ id }] = brought.plan.files
    const customFields = [
      { kind: 'CONTACT', key: 'shoeSize', label: 'Shoe size', type: 'NUMBER' },
      { kind: 'CONTACT', key: 'mood', label: 'Mood', type: 'SELECT' },
    ]
    const columns = [
      { at: 1, field: 'cf_shoeSize' },
      { at: 2, field: 'cf_mood' },
    ]
    const changed = await moving.change(workspace, brought.id, { customFields, files: [{ id, columns }] })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const tried = (await moving.go(workspace, brought.id, 'check')).result
    expect(tried, JSON.stringify(tried)).toMatchObject({ created: 2, failed: 0, files: [{ problemCount: 1 }] })
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({
      created: 2,
      failed: 0,
      files: [{ problemCount: 1 }],
    })
    expect(await list(workspace, '/api/contacts?sortBy=lastName&sortOrder=asc')).toMatchObject([
      { customFields: { shoeSize: 38, mood: 'Good' } },
      { customFields: { mood: 'Bad' } },
    ])
  })

  it('can be sent back as it was read', async () => {
    const workspace = await newWorkspace()
    const brought = await moving.bring(workspace, [csv('people.csv', 'Last Name', 'Ada')])
    const changed = await moving.change(workspace, brought.id, brought.plan)
    expect(changed).toMatchObject({ status: 200, body: { data: { state: 'ANALYSED', plan: brought.plan } } })
  })

  it.each<[string, (fileId: string) => object, readonly string[]]>([
    [
      'a file that is not there',
      () => ({ files: [{ id: '01890000-0000-7000-8000-000000000000' }] }),
      ['plan', 'files', '0', 'id'],
    ],
    [
      'a field that is not there',
      (id) => ({ files: [{ id, columns: [{ at: 0, field: 'shoeSize' }] }] }),
      ['plan', 'files', '0', 'columns', '0', 'field'],
    ],
    [
      'a column that is not there',
      (id) => ({ files: [{ id, columns: [{ at: 9, field: null }] }] }),
      ['plan', 'files', '0', 'columns', '0', 'at'],
    ],
    [
      'two columns for one field',
      (id) => ({ files: [{ id, columns: [{ at: 1, field: 'lastName' }] }] }),
      ['plan', 'files', '0', 'columns'],
    ],
    [
      'an encoding that is none',
      (id) => ({ files: [{ id, encoding: 'latin-9' }] }),
      ['plan', 'files', '0', 'encoding'],
    ],
    ['a sheet of a text', (id) => ({ files: [{ id, sheet: 'One' }] }), ['plan', 'files', '0', 'sheet']],
    [
      'people made of names',
      (id) => ({ files: [{ id, columns: [{ at: 2, field: 'ownerId', onMissing: 'CREATE' }] }] }),
      ['plan', 'files', '0', 'columns', '0', 'onMissing'],
    ],
  ])('refuses %s and stays', async (_, change, path) => {
    const workspace = await newWorkspace()
    const brought = await moving.bring(workspace, [csv('people.csv', 'Last Name,Other,Owner', 'Ada,x,y')])
    const { status, body } = await moving.change(workspace, brought.id, change(brought.plan.files[0].id))
    expect({ status, code: body.code, path: body.issues?.[0]?.path }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      path,
    })
    expect(await moving.read(workspace, brought.id)).toEqual(brought)
  })
})

describe('a migration', () => {
  const people = csv('people.csv', 'Last Name', 'Ada')
  /** Puts a migration into a state that its worker would leave at once. */
  const stand = (id: string, state: 'ANALYSING' | 'ANALYSED' | 'RUNNING') =>
    api.db.update(schema.migrations).set({ state }).where(eq(schema.migrations.id, id))

  it('refuses what it cannot do in its state', async () => {
    const workspace = await newWorkspace()
    const cookie = await workspace.session()
    const ask = async (id: string, verb: string) =>
      (await call({ method: 'POST', path: `/api/settings/migrations/${id}/${verb}`, cookie }, workspace)).body.code
    const { id } = await moving.bring(workspace, [people])
    await stand(id, 'ANALYSING')
    for (const verb of ['check', 'start', 'revert']) expect(await ask(id, verb)).toBe('INVALID_TRANSITION')
    expect((await moving.change(workspace, id, {})).body.code).toBe('INVALID_TRANSITION')
    await stand(id, 'ANALYSED')
    expect(await ask(id, 'cancel')).toBe('INVALID_TRANSITION')
  })

  it('ends where it is, and can be taken up again', async () => {
    const workspace = await newWorkspace()
    const brought = await moving.bring(workspace, [people])
    const cookie = await workspace.session()
    const ask = (verb: string) =>
      call({ method: 'POST', path: `/api/settings/migrations/${brought.id}/${verb}`, cookie }, workspace)
    await stand(brought.id, 'RUNNING')
    expect((await ask('cancel')).body.data.state).toBe('CANCELLED')
    await jobs.settled()
    expect((await moving.read(workspace, brought.id)).state).toBe('CANCELLED')
    expect((await moving.go(workspace, brought.id, 'start')).state).toBe('DONE')
    expect(await list(workspace, '/api/contacts')).toHaveLength(1)
  })

  it('is worked on by nobody but the person who brought it, with the rights that they have', async () => {
    const workspace = await newWorkspace()
    const brought = await moving.bring(workspace, [people])
    const { id } = await workspace.employee({
      grant: { permissions: ['IMPORT_DATA', 'CREATE_CONTACT', 'VIEW_CONTACT'] },
    })
    const cookie = await workspace.session(id)
    const path = `/api/settings/migrations/${brought.id}`
    for (const verb of ['check', 'start', 'cancel'])
      expect((await call({ method: 'POST', path: `${path}/${verb}`, cookie }, workspace)).body.code).toBe(
        'ACCESS_DENIED',
      )
    expect((await call({ method: 'PATCH', path, cookie, body: { plan: {} } }, workspace)).body.code).toBe(
      'ACCESS_DENIED',
    )
    const { body } = await call({ path, cookie }, workspace)
    expect(body.data.plan.files[0].columns[0].samples).toEqual([])
  })

  it('of more than twenty files, of none, and of a kind that nobody may make are refused', async () => {
    const workspace = await newWorkspace()
    const many = Array.from({ length: 21 }, () => people)
    expect(await moving.send(workspace, many)).toMatchObject({ status: 400, body: { issues: [{ path: ['files'] }] } })
    expect(await moving.send(workspace, [])).toMatchObject({ status: 400, body: { issues: [{ path: ['files'] }] } })
    expect(await moving.send(workspace, [people], { source: 'EXCEL' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: ['options', 'source'] }] },
    })
    expect(await api.db.$count(schema.migrations, eq(schema.migrations.workspaceId, workspace.workspaceId))).toBe(0)
    expect(await api.db.$count(schema.imports, eq(schema.imports.workspaceId, workspace.workspaceId))).toBe(0)
  })

  it('names what cannot be read, beside what can', async () => {
    const workspace = await newWorkspace()
    const html = { name: 'report.xls', content: '<html><table><tr><td>Name</td></tr></table></html>' }
    const brought = await moving.bring(workspace, [html, people])
    expect(brought.plan.files).toMatchObject([
      { problem: expect.stringContaining('web page') },
      { problem: null, kind: 'CONTACT' },
    ])
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({ created: 1, failed: 0 })
  })

  it('gives all problems as a file', async () => {
    const workspace = await newWorkspace()
    const brought = await moving.bring(workspace, [
      csv('people.csv', 'Last Name,Email,Birthday', 'Ada,=no mail,soon', 'Bob,b@example.com,1.2.1980,extra'),
    ])
    await moving.go(workspace, brought.id, 'check')
    const { payload } = await api.app.inject({
      method: 'GET',
      url: `/api/settings/migrations/${brought.id}/problems.csv`,
      headers: { host: workspace.host, cookie: await workspace.session() },
    })
    expect(payload.split('\n')).toEqual([
      'file,line,column,problem,row left out,code',
      'people.csv,2,Email,“=no mail” is no email address,no,NO_EMAIL',
      'people.csv,2,Birthday,“soon” is no date,no,NO_DATE',
      '"people.csv",3,,"The row has 4 cells, and the header has 3",yes,MORE_CELLS'.replace(
        '"people.csv"',
        'people.csv',
      ),
      '',
    ])
  })

  it('names what automation made of records that are taken back', async () => {
    const workspace = await newWorkspace()
    const brought = await moving.bring(workspace, [people])
    await moving.go(workspace, brought.id, 'start')
    const [contact] = await list(workspace, '/api/contacts')
    const { key } = await workspace.apiKey()
    const links = [{ entityType: 'CONTACT', entityId: contact.id }]
    const task = await call({ method: 'POST', path: '/api/tasks', key, body: { title: 'Call', links } }, workspace)
    const reverted = await moving.go(workspace, brought.id, 'revert')
    expect(reverted.remains).toEqual([{ entityType: 'TASK', id: task.body.data.id, title: 'Call' }])
  })
})
